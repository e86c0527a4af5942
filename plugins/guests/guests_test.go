package guests_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/internal/guestcase"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
	guestmodule "github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/host"
)

// The defaults of a permit.
const (
	fuel        = guestmodule.DefaultFuel
	maxQuestion = guestmodule.MaxQuestion
	maxModule   = 320 << 10 // with the weights of a model
	maxCEL      = 512 << 10 // with an interpreter
)

// guest is a module that a host holds.
type guest struct {
	host     *host.Host
	digest   string
	data     []byte // its data document, NAME/data.txt, nil for none
	most     int64  // the most fuel that one call took
	manifest guardian.Manifest
}

func load(t testing.TB, name string) *guest {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("../../dist/guests", name+".wasm"))
	if os.IsNotExist(err) && os.Getenv("ELICIT_GUESTS") == "" {
		t.Skip("./build.sh guests makes it")
	}
	must.OK(t, err)
	most := maxModule
	if name == "cel" {
		most = maxCEL
	}
	if len(source) > most {
		t.Errorf("%s is %d bytes, more than %d", name, len(source), most)
	}
	h := host.New(host.Options{Compiler: true})
	t.Cleanup(h.Close)
	m, problems := h.Load(source, guestmodule.Options{})
	if problems != nil {
		t.Fatalf("%s is refused: %v", name, problems)
	}
	g := &guest{host: h, digest: m.Digest, manifest: m.Manifest}
	if m.Manifest.Data != "" {
		if g.data, err = os.ReadFile(filepath.Join(name, "data.txt")); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// left says what the dearest call took and left.
func (g *guest) left() string {
	return fmt.Sprintf("%d fuel, %.1f%% of the budget left", g.most, 100-float64(g.most)*100/fuel)
}

// call gives one document to a function of a fresh instance, and what it says and the fuel it took back.
func (g *guest) call(function func(host.Evaluation) host.Result, document []byte) (string, int64, error) {
	r := function(host.Evaluation{Digest: g.digest, Question: document, Data: g.data})
	g.most = max(g.most, r.Fuel)
	if r.Fault != "" {
		return "", r.Fuel, fmt.Errorf("fault %s: %s", r.Fault, r.Detail)
	}
	return string(r.Output), r.Fuel, nil
}

// asked is the question as a host asks it.
func (g *guest) asked(question []byte) []byte { return guestcase.Asked(g.manifest, question) }

// example is one file of a guest's cases, as `elicit guardian test` reads them.
type example struct {
	Question json.RawMessage `json:"question"`
	Verdict  json.RawMessage `json:"verdict"`
	Settings json.RawMessage `json:"settings"`
	Problems json.RawMessage `json:"problems"`
}

func compact(t *testing.T, raw []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	return b.Bytes()
}

func guestNames(t *testing.T) []string {
	t.Helper()
	manifests, err := filepath.Glob("*/guardian.json")
	if err != nil || len(manifests) == 0 {
		t.Fatalf("no guests: %v", err)
	}
	for i, m := range manifests {
		manifests[i] = filepath.Dir(m)
	}
	return manifests
}

// eachGuest runs a test of every guest at the same time.
func eachGuest(t *testing.T, test func(t *testing.T, name string, g *guest)) {
	t.Parallel()
	for _, name := range guestNames(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, name, load(t, name))
		})
	}
}

// TestCases runs each guest on its cases: the verdict must be the same byte for byte.
func TestCases(t *testing.T) {
	eachGuest(t, func(t *testing.T, name string, g *guest) {
		cases := casesOf(t, name)
		if len(cases) < 15 {
			t.Errorf("%d cases, want 15 or more", len(cases))
		}
		for _, c := range cases {
			t.Run(c.Name, func(t *testing.T) { g.check(t, c.Text) })
		}
		t.Logf("%s: %d cases, at most %s", name, len(cases), g.left())
	})
}

func casesOf(t *testing.T, name string) []guestcase.Case {
	t.Helper()
	cases, err := guestcase.In(filepath.Join(name, "cases"))
	if err != nil || len(cases) == 0 {
		t.Fatalf("%d cases: %v", len(cases), err)
	}
	return cases
}

