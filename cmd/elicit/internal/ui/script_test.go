package ui

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/schema"
)

type given struct {
	action  elicit.Action
	content string
	via     event.Via
}

// show shows a question to s and waits for its answer.
func show(t *testing.T, s *Script, q effect.Show) given {
	t.Helper()
	answers := make(chan given, 1)
	s.Show(q, func(g Given) { answers <- given{g.Action, string(g.Content), g.Via} })
	select {
	case g := <-answers:
		return g
	case <-time.After(time.Minute):
		t.Fatal("no answer")
		return given{}
	}
}

func read(t *testing.T, doc string, complaints *bytes.Buffer) *Script {
	t.Helper()
	s, problems := ReadScript([]byte(doc), complaints)
	if problems != nil {
		t.Fatalf("problems: %v", problems)
	}
	return s
}

func TestScriptUsesMatchesInTurnThenTheLastAgain(t *testing.T) {
	s := read(t, `[
		{"when":{"tool":"deploy*"},"answer":{"action":"accept","content":{"n":1}}},
		{"when":{"server":"other"},"answer":{"action":"cancel"}},
		{"answer":{"action":"decline"}}]`, new(bytes.Buffer))
	deploy := effect.Show{Server: "demo", Tool: "deploy_it", Mode: elicit.Form}
	for i, want := range []given{
		{elicit.Accept, `{"n":1}`, event.ViaScript},
		{elicit.Decline, "", event.ViaScript},
		{elicit.Decline, "", event.ViaScript},
	} {
		if got := show(t, s, deploy); got != want {
			t.Errorf("answer %d: got %v, want %v", i, got, want)
		}
	}
}

func TestScriptWithoutMatchIsNoUI(t *testing.T) {
	var complaints bytes.Buffer
	s := read(t, `[{"when":{"mode":"url","message":"*bank*"},"answer":{"action":"accept"}}]`, &complaints)
	got := show(t, s, effect.Show{Server: "de\x1bmo", Mode: elicit.Form, Message: "Your bank?"})
	if want := (given{elicit.Cancel, "", event.ViaNoUI}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	want := "no prepared answer matches the question of de<U+001B>mo: Your bank?"
	if !strings.Contains(complaints.String(), want) {
		t.Errorf("complaints %q lack %q", complaints.String(), want)
	}
	got = show(t, s, effect.Show{Mode: elicit.URL, Message: "Visit your bank\nnow"})
	if want := (given{elicit.Accept, "", event.ViaScript}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestScriptWritesNotesAndEditsArguments(t *testing.T) {
	s := read(t, `[{"answer":{"action":"decline","note":"Not now."}},`+
		`{"answer":{"action":"accept","arguments":{"path":"/tmp/b"}}}]`, nil)
	for _, want := range []Given{{Action: elicit.Decline, Via: event.ViaScript, Note: "Not now."},
		{Action: elicit.Accept, Via: event.ViaScript, Arguments: []byte(`{"path":"/tmp/b"}`)}} {
		got := make(chan Given)
		s.Show(effect.Show{Mode: elicit.Form}, func(g Given) { got <- g })
		if g := <-got; !reflect.DeepEqual(g, want) {
			t.Errorf("got %+v, want %+v", g, want)
		}
	}
	wrong := `[{"answer":{"action":"accept","note":1,"arguments":[]}}]`
	if _, problems := ReadScript([]byte(wrong), nil); len(problems) != 2 {
		t.Errorf("a number passes for a note, or a list for arguments: %v", problems)
	}
}

func TestScriptNamesWhatTheFormHasNoFieldFor(t *testing.T) {
	form, problems := schema.Compile([]byte(`{"type":"object","properties":{"a":{"type":"string"}}}`), schema.Options{})
	if problems != nil {
		t.Fatal(problems)
	}
	var complaints bytes.Buffer
	s := read(t, `[{"answer":{"action":"decline"}},`+
		`{"answer":{"action":"accept","content":{"a":"x","b":2,"c/~\u009b":3}}}]`, &complaints)
	q := effect.Show{Server: "demo", Mode: elicit.Form, Form: form}
	for range 4 {
		show(t, s, q)
	}
	want := "elicit: /1/answer/content/b: there is no such field\n" +
		"elicit: /1/answer/content/c~1~0<U+009B>: there is no such field\n"
	if complaints.String() != want { // once, though the entry answered three times
		t.Errorf("got %q, want %q", complaints.String(), want)
	}
	var told []elicit.Problem
	s = read(t, `[{"answer":{"action":"accept","content":{"b":2}}}]`, &complaints)
	s.OnUnknown(func(p elicit.Problem) { told = append(told, p) })
	if got := show(t, s, q); got.content != `{"b":2}` || len(told) != 1 || told[0].Pointer != "/0/answer/content/b" {
		t.Errorf("got %v, told of %v", got, told)
	}
}

func TestScriptReportsEveryMistake(t *testing.T) {
	for _, c := range []struct{ name, doc, want string }{
		{"not JSON", `[{]`, "json_syntax@/0"},
		{"empty", ``, "json_empty@"},
		{"not an array", `{}`, "wrong_type@"},
		{"not an object", `[1]`, "wrong_type@/0"},
		{"unknown keys", `[{"wen":{},"answer":{"action":"accept","contents":{}}}]`,
			"unknown_member@/0/wen unknown_member@/0/answer/contents"},
		{"repeated key", `[{"answer":{"action":"accept","action":"decline"}}]`, "json_duplicate_key@/0/answer/action"},
		{"unknown glob", `[{"when":{"serv":"x"},"answer":{"action":"cancel"}}]`, "unknown_member@/0/when/serv"},
		{"glob of another type", `[{"when":{"server":1},"answer":{"action":"cancel"}}]`, "wrong_type@/0/when/server"},
		{"unclosed set", `[{"when":{"server":"[a"},"answer":{"action":"cancel"}}]`, "bad_glob@/0/when/server"},
		{"no answer", `[{}]`, "missing@/0/answer"},
		{"no action", `[{"answer":{}}]`, "missing@/0/answer/action"},
		{"unknown action", `[{"answer":{"action":"Accept"}}]`, "unknown_action@/0/answer/action"},
		{"action of another type", `[{"answer":{"action":true}}]`, "unknown_action@/0/answer/action"},
		{"remember on decline", `[{"answer":{"action":"decline","remember":"always"}}]`,
			"remember_without_accept@/0/answer/remember"},
		{"remember once", `[{"answer":{"action":"accept","remember":"once"}}]`, "unknown_scope@/0/answer/remember"},
		{"remember true", `[{"answer":{"action":"accept","remember":true}}]`, "unknown_scope@/0/answer/remember"},
		{"content on decline", `[{"answer":{"action":"decline","content":{}}}]`, "content_without_accept@/0/answer/content"},
		{"null content", `[{"answer":{"action":"accept","content":null}}]`, "wrong_type@/0/answer/content"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, problems := ReadScript([]byte(c.doc), new(bytes.Buffer))
			var got []string
			for _, p := range problems {
				got = append(got, p.Code+"@"+p.Pointer)
			}
			if g := strings.Join(got, " "); g != c.want || s != nil {
				t.Errorf("got %s, want %s", g, c.want)
			}
		})
	}
}
