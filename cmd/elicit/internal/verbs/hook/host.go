package hook

import (
	"fmt"
	"sync"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/journalfile"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay"
)

// inbox has the effects that the driver's calls have brought, in their order. The driver's timer and the guardians'
// programs bring effects too, from goroutines of their own.
type inbox struct {
	mu      sync.Mutex
	effects []relay.Effect
	failed  error         // why the journal could not be written before a guardian was asked
	arrived chan struct{} // has a value when there is something to read
}

func (b *inbox) add(next relay.Effect, failed error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if next != nil {
		b.effects = append(b.effects, next)
	}
	if b.failed == nil {
		b.failed = failed
	}
	select {
	case b.arrived <- struct{}{}:
	default:
	}
}

func (b *inbox) take() ([]relay.Effect, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	effects := b.effects
	b.effects = nil
	return effects, b.failed
}

// lateJournal keeps the records of a process that is over in an instant. They wait until something leaves the process,
// and are written at once then. Append does not make a record durable, so flush is called before something leaves.
type lateJournal struct {
	mu      sync.Mutex
	file    *journalfile.File // nil when none is kept
	records [][]byte
}

func (j *lateJournal) Append(record []byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file != nil {
		j.records = append(j.records, record)
	}
	return nil
}

// flush makes the records durable.
func (j *lateJournal) flush() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	records := j.records
	j.records = nil
	if len(records) == 0 {
		return nil
	}
	if err := j.file.AppendAll(records...); err != nil {
		return fmt.Errorf("the journal cannot be written: %w", err)
	}
	return nil
}

func (j *lateJournal) close() {
	if j.file != nil {
		j.file.Close()
	}
}

// Forward and Send do nothing, because an engine without a connection has no messages.
func (r *hookRun) Forward(relay.End)      {}
func (r *hookRun) Send(relay.End, []byte) {}

// Perform keeps an effect until the run reads it. Nothing leaves the process here.
func (r *hookRun) Perform(next relay.Effect) {
	if _, ended := next.(effect.Reply); ended {
		r.learned = r.engine.Labels(r.session) // no step runs at the same time
	}
	r.inbox.add(next, nil)
}

// Consult asks a guardian that is a program. The records go before.
func (r *hookRun) Consult(c effect.Consult) {
	if err := r.journal.flush(); err != nil {
		r.inbox.add(nil, err)
		return
	}
	r.programs.Consult(c)
}

// step gives the engine an event, and reads what the engine says.
func (r *hookRun) step(ev event.Event) error {
	if err := r.driver.Do(ev); err != nil {
		return err
	}
	return r.read()
}

// read reads what the engine has said.
func (r *hookRun) read() error {
	effects, err := r.inbox.take()
	for _, next := range effects {
		switch ef := next.(type) {
		case effect.Reply:
			r.reply = &ef
		case effect.Show:
			r.shown = &ef
		case effect.Remember:
			r.remember(ef.Grant)
		case effect.Problem:
			r.problems = append(r.problems, ef.Problems...)
		}
	}
	return err
}
