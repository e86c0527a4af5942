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

// openPage opens url in the person's own browser: never through a shell, and only an address that every program reads
// the same way. ELICIT_BROWSER or BROWSER names another program; its first word is run with the address as last
// argument.
func openPage(url string) error {
	if u, ok := risk.ParseURL(url); !ok || u.Scheme != "https" && u.Scheme != "http" {
		return errors.New("not an address that a browser should be given")
	}
	return openFile(url)
}

// openFile opens a file of ours, or an address found fit for it, in the browser.
func openFile(target string) error {
	var words []string
	for _, name := range []string{os.Getenv("ELICIT_BROWSER"), os.Getenv("BROWSER")} {
		if words = strings.Fields(name); len(words) > 0 {
			break
		}
	}
	if len(words) == 0 {
		words = opener()
	}
	browser := exec.Command(words[0], append(words[1:], target)...)
	if err := browser.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- browser.Wait() }()
	select {
	case err := <-ended:
		return err
	case <-time.After(2 * time.Second): // it runs; some browsers stay for as long as their window
		return nil
	}
}

func opener() []string {
	switch runtime.GOOS {
	case "darwin":
		return []string{"open"}
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}
	}
	return []string{"xdg-open"}
}
