package host

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/internal/assemble"
)

// judge is a guest that answers every question with verdict and every settings document with complaints.
func judge(verdict, complaints string) []byte {
	m := assemble.New()
	m.Data, m.DataAt = []byte(verdict+complaints), 16
	m.Global("elicit_guardian_abi", assemble.I32, false, assemble.Const(1<<16))
	m.Func("elicit_alloc", "i", "i", assemble.Const(4096))
	m.Func("elicit_evaluate", "ii", "I", assemble.Says(16, len(verdict)))
	m.Func("elicit_check_settings", "ii", "I", assemble.Says(16+len(verdict), len(complaints)))
	return m.Bytes()
}

const (
	fits   = `{"v":1,"problems":[]}`
	deny   = `{"v":1,"decision":"deny","findings":[{"code":"no","message":"Not here"}]}`
	opened = `{"event":{"event":"opened","session":"s","server":"build","side":"answering","declared":["form"],` +
		`"shown":["form"]}}`
	asked = `{"event":{"event":"asked","session":"s","ref":"1","mode":"form","message":"Go on?",` +
		`"schema":{"type":"object","properties":{}}}}`
)

func config(module []byte, more string) []byte {
	return fmt.Appendf(nil, `{"guardians":[{"name":"g","digest":%q,"declared":{"phases":["before_show",`+
		`"before_send"],"reads":["/answer","/request"]}%s}]}`, guardian.Digest(module), more)
}

// TestDoorRunsGuests goes all the way: bytes of a module in, a decision of a real guest out.
func TestDoorRunsGuests(t *testing.T) {
	guests := NewGuests(Options{})
	defer guests.Close()
	var heard []string
	guests.OnEvaluation = func(c effect.Consult, r Result) {
		heard = append(heard,
			fmt.Sprint(c.Guardian, " ", r.Fuel > 0))
	}
	table := abi.Table{Guests: guests}
	module := judge(deny, fits)
	_, out, status := table.Call(abi.OpGuest, 0, module, nil)
	var is struct {
		Digest   string
		Manifest struct{ Name string }
	}
	if err := json.Unmarshal(out, &is); err != nil || status != abi.OK || is.Digest != guardian.Digest(module) ||
		is.Manifest.Name != "test" {
		t.Fatalf("guest: %v %s %v", status, out, err)
	}
	h, out, status := table.Open(config(module, ""), nil)
	if status != abi.OK {
		t.Fatalf("open: %s", out)
	}
	table.Step(h, []byte(opened), nil)
	out, _ = table.Step(h, []byte(asked), nil)
	if got := string(out); !strings.Contains(got, `"outcome":"decline","cause":"guardian"`) ||
		!strings.Contains(got, "Not here") || strings.Contains(got, `"question":`) {
		t.Errorf("step: %s", got)
	}
	if len(heard) != 1 || heard[0] != "g true" {
		t.Errorf("heard %v", heard)
	}
}

