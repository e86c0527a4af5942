// Package desktop knows whether the person can see a browser that this process starts, and opens pages in it.
package desktop

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/elicit-engine/elicit/engine/risk"
)

// OpenPage opens url in the person's browser. It uses no shell, and it refuses an address that two programs could read
// differently, because the address may come from a hostile server. ELICIT_BROWSER or else BROWSER names another
// program: OpenPage splits the variable at blanks, and runs the words with the address as the last argument.
func OpenPage(url string) error {
	if u, ok := risk.ParseURL(url); !ok || u.Scheme != "https" && u.Scheme != "http" {
		return errors.New("it is no plain http or https address")
	}
	return OpenFile(url)
}

// OpenFile opens a target in the browser: a file that this program wrote, or an address that OpenPage has checked.
func OpenFile(target string) error {
	words := BrowserCommand()
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

// BrowserCommand is the program that opens a page, with its arguments.
func BrowserCommand() []string {
	for _, name := range []string{os.Getenv("ELICIT_BROWSER"), os.Getenv("BROWSER")} {
		if words := strings.Fields(name); len(words) > 0 {
			return words
		}
	}
	switch runtime.GOOS {
	case "darwin":
		return []string{"open"}
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}
	}
	return []string{"xdg-open"}
}

// HasDisplay reports whether the person would see a browser that this process starts. It is false for a session over
// SSH that does not forward a display.
func HasDisplay() bool { return DisplayIn(os.Getenv) }

// DisplayIn is HasDisplay for a process with another environment.
func DisplayIn(env func(string) string) bool {
	switch runtime.GOOS {
	case "darwin", "windows":
		return env("SSH_CONNECTION") == ""
	}
	return env("DISPLAY") != "" || env("WAYLAND_DISPLAY") != ""
}
