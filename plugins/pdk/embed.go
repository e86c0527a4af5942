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
//go:embed rust/template/guardian.json rust/template/src
//go:embed rust/template/elicit-guardian/Cargo.toml rust/template/elicit-guardian/src
var templates embed.FS

//go:embed cases/*.json
var cases embed.FS

//go:embed */README.md
var pages embed.FS

// kit is what a reader has to know of a language before its page.
type kit struct{ build, needs, rule string }

var kits = map[string]kit{
	"assemblyscript": {"npm run build", "Node 20 or newer with npm", "assembly/guardian.ts"},
	"c":              {"./build.sh", "clang and lld, 14 or newer: apt-get install clang lld", "guardian.c"},
	"go":             {"go run build.go", "Go 1.24 or newer", "guardian.go"},
	"rust": {"./build.sh", "Rust 1.63 or newer with its target for Wasm: rustup target add " +
		"wasm32-unknown-unknown", "src/lib.rs"},
}

// Languages are those there is a template in.
func Languages() (list []string) {
	for language := range kits {
		list = append(list, language)
	}
	slices.Sort(list)
	return list
}

// Template is a whole guardian in a language: the texts of its files, by their paths.
func Template(language string) (map[string][]byte, error) {
	if _, known := kits[language]; !known {
		return nil, fs.ErrNotExist
	}
	files, root := map[string][]byte{}, language+"/template"
	err := fs.WalkDir(templates, root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files[strings.TrimPrefix(file, root+"/")], err = templates.ReadFile(file)
		return err
	})
	return files, err
}

// Build is the command that makes guardian.wasm, from inside the template.
func Build(language string) string { return kits[language].build }

// Needs says what must be installed for that, and how one gets it.
func Needs(language string) string { return kits[language].needs }

// Rule is the file of the template that its author changes first.
func Rule(language string) string { return kits[language].rule }

// Page is the kit's page for its author, with links as they read from the template's folder.
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
