package asker

import (
	"cmp"
	"slices"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/asking/stored"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/seal"
)

// taken is an answer that let a call run again, and what came of it. Whoever brings the same answer again, because the
// response was lost, gets the same result. A session keeps it beside its machine.
//
// take makes it when a run begins with an answer. end completes it with what the run came to, and prune forgets it.
// There is one for each key, and one for each answer.
type taken struct {
	key    string // of the call
	round  int    // of the state that brought the answer
	answer string // a digest of all that was brought
	call   string // the run
	target string
	keyed  bool   // the handler uses the key of the call, so that another run does nothing twice
	asked  int    // how often another process has asked whether the run goes on
	told   int    // which of these questions the process of the run has answered
	ended  bool   // the handler is over
	result []byte // or the questions of the body
	error  []byte
	body   []byte // of the state that the client got instead, and brings back; it has all of the call
	until  int64  // when the result is forgotten
	refuse int64  // when it is all forgotten: no other answer of this round can come any more
	sealed int64  // when the states that the client got from this run expire
}

// These bound what is kept of one session.
const (
	maxResult  = 64 << 10 // bytes of all results
	maxTaken   = 16
	maxHeld    = 16 << 20 // bytes of all results of a process without a store
	resultLife = 15 * 60 * 1000
)

// lived is how long a result is kept, in milliseconds; less than 1 for not at all.
func (c Config) lived() int64 { return cmp.Or(c.Results, resultLife) }

// standing says what a call that brings an answer may do.
type standing uint8

const (
	free    standing = iota // run
	working                 // another run has the answer, and goes on
	ended                   // another run has the answer, and is over
	spent                   // the answer counts no more
)

// standing finds the run that has the answer of a call.
//
// The cases are in this order:
//
//	free       it is the run's own entry, or the run takes the place of a lost one
//	free       the client has a later state, and the earlier run has got nothing or was interrupted
//	working    the other run has no answer yet, so this answer may still be for it
//	spent      another answer to the same question, or one of an earlier round
//	free       the run is over without a result, and its key makes another run safe
//	ended      the run is over
//	working    the run goes on
//	free       the run was interrupted
func (s *session) standing(r *run) (standing, *taken) {
	i := slices.IndexFunc(s.taken, func(t *taken) bool {
		return r.resumes && t.answer == r.answer || !r.resumes && t.key == r.called.Key
	})
	if r.answer == "" || i < 0 {
		return free, nil
	}
	t := s.taken[i]
	later := !r.resumes && t.round < r.round // its client has a later state
	switch {
	case t.call == r.called.Call, t.call == r.instead && s.again(t): // unless it has come to its end after all
		return free, t
	case later && (t.sealed != 0 || !t.ended && (!s.works(t.call) || s.lacks(t.call))):
		return free, nil
	case s.lacks(t.call) && (r.resumes || t.round == r.round): // no answer counts yet, so another one may
		return working, t
	case !later && (t.round != r.round && !r.resumes || t.answer != r.answer):
		return spent, t
	case t.sealed == 0 && t.ended && t.keyed && t.result == nil && t.error == nil:
		return free, t
	case t.ended:
		return ended, t
	case s.works(t.call):
		return working, t
	}
	return free, t // it was interrupted, and has done nothing yet
}

// again reports whether another run may take the place of one whose end nobody knows: it has no answer with which it
// could have done anything, or its key keeps the other one from doing anything twice.
func (s *session) again(t *taken) bool { return !t.ended && (t.keyed || s.lacks(t.call)) }

// lacks reports whether the handler of a call runs in some process, and has not got the answer that it was made again
// with. The history does not have that answer either.
func (s *session) lacks(call string) bool {
	l := s.call(call)
	return l.Works && l.Waits
}

// works reports whether the handler of a call runs in some process, for all that the session knows.
func (s *session) works(call string) bool { return s.call(call).Works }

// knows reports whether the session knows that a call runs.
func (s *session) knows(call string) bool { return s.call(call).Runs }

// call returns what the session knows of a call.
func (s *session) call(name string) (l asking.Logical) {
	if s.machine != nil {
		l, _ = s.machine.Call(name)
	}
	return l
}

// takenOf returns what a run has taken, nil for nothing.
func (s *session) takenOf(call string) *taken {
	if i := slices.IndexFunc(s.taken, func(t *taken) bool { return t.call == call }); i >= 0 {
		return s.taken[i]
	}
	return nil
}

// take remembers that a run has its answer.
//
// The entry replaces those with the same key or answer, and keeps their latest refuse: an old state must not count
// again because its entry was replaced.
func (s *session) take(r *run, now, lived int64) {
	t := &taken{round: r.round, answer: r.answer, call: r.called.Call, target: r.called.Target, refuse: now + lived}
	l := s.call(t.call)
	t.key, t.keyed = l.Key, l.Keyed
	if r.expires != 0 {
		t.refuse = r.expires + 2*stored.Skew
	}
	s.taken = slices.DeleteFunc(s.taken, func(old *taken) bool {
		if old.key == t.key {
			t.refuse = max(t.refuse, old.refuse)
			if old.sealed != 0 {
				t.refuse = max(t.refuse, old.sealed+2*stored.Skew)
			}
		}
		return old.key == t.key || old.answer == t.answer
	})
	s.taken = append(s.taken, t)
}

