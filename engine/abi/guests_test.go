package abi

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/internal/must"
)

// scripted are guests whose module is a script of their output, or "!" and a fault.
type scripted struct {
	scripts map[string]string
	data    map[string]string // documents by digest
	asked   []string          // guardian and phase of each call, in order
}

func (s *scripted) Load(module []byte) ([]byte, []elicit.Problem) {
	if len(module) == 0 {
		return nil, []elicit.Problem{{Code: "too_short"}}
	}
	digest := guardian.Digest(module)
	s.scripts[digest] = string(module)
	return []byte(`{"digest":"` + digest + `"}`), nil
}

func (s *scripted) Manifest(digest string) (guardian.Manifest, bool, bool) {
	script, held := s.scripts[digest]
	reads, _ := guardian.ParsePattern("/request/message")
	about := ""
	if strings.Contains(script, "data") {
		about = "any text"
	}
	return guardian.Manifest{Data: about, Phases: []guardian.Phase{guardian.BeforeSend, guardian.BeforeShow},
			Reads: guardian.Reads{reads}},
		strings.Contains(script, "wasi"), held
}

func (s *scripted) Keep(document []byte) (string, []elicit.Problem) {
	if s.data == nil {
		s.data = map[string]string{}
	}
	digest := guardian.Digest(document)
	s.data[digest] = string(document)
	return digest, nil
}

func (s *scripted) Holds(digest string) bool { _, held := s.data[digest]; return held }

func (s *scripted) CheckSettings(g guardian.Permit) ([]elicit.Problem, bool) {
	if bytes.Contains(g.Settings, []byte("bad")) {
		return []elicit.Problem{{Code: "guardian_settings", Pointer: "/word",
			Args: []elicit.Arg{elicit.Str("message", "no such word")}}}, true
	}
	return nil, true
}

func (s *scripted) Evaluate(c effect.Consult) (event.Consulted, bool) {
	script, held := s.scripts[c.Digest]
	if !held {
		return event.Consulted{}, false
	}
	s.asked = append(s.asked, c.Guardian+" "+string(c.Phase))
	if fault, ok := strings.CutPrefix(script, "!"); ok {
		return event.Consulted{Fault: guardian.Fault(fault), Fuel: c.Fuel}, true
	}
	return event.Consulted{Output: script, Fuel: 7, Session: "another"}, true
}

const (
	passes = `{"v":1,"decision":"pass"}`
	denies = `{"v":1,"decision":"deny","findings":[{"code":"no","message":"Not this"}]}`
	times  = `,"at":1000,"random":"0101010101010101010101010101010101010101010101010101010101010101"`
)

func permit(name, module, more string) string {
	return fmt.Sprintf(`{"name":%q,"digest":%q,"declared":{"phases":["before_show","before_send"],`+
		`"reads":["/request/message"]}%s}`,
		name, guardian.Digest([]byte(module)), more)
}

// guarded opens an engine with guardians, each from a permit. The table has their modules.
func guarded(t *testing.T, guests Guests, permits ...string) (*Table, Handle, []byte) {
	t.Helper()
	table := &Table{Guests: guests}
	for _, module := range []string{passes, denies, "!fuel"} {
		if guests != nil {
			if out, status := table.Load([]byte(module), nil); status != OK {
				t.Fatalf("load %s: %s", module, out)
			}
		}
	}
	h, out, status := table.Open([]byte(`{"config":{"guardians":[`+strings.Join(permits, ",")+`]}`+times+`}`), nil)
	if status != OK {
		t.Fatalf("open: %s", out)
	}
	return table, h, out
}

func spoken(input string) string { return strings.TrimSuffix(input, "}") + times + "}" }

// told returns the names of the effects of one answer, and the records among them.
func told(t *testing.T, out string) (names string, records []byte) {
	t.Helper()
	var answer struct{ Effects []json.RawMessage }
	if err := json.Unmarshal([]byte(out), &answer); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, next := range answer.Effects {
		var e struct {
			Effect string
			Record json.RawMessage
		}
		must.Unmarshal(t, next, &e)
		names += " " + e.Effect
		if e.Effect == "append" {
			records = append(append(records, e.Record...), '\n')
		}
	}
	return strings.TrimSpace(names), records
}

