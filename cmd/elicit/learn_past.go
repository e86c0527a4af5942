package main

import (
	"bytes"
	"iter"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
)

// askedPerson is a question that policy left to the person, and what came of it.
type askedPerson struct {
	request elicit.Request
	kind    elicit.Kind
	now     *policy.Decision // what the compared policy decides, nil if it asks the person too

	outcome elicit.Outcome // "" without a reply
	cause   elicit.Cause
	warned  bool // it had a finding of medium or higher
}

// walkAsked simulates a policy over a journal. It calls each with every question that was put before the person, when
// the question is over. The engine says which questions those are, and what the policy decides. It tells nothing of a
// question that the policy also leaves to the person, so such a question comes without its request, and only if the
// person answered it. walkAsked returns how many questions policy decided then and decides otherwise now.
func walkAsked(in *journalInput, stack policy.Stack, each func(*askedPerson)) (otherwise int, err error) {
	asked := map[elicit.ID]*askedPerson{}
	lines := iter.Seq[[]byte](func(yield func([]byte) bool) {
		for line := range in.lines {
			if !yield(line) {
				return
			}
			endAsked(line, asked, each)
		}
	})
	out := engine.SimulateLines(lines, stack, func(d engine.Difference) {
		if d.Then.Outcome != policy.Ask && d.Then.Outcome != policy.Review {
			otherwise++
			return
		}
		asked[d.Request.ID] = &askedPerson{request: d.Request, kind: d.Kind, now: &d.Now}
	})
	switch {
	case in.err != nil:
		return 0, in.err
	case out.Problem != nil:
		return 0, brokenJournal(in.name, *out.Problem)
	}
	return otherwise, nil
}

// endAsked reads from a record what came of open questions.
func endAsked(record []byte, asked map[elicit.ID]*askedPerson, each func(*askedPerson)) {
	if !bytes.Contains(record, []byte(`"effect":"reply"`)) && !bytes.Contains(record, []byte(`"effect":"withdraw"`)) {
		return
	}
	gjson.GetBytes(record, "effects").ForEach(func(_, ef gjson.Result) bool {
		id := elicit.ID(ef.Get("id").String())
		name := ef.Get("effect").String()
		if id == "" || name != "reply" && name != "withdraw" {
			return true
		}
		q := asked[id]
		if q == nil {
			if name == "withdraw" || elicit.Cause(ef.Get("cause").String()) != elicit.ByUser {
				return true
			}
			q = &askedPerson{} // the policy leaves it to the person
		}
		delete(asked, id)
		q.cause, q.outcome = elicit.Cause(ef.Get("cause").String()), elicit.Outcome(ef.Get("outcome").String())
		for _, f := range findingsOf(ef.Get("findings")) {
			q.warned = q.warned || f.Severity.Rank() >= elicit.Medium.Rank()
		}
		each(q)
		return true
	})
}

// decideAll is a policy that leaves nothing to the person, so that a simulation tells of every question that was.
const decideAll = `{"version":1,"findings":{"decline":"never"},"grants":"none",` +
	`"rules":[{"name":"all","when":{},"then":"decline"}]}`
