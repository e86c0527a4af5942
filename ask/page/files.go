package page

import (
	_ "embed"
	"html"
	"strings"

	"github.com/elicit-engine/elicit/internal/web"
)

// The files of the page. `./build.sh page` builds them from bindings/js/src/page/carrier. They hold no secret.
var (
	//go:embed files/index.html
	pageHTML string
	//go:embed files/page.css
	pageCSS []byte
	//go:embed files/page.js
	pageJS []byte
	//go:embed files/ar.js
	pageArabic []byte
	//go:embed files/de.js
	pageGerman []byte
	//go:embed files/zh.js
	pageChinese []byte
	//go:embed files/icon.svg
	pageIcon []byte
)

// filesFor returns the files by name, with the server's name in the document.
func filesFor(name string) map[string]web.File {
	document := strings.ReplaceAll(pageHTML, "{server}", html.EscapeString(name))
	return map[string]web.File{
		"":         {Kind: web.HTML, Text: []byte(document), Document: true},
		"page.css": {Kind: web.CSS, Text: pageCSS},
		"page.js":  {Kind: web.JS, Text: pageJS},
		"form.js":  web.Form,
		"ar.js":    {Kind: web.JS, Text: pageArabic},
		"de.js":    {Kind: web.JS, Text: pageGerman},
		"zh.js":    {Kind: web.JS, Text: pageChinese},
		"icon.svg": {Kind: web.SVG, Text: pageIcon},
	}
}
