package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
)

// front is how the rings name the package at the module root.
const front = "."

// rings says which packages of this repository each package may import directly. A line may be tightened; it must not
// be relaxed to make a build pass. "…/*" stands for every package below. An indented line goes on with the one before.
const rings = `
engine/internal/jsontext  : engine/internal/order
engine/internal/secret    : engine/internal/fold engine/internal/order
engine/internal/pattern   : engine/internal/order
engine/internal/digest    :
engine/internal/base64    :
engine/internal/hostname  :
engine/internal/feed      :
engine/internal/few       :
engine/internal/fold      :
engine/internal/order     :
engine/internal/worddiff  :
engine/internal/shell     :
engine/internal/strict    : engine/elicit engine/internal/jsontext
engine/elicit             : engine/internal/jsontext
engine/english            : engine/elicit engine/internal/jsontext engine/internal/order
engine/schema             : engine/elicit engine/internal/jsontext engine/internal/pattern engine/internal/secret
  engine/internal/order
engine/lint               : engine/elicit engine/internal/jsontext engine/internal/secret engine/schema
  engine/internal/order
engine/internal/guarded   : engine/elicit engine/impact engine/internal/hostname
engine/policy/compare     : engine/elicit engine/impact engine/policy
engine/policy             : engine/elicit engine/impact engine/internal/fold engine/internal/guarded
  engine/internal/hostname
  engine/internal/jsontext
  engine/internal/order
engine/impact             : engine/elicit engine/internal/jsontext engine/internal/shell
engine/risk               : engine/elicit engine/impact engine/internal/fold engine/internal/guarded
  engine/internal/hostname
  engine/internal/jsontext
  engine/internal/secret engine/internal/order
engine/guardian           : engine/elicit engine/internal/digest engine/internal/jsontext engine/internal/fold
  engine/internal/strict
engine/journal            : engine/elicit engine/internal/digest engine/internal/jsontext
engine/wire               : engine/elicit engine/english engine/impact engine/internal/digest engine/internal/jsontext
  engine/internal/order
engine/wire/mcp           : engine/elicit engine/english engine/internal/jsontext engine/wire
engine/wire/interrupts    : engine/elicit engine/internal/jsontext engine/schema engine/wire
engine/seal               : engine/elicit engine/internal/base64 engine/internal/digest engine/internal/jsontext
  engine/internal/order
engine/wire/hooks         : engine/elicit engine/internal/jsontext engine/wire
engine/wire/acp           : engine/elicit engine/internal/jsontext engine/wire engine/wire/mcp
engine/wire/codex         : engine/elicit engine/internal/jsontext engine/schema engine/wire engine/wire/mcp
engine/pending            : engine/elicit engine/internal/digest engine/internal/few engine/internal/order
engine/event              : engine/elicit engine/guardian engine/journal engine/internal/jsontext
  engine/internal/strict
engine/effect             : engine/elicit engine/event engine/guardian engine/schema engine/internal/jsontext
engine                    : engine/elicit engine/event engine/effect engine/impact engine/internal/digest
  engine/internal/jsontext
  engine/internal/strict engine/schema engine/policy engine/risk engine/guardian engine/journal engine/pending
  engine/internal/few engine/internal/order engine/internal/worddiff
engine/relay/internal/gate : engine/elicit engine/internal/jsontext engine/wire
engine/relay/internal/link : engine/elicit engine/event engine/effect engine/relay/internal/gate engine/wire
  engine/internal/digest engine/internal/order engine/wire/mcp
engine/relay/internal/elicitation : engine/elicit engine/event engine/effect engine/relay/internal/gate
  engine/relay/internal/link engine/wire engine/wire/mcp
engine/relay/internal/mcp : engine/elicit engine/event engine/effect engine/internal/digest engine/internal/jsontext
  engine/relay/internal/elicitation engine/relay/internal/gate engine/relay/internal/link engine/wire engine/wire/mcp
engine/relay/internal/acp : engine/elicit engine/event engine/effect engine/internal/jsontext
  engine/relay/internal/elicitation engine/relay/internal/gate engine/relay/internal/link engine/wire engine/wire/mcp
  engine/wire/acp
engine/relay/internal/codex : engine/elicit engine/english engine/event engine/effect engine/internal/digest
  engine/relay/internal/gate engine/relay/internal/link engine/wire engine/wire/mcp engine/wire/codex
engine/relay/internal/decider : engine engine/elicit engine/english engine/event engine/effect engine/journal
  engine/internal/jsontext engine/internal/order engine/relay/internal/gate engine/relay/internal/link engine/wire
engine/relay              : engine engine/event engine/effect engine/elicit engine/english engine/internal/digest
  engine/internal/jsontext engine/internal/order engine/internal/strict engine/journal engine/wire engine/wire/mcp
  engine/relay/internal/*
engine/asking             : engine engine/event engine/effect engine/elicit engine/english engine/seal
  engine/internal/digest engine/internal/few engine/internal/jsontext engine/internal/strict engine/journal
  engine/schema engine/wire engine/wire/mcp
engine/asking/site        : engine/asking engine/elicit engine/internal/digest engine/internal/jsontext
  engine/internal/strict engine/risk
engine/asking/stored      :
engine/asking/atrest      : engine/asking/stored engine/internal/base64 engine/internal/digest engine/internal/jsontext
  engine/seal
engine/asking/asker       : engine/asking engine/asking/site engine/event engine/effect engine/elicit engine/english
  engine/asking/stored
  engine/seal
  engine/internal/digest engine/internal/jsontext engine/internal/strict engine/pending
  engine/wire/mcp
engine/pull               : engine engine/event engine/effect engine/elicit engine/guardian engine/relay
  engine/internal/strict
engine/drive              : engine engine/event engine/effect engine/elicit engine/english engine/guardian
  engine/relay engine/pull
engine/abi                : engine engine/* engine/wire/* engine/internal/*
.                         : engine engine/event engine/effect engine/elicit engine/english engine/drive engine/relay
  engine/schema internal/managed
wasm                      : engine engine/abi engine/relay engine/elicit engine/guardian plugins/guest wasm/wasi
wasm/component            : engine/abi wasm/wasi
wasm/wasi                 :
cabi                      : engine/abi engine/drive plugins/host internal/managed
plugins/meter             :
plugins/guest             : engine/elicit engine/guardian plugins/meter
plugins/host              : engine engine/event engine/effect engine/elicit engine/guardian internal/trustedfile
  plugins/guest plugins/meter
plugins/internal/assemble :
plugins/pdk               :
plugins/schema            :
plugins/pdk/go/template   :
plugins/guests            :
plugins/tck               : plugins/guest plugins/guests plugins/tck/attack
plugins/tck/attack        : plugins/internal/assemble
plugins/tck/bundle        : plugins/tck
wasm/amalgam              : engine/abi
internal/house            :
internal/guestcase        : engine/elicit engine/guardian engine/impact engine/risk
internal/tests/commands   :
internal/tests/faults     :
internal/tests/kept       :
internal/tests/policycompare :
internal/tests/policymodel :
internal/tests/rivals     :
internal/tests/shared     :
internal/tests/shell      :
internal/tests/systems    :
internal/tests/threelang  : ask ask/gosdk
internal/mutants          :
internal/swarm            :
internal/redteam          :
internal/web              : engine/asking/site
internal/trustedfile      :
internal/must             :
internal/pages            :
internal/vectors          :
internal/hostkit          : internal/hostscript internal/loops
internal/hostscript       :
internal/loops            : engine/event engine/effect engine/elicit engine/relay internal/hostscript
  internal/vectors
internal/structform       :
internal/managed          : engine/elicit engine/english engine/policy internal/trustedfile
ask                       : engine/asking engine/asking/asker engine/asking/site engine/effect engine/elicit
  engine/english engine/event
  engine/schema engine/seal internal/structform store
ask/page                  : ask engine/asking/site internal/web
ask/gosdk                 : ask engine/elicit
ask/otel                  : ask store
examples/*                : ask ask/gosdk ask/page engine/asking engine/elicit engine/seal store/redis
  examples/internal/example
store                     : engine/asking/stored
store/memory              : store
store/storetest           : store
store/sqlite              : store
store/postgres            : store
store/redis               : store
store/encrypted           : engine/asking/atrest engine/seal store
cmd/elicit                : cmd/elicit/internal/cli cmd/elicit/internal/verbs
cmd/elicit/internal/verbs : engine/* cmd/* internal/managed plugins/guest plugins/host
cmd/elicit/internal/rules : . engine engine/* cmd/* internal/managed internal/trustedfile plugins/guest plugins/host
cmd/elicit/internal/verbs/guardian : engine engine/* cmd/* internal/guestcase internal/trustedfile plugins/guest
  plugins/guests plugins/host plugins/meter plugins/pdk
cmd/elicit/internal/verbs/hook : . engine engine/* engine/wire/* cmd/* internal/managed internal/trustedfile
cmd/elicit/internal/verbs/hostkit : cmd/* internal/hostscript
cmd/elicit/internal/verbs/install : engine/* cmd/* internal/managed internal/trustedfile
cmd/elicit/internal/verbs/policy : . engine engine/* engine/wire/* cmd/* internal/managed
cmd/elicit/internal/verbs/replay : engine engine/* cmd/* plugins/guest plugins/host
cmd/elicit/internal/verbs/policy/internal/codex : engine/elicit engine/policy cmd/elicit/internal/layout
cmd/elicit/internal/verbs/policy/internal/hostrules : engine/elicit engine/policy
cmd/*                     : . engine engine/* engine/wire/* cmd/* internal/web internal/trustedfile
`