func TestSettings(t *testing.T) {
	for _, c := range []struct{ name, answer, want string }{
		{"fit", fits, ""},
		{"do not fit", `{"v":1,"problems":[{"pointer":"/allow/0","message":"no host"}]}`,
			`"code":"guardian_settings","pointer":"/guardians/0/settings/allow/0","args":{"guardian":"g",` +
				`"message":"no host"}`},
		{"nonsense", `[]`, `"code":"guardian_settings_unread","pointer":"/guardians/0/settings",` +
			`"args":{"guardian":"g","fault":"bad_verdict"}`},
		{"another version", `{"v":2,"problems":[]}`, `"fault":"bad_verdict"`},
		{"no list", `{"v":1}`, `"fault":"bad_verdict"`},
		{"a member more", `{"v":1,"problems":[],"fine":true}`, `"fault":"bad_verdict"`},
		{"a problem without words", `{"v":1,"problems":[{"pointer":"/a"}]}`, `"fault":"bad_verdict"`},
		{"a pointer that is none", `{"v":1,"problems":[{"pointer":"a","message":"m"}]}`, `"fault":"bad_verdict"`},
		{"not text", "\xff", `"fault":"bad_output"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			guests := NewGuests(Options{})
			defer guests.Close()
			module := judge(deny, c.answer)
			table := abi.Table{Guests: guests}
			if _, out, status := table.Call(abi.OpGuest, 0, module, nil); status != abi.OK {
				t.Fatalf("guest: %s", out)
			}
			_, out, status := table.Open(config(module, `,"settings":{"allow":["?"]}`), nil)
			if c.want == "" && status != abi.OK || c.want != "" &&
				(status != abi.Invalid || !strings.Contains(string(out), c.want)) {
				t.Errorf("open: %v %s\nwant %s", status, out, c.want)
			}
		})
	}
}

func TestUnknownDigest(t *testing.T) {
	guests := NewGuests(Options{})
	defer guests.Close()
	if _, known := guests.Evaluate(effect.Consult{Digest: strings.Repeat("ab", 32)}); known {
		t.Error("a guest nobody loaded was asked")
	}
	if _, problems := guests.Load([]byte("no module")); len(problems) == 0 {
		t.Error("text was taken for a module")
	}
}

// TestEnginesBesideEachOther has many engines of one interface ask one guest at once, while others load it again.
func TestEnginesBesideEachOther(t *testing.T) {
	guests := NewGuests(Options{})
	defer guests.Close()
	table := abi.Table{Guests: guests}
	module := judge(deny, fits)
	if _, out, status := table.Call(abi.OpGuest, 0, module, nil); status != abi.OK {
		t.Fatalf("guest: %s", out)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 20 {
				h, out, status := table.Open(config(module, ""), nil)
				if status != abi.OK {
					t.Errorf("open: %s", out)
					return
				}
				table.Step(h, []byte(opened), nil)
				if out, _ := table.Step(h, []byte(asked), nil); !strings.Contains(string(out), "Not here") {
					t.Errorf("step: %s", out)
				}
				if _, out, status := table.Call(abi.OpGuest, 0, module, nil); status != abi.OK {
					t.Errorf("guest: %s", out)
				}
				table.Close(h)
			}
		})
	}
	all.Wait()
}

// TestDocuments holds documents to their limits, and that an evaluation reads the one its permit names.
func TestDocuments(t *testing.T) {
	s := NewGuests(Options{})
	defer s.Close()
	text := []byte("example.com\n")
	digest, problems := s.Keep(text)
	if problems != nil || digest != guardian.Digest(text) || !s.Holds(digest) || s.Holds(guardian.Digest(nil)) {
		t.Fatalf("%s %v", digest, problems)
	}
	text[0] = 'E' // the guests has its own copy
	if string(s.documents.get(digest)) != "example.com\n" {
		t.Error("the caller's bytes changed, and so did the document")
	}
	empty, _ := s.Keep(nil)
	if !s.Holds(empty) {
		t.Error("an empty document is none")
	}
	full := make([]byte, guardian.MaxData)
	for i := range guardian.MaxPermits {
		full[0] = byte(i + 1)
		if _, problems = s.Keep(full); problems != nil {
			break
		}
	}
	if len(problems) != 1 || problems[0].Code != "too_much_data" {
		t.Errorf("64 MiB and more: %v", problems)
	}
	if _, problems := s.Keep(append(full, 0)); len(problems) != 1 || problems[0].Code != "data_document_too_large" {
		t.Errorf("4 MiB and a byte: %v", problems)
	}
	full[0] = 1
	if _, problems := s.Keep(full); problems != nil {
		t.Errorf("a document that is held already: %v", problems)
	}
	s.Drop(guardian.Digest(full))
	s.Drop(guardian.Digest(full))
	full[0] = 200
	if _, problems := s.Keep(full); problems != nil || s.Holds("") {
		t.Errorf("a document in place of one that was dropped: %v", problems)
	}
}

// TestGuestsReadData goes all the way: a document and a module in, a decision out that depends on the document.
func TestGuestsReadData(t *testing.T) {
	s := NewGuests(Options{})
	defer s.Close()
	table := abi.Table{Guests: s}
	m := assemble.New()
	m.Manifest = strings.Replace(m.Manifest, `"reads"`, `"data":"any text","reads"`, 1)
	size := m.Import("elicit_guardian_v1", "data_size", "", "i")
	m.Data, m.DataAt = []byte(deny+fits+`{"v":1,"decision":"pass"}`), 16
	m.Global("elicit_guardian_abi", assemble.I32, false, assemble.Const(1<<16))
	m.Func("elicit_alloc", "i", "i", assemble.Const(4096))
	pass := assemble.Says(16+len(deny)+len(fits), len(`{"v":1,"decision":"pass"}`))
	m.Func("elicit_evaluate", "ii", "I", assemble.Code(pass, assemble.Says(16, len(deny)), assemble.Call(size), 0x1b))
	m.Func("elicit_check_settings", "ii", "I", assemble.Says(16+len(deny), len(fits)))
	module := m.Bytes()
	if _, out, status := table.Call(abi.OpGuest, 0, module, nil); status != abi.OK {
		t.Fatalf("%s", out)
	}
	for _, c := range []struct{ document, says string }{{"", `"guardian_denied"`}, {"x", `"effect":"show"`}} {
		_, out, status := table.Call(abi.OpData, 0, []byte(c.document), nil)
		if status != abi.OK {
			t.Fatalf("%s", out)
		}
		digest := guardian.Digest([]byte(c.document))
		h, out, status := table.Open(config(module, `,"data_digest":"`+digest+`"`), nil)
		if status != abi.OK {
			t.Fatalf("open: %s", out)
		}
		table.Step(h, []byte(opened), nil)
		if out, _ := table.Step(h, []byte(asked), nil); !strings.Contains(string(out), c.says) {
			t.Errorf("%q: got %s, want %s", c.document, out, c.says)
		}
		if c.document != "" {
			continue
		}
		s.Drop(digest)
		if out, _ := table.Step(h, []byte(strings.Replace(asked, `"1"`, `"2"`, 1)), nil); !strings.Contains(string(out),
			"guardian_fault") {
			t.Errorf("dropped: %s", out)
		}
	}
}
