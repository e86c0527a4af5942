package browser

import (
	"embed"

	"github.com/elicit-engine/elicit/internal/web"
)

// The files of the page. `./build.sh page` builds the scripts from bindings/js/src/page. They hold no secret.
//
//go:embed page
var embedded embed.FS

var staticFiles = web.Files(embedded, "page")
