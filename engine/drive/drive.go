// Package drive is the loop for Go hosts. It gives the machine of one connection a clock, random bytes, a journal,
// guests and a timer. A Host performs the effects that the loop cannot perform itself.
//
//	d, err := drive.New(relay.Config{Server: "backup"}, host, drive.Options{Journal: file})
//	d.Receive(relay.Client, line)     // host.Forward, or host.Send, or nothing
//	d.Receive(relay.Server, line)     // a question: host.Perform(effect.Show{…})
//	d.Do(event.Answered{…})          // host.Send to the server
//	d.Shutdown()
//
// The loop decides nothing. The machine (package relay) decides what happens when the journal fails, a tick comes
// early, or the engine fails.
package drive

import (
	"bufio"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/relay"
)

// Host performs the effects that need more than the driver. Calls come one at a time, in the order of the effects, from
// the goroutine that called the driver or from its timer. A Host must not call the driver inside a call; it can do so
// from another goroutine or from a queue.
type Host interface {
	// Forward forwards the message that is being received, byte for byte.
	Forward(to relay.End)
	// Send writes a message, which has no line end. The host may keep the slice.
	Send(to relay.End, message []byte)
	// Perform performs any other effect. The host may ignore effects that it has no use for.
	Perform(next relay.Effect)
}

// Consulter is a Host that asks guardians itself: reviewers, second persons, and guardians that the configuration
// leaves to the host. Consult must return at once; the host gives the answer later with Do(c.Answer(…)). Without a
// Consulter such a guardian fails, and policy says what that counts as.
type Consulter interface{ Consult(effect.Consult) }

// Options are what a driver needs from the system. Zero members mean the real clock, crypto/rand, no journal and no
// guests.
type Options struct {
	Journal Journal
	Guests  engine.Guests // called inside a step, while other callers wait; plugins/host bounds the time
	Now     func() time.Time
	Elapsed func() time.Duration // what deadlines follow, see Elapsed; with Now alone, they follow Now
	Random  io.Reader
}

// Driver runs one connection. Its methods are safe for concurrent use.
type Driver struct {
	mu      sync.Mutex
	machine *relay.Machine
	host    Host
	opts    Options
	guests  guests
	timer   *time.Timer
	faults  []event.Consulted // of guardians that no one could ask, in the current step
	broken  error             // why nothing is decided any more
	done    bool
}

// ErrShutdown is returned after Shutdown.
var ErrShutdown = errors.New("drive: shut down")

var errOneChain = errors.New("the engine broke, and this journal cannot begin a second chain")

// New returns a driver for one connection. For a configuration with problems, the error names each of them. If the
// journal cannot take even the first record, New returns a *JournalError together with a driver that refuses every
// question and forwards everything else.
func New(config relay.Config, host Host, o Options) (*Driver, error) {
	if o.Now == nil {
		o.Now = time.Now
		if o.Elapsed == nil {
			o.Elapsed = Elapsed
		}
	}
	if o.Random == nil {
		o.Random = bufio.NewReaderSize(rand.Reader, 1<<10) // every message needs random bytes, also one that only passes
	}
	d := &Driver{host: host, opts: o, guests: guests{now: o.Guests}}
	config.Guests = &d.guests
	if problems := engine.Unfit(config.Engine, o.Guests); len(problems) > 0 {
		return nil, configError(problems)
	}
	in, err := d.input(nil)
	if err != nil {
		return nil, err
	}
	machine, effects, problems := relay.New(config, in)
	if len(problems) > 0 {
		return nil, configError(problems)
	}
	d.machine = machine
	d.mu.Lock()
	defer d.mu.Unlock()
	return d, d.perform(in, effects)
}

func configError(problems []elicit.Problem) error {
	err := errors.New("drive: the configuration cannot be used")
	for _, p := range problems {
		err = fmt.Errorf("%w\n  %s: %s", err, p.Pointer, english.Problem(p))
	}
	return err
}

// Receive gives the machine a message of one end, without its line end, and performs the effects before it returns. The
// call in which the journal fails returns the reason. After that, the machine refuses every question itself.
func (d *Driver) Receive(from relay.End, message []byte) error {
	return d.step(receipts[from], message)
}

// ReceiveCut gives the machine the beginning of a message that is longer than the host accepts.
func (d *Driver) ReceiveCut(from relay.End, head []byte) error {
	return d.step(relay.Received{From: from, Cut: true}, head)
}

