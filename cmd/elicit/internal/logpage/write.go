package logpage

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"io"
	"strings"
)

// The files of the page. `./build.sh page` builds the script from bindings/js/src/page/log.
var (
	//go:embed page/page.html
	pageHTML string
	//go:embed page/page.css
	pageCSS string
	//go:embed page/page.js
	pageJS string
)

// Begin is how every page begins. A file that begins otherwise is no page of this package.
const Begin = "<!doctype html><!-- made by elicit log -->\n"

// Write writes the page. The module is an engine for the page, nil for none. The page cannot be changed afterwards.
func (p *Page) Write(to io.Writer, module []byte) error {
	w := bufio.NewWriterSize(to, 64<<10)
	script := strings.TrimSpace(pageJS)
	style := strings.TrimSpace(pageCSS)
	rest := strings.Replace(pageHTML, "POLICY", policy(style, script, module != nil), 1)
	put := func(mark, text string) {
		before, after, _ := strings.Cut(rest, mark)
		_, _ = w.WriteString(before + text) // the error is that of Flush
		rest = after
	}
	_, _ = w.WriteString(Begin)
	put("/*style*/", style)
	put("<!--data-->", "")
	block(w, "words", p.words.bytes())
	for _, records := range p.whole {
		block(w, "records", records.bytes())
	}
	if module != nil {
		zipped := newPacked()
		zipped.write(module)
		block(w, "module", zipped.bytes())
	}
	put("/*script*/", script)
	_, _ = w.WriteString(rest)
	return w.Flush()
}

// policy is the Content-Security-Policy. Trusted types forbid every way to make markup of a text.
func policy(style, script string, runs bool) string {
	hash := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	wasm := ""
	if runs {
		wasm = " 'wasm-unsafe-eval'"
	}
	return "default-src 'none'; style-src " + hash(style) + "; script-src " + hash(script) + wasm +
		"; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
}

// block writes data that the browser does not interpret. Base64 cannot end a script element.
func block(w *bufio.Writer, name string, data []byte) {
	_, _ = w.WriteString(`<script type="application/gzip+base64" class="` + name + `">`)
	text := base64.NewEncoder(base64.StdEncoding, w)
	_, _ = text.Write(data)
	_ = text.Close()
	_, _ = w.WriteString("</script>\n")
}
