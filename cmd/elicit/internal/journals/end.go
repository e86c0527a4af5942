package journals

import (
	"fmt"
	"iter"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/journal"
	"github.com/elicit-engine/elicit/engine/policy"
)

// RunEnd follows the records of a journal to find out whether its run ended in order: the last record closes the last
// open session.
type RunEnd struct {
	open   map[string]bool // sessions
	closed bool            // the last record closes a session
}

// Add takes the next record.
func (e *RunEnd) Add(rec journal.Record) {
	ev := gjson.ParseBytes(rec.Event)
	session := ev.Get("session").String()
	if e.open == nil {
		e.open = map[string]bool{}
	}
	if e.closed = false; gjson.GetBytes(rec.Effects, `#(effect=="problem")`).Exists() {
		return // the engine refused the event
	}
	switch ev.Get("event").String() {
	case "begun":
		clear(e.open)
	case "opened":
		e.open[session] = true
	case "resumed":
		state := ev.Get("state")
		if text := ev.Get("state_text"); text.Exists() {
			state = gjson.Parse(text.String())
		}
		e.open[state.Get("opened.session").String()] = true
	case "closed":
		delete(e.open, session)
		e.closed = true
	}
}

// InOrder reports whether the run ended in order.
func (e *RunEnd) InOrder() bool { return e.closed && len(e.open) == 0 }

func (e *RunEnd) String() string {
	if e.InOrder() {
		return "ended in order: the last record closes the last session"
	}
	return "no closing record: the run continues, or it was stopped, or records were cut from the end"
}

// Broken makes the error for a broken journal: what is wrong, where, and what to do about it.
func Broken(name string, p elicit.Problem) error {
	for _, a := range p.Args {
		if a.Name == "line" {
			name += ":" + a.Raw
		}
	}
	return fmt.Errorf("%s: %s\n  %s", name, ui.Plain(english.Problem(p)), english.Remedy(p.Code, p.Args))
}

// Fault is why reading ended early, nil for a journal that was read to its end. The problem is what the engine found.
func (in *Input) Fault(p *elicit.Problem) error {
	if in.Err == nil && p != nil {
		return Broken(in.Name, *p)
	}
	return in.Err
}

// RoundOf names one round of questions to a guardian, by the id of the request.
func RoundOf(id string, round int) string { return fmt.Sprint(id, " ", round) }

// Simulate decides a journal again under other policies. It calls each for every question that came before policy. It
// calls after, unless that is nil, with each record once the record has been simulated.
func (in *Input) Simulate(other policy.Stack, each func(*engine.Decided), after func(record []byte)) (
	engine.Simulated, error) {
	lines := iter.Seq[[]byte](func(yield func([]byte) bool) {
		for line := range in.Lines {
			if !yield(line) {
				return
			}
			if after != nil {
				after(line)
			}
		}
	})
	out := engine.SimulateLines(lines, other, each)
	return out, in.Fault(out.Problem)
}
