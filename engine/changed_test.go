package engine_test

import (
	"bytes"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/schema"
)

// TestChangedMakesUpTheMessage asks much alike and lets a person, a script and policy answer, with restarts between.
// The same and the new pieces make up the message. The same and the gone ones make up a message of the same tool that
// the person has accepted. A replay of the journal comes to the same effects.
func TestChangedMakesUpTheMessage(t *testing.T) {
	words := []string{"Run", "make", "test", "clean", "/srv/app", "now?", "-f", "\n", "mаke", "删除"}
	compared := 0
	for seed := range int64(600) {
		e := newRecorder(seed, 1000)
		r := e.random
		config := event.Configured{Config: []byte(`{"show_changes":true,"limits":{"burst":1000,"per_minute":60000},` +
			`"policy":{"user":{"version":1,"rules":[{"name":"auto","when":{"tool":"auto"},"then":"accept"}]}}}`)}
		e.step(config)
		e.step(event.Opened{Session: "s", Server: "shell", Side: elicit.Answering, Declared: elicit.Modes{Form: true},
			Shown: elicit.Modes{Form: true}})
		accepted := map[string][]string{}
		for i := range 40 {
			var message []string
			for range 1 + r.Intn(8) {
				message = append(message, words[r.Intn(len(words))])
			}
			tool := []string{"", "a", "b", "auto"}[r.Intn(4)]
			for _, next := range e.step(event.Asked{Request: elicit.Request{Session: "s", Ref: fmt.Sprint(i), Mode: elicit.Form,
				Tool: tool, Message: strings.Join(message, " "), Schema: []byte(`{"type":"object","properties":{}}`)}}) {
				show, shown := next.(effect.Show)
				if !shown {
					continue
				}
				if show.Changed != nil {
					compared++
					checkChanged(t, seed, show, accepted[tool])
				}
				answer := event.Answered{Session: "s", ID: show.ID,
					Action: []elicit.Action{elicit.Accept, elicit.Accept, elicit.Decline, elicit.Cancel}[r.Intn(4)],
					Via:    []event.Via{event.ViaPerson, event.ViaPerson, event.ViaScript, event.ViaModel, event.ViaClient}[r.Intn(5)]}
				e.step(answer)
				if answer.Action == elicit.Accept && answer.Via == event.ViaPerson {
					accepted[tool] = append(accepted[tool], show.Message)
				}
			}
			if r.Intn(9) == 0 {
				replayed(t, seed, e.journal())
				e.moves(config)
			}
		}
		replayed(t, seed, e.journal())
	}
	if compared < 1000 {
		t.Errorf("%d comparisons: the test has lost its subject", compared)
	}
}

func checkChanged(t *testing.T, seed int64, show effect.Show, accepted []string) {
	t.Helper()
	is, was := "", ""
	for _, c := range show.Changed {
		if c.Is != effect.GoneText {
			is += c.Text
		}
		if c.Is != effect.NewText {
			was += c.Text
		}
	}
	if is != show.Message || was == is || !slices.Contains(accepted, was) {
		t.Fatalf("seed %d: %q for %q, accepted %q", seed, show.Changed, show.Message, accepted)
	}
}

func replayed(t *testing.T, seed int64, journal []byte) {
	t.Helper()
	if out := engine.Replay(journal, nil); out.Problem != nil {
		t.Fatalf("seed %d: %+v\n%s\n%s", seed, *out.Problem, out.Want, out.Got)
	}
}

// TestAcceptedFitIntoAState accepts messages that take as much room in JSON as any: what a session keeps stays small,
// the newest is in it, and another engine can read it.
func TestAcceptedFitIntoAState(t *testing.T) {
	e, at := engine.New(), int64(1000)
	config := event.Configured{Config: []byte(`{"show_changes":true,"limits":{"burst":1000,"per_minute":60000}}`)}
	step := func(ev event.Event) []effect.Effect {
		at += 1000
		_, effects := effect.Records(e.Step(engine.Input{At: at, Random: [32]byte{byte(at / 1000)}, Event: ev}))
		return effects
	}
	ask := func(i int, message string) effect.Show {
		return step(event.Asked{Request: elicit.Request{Session: "s", Ref: fmt.Sprint(i), Mode: elicit.Form, Message: message,
			Schema: []byte(`{"type":"object","properties":{}}`)}})[0].(effect.Show)
	}
	step(config)
	step(event.Opened{Session: "s", Server: "shell", Side: elicit.Answering, Declared: elicit.Modes{Form: true},
		Shown: elicit.Modes{Form: true}})
	for i, length := range []int{16 << 10, 16<<10 + 1, 10, 5000, 9000, 3000, 2000, 1000, 4000} {
		show := ask(i, fmt.Sprint(i)+strings.Repeat("\x01", length-1))
		step(event.Answered{Session: "s", ID: show.ID, Action: elicit.Accept})
	}
	state, _ := e.Save("s")
	if len(state) > 70<<10 {
		t.Errorf("a state of %d bytes", len(state))
	}
	e = engine.New()
	step(config)
	if effects := step(event.Resumed{State: state}); len(effects) != 0 {
		t.Fatalf("%s", effects[0].AppendJSON(nil))
	}
	if show := ask(99, "8"+strings.Repeat("\x01", 3999)+"!"); len(show.Changed) != 2 {
		t.Errorf("%d pieces", len(show.Changed))
	}
}

