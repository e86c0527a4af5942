package browser

import (
	"html"
	"os"
	"path/filepath"
	"time"
)

// openInBrowser opens link in the person's browser. The link is an argument of a program, and every user of a machine
// can read the arguments of all programs. So openInBrowser opens a file that only this user can read, and the file
// redirects to the link. It removes the file after the time reading, or when over is closed.
func openInBrowser(open func(string) error, link string, reading time.Duration, over <-chan struct{}) error {
	folder, err := os.MkdirTemp(os.Getenv("XDG_RUNTIME_DIR"), "elicit-")
	if err != nil {
		folder, err = os.MkdirTemp("", "elicit-")
	}
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	name := filepath.Join(folder, "questions.html")
	if err := os.WriteFile(name, redirectPage(link), 0o600); err != nil {
		return err
	}
	if err := open(name); err != nil {
		return err
	}
	select {
	case <-time.After(reading):
	case <-over:
	}
	return nil
}

// defaultReadingTime is how long a browser has to read the file.
const defaultReadingTime = time.Minute

// redirectPage returns an HTML page that redirects to link at once.
func redirectPage(link string) []byte {
	l := html.EscapeString(link)
	return []byte(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="referrer" content="no-referrer">` +
		`<meta http-equiv="refresh" content="0;url=` + l + `"><title>Elicit</title>` +
		`<p><a href="` + l + `">Questions</a></p></html>` + "\n")
}
