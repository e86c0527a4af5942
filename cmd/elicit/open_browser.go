package main

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/elicit-engine/elicit/engine/risk"
)

// openPage opens url in the person's browser. It uses no shell, and it refuses an address that two programs could read
// differently, because the address may come from a hostile server. ELICIT_BROWSER or else BROWSER names another
// program: openPage splits the variable at blanks, and runs the words with the address as the last argument.
func openPage(url string) error {
	if u, ok := risk.ParseURL(url); !ok || u.Scheme != "https" && u.Scheme != "http" {
		return errors.New("it is no plain http or https address")
	}
	return openFile(url)
}

// openFile opens a target in the browser: a file that this program wrote, or an address that openPage has checked.
func openFile(target string) error {
	words := browserCommand()
	browser := exec.Command(words[0], append(words[1:], target)...)
	if err := browser.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- browser.Wait() }()
	select {
	case err := <-ended:
		return err
	case <-time.After(2 * time.Second): // it has started; some browsers run for as long as their window is open
		return nil
	}
}

// browserCommand is the program that opens a page, with its arguments.
func browserCommand() []string {
	for _, name := range []string{os.Getenv("ELICIT_BROWSER"), os.Getenv("BROWSER")} {
		if words := strings.Fields(name); len(words) > 0 {
			return words
		}
	}
	return openCommand()
}

func openCommand() []string {
	switch runtime.GOOS {
	case "darwin":
		return []string{"open"}
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}
	}
	return []string{"xdg-open"}
}
