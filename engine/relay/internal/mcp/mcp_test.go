package mcp

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
	"github.com/elicit-engine/elicit/internal/must"
)

// TestProgressOnlyRises reports numbers of every size. The machine's numbers must rise for days and stay below the
// server's next one.
func TestProgressOnlyRises(t *testing.T) {
	for _, said := range []string{"", "0", "1", "-5", "0.25", "99.5", "1e9", "123456789012", "1e300", "1e-300"} {
		u := progress{token: []byte("1")}
		high := 0.0
		if said != "" {
			o, _ := wire.ReadObject([]byte(`{"progress":` + said + `}`))
			u.report(o.Get("progress"), o.Get("total"))
			high = u.last + maxAhead*max(1, math.Abs(u.last))
		}
		before := math.Inf(-1)
		if u.reported {
			before = u.last
		}
		for i := range 100_000 { // 17 days
			var g struct{ Params struct{ Progress float64 } }
			must.Unmarshal(t, u.next(), &g)
			if n := g.Params.Progress; n <= before || n > high {
				t.Fatalf("after the server's %q, beat %d: %v follows %v, want more and at most %v", said, i, n, before, high)
			}
			before = g.Params.Progress
		}
	}
}

// TestToolsAreBounded fills each table of tools to its bound. What is beyond it counts as not said.
func TestToolsAreBounded(t *testing.T) {
	list := func(names ...string) []byte {
		return []byte(`{"tools":[{"name":"` + strings.Join(names, `","annotations":{"readOnlyHint":true}},{"name":"`) +
			`","annotations":{"readOnlyHint":true}}]}`)
	}
	tools, long := newToolbox(false), strings.Repeat("x", maxToolName)
	tools.listed(list(long, long+"x"))
	if n := len(tools.annotations); n != 1 || tools.annotations[long].ReadOnly == elicit.Unsaid {
		t.Errorf("%d tools are known, want the one whose name has %d bytes", n, maxToolName)
	}
	for i := range maxTools {
		tools.listed(list(fmt.Sprint("tool-", i)))
	}
	tools.listed([]byte(`{"tools":[{"name":"tool-0"}]}`))
	last, beyond := fmt.Sprint("tool-", maxTools-2), fmt.Sprint("tool-", maxTools-1)
	if n := len(tools.annotations); n != maxTools || tools.annotations[last].ReadOnly == elicit.Unsaid ||
		tools.annotations[beyond].ReadOnly != elicit.Unsaid || tools.annotations["tool-0"].ReadOnly != elicit.Unsaid {
		t.Errorf("%d tools are known, want %d, the last of them %s, and the last word about tool-0", n, maxTools, last)
	}
	tools.listed([]byte(`{"tools":[],"tools":[]}`))
	if len(tools.annotations)+len(tools.said) != 0 {
		t.Error("a list that readers read in two ways leaves tools known")
	}

	n := names{}
	n.text([]byte(`"` + long[2:] + `"`))
	if n.text([]byte(`"` + long[1:] + `"`)); len(n) != 1 {
		t.Errorf("%d names are kept, want only that of %d bytes", len(n), maxToolName)
	}
	for i := range maxTools {
		if n.text(fmt.Append(nil, i)); n.text([]byte(`"a\u0062"`)) != "ab" {
			t.Fatal("a name is not read")
		}
	}
	if len(n) != maxTools {
		t.Errorf("%d names are kept, want %d", len(n), maxTools)
	}
}

// TestSchemasAreBounded lists tools with large schemas. A schema that is not kept checks no arguments.
func TestSchemasAreBounded(t *testing.T) {
	tools := newToolbox(true)
	keep := func(name string, size int) int {
		tools.keep(mcp.Tool{Name: name, InputSchema: []byte(`{` + strings.Repeat(" ", size-2) + `}`)})
		return len(tools.said[name].schema)
	}
	if tools.keep(mcp.Tool{Name: "none"}); tools.said["none"].schema != nil {
		t.Error("a tool without a schema has one")
	}
	if keep("large", maxSchema+1) != 0 || keep("large", maxSchema) != maxSchema {
		t.Errorf("a schema is not kept up to %d bytes", maxSchema)
	}
	for i := range maxSchemas/maxSchema - 2 {
		keep(fmt.Sprint("tool-", i), maxSchema)
	}
	for range 2 { // listed once more, it takes the place of itself
		if keep("last", maxSchema) != maxSchema || keep("more", 2) != 0 {
			t.Errorf("schemas are not kept up to %d bytes", maxSchemas)
		}
	}
}

func TestBeginning(t *testing.T) {
	for text, want := range map[string]string{"": "", "abc": "abc", "abcd": "abc…", "aé": "aé", "abé": "ab…",
		"a水": "a…", "水": "水", "水x": "水…", "a\u07bfx": "a\u07bf…"} {
		if got := beginning([]byte(text), 3); got != want {
			t.Errorf("%q begins with %q, want %q", text, got, want)
		}
	}
}

// TestTaskBytesAreBounded adds an entry that is just allowed, and one that is not.
func TestTaskBytesAreBounded(t *testing.T) {
	l := tasks{}
	one := l.made("t", nil)
	if l.add(one, &mcp.Entry{Key: "a"}, maxTaskBytes) == nil || l.add(one, &mcp.Entry{Key: "b"}, 1) != nil {
		t.Errorf("the entries of tasks do not have up to %d bytes", maxTaskBytes)
	}
	if l.forget(one); l.kept != 0 || len(l.list) != 0 {
		t.Errorf("a forgotten task leaves %d bytes", l.kept)
	}
}