func (g *guest) check(t *testing.T, raw []byte) {
	var e example
	must.Unmarshal(t, raw, &e)
	settings, want := e.Settings, e.Problems
	if e.Question != nil {
		var q struct{ Settings json.RawMessage }
		must.Unmarshal(t, e.Question, &q)
		settings, want = q.Settings, json.RawMessage("[]")
	}
	got, _, err := g.call(g.host.CheckSettings, compact(t, settings))
	must.OK(t, err)
	if want := `{"v":1,"problems":` + string(compact(t, want)) + `}`; got != want {
		t.Errorf("settings\n got %s\nwant %s", got, want)
	}
	if e.Question == nil {
		return
	}
	got, used, err := g.call(g.host.Evaluate, g.asked(compact(t, e.Question)))
	must.OK(t, err)
	if want := string(compact(t, e.Verdict)); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	t.Logf("%d fuel", used)
}

// TestWorst holds that no question takes more than four fifths of the budget, whatever it is filled with. Sizes matter:
// a guardian passes over what is too long, so it works most on what it just reads.
func TestWorst(t *testing.T) {
	eachGuest(t, func(t *testing.T, name string, g *guest) {
		for _, kind := range append(fillings, rules[name]...) {
			for _, place := range places {
				for i, settings := range []string{"{}", cmp.Or(full[name], "{}")} {
					for n, size := range []int{3 << 10, 8 << 10, 16 << 10, 32 << 10, 64 << 10, maxQuestion} {
						if n%2 == i || vectors.Nightly() { // by day, each size once, the largest with settings
							g.worst(t, place, kind, settings, size)
						}
					}
				}
			}
		}
		t.Logf("%s: hostile questions, at most %s", name, g.left())
	})
}

func (g *guest) worst(t *testing.T, place place, kind, settings string, size int) {
	t.Helper()
	size = max(size, len(settings)+len(place.before)+1024)
	q := fill(place, kind, settings, size)
	if len(q) < size-64 || len(q) > size {
		t.Fatalf("%q in %q makes %d bytes", kind, place.name, len(q))
	}
	verdict, used, err := g.call(g.host.Evaluate, q)
	if err != nil && used < fuel*4/5 && strings.HasPrefix(err.Error(), "fault refused") {
		return // more values than the kit reads
	}
	if err != nil {
		t.Errorf("%q in %s, %d bytes: %v after %d fuel", kind, place.name, size, err, used)
	} else if used > fuel*4/5 {
		t.Errorf("%q in %s, %d bytes: %d fuel, verdict %.80s", kind, place.name, size, used, verdict)
	}
}

// rules are fillings for the rules of one guardian: for pii, each kind of number, right and wrong by its last digit,
// and words that look like the beginning of several kinds.
var rules = map[string][]string{"pii": {
	"4539148803436467 ", "4539148803436468 ", "4539 1488 0343 6467 ", "4539-1488-0343-6468-", "5500000000000004001 ",
	"DE89 3704 0044 0532 0130 00 ", "DE89 3704 0044 0532 0130 01 ", "DE89-", "GB29 ", "XK05 ",
	"85.07.30-033.28 ", "85.07.30-033.27 ", "529.982.247-25 ", "529.982.247-26 ", "756.9217.0769.85 ",
	"756.9217.0769.86 ",
	"11010519491231002X ", "110105194912310021 ", "86 095 742 719 ", "86 095 742 718 ", "8 609 574 2719 ",
	"12345678Z ", "12345678A ", "1 85 05 78 006 084 91 ", "1 85 05 78 006 084 92 ", "285052B00608412 ",
	"285052B00608413 ",
	"AB 12 34 56 C ", "QQ 12 34 56 C ", "RSSMRA85T10A562S ", "RSSMRA85T10A562T ", "123.456.782 ", "123.456.783 ",
	"44051401359 ", "44051401358 ", "219-09-9999 ", "000-12-3456 ",
	"12 ", "12 3 ", "1 23 ", "4-", "4 5 3 9 ", "1.2 ", "k8s-", "x1 ", "a1b ", "1 2 a ", "4539 ", "12 345 ", "85 123 ",
	"3 ",
}}

// fillings are what a hostile server would repeat.
var fillings = []string{
	"x", "a ", "A", "aB", "password ", "p a s s ", "4", "4111 1111 1111 1111 ", "-----BEGIN ", "DE89", "a.", ".", "é",
	"пароль ", "ｐａｓｓ", "密", "😀", `\n`, `\u0001`, `\"`, "eyJhbGciOiJIUzI1NiJ9.", "AKIA0123456789ABCDEF ", "rm -rf ",
	"drop table x; ", "not ", "@", "1,", "aQ3xZ9kLm2", "https://a.b/ ", "/", "xn--a.", "enter your ", "PIN, ",
	"six digits sent ", "p4$$ ", "1a", "一次", "a。", "code to ", "не ", "ab", "Aa", "app", "k8s ",
}

