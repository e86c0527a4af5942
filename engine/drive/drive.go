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
//
// Files: drive.go (the loop), configure.go (another configuration and other guests), handlers.go (answers of a client
// in Go), journal.go, and elapsed*.go (the clock).
//
// A Driver has one lock. Its holder steps the machine and performs all effects that follow, so effects of two inputs
// never mix. That is why a Host must not call the Driver inside of a call, and why Consult must not wait.
package drive

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/pull"
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
// guests. Tests give Now and Random, and get the same bytes in every run.
type Options struct {
	Journal Journal
	Guests  engine.Guests // called inside a step, while other callers wait; plugins/host bounds the time
	Now     func() time.Time
	Elapsed func() time.Duration // what deadlines follow, see Elapsed; with Now alone, they follow Now
	Random  io.Reader
}

// Driver runs one connection. Its methods are safe for concurrent use. It lives from New to Shutdown. After an error of
// the journal or of the random bytes it goes on, and its machine refuses every question.
type Driver struct {
	mu     sync.Mutex
	loop   *pull.Loop
	host   Host
	opts   Options
	guests guests
	timer  *time.Timer
	// The first error, kept so that a later one does not replace the cause. done is set by Shutdown alone.
	broken error // why nothing is decided any more
	done   bool
}

// ErrShutdown is returned after Shutdown.
var ErrShutdown = errors.New("drive: shut down")

var errOneChain = errors.New("the engine broke, and this journal cannot begin a second chain")

// New returns a driver for one connection. For a configuration with problems, the error names each of them. If the
// journal cannot take even the first record, New returns a *JournalError together with a driver that refuses every
// question and forwards everything else. The host may be called before New returns: opening a connection has effects.
func New(config relay.Config, host Host, o Options) (*Driver, error) {
	d := prepared(host, o)
	// The machine keeps this pointer, and Configure changes what it points to.
	config.Guests = &d.guests
	if problems := engine.CheckGuests(config.Engine, o.Guests); len(problems) > 0 {
		return nil, configError(problems)
	}
	in := relay.Input{}
	if err := d.random(&in.Random); err != nil {
		return nil, err
	}
	now := d.now()
	in.At, in.Elapsed = now.At, now.Elapsed
	machine, effects, problems := relay.New(config, in)
	if len(problems) > 0 {
		return nil, configError(problems)
	}
	d.loop = pull.New(machine, now, effects)
	d.mu.Lock()
	defer d.mu.Unlock()
	return d, d.perform(now)
}

// NewEngine returns a driver for an engine without a connection: Do takes the events of an engine, and the host gets
// its effects. It is for a host whose question comes in no protocol. beginning has the effects of Engine.Continue, or
// none. The engine must have had no Step.
func NewEngine(e *engine.Engine, beginning []effect.Effect, host Host, o Options) (*Driver, error) {
	d := prepared(host, o)
	effects := make([]relay.Effect, len(beginning))
	for i, next := range beginning {
		effects[i] = next
	}
	now := d.now()
	d.loop = pull.New(&pull.Engine{Engine: e, Guests: &d.guests}, now, effects)
	d.mu.Lock()
	defer d.mu.Unlock()
	return d, d.perform(now)
}

// prepared returns a driver without a loop, with the system's clock and random bytes in place of missing ones.
func prepared(host Host, o Options) *Driver {
	if o.Now == nil {
		o.Now = time.Now
		if o.Elapsed == nil {
			o.Elapsed = Elapsed
		}
	}
	if o.Random == nil {
		o.Random = bufio.NewReaderSize(rand.Reader, 1<<10) // every message needs random bytes, also one that only passes
	}
	return &Driver{host: host, opts: o, guests: guests{now: o.Guests}}
}

// configError has a line for each problem, with its pointer and a sentence.
func configError(problems []elicit.Problem) error {
	err := errors.New("drive: the configuration cannot be used")
	for _, p := range problems {
		err = fmt.Errorf("%w\n  %s: %s", err, p.Pointer, english.Problem(p))
	}
	return err
}

// Receive gives the machine a message of one end, without its line end, and performs the effects before it returns. The
// call in which the journal fails returns the reason. After that, the machine refuses every question itself. The driver
// keeps no part of message after the call.
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
	d.loop.Give(ev, message)
	return d.perform(d.now())
}

// perform performs effects until nothing is due, and sets the timer. It returns why the machine decides nothing more,
// if that happened here. now is the time of the input. All steps of this call have it, however long the host takes, so
// a slow disk makes no question overdue.
func (d *Driver) perform(now pull.Time) (failed error) {
	fail := func(err error) {
		if d.broken == nil {
			d.broken, failed = err, err
		}
	}
	random := func(to *[32]byte) bool {
		err := d.random(to)
		if err != nil {
			fail(err)
		}
		return err == nil
	}
	for {
		next, message, wait := d.loop.Next(now, random)
		switch ef := next.(type) {
		case nil:
			d.setTimer(wait)
			return failed
		case relay.Forward:
			d.host.Forward(ef.To)
		case relay.Send:
			d.host.Send(ef.To, message)
		case effect.Append:
			// The record is not durable, so nothing that follows from it may happen. The loop drops those effects.
			if err := d.append(ef.Record); err != nil {
				fail(err)
				d.loop.Failed()
			}
		case relay.NewJournal:
			if err := d.newJournal(); err != nil {
				fail(err)
				d.loop.Failed()
			}
		case effect.Consult:
			if keeper, ok := d.host.(Consulter); ok {
				keeper.Consult(ef)
			} else {
				d.loop.Failed()
			}
		default:
			d.host.Perform(next)
		}
	}
}

// append keeps a record, or says why it could not be kept. Without a journal every record counts as kept.
func (d *Driver) append(record []byte) error {
	if d.opts.Journal == nil {
		return nil
	}
	if err := d.opts.Journal.Append(record); err != nil {
		return &JournalError{err}
	}
	return nil
}

// now reads both clocks. A host that gives Now alone has no clock of elapsed time, and deadlines follow Now.
func (d *Driver) now() (now pull.Time) {
	now.At = d.opts.Now().UnixMilli()
	if d.opts.Elapsed != nil {
		now.Elapsed = elicit.ElapsedMS(d.opts.Elapsed().Milliseconds())
	}
	return now
}

// random reads fresh random bytes. A short read gives zeros and an error, never a half of the bytes.
func (d *Driver) random(to *[32]byte) error {
	if _, err := io.ReadFull(d.opts.Random, to[:]); err != nil {
		*to = [32]byte{}
		return fmt.Errorf("drive: no random bytes: %w", err)
	}
	return nil
}

// setTimer replaces the timer, whose call performs what is due then. The wait is at most pull.Recheck. A timer that
// stood still while the computer slept is late by no more than that.
func (d *Driver) setTimer(wait int64) {
	if d.timer != nil {
		d.timer.Stop()
		d.timer = nil
	}
	if wait == pull.Never || d.done {
		return
	}
	var timer *time.Timer
	timer = time.AfterFunc(time.Duration(max(wait, 1))*time.Millisecond, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		// Stop does not end a call that has begun. Without the comparison a late call would step a machine that has a
		// new timer.
		if d.timer == timer { // it was not replaced while it waited for the lock
			_ = d.perform(d.now())
		}
	})
	d.timer = timer
}

// Shutdown settles everything open with the cause shutdown, and stops the timer. It may be called again.
func (d *Driver) Shutdown() {
	_ = d.Do(relay.Ended{End: relay.Host})
	d.mu.Lock()
	defer d.mu.Unlock()
	d.done = true
	d.setTimer(pull.Never)
}