// bannedInCore is what the pure rings must not import, with the reason. Everything under engine is pure except drive,
// the loop, and abi, whose handle table locks.
var bannedInCore = map[string]string{
	"crypto/aes": "in Wasm its time depends on the key", "crypto/cipher": "0.3 MB of Wasm",
	"crypto/hkdf": "0.3 MB of Wasm", "crypto/hmac": "0.3 MB of Wasm",
	"crypto/sha256": "0.5 MB of Wasm; use digest", "encoding/base64": "reflect", "encoding/binary": "reflect",
	"encoding/hex": "fmt; use digest",
	"context":      "nothing in the core waits", "crypto/rand": "random bytes travel in the input",
	"encoding/json": "1.4 MB of Wasm, folds case, takes duplicate keys",
	"fmt":           "0.8 MB of Wasm", "io": "no I/O", "io/fs": "no I/O", "log": "no I/O", "log/slog": "no I/O",
	"math/rand":    "random bytes travel in the input",
	"math/rand/v2": "random bytes travel in the input", "net": "no I/O", "net/mail": "1.4 MB of Wasm",
	"net/url": "1 MB of Wasm", "os": "no I/O",
	"reflect": "slow and large", "regexp": "0.7 MB of Wasm", "runtime": "pure", "sort": "use slices",
	"sync":        "no goroutines",
	"sync/atomic": "no goroutines", "time": "time travels in the input",
}

