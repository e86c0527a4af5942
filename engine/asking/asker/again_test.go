package asker_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/asking/asker"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// deed is what a call of a client that makes its requests again has come to.
type deed struct {
	keyed  bool            // its handler uses the key
	early  bool            // it has the key before its first question
	keys   map[string]bool // with which it has acted
	acts   int             // without a key
	taken  bool            // its last answer was given
	since  int64           // when it was first given
	states int             // that the client got
	end    string          // what its client knows at last
	said   map[int]string  // what it answered to its questions, "" for two things
}

// act is a piece of a handler that runs later, as if it took time.
type act struct{ run func() }

func (act) AppendJSON(dst []byte) []byte { return dst }

// does lets a handler act after its last answer, and return.
func (n *node) does(c *call, name string, i int) {
	d, result := c.deed, fmt.Sprintf(`{"done":%d}`, c.first)
	done := func() { n.returns(c, name, i, result) }
	d.taken = true
	if !d.keyed {
		n.todo = append(n.todo, act{func() {
			if d.acts++; d.acts > 1 {
				n.t.Errorf("call %d acts twice without a key", c.first)
			}
			n.todo = append(n.todo, act{done})
		}})
		return
	}
	ref := n.name("key")
	n.wait(ref, asker.Keyed{Ref: ref, Call: name}, func(r asker.Reply) {
		if r.Failed != "" || r.Settle != nil {
			n.returns(c, name, i, "")
			return
		}
		n.todo = append(n.todo, act{func() {
			if d.keys[string(r.Value)] = true; len(d.keys) > 1 {
				n.t.Errorf("call %d acts with the keys %v", c.first, d.keys)
			}
			n.todo = append(n.todo, act{done})
		}})
	})
}

// begins lets a handler ask for its key, and then ask its first question.
func (n *node) begins(c *call, name string) {
	if c.deed == nil || !c.deed.early {
		n.asks(c, name, 0)
		return
	}
	ref := n.name("key")
	n.wait(ref, asker.Keyed{Ref: ref, Call: name}, func(r asker.Reply) {
		if r.Failed != "" || r.Settle != nil {
			n.returns(c, name, 0, "")
			return
		}
		n.asks(c, name, 0)
	})
}

// returns lets a handler return with a result.
func (n *node) returns(c *call, name string, i int, result string) {
	ev := asker.Returned{Call: name}
	if result != "" {
		ev.Result = []byte(result)
	}
	n.wait(name, ev, func(r asker.Reply) {
		n.requested(name, func() {
			switch {
			case r.Failed != "":
				n.gets(c, r)
			case r.Result == nil:
				n.ended(c, result)
			case strings.Contains(string(r.Result), `"done"`):
				n.ended(c, string(r.Result))
			default:
				n.puts(c, r)
			}
		})
	})
}

// requests remembers what a client does if it gets no response.
func (n *node) requests(name string, again func()) { n.pending[name] = again }

// requested gives a response to a client, which may be lost on the way.
func (n *node) requested(name string, then func()) {
	again := n.pending[name]
	delete(n.pending, name)
	if again != nil && !n.calm && n.rand.IntN(6) == 0 {
		n.counts["lost response"]++
		n.repeats = append(n.repeats, again)
		return
	}
	then()
}

// gets takes what a client is told in place of a result.
func (n *node) gets(c *call, r asker.Reply) {
	again := func() { n.repeats = append(n.repeats, func() { n.any().runs(c) }) }
	switch {
	case r.Failed == asker.StillRunning:
		n.counts["still running"]++
		again()
	case r.Failed == asker.NoStore, r.Failed == asker.NoJournal, r.Failed == asker.NotYours && r.Why != nil:
		again()
	case r.Failed == asker.Unknown:
		// The store forgets another call, with its key, by the clock of any process.
		if c.deed.early && c.kind == "rounds" && n.at-c.deed.since < 400_000 {
			n.t.Errorf("nobody knows the result of call %d, although it has a key", c.first)
		}
		if !n.over[c.brings.number] {
			n.t.Errorf("the answer to question %d was taken, and it has no end in the history", c.brings.number)
		}
		n.counts["unknown"]++
		n.ended(c, "unknown")
	case strings.Contains(string(r.Result), `"inputRequests"`):
		n.counts["asked again"]++
		n.puts(c, r)
	case r.Result != nil:
		n.counts["given again"]++
		n.ended(c, string(r.Result))
	case c.deed.states > c.states: // its client has a later state from another response
		n.counts["superseded"]++
	case c.deed.said[c.brings.number] == "": // it has the question from two responses, and gave two answers
		n.counts["two answers"]++
	default:
		if c.state != "" && n.config.Results == 0 && n.sealed[numberOf(c.state)].Claims.ExpiresAt+300_000 > n.now() {
			n.t.Errorf("call %d is refused with its own state: %v", c.first, r.Failed)
		}
		n.counts["too late"]++
		n.ended(c, "unknown") // it was without a process for longer than its state lasts, and is told so
	}
}

// ended notes what a client knows at last.
func (n *node) ended(c *call, what string) {
	d := c.deed
	if what == "" { // the handler has failed
		what = "unknown"
	}
	if d.end != "" && d.end != what && !strings.HasPrefix(d.end, "unknown") && what != "unknown" {
		n.t.Errorf("call %d ends with %q and %q", c.first, d.end, what)
	}
	d.end = what
	n.counts["an end"]++
}

// passesOn lets a model report that the person has answered on the page.
func (n *node) passesOn(q *question) {
	c, ref := q.call, n.name("model")
	again := func() { n.any().passesOn(q) }
	n.requests(ref, again)
	if c.since == 0 {
		c.since = n.at
	}
	n.wait(ref, asker.Submitted{Ref: ref, ID: q.id, Action: elicit.Accept, Client: c.client}, func(r asker.Reply) {
		delete(n.pending, ref)
		switch {
		case r.Resume != nil:
			n.counts["model resumed"]++
			n.forget(func(other *question) bool { return other.id == q.id })
			resumed := *c
			resumed.session, resumed.again, resumed.brings = r.Session, again, q
			n.runs(&resumed)
		case r.Failed == asker.NoStore, r.Failed == asker.NoJournal:
			n.repeats = append(n.repeats, again)
		case len(r.Problems) > 0 && r.Problems[0].Code == "page_open": // the person has not answered yet
		default:
			n.forget(func(other *question) bool { return other.id == q.id })
		}
	})
}

// repeat lets a client make a request again.
func (w *world) repeat() {
	i := w.rand.IntN(len(w.repeats))
	again := w.repeats[i]
	w.repeats = slices.Delete(w.repeats, i, i+1)
	w.counts["made again"]++
	again()
}