// receipts are made in advance, so that a message causes no allocation.
var receipts = [...]relay.Event{relay.Client: relay.Received{From: relay.Client},
	relay.Server: relay.Received{From: relay.Server}}

// Do gives the machine an event and performs the effects before it returns.
func (d *Driver) Do(ev relay.Event) error { return d.step(ev, nil) }

func (d *Driver) step(ev relay.Event, message []byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.done {
		return ErrShutdown
	}
	return d.locked(ev, message)
}

// locked is step for a caller that has the lock.
func (d *Driver) locked(ev relay.Event, message []byte) error {
	in, err := d.input(ev)
	if err != nil {
		// Without random bytes, an id could be guessed, so nothing may be decided. The effects of the last step have been
		// performed. AppendFailed is about the last step, so a step without effects comes first.
		d.machine.Step(relay.Input{})
		in.Event = relay.AppendFailed{}
		_ = d.perform(in, d.machine.Step(in))
		return err
	}
	in.Message = message
	return d.perform(in, d.machine.Step(in))
}

// perform performs the effects of one step, and then the faults of guardians that no one could ask. It returns why a
// record could not be kept.
func (d *Driver) perform(in relay.Input, effects []relay.Effect) error {
	failed := d.performAll(effects)
	if failed != nil && d.broken == nil {
		d.broken = failed
		in.Event, in.Message = relay.AppendFailed{}, nil
		_ = d.perform(in, d.machine.Step(in)) // no more records after this
		return failed
	}
	for len(d.faults) > 0 && failed == nil {
		in.Event, in.Message, in.Random = d.faults[0], nil, sha256.Sum256(in.Random[:])
		d.faults = d.faults[1:]
		failed = d.perform(in, d.machine.Step(in))
	}
	return failed
}

// performAll performs effects in order. It stops at a record that cannot be kept.
func (d *Driver) performAll(effects []relay.Effect) error {
	for _, next := range effects {
		var err error
		switch ef := next.(type) {
		case relay.Forward:
			d.host.Forward(ef.To)
		case relay.Send:
			d.host.Send(ef.To, ef.Message)
		case effect.Append:
			err = d.append(ef.Record)
		case relay.NewJournal:
			err = d.newJournal()
		case effect.Wake:
			d.setWake(ef)
		case effect.Consult:
			d.consult(ef)
		default:
			d.host.Perform(next)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *Driver) append(record []byte) error {
	switch {
	case d.broken != nil:
		return d.broken
	case d.opts.Journal == nil:
		return nil
	}
	if err := d.opts.Journal.Append(record); err != nil {
		return &JournalError{err}
	}
	return nil
}

// consult passes a guardian's question to the host. A guardian that no one can ask has failed.
func (d *Driver) consult(c effect.Consult) {
	if keeper, ok := d.host.(Consulter); ok {
		keeper.Consult(c)
		return
	}
	fault := guardian.FaultUnavailable
	if c.Digest != "" {
		fault = guardian.FaultNotLoaded
	}
	d.faults = append(d.faults, c.Answer(event.Consulted{Fault: fault})) // given after the effects of this step
}

// input returns an event with the time and fresh random bytes.
func (d *Driver) input(ev relay.Event) (relay.Input, error) {
	in := relay.Input{At: d.opts.Now().UnixMilli(), Event: ev}
	if d.opts.Elapsed != nil {
		in.Elapsed = elicit.ElapsedMS(d.opts.Elapsed().Milliseconds())
	}
	if _, err := io.ReadFull(d.opts.Random, in.Random[:]); err != nil {
		return in, fmt.Errorf("drive: no random bytes: %w", err)
	}
	return in, nil
}

// setWake replaces the timer. It ticks early rather than late: the machine answers an early tick with another wake.
func (d *Driver) setWake(w effect.Wake) {
	if d.timer != nil {
		d.timer.Stop()
		d.timer = nil
	}
	if w.At == 0 || d.done {
		return
	}
	wait := time.UnixMilli(w.At).Sub(d.opts.Now())
	if w.In > 0 {
		wait = min(time.Duration(w.In-1)*time.Millisecond, recheck)
	}
	d.timer = time.AfterFunc(max(wait, time.Millisecond), func() { _ = d.Do(event.Ticked{}) })
}

// Shutdown settles everything open with the cause shutdown, and stops the timer. It may be called again.
func (d *Driver) Shutdown() {
	_ = d.Do(relay.Ended{End: relay.Host})
	d.mu.Lock()
	defer d.mu.Unlock()
	d.done = true
	d.setWake(effect.Wake{})
}
