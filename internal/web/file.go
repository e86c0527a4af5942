package web

import (
	_ "embed"
	"net/http"
)

// File is one file of a page. It holds no secret.
type File struct {
	Kind     string // its media type
	Text     []byte
	Document bool // whether a browser navigates to it
}

//go:embed form.js
var form []byte

// Form is the script form.js, which draws a form. Each page that does so serves it beside its own script.
// `./build.sh page` builds all scripts from bindings/js/src/page.
var Form = File{Kind: JS, Text: form}

// Serve serves the file. A browser gets the document only when it navigates to it, and the other files only for the
// document of the same origin.
func (f File) Serve(w http.ResponseWriter, r *http.Request, origin string) {
	where, what := r.Header.Get("Sec-Fetch-Dest"), r.Header.Get("Sec-Fetch-Mode")
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		Refuse(w, http.StatusMethodNotAllowed)
	case f.Document && (where != "" && where != "document" || what != "" && what != "navigate"):
		Refuse(w, http.StatusForbidden)
	case !f.Document && !SameOrigin(r, origin):
		Refuse(w, http.StatusForbidden)
	default:
		w.Header().Set("Content-Type", f.Kind)
		_, _ = w.Write(f.Text)
	}
}

// The media types of the files of a page.
const (
	HTML = "text/html; charset=utf-8"
	CSS  = "text/css; charset=utf-8"
	JS   = "text/javascript; charset=utf-8"
	SVG  = "image/svg+xml"
)
