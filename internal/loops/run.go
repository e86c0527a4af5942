package loops

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay"
)

// runner is the loop as its contract says it (docs/reference/abi.md), written once more to judge the loops of hosts.
// Every guardian is being asked, and nobody answers, unless the host is alone.
type runner struct {
	relay  string
	keeps  int  // -1 for all
	passes bool // the host's timers end between the inputs
	alone  bool // the host asks no guardians

	machine *relay.Machine
	ids     []string // in order of first appearance
	records int      // appended, also in vain
	broken  bool
	faults  []relay.Event // of guardians that no one could ask
	now     Step          // that is running
	wake    effect.Wake
	woken   Step // the step with that wake
}

// mostPasses bounds the ends of timers between two inputs and after the last.
const mostPasses = 4

func (r *runner) run(name string, inputs []given) (Script, error) {
	s := Script{Name: name, Relay: r.relay, Keeps: r.keeps}
	config, problems := relay.ReadConfig([]byte(r.relay))
	if len(problems) > 0 {
		return s, fmt.Errorf("%v", problems)
	}
	r.now = step(map[bool]string{false: "open", true: "alone"}[r.alone], 0, -1, nil)
	if r.passes {
		r.now.Elapsed = 0
	}
	machine, effects, problems := relay.New(config, relay.Input{Elapsed: elapsed(r.now)})
	if len(problems) > 0 {
		return s, fmt.Errorf("%v", problems)
	}
	r.machine = machine
	r.perform(effects, nil)
	s.Steps = append(s.Steps, r.end())
	for _, g := range inputs {
		r.pass(&s, g.elapsed)
		r.now = step(g.kind, g.at, g.elapsed, nil)
		if err := r.give(g); err != nil {
			return s, err
		}
		s.Steps = append(s.Steps, r.end())
	}
	r.pass(&s, 1<<50)
	for _, step := range s.Steps {
		for _, item := range step.Want {
			if !utf8.ValidString(item) {
				return s, fmt.Errorf("an effect is not UTF-8: %q", item)
			}
		}
	}
	return s, nil
}

func elapsed(s Step) elicit.Elapsed {
	if s.Elapsed < 0 {
		return 0
	}
	return elicit.ElapsedMS(s.Elapsed)
}

// give steps the machine with an input.
func (r *runner) give(g given) error {
	message := bytes.ReplaceAll(g.message, []byte(`"elicit-`), []byte(`"`+r.machine.Prefix()))
	var ev relay.Event = relay.Received{From: relay.Client}
	switch {
	case g.kind == "server":
		ev = relay.Received{From: relay.Server}
	case g.kind == "event":
		document := withIDs(g.event, r.ids)
		read, problems := relay.ReadEvent(document)
		if len(problems) > 0 {
			return fmt.Errorf("%v", problems)
		}
		text := `{"event":` + string(document)
		if g.beside {
			quoted, _ := json.Marshal(string(message))
			text += `,"message":` + string(quoted)
		}
		r.now.Input, ev = text+"}", read
	}
	if g.cut {
		quoted, _ := json.Marshal(string(message))
		r.now.Kind = "event"
		r.now.Input = `{"event":{"event":"received","from":"` + g.kind + `","cut":true},"message":` + string(quoted) + `}`
		ev = relay.Received{From: ev.(relay.Received).From, Cut: true}
	} else if g.kind != "event" {
		filled := step(g.kind, 0, 0, message)
		r.now.Input, r.now.Hex = filled.Input, filled.Hex
	}
	if _, failed := ev.(relay.AppendFailed); failed {
		if r.broken {
			return nil
		}
		r.broken, r.faults = true, nil
	}
	r.step(ev, message)
	return nil
}

func (r *runner) step(ev relay.Event, message []byte) {
	in := relay.Input{At: r.now.At, Elapsed: elapsed(r.now), Event: ev, Message: message}
	r.perform(r.machine.Step(in), message)
}

// perform performs the effects of a step. It stops at a record that the journal does not take.
func (r *runner) perform(effects []relay.Effect, message []byte) {
	for _, next := range effects {
		r.learn(next)
		item := string(next.AppendJSON(nil))
		switch ef := next.(type) {
		case effect.Wake:
			r.wake, r.woken = ef, r.now
			continue
		case effect.Append:
			item = "append " + string(ef.Record)
		case relay.NewJournal:
			item = "new_journal"
		case relay.Forward:
			item = ef.To.String() + " " + string(message)
		case relay.Send:
			item = ef.To.String() + " " + string(ef.Message)
		case effect.Consult:
			if r.alone {
				r.faults = append(r.faults, unasked(ef))
				continue
			}
		}
		kept := item == "new_journal" || bytes.HasPrefix([]byte(item), []byte("append "))
		if kept && r.broken {
			return
		}
		if kept {
			if r.records++; r.keeps >= 0 && r.records > r.keeps {
				r.broken, r.faults = true, nil
				r.step(relay.AppendFailed{}, nil)
				return
			}
		}
		r.now.Want = append(r.now.Want, item)
	}
}

