// Package drive is the loop for Go callers: it gives the pure engine a clock, dice, a journal and timers, and hands
// the effects that only a host can perform to a Host.
//
//	d, err := drive.New(config, host, drive.Options{Journal: file})
//	d.Do(engine.Opened{…})
//	d.Do(engine.Asked{…})      // host.Show is called, or host.Reply at once
//	d.Do(engine.Answered{…})   // host.Reply
//	d.Shutdown()
package drive

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/guardian"
)

// Host performs the effects that reach beyond the driver. Calls come one at a time, in the order of the effects, from
// whatever goroutine called Do or from the driver's timer. A Host must not call Do from inside a call: it hands the
// work to a goroutine or a queue. Effects the host has no use for may be ignored.
type Host interface {
	Show(engine.Show)
	Withdraw(engine.Withdraw)
	Reply(engine.Reply)
	OpenURL(engine.OpenURL)
	Resolve(engine.Resolve)
	Problem(engine.Problem)
}

// Timekeeper is a Host that also wants to hear of deadlines moved, and of timers to stop while a person is asked.
type Timekeeper interface {
	Extend(engine.Extend)
	Pause(engine.Pause)
}

// Consulter is a Host that asks guardians of its own: reviewers, second persons, and whatever the configuration says is
// the host's to run. Consult returns at once; the answer is given later with Do(c.Answer(…)). Without a Consulter such a
// guardian fails, and that counts as policy says.
type Consulter interface{ Consult(engine.Consult) }

// Rememberer is a Host that keeps the grants which hold always, for the next configuration.
type Rememberer interface{ Remember(engine.Remember) }

// Options are what a driver needs from the world. Zero fields mean the real clock, crypto/rand, no journal and no guests.
type Options struct {
	Journal Journal
	Guests  engine.Guests // asked inside Do, while other callers wait; plugins/host bounds how long that can take
	Now     func() time.Time
	Dice    io.Reader
}

// Driver runs one engine. Its methods are safe from any goroutine.
type Driver struct {
	mu     sync.Mutex
	engine *engine.Engine
	host   Host
	opts   Options
	timer  *time.Timer
	wakeAt int64 // the last Wake asked for, 0 for none
	broken error // why nothing is decided any more
	done   bool
}

// ErrShutdown is returned by Do after Shutdown.
var ErrShutdown = errors.New("drive: shut down")

// New returns a driver whose engine has been given config (JSON, see engine.Configured; nil is the default). A
// configuration with problems is an error that names each of them. With a journal that takes not even the first record
// there is a *JournalError and beside it a driver that refuses every question, for hosts that have other things to do.
func New(config []byte, host Host, o Options) (*Driver, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Dice == nil {
		o.Dice = rand.Reader
	}
	d := &Driver{engine: engine.New(), host: host, opts: o}
	if config == nil {
		config = []byte("{}")
	}
	if problems := engine.Unfit(config, o.Guests); len(problems) > 0 {
		return nil, configError(problems)
	}
	in, err := d.input(engine.Configured{Config: config})
	if err != nil {
		return nil, err
	}
	effects, err := d.step(in)
	var lost *JournalError
	if err != nil && !errors.As(err, &lost) {
		return nil, err
	}
	for _, effect := range effects {
		if p, bad := effect.(engine.Problem); bad {
			return nil, configError(p.Problems)
		}
	}
	d.broken = err
	return d, err
}

func configError(problems []elicit.Problem) error {
	err := errors.New("drive: the configuration cannot be used")
	for _, p := range problems {
		err = fmt.Errorf("%w\n  %s: %s", err, p.Pointer, english.Problem(p))
	}
	return err
}

// Do gives the engine one event and performs the effects before it returns. Once the journal has failed, every question
// and answer fails closed and Do returns why.
func (d *Driver) Do(ev engine.Event) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.done {
		return ErrShutdown
	}
	return d.do(ev)
}

