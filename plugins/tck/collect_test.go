package tck

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/plugins/guest"
)

var collect = flag.String("collect", "", "take the modules of kits and guests from this directory, dist/guests, and their cases from the sources")

// collected makes cases/kits.json and cases/guests.json anew. Compilers differ, so the modules are kept as they were
// when this was last run; what is asked of them comes from those who wrote them, and so does what they must say.
func collected(t *testing.T) {
	kits := Kit{TCK: 1, FuelVersion: 1}
	for _, file := range glob(t, filepath.Join(*collect, "kits", "*.wasm")) {
		if name, taken := take(t, &kits, file); taken {
			for _, file := range glob(t, "../pdk/cases/*.json") {
				var e struct {
					Question, Verdict, Settings, Problems json.RawMessage
					Fault                                 string
				}
				decode(t, file, &e)
				kits.add(t, name, file, e.Question, e.Settings, e.Verdict, e.Problems, e.Fault)
			}
		}
	}
	keep(t, "kits", kits)
	guests := Kit{TCK: 1, FuelVersion: 1}
	for _, file := range glob(t, filepath.Join(*collect, "*.wasm")) {
		if name, taken := take(t, &guests, file); taken {
			for _, file := range glob(t, filepath.Join("../guests", name, "cases", "*.json")) {
				var e struct {
					Name                               string
					Settings, Question, Want, Problems json.RawMessage
				}
				decode(t, file, &e)
				if e.Problems != nil {
					guests.add(t, name, file, nil, e.Settings, nil, e.Problems, "")
				} else {
					guests.add(t, name, file, asked(t, e.Question, e.Settings), nil, e.Want, nil, "")
				}
			}
		}
	}
	keep(t, "guests", guests)
	t.Fatal("collected; run me again without -collect")
}

// most is the size of the largest module that is kept here. Standard Go's are larger.
const most = 100 << 10

func take(t *testing.T, kit *Kit, file string) (name string, taken bool) {
	module, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	name = strings.TrimSuffix(filepath.Base(file), ".wasm")
	if len(module) > most {
		t.Logf("%s is left out: %d bytes", name, len(module))
		return name, false
	}
	if _, problems := guest.Read(module, guest.Options{}); problems != nil {
		t.Fatalf("%s: %s", name, problems[0].Code)
	}
	if err := os.WriteFile(filepath.Join("modules", name+".wasm"), module, 0o666); err != nil {
		t.Fatal(err)
	}
	kit.Modules = append(kit.Modules, Module{Name: name})
	return name, true
}

// add adds a case with what its author wants of it.
func (k *Kit) add(t *testing.T, module, file string, question, settings, verdict, problems []byte, fault string) {
	c := Case{Name: module + ": " + strings.TrimSuffix(filepath.Base(file), ".json"), Module: module, Call: "evaluate", Fuel: 5_000_000}
	in, out := question, string(compact(t, verdict))
	if settings != nil {
		c.Call, in, out = "check_settings", settings, `{"v":1,"problems":`+string(compact(t, problems))+`}`
	}
	if c.Text = string(compact(t, in)); fault != "" {
		c.Fault = fault
	} else {
		c.Output = &out
	}
	k.Cases = append(k.Cases, c)
}

// asked is a question as a host writes it, of what a guest's author says of it.
func asked(t *testing.T, question, settings json.RawMessage) []byte {
	var q map[string]json.RawMessage
	if err := json.Unmarshal(question, &q); err != nil {
		t.Fatal(err)
	}
	given := func(name, absent string) json.RawMessage {
		if v, ok := q[name]; ok {
			return v
		}
		return json.RawMessage(absent)
	}
	out := fmt.Appendf(nil, `{"v":1,"phase":%s,"at":%s,"request":%s`, given("phase", `"before_show"`), given("at", "1767225600000"), given("request", "{}"))
	if answer, ok := q["answer"]; ok {
		out = fmt.Appendf(out, `,"answer":%s`, answer)
	}
	if settings == nil {
		settings = json.RawMessage("{}")
	}
	return fmt.Appendf(out, `,"settings":%s,"seed":%s}`, settings, given("seed", `"00112233445566778899aabbccddeeff"`))
}

func compact(t *testing.T, raw []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if len(raw) > 0 {
		if err := json.Compact(&b, raw); err != nil {
			t.Fatalf("%v in %s", err, raw)
		}
	}
	return b.Bytes()
}

func glob(t *testing.T, pattern string) []string {
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func decode(t *testing.T, file string, into any) {
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// keep fills in fuel and digests, after the host has said what every author wants.
func keep(t *testing.T, name string, kit Kit) {
	if len(kit.Cases) == 0 {
		t.Logf("no %s", name)
		return
	}
	run := settle(t, kit)
	for i, c := range kit.Cases {
		got := run.Cases[i].Want
		if c.Want.Used = got.Used; !c.Want.Equal(got) {
			t.Fatalf("%s\n got %v\nwant %v", c.Name, got, c.Want)
		}
	}
	if err := run.write(filepath.Join("cases", name+".json")); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d %s, %d cases", len(kit.Modules), name, len(kit.Cases))
}