// suggested are forms in which one name is now harmless and now a secret's, and in which the same is asked with other
// limits, types and defaults.
var suggested = []string{
	`{"type":"object","properties":{"code":{"type":"string"},"city":{"type":"string"}}}`,
	`{"type":"object","properties":{"code":{"type":"string","title":"Your password"},"city":{"type":"string"}}}`,
	`{"type":"object","properties":{"city":{"type":"string","title":"API key","default":"none"}}}`,
	`{"type":"object","properties":{"city":{"type":"string","default":"Rome","maxLength":9},"n":{"type":"integer",` +
		`"default":0}}}`,
	`{"type":"object","properties":{"n":{"type":"integer","maximum":5},"code":{"type":"integer"}},"required":["n"]}`,
	`{"type":"object","properties":{"password":{"type":"string"},"code":{"type":"string"}}}`,
	`{"type":"object","properties":{"c":{"type":"array","items":{"type":"string","enum":["x","y"]}},` +
		`"city":{"type":"string","minLength":3}}}`,
}

// shapes are typed into fields that do not say they ask for a secret.
var shapes = []string{"4539 5787 6362 1486",
	"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"}

// TestSuggestionsHoldNoSecret lets forms and answers of every mixture come, with restarts between them: what was typed
// into a secret's field, or looks like a secret, is never offered, nor is anything to a secret's field; what is offered
// fits and was typed by a person in this session; and policy never answers with it.
func TestSuggestionsHoldNoSecret(t *testing.T) {
	offered, byPolicy := 0, 0
	for seed := range int64(400) {
		r := rand.New(rand.NewSource(seed))
		w := watch{t: t, seed: seed, secrets: shapes[:len(shapes):len(shapes)], forms: map[string]*schema.Form{}}
		e := engine.New()
		w.step(e, r, event.Configured{Config: []byte(`{"limits":{"burst":1000,"per_minute":60000},` +
			`"policy":{"user":{"version":1,"suggestions":"` +
			[]string{"tool", "server"}[r.Intn(2)] +
			`","findings":{"decline":"never"},"secrets":"note","rules":[{"name":"r","when":{"tool":"auto"},` +
			`"then":"accept"}]}}}`)})
		w.step(e, r, event.Opened{Session: "s", Server: "build", Side: elicit.Answering,
			Declared: elicit.Modes{Form: true}, Shown: elicit.Modes{Form: true}})
		for i := range 60 {
			doc := suggested[r.Intn(len(suggested))]
			req := elicit.Request{Session: "s", Ref: fmt.Sprint(i), Mode: elicit.Form, Message: "Where to?",
				Schema: []byte(doc), Tool: []string{"", "a", "b", "auto"}[r.Intn(4)]}
			w.forms[req.Ref], _ = schema.Compile(req.Schema, schema.Options{})
			w.step(e, r, event.Asked{Request: req})
			if w.open == nil {
				continue
			}
			w.step(e, r, w.answer(r, i))
			if r.Intn(12) == 0 {
				state, _ := e.Save("s")
				w.noSecret("a saved session", state)
				e = engine.New()
				w.step(e, r, event.Configured{Config: w.config})
				w.step(e, r, event.Resumed{State: state})
			}
		}
		offered, byPolicy = offered+w.offered, byPolicy+w.byPolicy
	}
	if offered < 2000 || byPolicy < 2000 {
		t.Errorf("%d suggestions, %d answers by policy: the test has lost its subject", offered, byPolicy)
	}
}

// watch is what an observer knows of one session.
type watch struct {
	t                 *testing.T
	seed, at          int64
	config            []byte
	open              *effect.Show
	forms             map[string]*schema.Form // by ref
	secrets           []string
	typed             []string // JSON of every value that a person typed into a field without secret
	offered, byPolicy int
}

