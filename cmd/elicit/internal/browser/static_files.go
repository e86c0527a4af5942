package browser

import (
	_ "embed"

	"github.com/elicit-engine/elicit/internal/web"
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

var staticFiles = map[string]web.File{
	"":         {Kind: web.HTML, Text: pageHTML, Document: true},
	"page.css": {Kind: web.CSS, Text: pageCSS},
	"page.js":  {Kind: web.JS, Text: pageJS},
	"form.js":  web.Form,
	"ar.js":    {Kind: web.JS, Text: pageArabic},
	"de.js":    {Kind: web.JS, Text: pageGerman},
	"zh.js":    {Kind: web.JS, Text: pageChinese},
	"icon.svg": {Kind: web.SVG, Text: pageIcon},
}
