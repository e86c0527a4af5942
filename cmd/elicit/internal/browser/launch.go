package browser

import (
	"html"
	"os"
	"path/filepath"
	"time"
)

// callBrowser opens link in the person's browser. Programs that open things take them as an argument, and every user of
// a machine may read those of others; so what is opened is a file that only this user can read, which leads on. It is
// gone again once the browser has had time to read it, or the page is over.
func callBrowser(open func(string) error, link string, reading time.Duration, over <-chan struct{}) error {
	folder, err := os.MkdirTemp(os.Getenv("XDG_RUNTIME_DIR"), "elicit-")
	if err != nil {
		folder, err = os.MkdirTemp("", "elicit-")
	}
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	name := filepath.Join(folder, "questions.html")
	if err := os.WriteFile(name, leadOn(link), 0o600); err != nil {
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

const readingTime = time.Minute

// leadOn is a page that goes to link at once.
func leadOn(link string) []byte {
	l := html.EscapeString(link)
	return []byte(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="referrer" content="no-referrer">` +
		`<meta http-equiv="refresh" content="0;url=` + l + `"><title>Elicit</title><p><a href="` + l + `">Questions</a></p></html>` + "\n")
}