func TestGuestsRunInsideAStep(t *testing.T) {
	for _, c := range []struct{ name, permits, want, asked, says string }{
		{"nobody objects", permit("one", passes, "") + "," + permit("two", passes, ""), "append append append show wake",
			"one before_show two before_show", ""},
		{"one denies", permit("one", passes, "") + "," + permit("two", denies, ""), "append append append reply wake",
			"one before_show two before_show", `"guardian_denied"`},
		{"a fault denies", permit("one", "!fuel", ""), "append append reply wake", "one before_show", `"guardian_fault"`},
		{"the host's to run", permit("one", passes, `,"host":true`), "append consult wake", "", ""},
		{"a module that is not here", permit("one", "elsewhere", ""), "append consult wake", "", ""},
		{"one here, one not", permit("one", denies, "") + "," + permit("two", "elsewhere", ""), "append append consult wake",
			"one before_show", ""},
		{"another phase", permit("one", denies, `,"phases":["before_send"]`), "append show", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			guests := &scripted{scripts: map[string]string{}}
			table, h, first := guarded(t, guests, c.permits)
			_, journal := told(t, string(first))
			_, records := told(t, step(t, table, h, spoken(openEvent), OK))
			journal = append(journal, records...)
			out := step(t, table, h, spoken(askEvent), OK)
			names, records := told(t, out)
			if names != c.want || strings.Join(guests.asked, " ") != c.asked || !strings.Contains(out, c.says) {
				t.Errorf("asked %v, effects %s\nwant %s and %s in %s", guests.asked, names, c.want, c.says, out)
			}
			journal = append(journal, records...)
			if r := engine.Replay(journal, nil); r.Problem != nil || r.Records != bytes.Count(journal, []byte("\n")) {
				t.Errorf("the journal does not replay: %d records, %v", r.Records, r.Problem)
			}
		})
	}
}

// TestGuestsRunAsAHostWould compares the records of a table that runs guests with those of a host that runs them with
// the same times and random bytes.
func TestGuestsRunAsAHostWould(t *testing.T) {
	guests := &scripted{scripts: map[string]string{}}
	permits := []string{permit("one", passes, ""), permit("two", passes, "")}
	table, h, _ := guarded(t, guests, permits...)
	step(t, table, h, spoken(openEvent), OK)
	_, ours := told(t, step(t, table, h, spoken(askEvent), OK))

	table, h, _ = guarded(t, nil, permits...)
	step(t, table, h, spoken(openEvent), OK)
	out := step(t, table, h, spoken(askEvent), OK)
	_, theirs := told(t, out)
	var asked struct {
		Effects []struct {
			Effect, ID string
			Round      int
		}
	}
	must.Unmarshal(t, out, &asked)
	random := bytes.Repeat([]byte{1}, 32)
	for _, e := range asked.Effects {
		if e.Effect == "consult" {
			sum := sha256.Sum256(random)
			random = sum[:]
			_, record := told(t, step(t, table, h,
				fmt.Sprintf(`{"event":{"event":"consulted","session":"s","id":%q,"round":%d,"output":%q,"fuel":7},"at":1000,`+
					`"random":%q}`,
					e.ID, e.Round, passes, hex.EncodeToString(random)), OK))
			theirs = append(theirs, record...)
		}
	}
	if !bytes.Equal(ours, theirs) {
		t.Errorf("the interface\n%s\nthe host\n%s", ours, theirs)
	}
}