// do performs one event, and after it what the guests say that the event had asked.
func (d *Driver) do(ev engine.Event) error {
	if d.broken != nil {
		d.refuse(ev)
		return d.broken
	}
	in, err := d.input(ev)
	if err != nil {
		d.failClosed(nil, err)
		return err
	}
	for answers := []engine.Consulted(nil); ; answers = answers[1:] {
		effects, err := d.step(in)
		if err != nil {
			d.failClosed(effects, err)
			return err
		}
		for _, effect := range effects {
			if c, ok := effect.(engine.Consult); ok {
				if said, known := d.consult(c); known {
					answers = append(answers, said)
				}
				continue
			}
			d.perform(effect)
		}
		if len(answers) == 0 {
			return nil
		}
		in = in.Then(answers[0])
	}
}

// consult asks a guest, or hands the question to the host. What nobody can answer has failed.
func (d *Driver) consult(c engine.Consult) (said engine.Consulted, known bool) {
	if said, known = c.Ask(d.opts.Guests); known {
		return said, true
	}
	if keeper, ok := d.host.(Consulter); ok {
		keeper.Consult(c)
		return said, false
	}
	fault := guardian.FaultUnavailable
	if c.Digest != "" {
		fault = guardian.FaultMissing
	}
	return c.Answer(engine.Consulted{Fault: fault}), true
}

// input is an event with the time and fresh dice.
func (d *Driver) input(ev engine.Event) (engine.Input, error) {
	in := engine.Input{At: d.opts.Now().UnixMilli(), Event: ev}
	if _, err := io.ReadFull(d.opts.Dice, in.Dice[:]); err != nil {
		return in, fmt.Errorf("drive: no random bytes: %w", err)
	}
	return in, nil
}

// step runs the engine and makes its records durable before anything else of the batch may happen.
func (d *Driver) step(in engine.Input) ([]engine.Effect, error) {
	records, effects := engine.Records(d.engine.Step(in))
	for _, record := range records {
		if d.opts.Journal == nil {
			break
		}
		if err := d.opts.Journal.Append(record); err != nil {
			return effects, &JournalError{err}
		}
	}
	return effects, nil
}

func (d *Driver) perform(effect engine.Effect) {
	switch ef := effect.(type) {
	case engine.Show:
		d.host.Show(ef)
	case engine.Withdraw:
		d.host.Withdraw(ef)
	case engine.Reply:
		d.host.Reply(ef)
	case engine.OpenURL:
		d.host.OpenURL(ef)
	case engine.Resolve:
		d.host.Resolve(ef)
	case engine.Problem:
		d.host.Problem(ef)
	case engine.Remember:
		if keeper, ok := d.host.(Rememberer); ok {
			keeper.Remember(ef)
		}
	case engine.Extend:
		if keeper, ok := d.host.(Timekeeper); ok {
			keeper.Extend(ef)
		}
	case engine.Pause:
		if keeper, ok := d.host.(Timekeeper); ok {
			keeper.Pause(ef)
		}
	case engine.Wake:
		d.setWake(ef.At)
	}
}

// setWake replaces the timer; at is milliseconds since 1970, 0 for none.
func (d *Driver) setWake(at int64) {
	if d.timer != nil {
		d.timer.Stop()
		d.timer = nil
	}
	d.wakeAt = at
	if at == 0 || d.done {
		return
	}
	wait := time.UnixMilli(at).Sub(d.opts.Now())
	d.timer = time.AfterFunc(max(wait, time.Millisecond), d.tick)
}

// tick is the timer falling due. A clock that was set back since lets it come too early; the engine will not ask again
// for a wake it has asked for, so the timer is set anew until the time has come.
func (d *Driver) tick() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.done || d.broken != nil || d.wakeAt == 0 {
		return
	}
	if d.opts.Now().UnixMilli() < d.wakeAt {
		d.setWake(d.wakeAt)
		return
	}
	_ = d.do(engine.Ticked{}) // a journal that fails is remembered and told to the next caller of Do
}

// Shutdown settles everything that is open, with the cause shutdown, and stops the timer. It may be called again.
func (d *Driver) Shutdown() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.done {
		return
	}
	if d.broken == nil {
		for _, session := range d.engine.Sessions() {
			_ = d.do(engine.Closed{Session: session, Cause: elicit.ByShutdown}) // fails closed by itself
		}
	}
	d.done = true
	d.setWake(0)
}
