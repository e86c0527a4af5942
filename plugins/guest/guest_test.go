package guest

import (
	stdbase64 "encoding/base64"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/plugins/internal/assemble"
	"github.com/elicit-engine/elicit/plugins/meter"
)

func codes(problems []elicit.Problem) string {
	var list []string
	for _, p := range problems {
		list = append(list, p.Code)
	}
	return strings.Join(list, " ")
}

func TestRead(t *testing.T) {
	whole := func() *assemble.Module { return assemble.Saying(`{"v":1,"decision":"pass"}`) }
	bare := func() *assemble.Module {
		m := assemble.New()
		m.Func("elicit_alloc", "i", "i", assemble.Const(0))
		m.Func("elicit_evaluate", "ii", "I", assemble.Long(0))
		m.Func("elicit_check_settings", "ii", "I", assemble.Long(0))
		return m
	}
	with := func(m *assemble.Module, change func(*assemble.Module)) *assemble.Module {
		change(m)
		return m
	}
	imports := func(module, name, params, results string) *assemble.Module {
		m := assemble.New()
		m.Import(module, name, params, results)
		return m
	}
	marker := func(names ...string) *assemble.Module {
		m := bare()
		for _, name := range names {
			m.Func(name, "", "", nil)
		}
		return m
	}
	global := func(value int, mutable bool) *assemble.Module {
		m := bare()
		m.Global("elicit_guardian_abi", assemble.I32, mutable, assemble.Const(value))
		return m
	}
	for _, c := range []struct {
		name, want, says string
		module           *assemble.Module
		wasi             bool
	}{
		{"whole", "", "", whole(), false},
		{"version by a marker", "", "", marker("elicit_guardian_abi_1_0"), false},
		{"version twice alike", "", "", with(whole(),
			func(m *assemble.Module) { m.Func("elicit_guardian_abi_1_0", "", "", nil) }), false},
		{"version twice", "abi_ambiguous", "1.0 and 2.0",
			with(whole(), func(m *assemble.Module) { m.Func("elicit_guardian_abi_2_0", "", "", nil) }), false},
		{"no version", "abi_missing", "elicit_guardian_abi_1_0", bare(), false},
		{"a version that may change", "abi_missing", "", global(1<<16, true), false},
		{"a marker that wants something", "abi_missing", "",
			with(bare(), func(m *assemble.Module) { m.Func("elicit_guardian_abi_1_0", "i", "", nil) }), false},
		{"a marker of no version", "abi_missing", "", marker("elicit_guardian_abi_one"), false},
		{"a newer minor", "unknown_abi", "1.1 of the guardian ABI; this program knows 1.0", global(1<<16|1, false), false},
		{"a newer major", "unknown_abi", "2.0", global(2<<16, false), false},
		{"an older major", "unknown_abi", "0.9", global(9, false), false},
		{"a negative version", "unknown_abi", "-1.65535", global(-1, false), false},
		{"no manifest", "manifest_missing", "elicit.guardian", with(whole(), func(m *assemble.Module) { m.Manifest = "" }),
			false},
		{"a bad manifest", "missing missing missing", "",
			with(whole(), func(m *assemble.Module) { m.Manifest = `{"name":"a"}` }), false},
		{"a command", "is_a_command", "reactor", with(whole(), func(m *assemble.Module) { m.Func("_start", "", "", nil) }),
			false},
		{"no memory", "missing_export", "memory, a memory", with(bareOf(""), func(m *assemble.Module) { m.NoMemory = true }),
			false},
		{"a memory of another name", "missing_export", "", with(bareOf(""), func(m *assemble.Module) {
			m.NoMemory = true
			m.Func("memory", "", "", nil)
		}), false},
		{"no alloc", "missing_export", "elicit_alloc, (i32) -> i32", bareOf("elicit_alloc"), false},
		{"everything missing", "missing_export missing_export missing_export missing_export abi_missing manifest_missing", "",
			&assemble.Module{NoMemory: true, Start: -1}, false},
		{"alloc of two", "wrong_export", "elicit_alloc is (i32, i32) -> nothing; it must be (i32) -> i32",
			with(bareOf("elicit_alloc"), func(m *assemble.Module) { m.Func("elicit_alloc", "ii", "", nil) }), false},
		{"evaluate gives i32", "wrong_export", "",
			with(bareOf("elicit_evaluate"), func(m *assemble.Module) {
				m.Func("elicit_evaluate", "ii", "i",
					assemble.Const(0))
			}), false},
		{"initialize wants something", "wrong_export", "",
			with(whole(), func(m *assemble.Module) { m.Func("_initialize", "i", "", nil) }), false},
		{"imports log", "", "", logging(), false},
		{"imports WASI", "wasi_not_granted", "wasm32-unknown-unknown",
			imports("wasi_snapshot_preview1", "fd_write", "iiii", "i"), false},
		{"imports WASI, permitted", "missing_export missing_export missing_export abi_missing", "",
			imports("wasi_snapshot_preview1", "fd_write", "iiii", "i"), true},
		{"imports what WASI has not", "import_refused", "wasi_snapshot_preview1.fd_steal",
			imports("wasi_snapshot_preview1", "fd_steal", "", ""), true},
		{"imports WASI as another type", "import_refused", "", imports("wasi_snapshot_preview1", "proc_exit", "i", "i"),
			true},
		{"imports another module", "import_refused", "env.read", imports("env", "read", "", ""), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, problems := Read(c.module.Bytes(), Options{WASI: c.wasi})
			if got := codes(problems); got != c.want || (m == nil) != (c.want != "") {
				t.Fatalf("got %q, want %q: %+v", got, c.want, problems)
			}
			for _, p := range problems {
				sentence := english.Problem(p)
				if strings.Contains(sentence, "{") || sentence == strings.ReplaceAll(p.Code, "_", " ") {
					t.Errorf("%s has no whole sentence: %s", p.Code, sentence)
				}
			}
			if len(problems) > 0 && !strings.Contains(english.Problem(problems[0]), c.says) {
				t.Errorf("%q does not say %q", english.Problem(problems[0]), c.says)
			}
		})
	}
}

