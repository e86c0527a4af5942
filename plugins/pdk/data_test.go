package pdk

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/host"
)

// readsData builds a guardian from the built template in dir that reads its data document, in and over the end, and
// wants the same bytes in every language.
func readsData(t *testing.T, dir, language string, template map[string][]byte) {
	var document []byte
	for i := range 100_000 {
		document = fmt.Appendf(document, "%06d.example\n", i)
	}
	const want = `{"v":1,"decision":"ask","findings":[{"code":"window",` +
		`"message":"mple\n099999.exam|example\n","severity":"low"}]}`
	rules, err := filepath.Glob(filepath.Join("data", language+".*"))
	if err != nil || len(rules) != 1 {
		t.Fatalf("%v %v", rules, err)
	}
	put(t, filepath.Join(dir, Rule(language)), must.Read(t, rules[0]))
	put(t, filepath.Join(dir, "guardian.json"), []byte(strings.Replace(string(template["guardian.json"]), `"reads"`,
		`"data": "numbers", "reads"`, 1)))
	build(t, dir, language)
	module := must.Read(t, dir, "guardian.wasm")
	h := host.New(host.Options{})
	defer h.Close()
	m, problems := h.Load(module, guest.Options{WASI: true})
	if problems != nil {
		t.Fatalf("%+v", problems)
	}
	r := h.Evaluate(host.Evaluation{Digest: m.Digest, Data: document, Fuel: 20_000_000, WASI: true,
		Question: []byte(`{"v":1,"phase":"before_show","at":1,"request":{},"settings":{},"seed":"00"}`)})
	if string(r.Output) != want {
		t.Errorf("got %s%s %s, want %s", r.Output, r.Fault, r.Detail, want)
	}
	t.Logf("%d fuel", r.Fuel)
}
