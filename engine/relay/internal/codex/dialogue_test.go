package codex

import (
	"strconv"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/codex"
)

// TestLargePatch announces a patch that is too large to be kept, and a small one beside it.
func TestLargePatch(t *testing.T) {
	d := New(nil)
	g := gate.New(d.Vocabulary())
	tell := func(item, diff string) {
		var msg gate.Message
		text := `{"method":"item/started","params":{"threadId":"t","turnId":"u","item":{"type":"fileChange","id":"` + item +
			`","changes":[{"path":"a.txt","kind":{"type":"update"},"diff":"` + diff + `"}]}}}`
		if problem := g.Read(&msg, []byte(text)); problem != nil {
			t.Fatal(problem)
		}
		if p := d.ServerTold(&msg); !p.Pass || p.Text != nil {
			t.Errorf("the announcement of %s does not pass unchanged", item)
		}
	}
	tell("small", "+one")
	if it := d.items.Item("t", "small"); it == nil || it.Size() < 4 {
		t.Errorf("the small patch is not kept: %v", it)
	}
	tell("large", strings.Repeat("x", 1<<20))
	if it := d.items.Item("t", "large"); it != nil && it.Size() > 64<<10 {
		t.Errorf("%d bytes of the large patch are kept", it.Size())
	}
}

// TestAnswersFillNoTable has an app-server that never says that a question is settled. The latest are remembered.
func TestAnswersFillNoTable(t *testing.T) {
	var l known
	for i := range 5000 {
		l.add(&asked{ref: strconv.Itoa(i)})
	}
	if len(l.by) != 4096 || l.by["903"] != nil || l.by["904"] == nil {
		t.Errorf("%d questions are remembered", len(l.by))
	}
	if l.add(&asked{ref: "904"}); len(l.by) != 4096 || len(l.order) != 4096 || l.order[0] != "905" {
		t.Errorf("%d questions are remembered in %d places, the oldest is %s", len(l.by), len(l.order), l.order[0])
	}
}

// sink is the machine for a dialogue: it takes what is sent, and has one question.
type sink struct {
	link.Link
	has *asked
}

func (sink) Send(link.End, []byte, func()) {}

func (s sink) Drop(which func(*link.Question) bool) { which(&link.Question{Of: s.has}) }

// TestTextIsNotKept: no text of a question is kept after its answer, or after the app-server takes none any more.
func TestTextIsNotKept(t *testing.T) {
	open := func() *asked {
		q := codex.Unread(codex.MethodCommand)
		return &asked{Question: q, params: []byte(`{}`), text: []byte(`{}`)}
	}
	answered, dropped := open(), open()
	d := New(&link.Connection{Link: sink{has: dropped}, Answered: &link.Recent{}})
	if d.settle(answered, codex.Answer{Action: elicit.Decline}); answered.params != nil || answered.text != nil {
		t.Errorf("%s and %s are kept of an answered question", answered.params, answered.text)
	}
	if d.end(func(*asked) bool { return true }); dropped.params != nil {
		t.Errorf("%s is kept of a question that is over", dropped.params)
	}
}

// TestWordsOfAnEnd: an agent hears of the first problem, or of the reason of a policy, and a yes holds no longer than
// what was agreed to.
func TestWordsOfAnEnd(t *testing.T) {
	problems, reasons := []elicit.Problem{{Code: "json_truncated"}}, []elicit.Reason{{Code: "guardian_passed"}}
	for want, r := range map[string]effect.Reply{
		"":                               {Cause: elicit.ByPolicy},
		wire.Sentence(problems):          {Cause: elicit.ByPolicy, Problems: problems, Reasons: reasons},
		english.Reason(reasons[0]):       {Cause: elicit.ByPolicy, Reasons: reasons},
		english.Cause(elicit.ByNoAnswer): {Cause: elicit.ByNoAnswer, Reasons: reasons},
	} {
		if got := reasonOf(r); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, c := range []struct{ choice, part bool }{{true, false}, {false, true}, {true, true}} {
		a := codex.Answer{Scope: elicit.ForTheSession, Part: c.part}
		if got := keptScope(a, c.choice, nil); got != elicit.Once {
			t.Errorf("%+v holds %s", c, got)
		}
	}
	if got := keptScope(codex.Answer{Scope: elicit.ForTheSession}, false, nil); got != elicit.ForTheSession {
		t.Errorf("the whole holds %s", got)
	}
}
