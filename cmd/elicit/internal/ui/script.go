package ui

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/schema"
)

// Script answers with a file of prepared answers, for demonstrations, tests and machines without a person.
//
// The first unused matching entry answers a question. After all matching entries have been used, the last one answers
// again. Script cancels a question without a matching entry, with the cause that nobody saw it, and names the question
// on the complaints writer.
type Script struct {
	complaints io.Writer

	mu      sync.Mutex
	lines   []preparedAnswer
	unknown func(elicit.Problem)
	told    map[string]bool // pointers that were reported already
}

// Given is the answer to a request.
type Given struct {
	Action   elicit.Action
	Content  []byte // raw JSON or nil
	Via      event.Via
	Remember elicit.Scope // on accept, how long the yes holds; "" means only for this question
	Mute     bool         // on decline: show no more questions of this server in this session

	Note      string // words for whoever asked
	Arguments []byte // on accept: a raw JSON object in place of the arguments of the held call; nil to leave them
}

// noAnswer is the answer when nobody could be asked.
var noAnswer = Given{Action: elicit.Cancel, Via: event.ViaNoUI}

// Answer takes the answer to a request. A user interface calls it once, and again only after the host has reported the
// answer as a Problem.
type Answer = func(Given)

// preparedAnswer is one entry of an answers file.
type preparedAnswer struct {
	when    when
	action  elicit.Action
	content []byte // raw JSON or nil
	at      string // pointer to the content
	note    string
	edited  []byte // arguments, raw JSON or nil
	keep    elicit.Scope
	used    bool
}

// when selects questions by the patterns of policy rules. A missing criterion matches everything.
type when struct{ server, tool, message, mode *policy.Pattern }

// Modes returns both modes, because a file can fill in a form and agree to open a page.
func (s *Script) Modes() elicit.Modes { return elicit.Modes{Form: true, URL: true} }

// Show answers from another goroutine, because hosts call it from their own loop, and answer may wait for that loop.
func (s *Script) Show(q effect.Show, answer Answer) {
	s.mu.Lock()
	l, found := s.choose(&q)
	s.tellUnknown(&q, &l)
	s.mu.Unlock()
	if !found {
		fmt.Fprintf(s.complaints, "elicit: no prepared answer matches the question of %s: %s\n",
			Plain(q.Server), firstLine(q.Message))
		go answer(noAnswer)
		return
	}
	go answer(Given{Action: l.action, Content: l.content, Via: event.ViaScript, Note: l.note,
		Arguments: l.edited, Remember: l.keep})
}

// OnUnknown sets the function that gets a problem for each member of an answer that is not a field of the form. The
// pointer is that of the member in the answers file. Script reports each member once. Call OnUnknown before the first
// Show; without it, the problems go to the complaints writer.
func (s *Script) OnUnknown(tell func(elicit.Problem)) { s.unknown = tell }

// tellUnknown reports the members that the engine will leave out of an answer. Script still gives the answer, because
// one entry may answer several forms.
func (s *Script) tellUnknown(q *effect.Show, l *preparedAnswer) {
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

// Unknown returns a problem for each member of an answer that is not a field of the form, in the order of the members.
// The engine ignores such members. Content that is not a JSON object has none.
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

// choose finds the entry that answers q, and marks it as used.
func (s *Script) choose(q *effect.Show) (preparedAnswer, bool) {
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
		return preparedAnswer{}, false
	}
	s.lines[last].used = true
	return s.lines[last], true
}

func (w when) matches(q *effect.Show) bool {
	fits := func(p *policy.Pattern, s string) bool { return p == nil || p.Match(s) }
	return fits(w.server, q.Server) && fits(w.tool, q.Tool) && fits(w.message, q.Message) && fits(w.mode, string(q.Mode))
}

// Problem does nothing. When a prepared answer does not fit the form, the engine cancels the question, and its reply
// has the problems.
func (s *Script) Problem(effect.Problem) {}

// Withdraw does nothing, because Script answers a question as soon as it is shown.
func (s *Script) Withdraw(effect.Withdraw) {}

// Close does nothing, because a Script has no resources.
func (s *Script) Close() error { return nil }
