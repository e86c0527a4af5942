package browser

import (
	_ "embed"
	"net/http"
)

// The files of the page. `./build.sh page` builds them from bindings/js/src/page. They hold no secret.
var (
	//go:embed page/index.html
	pageHTML []byte
	//go:embed page/page.css
	pageCSS []byte
	//go:embed page/page.js
	pageJS []byte
	//go:embed page/ar.js
	pageArabic []byte
	//go:embed page/de.js
	pageGerman []byte
	//go:embed page/zh.js
	pageChinese []byte
	//go:embed page/icon.svg
	pageIcon []byte
)

type staticFile struct {
	kind string
	text *[]byte
}

var staticFiles = map[string]staticFile{
	"":         {"text/html; charset=utf-8", &pageHTML},
	"page.css": {"text/css; charset=utf-8", &pageCSS},
	"page.js":  {"text/javascript; charset=utf-8", &pageJS},
	"ar.js":    {"text/javascript; charset=utf-8", &pageArabic},
	"de.js":    {"text/javascript; charset=utf-8", &pageGerman},
	"zh.js":    {"text/javascript; charset=utf-8", &pageChinese},
	"icon.svg": {"image/svg+xml", &pageIcon},
}

// serveFile serves one file of the page. A browser gets the document only when it navigates to it, and the other files
// only for the document.
func (srv *server) serveFile(w http.ResponseWriter, r *http.Request, f staticFile) {
	document := f.text == &pageHTML
	where, what := r.Header.Get("Sec-Fetch-Dest"), r.Header.Get("Sec-Fetch-Mode")
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, http.StatusMethodNotAllowed)
	case document && (where != "" && where != "document" || what != "" && what != "navigate"):
		refuse(w, http.StatusForbidden)
	case !document && !srv.sameOrigin(r):
		refuse(w, http.StatusForbidden)
	default:
		w.Header().Set("Content-Type", f.kind)
		_, _ = w.Write(*f.text)
	}
}
