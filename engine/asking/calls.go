package asking

import (
	"cmp"
	"slices"

	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/few"
)

// calls are the calls of the client whose handlers run, or ran until they were interrupted.
type calls struct {
	byID  few.Map[string, *call]
	order []string // oldest first
}

// call is a call of the client, which a handler runs for, or ran for until it was interrupted.
//
//	running, not interrupted    a handler works or waits
//	running and interrupted     the host was told to stop the handler, and has not reported Returned
//	not running, interrupted    the client is to make the call again, until expires
//	not running, expires set    Lost: its process is gone
type call struct {
	id, method, target string
	arguments          []byte
	structured         bool
	running            bool
	interrupted        bool
	responses          []byte // of the repeated call
	before             *open  // the question that the state of the repeated call says was open
	answers            []answer
	expires            int64 // of an interrupted call
	logical
}

// logical is the same in every run of a call, in all processes.
type logical struct {
	key   string // "" if the host names none
	round int    // how often the call was interrupted
	keyed bool   // its handler uses the key, so that it may run again after a run whose end nobody knows
}

// answer is a settled question of a call, or a value that it keeps.
//
// Positions in one call are unique. A value has no settle, and a question no value.
type answer struct {
	position int
	digest   digestOf
	link     string
	said     string // a digest of what the model passed on that gave it, "" for none
	settle   Settle
	value    []byte // nil for a question
}

type digestOf = [digest.Size]byte

// open is what a body says of the question that was open.
//
// It comes from the client, under a seal of this server. It keeps a client from getting more attempts or time.
type open struct {
	position int
	digest   digestOf
	attempts int
	deadline int64
}

// waiting is a call whose handler runs and waits for what it asks, nil if there is none of that name.
func (o *calls) waiting(id string) *call {
	if c := o.byID.At(id); c != nil && c.running && !c.interrupted {
		return c
	}
	return nil
}

// interrupted finds the call that is made again: under its own name, or by the same target and arguments.
//
// The order is: the same name, the same key, the same call by content. A client that cannot carry a state, as after
// -32042, is known only by the last.
func (o *calls) interrupted(ev Called, arguments []byte) *call {
	if c := o.byID.At(ev.Call); c != nil {
		return c
	}
	over := func(c *call) bool { return !c.running || c.interrupted } // the client may be faster than the handler
	for _, id := range o.order {
		if c := o.byID.At(id); over(c) && c.key != "" && c.key == ev.Key {
			return c
		}
	}
	for _, id := range o.order {
		c := o.byID.At(id)
		// The bytes of the arguments are canonical, so another spelling of the same call is the same call. {} are none.
		if over(c) && c.method == ev.Method && c.target == ev.Target &&
			cmp.Or(string(c.arguments), "{}") == cmp.Or(string(arguments), "{}") {
			return c
		}
	}
	return nil
}

// lost lets a call be made again until some moment, because its handler is gone.
func (o *calls) lost(id string, until int64, out *outbox) {
	if c := o.waiting(id); c != nil {
		c.running, c.expires = false, until
		return
	}
	out.problem("unknown_call", "")
}

// useKey remembers that the handler of a call uses its key.
func (o *calls) useKey(id string, out *outbox) {
	if c := o.waiting(id); c != nil {
		c.keyed = true
		return
	}
	out.problem("unknown_call", "")
}

// again is the call to run again.
func (c *call) again() Resume {
	return Resume{Call: c.id, Method: c.method, Target: c.target, Arguments: c.arguments}
}

// waits reports whether the question for which the call was made again has no end yet.
//
// An answer at an earlier position is from an earlier run, so it does not count.
func (c *call) waits() bool {
	return !slices.ContainsFunc(c.answers, func(a answer) bool {
		return a.value == nil && (c.before == nil || a.position >= c.before.position)
	})
}

// add puts a call last.
func (o *calls) add(c *call) {
	o.byID.Set(c.id, c)
	o.order = append(o.order, c.id)
}

func (o *calls) remove(c *call) {
	o.byID.Delete(c.id)
	o.order = slices.DeleteFunc(o.order, func(id string) bool { return id == c.id })
}

// at returns the answer at a position.
func (c *call) at(position int) *answer {
	for i := range c.answers {
		if c.answers[i].position == position {
			return &c.answers[i]
		}
	}
	return nil
}

// readByModel reports whether a model reads the result of a call, so that a text can tell it what to do. Prompts and
// resources go to whoever asked for them.
func (c *call) readByModel() bool { return c != nil && (c.method == "" || c.method == "tools/call") }
