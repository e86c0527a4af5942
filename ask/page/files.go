package page

import (
	"embed"
	"html"
	"maps"
	"strings"

	"github.com/elicit-engine/elicit/internal/web"
)

// The files of the page. `./build.sh page` builds the scripts from bindings/js/src/page/carrier. They hold no secret.
//
//go:embed files
var embedded embed.FS

var files = web.Files(embedded, "files")

// filesFor returns the files by name, with the server's name in the document.
func filesFor(name string) map[string]web.File {
	all := maps.Clone(files)
	document := all[""]
	document.Text = []byte(strings.ReplaceAll(string(document.Text), "{server}", html.EscapeString(name)))
	all[""] = document
	return all
}
