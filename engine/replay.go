package engine

import (
	"bytes"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/journal"
)

// Replayed is what came of replaying a journal.
type Replayed struct {
	Records int
	Head    journal.Head

	// Problem is nil when every record was read and gave byte-identical effects. Otherwise it tells what stopped the
	// replay: a broken chain (journal_…), an event that cannot be read, or journal_diverged with what was recorded
	// and what the replay did instead.
	Problem *elicit.Problem
	Want    []byte // journal_diverged: the record as it stands in the journal
	Got     []byte // journal_diverged: the record this engine would have written
}

// Replay feeds the inputs of a journal, from its first record, to a new engine and compares what it does with what was
// recorded. It stops at the first difference. each gets every record and the effects that follow it, without the records. Values the journal does not keep are not needed for it.
func Replay(records []byte, each func(journal.Record, []Effect)) Replayed {
	e := New()
	r := journal.NewReader(records)
	var out Replayed
	for {
		start := r.Offset()
		rec, ok := r.Next()
		if !ok {
			out.Problem, out.Head = r.Problem(), r.Head()
			return out
		}
		want := bytes.TrimSuffix(records[start:r.Offset()], []byte{'\n'})
		event, problems := readEvent(rec.Event, true)
		if event == nil {
			out.Problem = &problems[0]
			out.Problem.Args = append(out.Problem.Args, elicit.Num("record", int(rec.Seq)))
			return out
		}
		records, effects := Records(e.Step(Input{At: rec.At, Dice: rec.Dice, Event: event}))
		if got := bytes.Join(records, []byte{'\n'}); !bytes.Equal(got, want) {
			out.Want, out.Got = want, got
			out.Problem = &elicit.Problem{Code: "journal_diverged", Args: []elicit.Arg{elicit.Num("record", int(rec.Seq))}}
			return out
		}
		out.Records++
		if each != nil {
			each(rec, effects)
		}
	}
}
