package ui

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/schema"
)

// Script answers from a file of prepared answers, for demonstrations, tests and machines without a person.
//
// The first unused match answers a question; once every match has been used, the last match answers again. A question
// that nothing matches is cancelled as seen by nobody, and named on the complaints writer.
type Script struct {
	complaints io.Writer

	mu      sync.Mutex
	lines   []line
	unknown func(elicit.Problem)
	told    map[string]bool // pointers that unknown has been told of
}

// Given is what somebody decided about a request.
type Given struct {
	Action   elicit.Action
	Content  []byte // raw JSON or nil
	Via      engine.Via
	Remember engine.Scope // on accept, for how long the yes holds; "" is for this once
	Mute     bool         // on decline: hear no more of this server in this session
}

// nobody is what is given where nobody could be asked.
var nobody = Given{Action: elicit.Cancel, Via: engine.ViaNoUI}

// Answer brings one person's decision to the host. It is called at most once for a request that is not found wanting.
type Answer = func(Given)

// line is one entry of an answers file.
type line struct {
	when    when
	action  elicit.Action
	content []byte // raw JSON or nil
	at      string // pointer to the content
	used    bool
}

// when selects questions by the patterns of policy rules; a criterion that is left out matches everything.
type when struct{ server, tool, message, mode *policy.Pattern }

// Modes says that a file can agree to a page as well as fill in a form.
func (s *Script) Modes() engine.Modes { return engine.Modes{Form: true, URL: true} }

// Show answers from another goroutine, because hosts call it from inside their own loop.
func (s *Script) Show(q engine.Show, answer Answer) {
	s.mu.Lock()
	l, found := s.choose(&q)
	s.tellUnknown(&q, &l)
	s.mu.Unlock()
	if !found {
		fmt.Fprintf(s.complaints, "elicit: no prepared answer matches the question of %s: %s\n", Plain(q.Server), firstLine(q.Message))
		go answer(nobody)
		return
	}
	go answer(Given{Action: l.action, Content: l.content, Via: engine.ViaScript})
}

// OnUnknown names who is told of a member of an answer that the form of the question has no field for; its pointer leads
// into the answers file. Each member is told of once. It must be called before the first Show; without it, the
// complaints writer is told.
func (s *Script) OnUnknown(tell func(elicit.Problem)) { s.unknown = tell }

// tellUnknown reports what the engine will leave out of an answer. The answer is given all the same, because one entry
// may answer several forms.
func (s *Script) tellUnknown(q *engine.Show, l *line) {
	if q.Form == nil {
		return
	}
	for _, p := range Unknown(q.Form, l.content) {
		if p.Pointer = l.at + p.Pointer; s.told[p.Pointer] {
			continue
		}
		s.told[p.Pointer] = true
		s.unknown(p)
	}
}

// Unknown lists the members of an answer that are no fields of the form, in their order: the engine ignores them.
// Content that is not a JSON object has none.
func Unknown(form *schema.Form, content []byte) (problems []elicit.Problem) {
	if !gjson.ValidBytes(content) || !gjson.ParseBytes(content).IsObject() {
		return nil
	}
	gjson.ParseBytes(content).ForEach(func(k, _ gjson.Result) bool {
		if form.Field(k.String()) == nil {
			pointer := "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(k.String())
			problems = append(problems, elicit.Problem{Code: "unknown_field", Pointer: pointer})
		}
		return true
	})
	return problems
}

// choose finds the line that answers q and marks it used.
func (s *Script) choose(q *engine.Show) (line, bool) {
	last := -1
	for i := range s.lines {
		l := &s.lines[i]
		if !l.when.matches(q) {
			continue
		}
		last = i
		if !l.used {
			break
		}
	}
	if last < 0 {
		return line{}, false
	}
	s.lines[last].used = true
	return s.lines[last], true
}

func (w when) matches(q *engine.Show) bool {
	fits := func(p *policy.Pattern, s string) bool { return p == nil || p.Match(s) }
	return fits(w.server, q.Server) && fits(w.tool, q.Tool) && fits(w.message, q.Message) && fits(w.mode, string(q.Mode))
}

// Problem has nothing to do: the engine itself cancels what a prepared answer does not fit, and the reply says why.
func (s *Script) Problem(engine.Problem) {}

// Withdraw has nothing to do: a question is answered as soon as it is shown.
func (s *Script) Withdraw(engine.Withdraw) {}

// Close has nothing to give back.
func (s *Script) Close() error { return nil }
