package web

import (
	"embed"
	"net/http"
	"path"
)

// File is one file of a page. It holds no secret.
type File struct {
	Kind     string // its media type
	Text     []byte
	Document bool // whether a browser navigates to it
}

// These are the files that the pages share. `./build.sh page` builds the script, which draws a form, and those of the
// pages from bindings/js/src/page.
//
//go:embed form.js icon.svg
var shared embed.FS

// Files returns the files of a page by name: those of a folder, and what the pages share. The document has the name "".
func Files(page embed.FS, folder string) map[string]File {
	files := map[string]File{}
	add := func(from embed.FS, folder string) {
		entries, err := from.ReadDir(folder)
		for _, entry := range entries {
			name, text := entry.Name(), []byte(nil)
			if text, err = from.ReadFile(path.Join(folder, name)); err != nil {
				break
			}
			kind := kinds[path.Ext(name)]
			if name == "index.html" {
				name = ""
			}
			files[name] = File{Kind: kind, Text: text, Document: name == ""}
		}
		if err != nil {
			panic(err) // the files are part of the program
		}
	}
	add(shared, ".")
	add(page, folder)
	return files
}

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

// kinds has the media types of the files of a page.
var kinds = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
}
