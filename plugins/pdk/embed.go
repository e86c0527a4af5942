package pdk

import (
	"embed"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

// templates name every file, so that what a build leaves in a template is not taken along.
//
//go:embed c/template/.gitignore c/template/build.sh c/template/guardian.json c/template/*.c c/template/*.h
//go:embed assemblyscript/template/.gitignore assemblyscript/template/.npmrc assemblyscript/template/*.json
//go:embed assemblyscript/template/*.mjs assemblyscript/template/assembly/*.ts
//go:embed go/template/.gitignore go/template/guardian.json go/template/*.go
//go:embed rust/template/.gitignore rust/template/.cargo/config.toml rust/template/Cargo.toml rust/template/*.sh
//go:embed rust/template/guardian.json rust/template/src rust/template/elicit-guardian/Cargo.toml rust/template/elicit-guardian/src
var templates embed.FS

//go:embed cases/*.json
var cases embed.FS

//go:embed */README.md
var pages embed.FS

// Languages are those there is a template in.
func Languages() (list []string) {
	entries, _ := templates.ReadDir(".")
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// Template is a whole guardian in a language.
func Template(language string) (fs.FS, error) {
	if !slices.Contains(Languages(), language) {
		return nil, fs.ErrNotExist
	}
	return fs.Sub(templates, language+"/template")
}

// Build is the command that makes guardian.wasm, from inside the template.
func Build(language string) string {
	for _, by := range [...]struct{ file, command string }{
		{"build.sh", "./build.sh"}, {"package.json", "npm run build"}, {"build.go", "go run build.go"},
	} {
		if _, err := fs.Stat(templates, language+"/template/"+by.file); err == nil {
			return by.command
		}
	}
	return ""
}

// Page is the kit's page for its author, with links as they stand beside the template's files.
func Page(language string) []byte {
	page, err := pages.ReadFile(language + "/README.md")
	if err != nil {
		return nil
	}
	elsewhere := regexp.MustCompile(`\[([^\]]*)\]\(\.\./[^)]*\)`) // links that lead out of the kit
	return []byte(strings.ReplaceAll(elsewhere.ReplaceAllString(string(page), "$1"), "](template/", "]("))
}

// Cases are what every template passes.
func Cases() fs.FS {
	inner, _ := fs.Sub(cases, "cases") // it is there: the pattern above is
	return inner
}