func TestPermitsAreHeldToTheModule(t *testing.T) {
	wasi, reader := "wasi", "reads data"
	named := func(document string) string { return `,"data_digest":"` + guardian.Digest([]byte(document)) + `"` }
	for _, c := range []struct{ name, permit, code, pointer string }{
		{"reads of another version", strings.Replace(permit("one", passes, ""), "/request/message", "/request", 1),
			"guardian_declared_wrong", "/guardians/0/declared"},
		{"a phase less", strings.Replace(permit("one", passes, ""), `,"before_send"`, "", 1), "guardian_declared_wrong",
			"/guardians/0/declared"},
		{"settings it does not take", permit("one", passes, `,"settings":{"word":"bad"}`), "guardian_settings",
			"/guardians/0/settings/word"},
		{"WASI that was not permitted", permit("one", wasi, ""), "guardian_wasi", "/guardians/0/wasi"},
		{"no data", permit("one", reader, ""), "guardian_data_missing", "/guardians/0/data_digest"},
		{"data that nobody gave", permit("one", reader, named("other")), "guardian_data_unheld", "/guardians/0/data_digest"},
		{"data that is not declared", permit("one", passes, named("held")), "guardian_data_undeclared",
			"/guardians/0/data_digest"},
		{"data and settings", permit("one", reader, named("held")+`,"settings":{"word":"bad"}`), "guardian_settings",
			"/guardians/0/settings/word"},
		{"settings, where the host runs it", permit("one", passes, `,"host":true,"settings":{"word":"bad"}`),
			"guardian_settings", "/guardians/0/settings/word"},
	} {
		t.Run(c.name, func(t *testing.T) {
			table := &Table{Guests: &scripted{scripts: map[string]string{}}}
			table.Load([]byte(passes), nil)
			table.Load([]byte(wasi), nil)
			table.Load([]byte(reader), nil)
			table.Keep([]byte("held"), nil)
			config := `{"guardians":[` + c.permit + `]}`
			want := `{"code":"` + c.code + `","pointer":"` + c.pointer + `"`
			if h, out, status := table.Open([]byte(config), nil); h != 0 || status != Invalid || !strings.Contains(string(out),
				want) {
				t.Errorf("open: %v %s\nwant %s", status, out, want)
			}
			h := opened(t, table)
			want = `{"code":"` + c.code + `","pointer":"/event/config` + c.pointer + `"`
			if out := step(t, table, h, `{"event":{"event":"configured","config":`+config+`}}`, Invalid); !strings.Contains(out,
				want) {
				t.Errorf("configured: %s\nwant %s", out, want)
			}
		})
	}
}

func TestLoadByEveryDoor(t *testing.T) {
	table := &Table{Guests: &scripted{scripts: map[string]string{}}}
	want := `{"digest":"` + guardian.Digest([]byte("module")) + `"}`
	if _, out, status := table.Call(OpGuest, 0, []byte("module"), nil); status != OK || string(out) != want {
		t.Errorf("call: %v %s", status, out)
	}
	if out := table.Line([]byte(`{"op":"guest","input":{"module":"bW9kdWxl"}}`),
		nil); string(out) != `{"id":null,"status":"ok","output":`+want+`}` {
		t.Errorf("line: %s", out)
	}
	if out := table.Line([]byte(`{"op":"guest","input":{"module":"?"}}`), nil); !bytes.Contains(out,
		[]byte(`"pointer":"/input/module"`)) {
		t.Errorf("line: %s", out)
	}
	want = `{"digest":"` + guardian.Digest([]byte("a\x00\xff")) + `","size":3}`
	if _, out, status := table.Call(OpData, 0, []byte("a\x00\xff"), nil); status != OK || string(out) != want {
		t.Errorf("data by call: %v %s", status, out)
	}
	if out := table.Line([]byte(`{"op":"data","input":{"document":"YQD/"}}`),
		nil); string(out) != `{"id":null,"status":"ok","output":`+want+`}` {
		t.Errorf("data by line: %s", out)
	}
	for _, input := range []string{`{}`, `{"document":1}`, `{"document":"?"}`} {
		if out := table.Line([]byte(`{"op":"data","input":`+input+`}`), nil); !bytes.Contains(out,
			[]byte(`"pointer":"/input/document"`)) {
			t.Errorf("data by line %s: %s", input, out)
		}
	}
	if _, out, status := table.Call(OpData, 0, make([]byte, 4<<20+1), nil); status != TooLarge ||
		!bytes.Contains(out, []byte(`"data_document_too_large"`)) {
		t.Errorf("too large: %v %s", status, out)
	}
	if _, out, status := new(Table).Call(OpData, 0, nil, nil); status != Invalid || !bytes.Contains(out,
		[]byte("no_guests")) {
		t.Errorf("data, to an interface without guests: %v %s", status, out)
	}
	if _, out, status := table.Call(OpGuest, 0, nil, nil); status != Invalid ||
		string(out) != `{"problems":[{"code":"too_short","pointer":""}]}` {
		t.Errorf("empty: %v %s", status, out)
	}
	if _, out, status := new(Table).Call(OpGuest, 0, []byte("module"), nil); status != Invalid || !bytes.Contains(out,
		[]byte("no_guests")) {
		t.Errorf("an interface without guests: %v %s", status, out)
	}
}
