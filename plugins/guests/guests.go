// Package guests holds guardians that are useful as they are, in Rust, each with its README, its manifest and its
// cases. ./build.sh guests leaves their modules in dist/guests. The modules here are those that the command ships.
//
//	module := guests.Module("links") // nil for a name that Names does not list
package guests

import (
	"embed"
	"strings"
)

//go:embed modules/*.wasm
var modules embed.FS

//go:embed cel/first.json
var celSettings string

// Names lists the guardians, sorted.
func Names() (names []string) {
	list, _ := modules.ReadDir("modules") // cannot fail: it is embedded
	for _, e := range list {
		names = append(names, strings.TrimSuffix(e.Name(), ".wasm"))
	}
	return names
}

// Module returns the module of a guardian, nil if there is none of that name.
func Module(name string) []byte {
	module, err := modules.ReadFile("modules/" + name + ".wasm")
	if err != nil {
		return nil
	}
	return module
}

// FirstSettings returns settings to begin with, a JSON object, for a guardian that does nothing without settings. For
// others it returns "".
func FirstSettings(name string) string {
	if name == "cel" {
		return celSettings
	}
	return ""
}
