package asking

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/internal/digest"
)

// calls are the calls of the client whose handlers run, or ran until they were interrupted.
type calls struct {
	byID  map[string]*call
	order []string // oldest first
}

// call is a call of the client, which a handler runs for, or ran for until it was interrupted.
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
}

// answer is a settled question of a call, or a value that it keeps.
type answer struct {
	position int
	digest   digestOf
	link     string
	settle   Settle
	value    []byte // nil for a question
}

type digestOf = [digest.Size]byte

// open is what a body says of the question that was open.
type open struct {
	position int
	digest   digestOf
	attempts int
	deadline int64
}

// waiting is a call whose handler runs and waits for what it asks, nil if there is none of that name.
func (o *calls) waiting(id string) *call {
	if c := o.byID[id]; c != nil && c.running && !c.interrupted {
		return c
	}
	return nil
}

// interrupted finds the call that is made again: under its own name, or by the same target and arguments.
func (o *calls) interrupted(ev Called, arguments []byte) *call {
	if c := o.byID[ev.Call]; c != nil {
		return c
	}
	for _, id := range o.order {
		c := o.byID[id]
		// The bytes of the arguments are canonical, so another spelling of the same call is the same call.
		over := !c.running || c.interrupted // the client may be faster than the handler that was stopped
		if over && c.method == ev.Method && c.target == ev.Target && string(c.arguments) == string(arguments) {
			return c
		}
	}
	return nil
}

// add puts a call last.
func (o *calls) add(c *call) {
	o.byID[c.id] = c
	o.order = append(o.order, c.id)
}

func (o *calls) remove(c *call) {
	delete(o.byID, c.id)
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
func (c *call) readByModel() bool {
	return c != nil && (c.method == "" || c.method == "tools/call")
}
