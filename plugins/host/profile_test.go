package host

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/internal/assemble"
)

// TestProfile holds that a profile adds up to the fuel used, whatever the end, and changes nothing of the result.
func TestProfile(t *testing.T) {
	plain, watched := New(Options{}), New(Options{Profile: true, Compiler: true})
	defer plain.Close()
	defer watched.Close()
	ops := assemble.Code
	modules := map[string][]byte{"says pass": assemble.Saying(pass).Bytes()}
	for name, body := range map[string][]byte{"traps": ops(0x00), "never ends": ops(0x03, 0x40, 0x0c, 0, 0x0b),
		"returns": nil} {
		m := assemble.New()
		m.Global("elicit_guardian_abi", assemble.I32, false, assemble.Const(1<<16))
		m.Data, m.DataAt = []byte(pass), 16
		inner := m.Func("inner", "", "", body)
		m.Func("elicit_alloc", "i", "i", assemble.Const(4096))
		m.Func("elicit_evaluate", "ii", "I", append(assemble.Call(inner),
			append(assemble.Call(inner), assemble.Says(16, len(pass))...)...))
		m.Func("elicit_check_settings", "ii", "I", assemble.Says(16, 2))
		modules[name] = m.Bytes()
	}
	files, err := filepath.Glob("../../testdata/guests/*.wasm")
	if err != nil || len(files) == 0 {
		t.Fatalf("no guests: %v", err)
	}
	for _, file := range files {
		if modules[filepath.Base(file)], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	question := []byte(`{"v":1,"phase":"before_show","at":0,"request":{"mode":"url","url":"https://x/"},` +
		`"settings":{},"seed":"00"}`)
	for name, module := range modules {
		e := Evaluation{Digest: guardian.Digest(module), Question: question, WASI: true, Data: []byte("deny")}
		for _, h := range []*Host{plain, watched} {
			if _, problems := h.Load(module, guest.Options{WASI: true}); problems != nil {
				t.Fatal(name, problems)
			}
		}
		want, got := plain.Evaluate(e), watched.Evaluate(e)
		if same(got) != same(want) || want.Profile != nil || got.Profile == nil {
			t.Errorf("%s:\ngot  %s\nwant %s", name, same(got), same(want))
			continue
		}
		if sum := got.Profile.Total(); sum != got.Fuel || got.Profile.Fuel != int64(plain.Guest(e.Digest).Instance) {
			t.Errorf("%s: the tree holds %d fuel of %d", name, sum, got.Fuel)
		}
		if calls := got.Profile.Calls; name == "returns" &&
			(len(calls) != 2 || len(calls[1].Calls) != 1 || calls[1].Calls[0].Count != 2) {
			t.Errorf("%s: %d calls of the host", name, len(calls))
		}
	}
}