func (w *watch) step(e *engine.Engine, r *rand.Rand, ev event.Event) {
	w.at += 1000
	in := engine.Input{At: w.at, Event: ev}
	r.Read(in.Random[:])
	if c, ok := ev.(event.Configured); ok {
		w.config = c.Config
	}
	if _, ok := ev.(event.Asked); ok {
		w.open = nil
	}
	for _, next := range e.Step(in) {
		switch ef := next.(type) {
		case effect.Show:
			w.open = &ef
			w.show(&ef)
		case effect.Reply:
			w.reply(&ef)
		case effect.Problem:
			w.t.Fatalf("seed %d: %s", w.seed, ef.AppendJSON(nil))
		}
	}
}

func (w *watch) show(s *effect.Show) {
	w.noSecret("a show", s.AppendJSON(nil))
	for _, g := range s.Suggestions {
		w.offered++
		field := s.Form.Field(g.Field)
		switch {
		case field == nil || field.Sensitive:
			w.t.Fatalf("seed %d: a suggestion for %s in %s", w.seed, g.Field, s.AppendJSON(nil))
		case !s.Form.Fits(g.Field, g.Value):
			w.t.Fatalf("seed %d: %s does not fit %s", w.seed, g.Value, g.Field)
		case bytes.Equal(g.Value, field.Initial):
			w.t.Fatalf("seed %d: %s stands in %s already", w.seed, g.Value, g.Field)
		case !slices.Contains(w.typed, string(g.Value)):
			w.t.Fatalf("seed %d: nobody has typed %s", w.seed, g.Value)
		}
	}
}

func (w *watch) noSecret(what string, text []byte) {
	for _, secret := range w.secrets {
		if strings.Contains(string(text), secret) {
			w.t.Fatalf("seed %d: %s holds %s: %s", w.seed, what, secret, text)
		}
	}
}

// reply holds answers of policy to the defaults alone.
func (w *watch) reply(r *effect.Reply) {
	if r.Cause != elicit.ByPolicy || r.Outcome != elicit.Accepted {
		return
	}
	w.byPolicy++
	if want := w.forms[r.Ref].Fill(nil, nil); !bytes.Equal(r.Content, want) {
		w.t.Fatalf("seed %d: policy answered %s, want %s", w.seed, r.Content, want)
	}
}

// answer fills in the open form, mostly by a person.
func (w *watch) answer(r *rand.Rand, i int) event.Event {
	a := event.Answered{Session: "s", ID: w.open.ID, Action: elicit.Accept, Via: []event.Via{"", "", "",
		event.ViaClient}[r.Intn(4)]}
	var members []string
	for _, f := range w.open.Form.Fields {
		value := fmt.Sprintf(`"v%d"`, i%7+1000)
		switch {
		case f.Sensitive:
			w.secrets = append(w.secrets, fmt.Sprintf("hunter%d", 10_000+i))
			value = `"` + w.secrets[len(w.secrets)-1] + `"`
		case f.Kind == schema.Integer:
			value = fmt.Sprint(r.Intn(6))
		case f.Kind == schema.ManyChoices:
			value = `["x"]`
		case r.Intn(5) == 0:
			value = `"` + shapes[r.Intn(len(shapes))] + `"`
			if f.Limit.MaxLength >= 0 {
				value = `"Oslo"`
			}
		}
		if !f.Required && r.Intn(4) == 0 {
			continue
		}
		members = append(members, fmt.Sprintf("%q:%s", f.Name, value))
		if !f.Sensitive {
			w.typed = append(w.typed, value)
		}
	}
	a.Content = []byte("{" + strings.Join(members, ",") + "}")
	return a
}

// recorder steps an engine with random bytes of a seed, some milliseconds apart, and keeps the records.
type recorder struct {
	engine    *engine.Engine
	random    *rand.Rand
	at, every int64
	records   [][]byte
}

func newRecorder(seed, every int64) *recorder {
	return &recorder{engine: engine.New(), random: rand.New(rand.NewSource(seed)), at: 1000, every: every}
}

func (r *recorder) step(ev event.Event) []effect.Effect {
	r.at += r.every
	in := engine.Input{At: r.at, Event: ev}
	r.random.Read(in.Random[:])
	lines, effects := effect.Records(r.engine.Step(in))
	r.records = append(r.records, lines...)
	return effects
}

// moves goes on with session s in another engine, which begins a journal.
func (r *recorder) moves(config event.Event) {
	state, _ := r.engine.Save("s")
	r.engine, r.records = engine.New(), nil
	r.step(config)
	r.step(event.Resumed{State: state})
}

func (r *recorder) journal() []byte { return append(bytes.Join(r.records, []byte{'\n'}), '\n') }