// end keeps what a run came to.
//
//	interrupted, with the client carrying all    ended; the next question is kept as the result
//	interrupted, else                            the session itself has the call
//	lost                                         forgotten, so another run may take the answer
//	else                                         ended, with the result if it is not too large
func (s *session) end(r *run, ev Returned, now, lived int64, room bool) {
	t := s.takenOf(r.called.Call)
	switch {
	case t == nil: // another run has its answer
		return
	case r.interrupt != nil:
		t.sealed = max(t.sealed, r.interrupt.Expires+callLife)
		if i := r.interrupt; !i.Keep && i.Offer == asking.ByRounds { // the session forgets the call
			t.ended, t.until = true, max(now+lived, i.Expires)
			if len(i.Body)+len(i.Requests) <= maxResult && r.own && room {
				t.body, t.result = i.Body, i.Requests
			}
			s.bound()
		}
		return
	}
	if s.call(t.call).Waits { // its call is lost: it has taken nothing
		s.taken = slices.DeleteFunc(s.taken, func(one *taken) bool { return one == t })
		return
	}
	t.ended, t.until, t.refuse = true, now+lived, max(t.refuse, now+lived)
	if len(ev.Result)+len(ev.Error) <= maxResult && r.own && room {
		t.result, t.error = ev.Result, ev.Error
	}
	s.bound()
}

// bound forgets the oldest results when all are too large.
//
// It goes from the newest to the oldest. The entries themselves stay, so their answers still count as taken.
func (s *session) bound() {
	size := 0
	for i := len(s.taken) - 1; i >= 0; i-- {
		if size += s.taken[i].size(); size > maxResult {
			s.taken[i].forget()
		}
	}
}

func (t *taken) size() int { return len(t.result) + len(t.error) + len(t.body) }

// hold counts the results of a session among those that this process holds.
func (m *sessions) hold(s *session) {
	if m.config.Store {
		return
	}
	held := 0
	for _, t := range s.taken {
		held += t.size()
	}
	m.held, s.held = m.held+held-s.held, held
}

// room reports whether this process may hold more results. A store has its own bounds.
func (m *sessions) room() bool { return m.config.Store || m.held < maxHeld }

// forget forgets a result for good.
//
// An ended run whose result is forgotten must not run again, so its key counts no more.
func (t *taken) forget() { t.result, t.error, t.body, t.keyed = nil, nil, nil, t.keyed && !t.ended }

// prune forgets what is too old.
//
// A run that works is never forgotten, so that its answer cannot begin a second run.
func (s *session) prune(now int64) {
	works := func(t *taken) bool { return !t.ended && s.works(t.call) }
	for len(s.taken) > maxTaken && !works(s.taken[0]) {
		s.taken = s.taken[1:]
	}
	s.taken = slices.DeleteFunc(s.taken, func(t *taken) bool {
		if t.ended && t.until <= now {
			t.forget()
		}
		return t.refuse <= now && !works(t)
	})
}

// due is when a session wants a tick for its results, if the store keeps it much longer than them; 0 for never.
func (s *session) due(expires int64) (at int64) {
	for _, t := range s.taken {
		if t.result != nil || t.error != nil {
			at = sooner(at, t.until)
		}
	}
	if expires-at > 2*callLife {
		return at
	}
	return 0
}

// until is when the last of what a session has taken is forgotten.
func (s *session) until() (at int64) {
	for _, t := range s.taken {
		at = max(at, t.refuse)
	}
	return at
}

// digestOf names an answer by its content: the order of members does not count.
func digestOf(list, content []byte) string {
	doc := append(list, ',')
	if content == nil {
		content = []byte("null")
	}
	doc = append(append(doc, content...), ']')
	d, problem := seal.Digest(doc)
	if problem != nil {
		d = digest.Sum256(doc)
	}
	return digest.Hex(d[:16])
}

func (t *taken) save(dst []byte) []byte {
	o := jsontext.With(dst, "key", t.key)
	o.OptInt("round", int64(t.round))
	o.Strs("answer", t.answer, "call", t.call)
	o.OptStr("target", t.target)
	o.OptTrue("keyed", t.keyed)
	o.OptInt("asked", int64(t.asked))
	o.OptInt("told", int64(t.told))
	o.OptTrue("ended", t.ended)
	o.OptStrs("result", string(t.result), "error", string(t.error), "body", string(t.body))
	o.OptInt("until", t.until)
	o.OptInt("refuse", t.refuse)
	o.OptInt("sealed", t.sealed)
	return o.End()
}

func readTaken(r *strict.Reader) *taken {
	return &taken{key: r.Str("key"), round: r.Count("round"), answer: r.Str("answer"), call: r.Str("call"),
		target: r.Opt("target"), keyed: r.Flag("keyed"), asked: r.Count("asked"), told: r.Count("told"),
		ended: r.Flag("ended"), result: text(r, "result"), error: text(r, "error"), body: text(r, "body"),
		until: r.OptTime("until"), refuse: r.OptTime("refuse"), sealed: r.OptTime("sealed")}
}
