package learn

import (
	"bytes"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/journals"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/risk"
)

// askedPerson is a question that policy left to the person, and what came of it.
type askedPerson struct {
	request elicit.Request
	kind    elicit.Kind
	now     policy.Decision // what the compared policy decides

	outcome elicit.Outcome // "" without a reply
	cause   elicit.Cause
	warned  bool // it had a finding of medium or higher

	dangerous bool // the criterion of that name
	severity  int  // the highest Severity.Rank that inspection found
}

// walkAsked simulates a policy over a journal. It calls each with every question that was put before the person, when
// the question is over. An answered question comes without its request if policy did not put it before the person: a
// guardian did, or the question came in another journal. walkAsked returns how many questions policy decided then and
// decides otherwise now.
func walkAsked(in *journals.Input, stack policy.Stack, each func(*askedPerson)) (otherwise int, err error) {
	asked := map[elicit.ID]*askedPerson{}
	_, err = in.Simulate(stack, func(d *engine.Decided) {
		switch {
		case d.Then.Outcome == policy.Ask || d.Then.Outcome == policy.Review:
			q := &askedPerson{request: d.Request, kind: d.Kind, now: d.Now, dangerous: risk.Dangerous(d.Findings)}
			for _, f := range d.Findings {
				q.severity = max(q.severity, f.Severity.Rank())
			}
			asked[d.Request.ID] = q
		case d.Changed():
			otherwise++
		}
	}, func(record []byte) { endAsked(record, asked, each) })
	return otherwise, err
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
			q = &askedPerson{now: policy.Decision{Outcome: policy.Ask}}
		}
		delete(asked, id)
		q.cause, q.outcome = elicit.Cause(ef.Get("cause").String()), elicit.Outcome(ef.Get("outcome").String())
		for _, f := range cli.FindingsOf(ef.Get("findings")) {
			q.warned = q.warned || f.Severity.Rank() >= elicit.Medium.Rank()
		}
		each(q)
		return true
	})
}
