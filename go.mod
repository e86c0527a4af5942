module github.com/elicit-engine/elicit

go 1.26.0

// Folders without Go packages, some of which change while "./..." is searched for packages.
ignore (
	./bindings
	./dist
	node_modules
)

// The engine and everything that embeds it.
require (
	github.com/tidwall/gjson v1.20.0
	golang.org/x/crypto v0.57.0
)

// The host of guardians, plugins/host.
require github.com/tetratelabs/wazero v1.12.0

// A clock of macOS, and the owners of files on Windows.
require golang.org/x/sys v0.49.0

// Tests alone.
require (
	github.com/google/jsonschema-go v0.4.3
	pgregory.net/rapid v1.3.0
)

// What the libraries above import.
require (
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.2.0 // indirect
)