var warm = map[string]bool{"engine/drive": true, "engine/abi": true, "engine/internal/digest": true}

// libraries says which packages of the engine import what no other may, and why they must.
var libraries = map[string]map[string]string{
	"engine/seal": {
		"golang.org/x/crypto/chacha20poly1305": "we ship no cipher of our own; in Wasm its time does not depend on " +
			"the key",
		"crypto/cipher": "the type of a cipher",
	},
	"engine/asking/atrest": {
		"crypto/aes":    "we ship no cipher of our own, and stores were sealed with AES-GCM; each text has its own key",
		"crypto/cipher": "GCM, and CTR for names",
		"crypto/subtle": "a comparison whose time tells nothing",
	},
}

// familyOf names the family of verbs of the command that a package is in, "" for any other package. Families do not
// import one another.
func familyOf(pkg string) string {
	rest, _ := strings.CutPrefix(pkg, "cmd/elicit/internal/verbs/")
	if name, _, _ := strings.Cut(rest, "/"); rest != pkg {
		return name
	}
	return ""
}

// TestRings holds the import rule: data and imports flow one way.
func TestRings(t *testing.T) {
	allowed := map[string][]string{}
	for line := range strings.SplitSeq(strings.TrimSpace(strings.ReplaceAll(rings, "\n ", "")), "\n") {
		pkg, may, _ := strings.Cut(line, ":")
		allowed[strings.TrimSpace(pkg)] = strings.Fields(may)
	}
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`,
		modulePath+"/...").Output()
	must.OK(t, err)
	checked := 0
	for line := range strings.SplitSeq(strings.TrimSpace(string(out)), "\n") {
		words := strings.Fields(line)
		pkg := inModule(words[0])
		may, ruled := allowed[pkg]
		if folder, _, _ := strings.Cut(pkg, "/"); !ruled {
			may, ruled = allowed[folder+"/*"]
		}
		if !ruled {
			t.Errorf("%s has no ring: give it a line in rings, in internal/house/rings_test.go", pkg)
			continue
		}
		for _, imported := range words[1:] {
			checked++
			checkImport(t, pkg, imported, may)
		}
	}
	if checked < 50 {
		t.Fatalf("only %d imports checked; the test has lost its subject", checked)
	}
}

// inModule is a package of this repository as the rings name it, "" for any other package.
func inModule(path string) string {
	if path == modulePath {
		return front
	}
	pkg, ours := strings.CutPrefix(path, modulePath+"/")
	if !ours {
		return ""
	}
	return pkg
}

func checkImport(t *testing.T, pkg, imported string, may []string) {
	t.Helper()
	if libraries[pkg][imported] != "" {
		return
	}
	if why, banned := bannedInCore[imported]; banned && strings.HasPrefix(pkg, "engine") && !warm[pkg] {
		t.Errorf("%s imports %s: %s", pkg, imported, why)
	}
	inner := inModule(imported)
	if strings.Contains(imported, ".") && strings.HasPrefix(pkg, "engine") && inner == "" &&
		imported != "github.com/tidwall/gjson" {
		t.Errorf("%s imports %s: the engine stands on the standard library and gjson alone", pkg, imported)
	}
	if strings.HasPrefix(imported, "github.com/tetratelabs/wazero") && pkg != "plugins/host" && pkg != "wasm/amalgam" {
		t.Errorf("%s imports %s: guests are run by plugins/host alone", pkg, imported)
	}
	if inner == "" {
		return
	}
	if own, other := familyOf(pkg), familyOf(inner); own != "" && other != "" && own != other {
		t.Errorf("%s imports %s: what both need belongs into a package beside verbs", pkg, inner)
	}
	for _, m := range may {
		if inner == m || strings.HasSuffix(m, "/*") && strings.HasPrefix(inner, strings.TrimSuffix(m, "*")) {
			return
		}
	}
	t.Errorf("%s imports %s: its line in rings, in internal/house/rings_test.go, does not allow that", pkg, inner)
}

// mostExported is how many exported names package engine has. It may only fall, and must stay at or below 40: events
// belong in engine/event, effects in engine/effect, and what both share in engine/elicit.
const mostExported = 25

// TestExportedNames counts the types, functions, constants and variables that a reader of package engine meets.
func TestExportedNames(t *testing.T) {
	files, err := filepath.Glob("engine/*.go")
	must.OK(t, err)
	var names []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		must.OK(t, err)
		for _, decl := range tree.Decls {
			names = append(names, exported(decl)...)
		}
	}
	switch n := len(names); {
	case n > mostExported:
		t.Errorf("%d exported names, at most %d: %s", n, mostExported, strings.Join(names, " "))
	case n < mostExported:
		t.Errorf("%d exported names: lower mostExported to it", n)
	}
}

// exported lists the exported names of a declaration. Methods belong to their type.
func exported(decl ast.Decl) (names []string) {
	add := func(name *ast.Ident) {
		if name.IsExported() {
			names = append(names, name.Name)
		}
	}
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			add(d.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				add(spec.Name)
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					add(name)
				}
			}
		}
	}
	return names
}