// place is where the filling goes: the beginning and end of a question around it, and how a piece is written there.
type place struct{ name, before, piece, after string }

var places = []place{
	{"message", `"phase":"before_show","at":1,"request":{"mode":"form","message":"%","form":{"fields":[{"name":"a",` +
		`"label":"A","kind":"text"}]}}`, "", ""},
	{"url", `"phase":"before_show","at":1,"request":{"mode":"url","message":"Go","url":"https://%"}`, "", ""},
	{"label", `"phase":"before_show","at":1,"request":{"mode":"form","message":"Enter","form":{"fields":[{"name":"a",` +
		`"label":"%","kind":"text"}]}}`, "", ""},
	{"answer", `"phase":"before_send","at":1,"request":{"mode":"form","message":"Enter"},"answer":{"a":"%"}`, "", ""},
	{"choices", `"phase":"before_show","at":1,"request":{"mode":"form","message":"x","form":{"fields":[{"name":"a",` +
		`"kind":"choice","choices":[#]}]}}`, `{"value":"a","title":"%"},`, `0`},
	{"fields", `"phase":"before_show","at":1,"request":{"mode":"form","message":"x","form":{"fields":[#]}}`,
		`{"name":"a","label":"%","kind":"text"},`, `{}`},
	{"answers", `"phase":"before_send","at":1,"request":{},"answer":{#}`, `"a":"%",`, `"b":1`},
	{"found text", `"phase":"before_send","at":1,"request":{"inspected":true,"findings":[` + found("message") +
		`],"message":"%","form":{"fields":[{"name":"a","kind":"text"}]}},"answer":{}`, "", ""},
	{"found fields", `"phase":"before_show","at":1,"request":{"inspected":true,"findings":[` +
		found("requestedSchema/properties/last/title") + `],"form":{"fields":[#]}}`,
		`{"name":"a","label":"%","kind":"text"},`, `{"name":"last","label":"rm -rf /","kind":"text"}`},
	{"found choices", `"phase":"before_show","at":1,"request":{"inspected":true,"findings":[` +
		found("requestedSchema/properties/a") + `],"form":{"fields":[{"name":"a","kind":"choice","choices":[#]}]}}`,
		`{"value":"a","title":"%"},`, `0`},
	{"items", `"phase":"before_send","at":1,"request":{},"answer":{"a":[#]}`, `"%",`, `""`},
}

// found are as many findings as a host tells of, all about one text.
func found(pointer string) string {
	one := `"severity":"medium","pointer":"/` + pointer + `","start":0,"end":6,"evidence":"rm -rf","args":{"count":1}},`
	return strings.Repeat(`{"code":"secret_in_form",`+one+`{"code":"text_destructive",`+one, 15) +
		strings.TrimSuffix(`{"code":"text_destructive",`+one, ",")
}

func fill(p place, kind, settings string, size int) []byte {
	head, tail, list := strings.Cut(p.before, "#")
	if !list {
		head, tail, _ = strings.Cut(p.before, "%")
	}
	end := `,"settings":` + settings + `,"seed":"00112233445566778899aabbccddeeff"}`
	out := []byte(`{"v":1,` + head)
	piece := kind
	if list {
		piece = strings.Replace(p.piece, "%", kind, 1)
	}
	for len(out)+len(piece)+len(p.after)+len(tail)+len(end) <= size {
		out = append(out, piece...)
	}
	if list {
		out = append(out, p.after...)
	}
	return append(append(out, tail...), end...)
}

// full are settings with everything set that costs. cel has none: its README says that costly rules end with the fault
// fuel.
var full = map[string]string{
	"secrets":     `{"words":["membership number"],"harmless":["library card"]}`,
	"links":       `{"allow":[` + many + `"paypal.com"],"deny":[` + many + `"evil.example"],"others":"ask"}`,
	"destructive": `{"commands":["nuke"],"harmless":["drop table tennis"],"negations":"skip"}`,
	"pii":         `{"answers":"redact","forms":"ask"}`,
	"intent":      `{"forms":"find","caution":"high"}`,
	"two-person": `{"servers":[` + many + `"x"],"tools":[` + many + `"x*"],"words":[` + many +
		`"wire transfer"],"match":"all"}`,
}

// many begins a list of 128 texts, which is the most.
var many = strings.Repeat(`"a-host-of-some-length.example.com",`, 127)
