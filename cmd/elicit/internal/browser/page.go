package browser

import (
	_ "embed"
	"net/http"
)

// The page, as built from bindings/js/src/page by `./build.sh page`. It is the same for everybody and holds no secret.
var (
	//go:embed page/index.html
	pageHTML []byte
	//go:embed page/page.css
	pageCSS []byte
	//go:embed page/page.js
	pageJS []byte
	//go:embed page/icon.svg
	pageIcon []byte
)

type file struct {
	kind string
	text *[]byte
}

var files = map[string]file{
	"":         {"text/html; charset=utf-8", &pageHTML},
	"page.css": {"text/css; charset=utf-8", &pageCSS},
	"page.js":  {"text/javascript; charset=utf-8", &pageJS},
	"icon.svg": {"image/svg+xml", &pageIcon},
}

// serveFile serves a part of the page: the document to whoever goes there, and only as a document; the rest to it.
func (d *door) serveFile(w http.ResponseWriter, r *http.Request, f file) {
	document := f.text == &pageHTML
	where, what := r.Header.Get("Sec-Fetch-Dest"), r.Header.Get("Sec-Fetch-Mode")
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, http.StatusMethodNotAllowed)
	case document && (where != "" && where != "document" || what != "" && what != "navigate"):
		refuse(w, http.StatusForbidden)
	case !document && !d.sameOrigin(r):
		refuse(w, http.StatusForbidden)
	default:
		w.Header().Set("Content-Type", f.kind)
		_, _ = w.Write(*f.text)
	}
}