// unasked is the answer to a guardian whom the host cannot ask.
func unasked(c effect.Consult) event.Consulted {
	said := event.Consulted{Fault: "unavailable"}
	if c.Digest != "" && !c.Host {
		said.Fault = "not_loaded"
	}
	return c.Answer(said)
}

// learn keeps the ids that effects name, in the order of the operation relay.
func (r *runner) learn(next relay.Effect) {
	if s, ok := next.(relay.Settled); ok {
		next = s.Reply
	}
	id := elicit.ID("")
	if e, ok := next.(effect.Effect); ok {
		id = effect.IDOf(e)
	}
	if id != "" && !slices.Contains(r.ids, string(id)) {
		r.ids = append(r.ids, string(id))
	}
}

// end ends a step: guardians fail whom no one can ask, what has become due ticks, and the wait is known.
func (r *runner) end() Step {
	for len(r.faults) > 0 || r.left() == 0 {
		var next relay.Event = event.Ticked{}
		if len(r.faults) > 0 {
			next, r.faults = r.faults[0], r.faults[1:]
		} else {
			r.wake = effect.Wake{}
		}
		r.step(next, nil)
	}
	r.now.Wait = min(r.left(), 20_000)
	return r.now
}

// left is how long the loop has to wait, or -1.
func (r *runner) left() int64 {
	if r.wake.At == 0 {
		return -1
	}
	left, least := r.wake.At-r.now.At, int64(0)
	if r.now.At == r.woken.At && r.now.Elapsed == r.woken.Elapsed {
		least = 1
	}
	if r.wake.In > 0 && r.now.Elapsed >= 0 {
		if left = r.woken.Elapsed + int64(r.wake.In) - 1 - r.now.Elapsed; r.now.Elapsed < r.woken.Elapsed {
			return 0
		}
	}
	return max(left, least)
}

// pass lets the host's timers end until an input comes: one early, one in time, as long as something is due.
func (r *runner) pass(s *Script, until int64) {
	if !r.passes {
		return
	}
	for range mostPasses {
		left := r.left()
		due := r.now.Elapsed + left
		if left < 0 || due >= until {
			return
		}
		for _, early := range []int64{1, 0} {
			if due-early <= r.now.Elapsed {
				continue
			}
			r.now = step("pass", r.now.At+7, due-early, nil)
			s.Steps = append(s.Steps, r.end())
		}
	}
}

var errOther = errors.New("the reference loop and the vector differ")

// compare compares a script with the outputs of its vector, whose ids are short.
func (r *runner) compare(s Script, want [][]json.RawMessage, records bool) error {
	if len(s.Steps) != len(want) {
		return fmt.Errorf("%w: %d steps, %d outputs", errOther, len(s.Steps), len(want))
	}
	for i, list := range want {
		var expected, got []string
		for _, item := range list {
			var ef struct{ Effect, To, Message string }
			if err := json.Unmarshal(item, &ef); err != nil {
				return err
			}
			switch ef.Effect {
			case "wake":
				continue
			case "append":
				expected = append(expected, "append "+string(item[len(`{"effect":"append","record":`):len(item)-1]))
			case "new_journal":
				expected = append(expected, "new_journal")
			case "forward":
				expected = append(expected, ef.To+" "+string(s.Steps[i].Bytes()))
			case "send":
				expected = append(expected, ef.To+" "+ef.Message)
			default:
				expected = append(expected, string(item))
			}
		}
		for _, item := range s.Steps[i].Want {
			if !records && bytes.HasPrefix([]byte(item), []byte("append ")) {
				continue
			}
			if !records {
				for n, id := range r.ids {
					item = string(bytes.ReplaceAll([]byte(item), []byte(id), []byte("$"+strconv.Itoa(n+1))))
				}
			}
			forwarded := item == "client "+string(s.Steps[i].Bytes()) || item == "server "+string(s.Steps[i].Bytes())
			if !forwarded {
				item = string(bytes.ReplaceAll([]byte(item), []byte(r.machine.Prefix()), []byte("elicit-")))
			}
			got = append(got, item)
		}
		if !slices.Equal(got, expected) {
			return fmt.Errorf("%w at input %d\n got %q\nwant %q", errOther, i, got, expected)
		}
	}
	return nil
}
