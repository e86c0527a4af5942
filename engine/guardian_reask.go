package engine

import (
	"iter"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/journal"
)

// Asking is a question that a guardian would have been asked in the course of a journal.
type Asking struct {
	Record  int64 // number of the journal record that led to it
	At      int64 // milliseconds since 1970, as recorded
	Request elicit.Request
	effect.Consult
}

// Reasked counts what a walk through a journal met.
type Reasked struct {
	Records int // read
	Asked   int // questions of peers among them
	Head    journal.Head
	Problem *elicit.Problem // what ended the reading early (a broken chain, an unreadable event), or nil
}

// Reask lets the guardian of one permit stand in the place of all guardians that a journal's configurations name, and
// calls each for every question that it would have been asked. It passes every time, so what the journal records goes
// on. All else is as recorded: policy, who was connected, and what people answered. Secrets are not on record, so no
// question holds one. lines come one by one, each with its newline.
func Reask(lines iter.Seq[[]byte], permit guardian.Permit, each func(Asking)) (out Reasked) {
	e := New()
	e.config.guardians = []guardian.Permit{permit}
	// Ids follow from the hash of the record before. This engine makes other records, so its own chain would mint other
	// ids. Each record of the journal therefore sets the anchor to the hash that stands in the journal.
	var reader strict.Reader
	var chain journal.Chain
	flooded := false // the record before was a flooded event, which leaves ids as they were
	for line := range lines {
		before := chain.Head()
		rec, ok := chain.Next(line)
		if !ok {
			break
		}
		var kept recordedEvent
		if kept, out.Problem = readKept(&reader, rec); kept == nil {
			return out
		}
		// After a flooded event the anchor stays, as in recorder.mint.
		if !flooded {
			e.records.flood.anchor, e.records.flood.since = before.Hash, 0 // so that requests get the ids that are on record
		}
		e.records.flood.counted, flooded = floodedEvent{}, false
		switch ev := kept.(type) {
		case floodedEvent:
			flooded = true
			e.records.flood.since += ev.count
		case event.Consulted: // of a guardian whose place is taken
		default:
			if _, asked := ev.(keptAsked); asked {
				out.Asked++
			}
			e.reask(rec, kept, permit, func(c effect.Consult) {
				if q := e.open.byID.At(c.ID); q != nil {
					each(Asking{Record: rec.Seq, At: rec.At, Request: q.request, Consult: c})
				}
			})
		}
		out.Records++
	}
	out.Problem, out.Head = chain.Problem(), chain.Head()
	return out
}

// reask takes one input, and answers every consult that comes of it.
func (e *Engine) reask(rec journal.Record, kept recordedEvent, permit guardian.Permit, each func(effect.Consult)) {
	// A queue and no recursion: the answer to one consult may bring the next, for example after a review.
	effects, in := e.perform(Input{At: rec.At, Now: rec.Now, Random: rec.Random}, kept),
		Input{At: rec.At, Now: rec.Now, Random: rec.Random}
	// A configuration names its own guardians. The one in question stands in their place again.
	if _, configured := kept.(event.Configured); configured {
		e.config.guardians = []guardian.Permit{permit}
	}
	pass := guardian.Verdict{Decision: guardian.Pass}
	for len(effects) > 0 {
		next := effects[0]
		effects = effects[1:]
		if c, ok := next.(effect.Consult); ok {
			each(c)
			in = in.Then(c.Answer(event.Consulted{Output: string(pass.AppendJSON(nil))}))
			effects = append(effects, e.Step(in)...)
		}
	}
}
