// Package drive is the loop for Go hosts. It gives the machine of one connection a clock, randomness, a journal, guests
// and a timer, and hands the effects that only a host can perform to a Host.
//
//	d, err := drive.New(relay.Config{Server: "backup"}, host, drive.Options{Journal: file})
//	d.Receive(relay.Client, line)     // host.Forward, or host.Send, or nothing
//	d.Receive(relay.Server, line)     // a question: host.Perform(engine.Show{…})
//	d.Do(engine.Answered{…})          // host.Send to the server
//	d.Shutdown()
//
// The loop decides nothing. What happens when the journal fails, a tick comes early or the engine breaks is decided by the
// machine (package relay).
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
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/relay"
)

// Host performs the effects that reach beyond the driver. Calls come one at a time, in the order of the effects, from
// whatever goroutine called the driver or from its timer. A Host must not call the driver from inside a call: it hands
// the work to a goroutine or a queue.
type Host interface {
	// Forward passes on the message that is being received, byte for byte.
	Forward(to relay.End)
	// Send writes a message, which has no line end. The slice is the host's to keep.
	Send(to relay.End, message []byte)
	// Perform does any other effect. Effects that the host has no use for may be ignored.
	Perform(effect relay.Effect)
}

// Consulter is a Host that asks guardians of its own: reviewers, second persons, and whatever the configuration says is
// the host's to run. Consult returns at once; the answer is given later with Do(c.Answer(…)). Without a Consulter such a
// guardian fails, and that counts as policy says.
type Consulter interface{ Consult(engine.Consult) }

// Options are what a driver needs from the world. Zero fields mean the real clock, crypto/rand, no journal and no guests.
type Options struct {
	Journal Journal
	Guests  engine.Guests // asked inside a call, while other callers wait; plugins/host bounds how long that can take
	Now     func() time.Time
	Dice    io.Reader
}

// Driver runs one connection. Its methods are safe from any goroutine.
type Driver struct {
	mu      sync.Mutex
	machine *relay.Machine
	host    Host
	opts    Options
	timer   *time.Timer
	faults  []engine.Consulted // of guardians that nobody could ask, in the step that is performed
	broken  error              // why nothing is decided any more
	done    bool
}

// ErrShutdown is returned after Shutdown.
var ErrShutdown = errors.New("drive: shut down")

var errOneChain = errors.New("the engine broke, and this journal cannot begin a second chain")

// New returns a driver for one connection. A configuration with problems is an error that names each of them. With a
// journal that takes not even the first record there is a *JournalError and beside it a driver that refuses every question
// and passes everything else on.
func New(config relay.Config, host Host, o Options) (*Driver, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Dice == nil {
		o.Dice = bufio.NewReaderSize(rand.Reader, 1<<10) // a message that only passes needs some too
	}
	d := &Driver{host: host, opts: o}
	config.Guests = o.Guests
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
// call during which the journal fails returns why; from then on the machine refuses every question itself.
func (d *Driver) Receive(from relay.End, message []byte) error {
	return d.step(receipts[from], message)
}

// ReceiveCut gives the machine the beginning of a message that is longer than the host takes.
func (d *Driver) ReceiveCut(from relay.End, head []byte) error {
	return d.step(relay.Received{From: from, Cut: true}, head)
}

// receipts are made in advance, so that a message costs no allocation.
var receipts = [...]relay.Event{relay.Client: relay.Received{From: relay.Client}, relay.Server: relay.Received{From: relay.Server}}

// Do gives the machine an event and performs the effects before it returns.
func (d *Driver) Do(ev relay.Event) error { return d.step(ev, nil) }

func (d *Driver) step(ev relay.Event, message []byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.done {
		return ErrShutdown
	}
	in, err := d.input(ev)
	if err != nil {
		// Without randomness an id could be guessed, so nothing may be decided. The effects of the last step have been
		// performed, so an event that does nothing stands between them and the failure.
		d.machine.Step(relay.Input{})
		in = relay.Input{At: d.opts.Now().UnixMilli(), Event: relay.AppendFailed{}}
		_ = d.perform(in, d.machine.Step(in))
		return err
	}
	in.Message = message
	return d.perform(in, d.machine.Step(in))
}

// perform does the effects of one step, and then of what nobody could be asked. It returns why a record could not be kept.
func (d *Driver) perform(in relay.Input, effects []relay.Effect) error {
	failed := d.performAll(effects)
	if failed != nil && d.broken == nil {
		d.broken = failed
		in.Event, in.Message = relay.AppendFailed{}, nil
		_ = d.perform(in, d.machine.Step(in)) // no record comes any more
		return failed
	}
	for len(d.faults) > 0 && failed == nil {
		in.Event, in.Message, in.Random = d.faults[0], nil, sha256.Sum256(in.Random[:])
		d.faults = d.faults[1:]
		failed = d.perform(in, d.machine.Step(in))
	}
	return failed
}

// performAll does effects in order. It stops where a record cannot be kept.
func (d *Driver) performAll(effects []relay.Effect) error {
	for _, effect := range effects {
		var err error
		switch ef := effect.(type) {
		case relay.Forward:
			d.host.Forward(ef.To)
		case relay.Send:
			d.host.Send(ef.To, ef.Message)
		case engine.Append:
			err = d.append(ef.Record)
		case relay.NewJournal:
			err = d.newJournal()
		case engine.Wake:
			d.setWake(ef.At)
		case engine.Consult:
			d.consult(ef)
		default:
			d.host.Perform(effect)
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

// consult hands a guardian's question to the host. A guardian that nobody can ask has failed.
func (d *Driver) consult(c engine.Consult) {
	if keeper, ok := d.host.(Consulter); ok {
		keeper.Consult(c)
		return
	}
	fault := guardian.FaultUnavailable
	if c.Digest != "" {
		fault = guardian.FaultNotLoaded
	}
	d.faults = append(d.faults, c.Answer(engine.Consulted{Fault: fault})) // once the effects of this step are done
}

// input is an event with the time and fresh randomness.
func (d *Driver) input(ev relay.Event) (relay.Input, error) {
	in := relay.Input{At: d.opts.Now().UnixMilli(), Event: ev}
	if _, err := io.ReadFull(d.opts.Dice, in.Random[:]); err != nil {
		return in, fmt.Errorf("drive: no random bytes: %w", err)
	}
	return in, nil
}

// setWake replaces the timer; at is milliseconds since 1970, 0 for none.
func (d *Driver) setWake(at int64) {
	if d.timer != nil {
		d.timer.Stop()
		d.timer = nil
	}
	if at == 0 || d.done {
		return
	}
	wait := time.UnixMilli(at).Sub(d.opts.Now())
	d.timer = time.AfterFunc(max(wait, time.Millisecond), func() { _ = d.Do(engine.Ticked{}) })
}

// Shutdown settles everything that is open with the cause shutdown, and stops the timer. It may be called again.
func (d *Driver) Shutdown() {
	_ = d.Do(relay.Ended{End: relay.Host})
	d.mu.Lock()
	defer d.mu.Unlock()
	d.done = true
	d.setWake(0)
}
