package codex

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/wire/codex"
)

// asked is a question of the app-server, until the app-server says that it is settled.
//
// Text for the client is kept only while the question is open. After the answer only the small parts stay, and maxKnown
// bounds how many.
//
// show sets atUser and text, which are what the client has. digest does not change, so a replay is recognised also
// after the answer.
type asked struct {
	*codex.Question
	id     []byte
	ref    string
	digest [32]byte     // of the method and the params
	params []byte       // nil after the answer
	answer codex.Answer // of the client; it has no action until the client answers
	atUser []byte       // the id under which the client has seen it; nil if it has not
	text   []byte       // the params that the client has seen; nil after the answer
	told   bool         // the client knows that it is settled
	step   int          // in which the client got it
	reply  []byte       // the answer for the app-server; nil before it
}

// known are the questions of an app-server, until they are settled.
//
// by and order have the same refs. A ref is the id of the request in canonical spelling, as in the tables of the
// machine.
type known struct {
	by    map[string]*asked // by ref
	order []string          // refs, oldest first
}

// maxKnown bounds the answered questions that are remembered. An app-server that never says that a question is settled
// costs no more memory.
const maxKnown = 4096

// add makes a question known. An app-server that reuses an id, or counts from one in each run, replaces the earlier
// question under it.
func (l *known) add(a *asked) {
	if l.by == nil {
		l.by = map[string]*asked{}
	}
	l.drop(a.ref)
	l.by[a.ref] = a
	l.order = append(l.order, a.ref)
	if len(l.order) > maxKnown {
		l.drop(l.order[0])
	}
}

// drop forgets a question and returns it, or nil.
func (l *known) drop(ref string) *asked {
	a := l.by[ref]
	if a != nil {
		delete(l.by, ref)
		l.order = slices.DeleteFunc(l.order, func(one string) bool { return one == ref })
	}
	return a
}