// bareOf is a whole guest that lacks one of its functions.
func bareOf(without string) *assemble.Module {
	m := assemble.New()
	m.Global("elicit_guardian_abi", assemble.I32, false, assemble.Const(1<<16))
	for _, f := range []struct {
		name, params, results string
		body                  []byte
	}{{"elicit_alloc", "i", "i", assemble.Const(0)}, {"elicit_evaluate", "ii", "I",
		assemble.Long(0)}, {"elicit_check_settings", "ii", "I", assemble.Long(0)}} {
		if f.name != without {
			m.Func(f.name, f.params, f.results, f.body)
		}
	}
	return m
}

func logging() *assemble.Module {
	m := assemble.New()
	m.Import("elicit_guardian_v1", "log", "iii", "")
	m.Global("elicit_guardian_abi", assemble.I32, false, assemble.Const(1<<16))
	m.Func("elicit_alloc", "i", "i", assemble.Const(0))
	m.Func("elicit_evaluate", "ii", "I", assemble.Long(0))
	m.Func("elicit_check_settings", "ii", "I", assemble.Long(0))
	return m
}

// TestPermitChangesNothing holds that one module is metered one way.
func TestPermitChangesNothing(t *testing.T) {
	src := assemble.Saying("{}").Bytes()
	a, _ := Read(src, Options{})
	b, _ := Read(src, Options{WASI: true})
	if a == nil || b == nil || string(a.AppendJSON(nil, true)) != string(b.AppendJSON(nil, true)) {
		t.Error("the permit changed what became of a guest that does not use it")
	}
}

// TestResets holds which guests an instance of may serve twice: see package host.
func TestResets(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*assemble.Module)
		want   bool
	}{
		{"plain", func(*assemble.Module) {}, true},
		{"with globals", func(m *assemble.Module) { m.Global("", assemble.I32, true, assemble.Const(1)) }, true},
		{"starts", func(m *assemble.Module) { m.Start = m.Func("", "", "", nil) }, false},
		{"drops a segment", func(m *assemble.Module) {
			m.Table = true
			m.Func("", "", "", []byte{0xfc, 13, 0})
		}, false},
		{"sets an entry", func(m *assemble.Module) {
			m.Table = true
			m.Func("", "", "", assemble.Code(assemble.Const(0), 0xd0, 0x70, 0x26, 0))
		}, false},
		{"calls by a table", func(m *assemble.Module) {
			m.Table = true
			m.Func("", "", "", assemble.Code(assemble.Const(0), 0x25, 0, 0x1a))
		}, true},
	} {
		m := assemble.Saying("{}")
		c.change(m)
		if got, problems := Read(m.Bytes(), Options{}); problems != nil || got.Resets != c.want {
			t.Errorf("%s: %+v, want %t", c.name, problems, c.want)
		}
	}
}

func TestModuleJSON(t *testing.T) {
	m, problems := Read(assemble.Saying("{}").Bytes(), Options{})
	if problems != nil {
		t.Fatal(problems)
	}
	var got struct {
		Digest, Metered  string
		ABI              int
		WASI, Initialize bool
		Fuel             int `json:"fuel_version"`
		Instance         int `json:"instance_fuel"`
		Manifest         struct{ Name string }
		Sizes            map[string]int
	}
	must.Unmarshal(t, m.AppendJSON(nil, true), &got)
	metered, err := stdbase64.StdEncoding.DecodeString(got.Metered)
	if err != nil || string(metered) != string(m.Metered) || got.Digest != m.Digest || got.ABI != 65536 ||
		got.Fuel != meter.Version || got.Instance != m.Instance || got.Instance == 0 || got.WASI ||
		got.Manifest.Name != "test" || len(got.Sizes) != 7 || got.Sizes["metered"] != len(metered) ||
		got.Sizes["pages_most"] != 32 {
		t.Errorf("got %+v, %v", got, err)
	}
	if strings.Contains(string(m.AppendJSON(nil, false)), "metered\":\"") {
		t.Error("metered bytes nobody asked for")
	}
	for n := range 20 {
		src := make([]byte, n)
		for i := range src {
			src[i] = byte(rand.Uint32())
		}
		if got, want := string(appendBase64(nil, src)), stdbase64.StdEncoding.EncodeToString(src); got != want {
			t.Errorf("%x: got %s, want %s", src, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(assemble.Saying("{}").Bytes(), true)
	f.Add(logging().Bytes(), false)
	f.Fuzz(func(t *testing.T, src []byte, wasi bool) {
		m, problems := Read(src, Options{WASI: wasi})
		if (m == nil) != (len(problems) > 0) {
			t.Fatalf("a module and problems: %v", problems)
		}
	})
}
