package pdk

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/internal/guestcase"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/host"
	"github.com/elicit-engine/elicit/plugins/schema"
)

// modules are the kits' examples; ./build.sh kits leaves them there.
const modules = "../../dist/guests/kits/*.wasm"

// example is one file of cases.
type example struct {
	Name     string          `json:"name"`
	Question json.RawMessage `json:"question"`
	Verdict  json.RawMessage `json:"verdict"`
	Settings json.RawMessage `json:"settings"`
	Problems json.RawMessage `json:"problems"`
	Fault    string          `json:"fault"`
}

// TestKits gives every case to the example of every kit and wants the same bytes of each.
func TestKits(t *testing.T) {
	t.Parallel()
	found, err := filepath.Glob(modules)
	must.OK(t, err)
	if len(found) == 0 {
		if os.Getenv("ELICIT_KITS") != "" {
			t.Fatal("no kit left an example to test")
		}
		t.Skip("no examples: run ./build.sh kits")
	}
	cases := allCases(t)
	for _, file := range found {
		module := must.Read(t, file)
		t.Run(strings.TrimSuffix(filepath.Base(file), ".wasm"), func(t *testing.T) {
			t.Parallel()
			k := load(t, module)
			var most int64
			for _, c := range cases {
				t.Run(c.Name, func(t *testing.T) { most = max(most, k.try(t, c.Text)) })
			}
			t.Run("broken", k.broken)
			t.Logf("%d bytes, at most %d fuel", len(module), most)
		})
	}
}

// allCases are those that a template begins with, and those that are about the kits alone.
func allCases(t *testing.T) []guestcase.Case {
	t.Helper()
	cases, err := guestcase.In("cases")
	more, worse := guestcase.In("cases/kit")
	if cases = append(cases, more...); err != nil || worse != nil || len(cases) < 38 {
		t.Fatalf("%d cases, %v %v", len(cases), err, worse)
	}
	return cases
}

// loaded is an example that is ready to run.
type loaded struct {
	host   *host.Host
	digest string
	wasi   bool
}

func load(t *testing.T, module []byte) loaded {
	t.Helper()
	h := host.New(host.Options{})
	t.Cleanup(h.Close)
	m, problems := h.Load(module, guest.Options{WASI: true})
	if problems != nil {
		t.Fatal(problems)
	}
	published(t, "manifest", m.Manifest.AppendJSON(nil))
	if m.ABI != 1<<16 || m.Manifest.Name != "hosts" {
		t.Errorf("abi %#x of %q", m.ABI, m.Manifest.Name)
	}
	return loaded{h, m.Digest, m.WASI}
}

// try runs one case and returns the fuel it took.
func (k loaded) try(t *testing.T, text []byte) int64 {
	var c example
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	must.OK(t, d.Decode(&c))
	call, in, want := k.host.Evaluate, c.Question, c.Fault
	switch {
	case c.Settings != nil:
		call, in, want = k.host.CheckSettings, c.Settings, `{"v":1,"problems":`+compact(t, c.Problems)+"}"
	case want == "":
		want = compact(t, c.Verdict)
	}
	e := host.Evaluation{Digest: k.digest, Question: []byte(compact(t, in)), WASI: k.wasi}
	if k.wasi {
		e.Fuel = 20_000_000 // as its README tells the operator
	}
	r := call(e)
	if r.Fault == "" && c.Settings == nil {
		published(t, "verdict", r.Output)
	}
	if got := string(r.Output) + string(r.Fault); got != want {
		t.Errorf("got  %s %s\nwant %s", got, r.Detail, want)
	}
	if again := call(e); again.Fuel != r.Fuel {
		t.Errorf("%d fuel, and %d the second time", r.Fuel, again.Fuel)
	}
	return r.Fuel
}

// published holds a document to the schema that is published for it.
func published(t *testing.T, name string, doc []byte) {
	t.Helper()
	raw, err := schema.Files.ReadFile(name + ".schema.json")
	must.OK(t, err)
	var s jsonschema.Schema
	var v any
	must.OK(t, errors.Join(json.Unmarshal(raw, &s), json.Unmarshal(doc, &v)))
	r, err := s.Resolve(nil)
	must.OK(t, err)
	if err := r.Validate(v); err != nil {
		t.Errorf("no %s: %v\n%s", name, err, doc)
	}
}

// broken gives questions that no host gives: cut off, or with a byte of punctuation in the wrong place. The kit must
// not trap, whatever it makes of them.
func (k loaded) broken(t *testing.T) {
	const question = `{"v":1,"phase":"before_show","request":{"message":"a\u00e9 transfer","url":"https://x\"y/"},` +
		`"settings":{"allow":["x"],"words":["transfer",{"a":[1]}]}}`
	try := func(q string) {
		r := k.host.Evaluate(host.Evaluation{Digest: k.digest, Question: []byte(q), WASI: k.wasi})
		if r.Fault != "" && r.Fault != guardian.FaultRefused {
			t.Errorf("%s %s of %s", r.Fault, r.Detail, q)
		}
	}
	step := 3
	if k.wasi {
		step = 29 // an instance with a runtime takes its time
	}
	for i := 8; i < len(question); i += step {
		try(question[:i])
		for _, c := range `"\{]:,` {
			try(question[:i] + string(c) + question[i+1:])
		}
	}
}

// compact takes the blanks out and leaves every escape as it is spelled.
func compact(t *testing.T, doc []byte) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, doc); err != nil {
		t.Fatalf("%s: %v", doc, err)
	}
	return b.String()
}
