package engine

import (
	"bytes"
	"iter"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/strict"
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
// recorded. It stops at the first difference. each gets every record and the effects that follow it, without the
// records. Values the journal does not keep are not needed for it. A host may use it to check a journal that another
// machine wrote: equal bytes on every platform are the contract.
func Replay(records []byte, each func(journal.Record, []effect.Effect)) Replayed {
	return ReplayLines(bytes.Lines(records), each)
}

// ReplayLines is Replay for a journal that is read line by line, each with its newline. It keeps nothing of a line that
// it has replayed.
func ReplayLines(lines iter.Seq[[]byte], each func(journal.Record, []effect.Effect)) (out Replayed) {
	e := New()
	var chain journal.Chain
	var reader strict.Reader
	for line := range lines {
		rec, ok := chain.Next(line)
		if !ok {
			break
		}
		var kept recordedEvent
		if kept, out.Problem = readKept(&reader, rec); kept == nil {
			return out
		}
		if ev, is := kept.(event.Configured); is && hasEarlierNames(rec) {
			kept = keptConfigured{ev}
		}
		e.records.format = rec.Version // ids depend on the hash of the record before, so on its spelling
		// A host may have signed its records with a key that no replay has. The rest of the line must be equal.
		want, _ := journal.SplitMAC(bytes.TrimSuffix(line, []byte{'\n'}))
		records, effects := effect.Records(e.perform(Input{At: rec.At, Now: rec.Now, Random: rec.Random}, kept))
		// A live step that ends a flood writes two records. A replay meets them as two lines and makes one record for
		// each. Two records for one line are a difference.
		if got := bytes.Join(records, []byte{'\n'}); !bytes.Equal(got, want) {
			out.Want, out.Got = bytes.Clone(want), got
			out.Problem = &elicit.Problem{Code: "journal_diverged", Args: []elicit.Arg{elicit.Num("record", int(rec.Seq))}}
			return out
		}
		out.Records++
		if each != nil {
			each(rec, effects)
		}
	}
	out.Problem, out.Head = chain.Problem(), chain.Head()
	return out
}
