package browser

import (
	"sync"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// board is what every page of this proxy sees: the questions that are open, in the order they were asked, and how
// earlier ones ended. Pages are told that it changed, never what: each reads what it has not seen, so a slow one costs
// nothing.
type board struct {
	mu      sync.Mutex
	do      func(engine.Event)
	open    []*question
	past    []*past
	ended   int           // questions that ended, ever
	turn    int           // of the latest change in past
	changed chan struct{} // closed with every change, and replaced
	done    bool
	inside  int                     // browsers that can answer
	waiters map[elicit.ID]chan fate // of the last answer to each, until a page has heard it
}

// question is one that is open.
type question struct {
	request elicit.Request
	since   time.Time
	show    *engine.Show // nil while it waits its turn, or for policy
	answer  ui.Answer    // of what is shown
	draft   []byte       // what was typed so far, without what is sensitive; nil for nothing
}

// fate is what became of an answer: the end of its question, or problems to mend.
type fate struct {
	outcome  elicit.Outcome // "" while the question is open
	cause    elicit.Cause
	problems []elicit.Problem
}

func newBoard() *board {
	return &board{changed: make(chan struct{}), waiters: map[elicit.ID]chan fate{}, do: func(engine.Event) {}}
}

// touch tells every page, and is called with the lock held.
func (b *board) touch() {
	close(b.changed)
	b.changed = make(chan struct{})
}

func (b *board) attend(do func(engine.Event)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.do = do
}

// tell gives the engine an event. It is never called under the lock.
func (b *board) tell(ev engine.Event) {
	b.mu.Lock()
	do := b.do
	b.mu.Unlock()
	do(ev)
}

func (b *board) asked(r elicit.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open = append(b.open, &question{request: r, since: time.Now()})
	b.touch()
}

func (b *board) show(s engine.Show, answer ui.Answer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	q := b.byRef(s.Session, s.Ref)
	if q == nil { // shown again after it was joined, or by a host that told of no question
		q = &question{request: elicit.Request{Session: s.Session, Ref: s.Ref, Server: s.Server, Tool: s.Tool, Mode: s.Mode,
			Message: s.Message, URL: s.URL}, since: time.Now()}
		b.open = append(b.open, q)
	}
	q.request.ID, q.show, q.answer, q.draft = s.ID, &s, answer, s.Draft
	b.touch()
}

func (b *board) over(r elicit.Request, reply *engine.Reply) {
	b.mu.Lock()
	defer b.mu.Unlock()
	q := b.byRef(r.Session, r.Ref)
	if q == nil {
		return
	}
	if reply == nil {
		reply = &engine.Reply{ID: q.request.ID, Cause: elicit.ByPeerCancelled}
	}
	b.finish(q, reply)
}

func (b *board) withdraw(w engine.Withdraw) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if q := b.byID(w.ID); q != nil {
		b.finish(q, &engine.Reply{ID: w.ID, Cause: w.Cause})
	}
}

// finish moves a question into the history and answers whoever waits for its fate.
func (b *board) finish(q *question, r *engine.Reply) {
	for i := range b.open {
		if b.open[i] == q {
			b.open = append(b.open[:i:i], b.open[i+1:]...)
			break
		}
	}
	b.remember(q, r)
	outcome := r.Outcome
	if outcome == "" {
		outcome = elicit.Cancelled
	}
	b.decide(q.request.ID, fate{outcome: outcome, cause: r.Cause, problems: r.Problems})
	b.touch()
}

func (b *board) problem(p engine.Problem) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if p.About == engine.AboutAnswer {
		b.decide(p.ID, fate{p.Outcome, p.Cause, p.Problems})
	}
}

func (b *board) extend(e engine.Extend) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if q := b.byID(e.ID); q != nil && q.show != nil {
		s := *q.show
		s.Deadline = e.Deadline
		q.show = &s
		b.touch()
	}
}

// await returns where the fate of the next answer to id will be told. It stays there until a page has heard it: guardians
// may take longer than a page may wait at a time.
func (b *board) await(id elicit.ID) <-chan fate {
	b.mu.Lock()
	defer b.mu.Unlock()
	for old := range b.waiters {
		if len(b.waiters) < mostFates {
			break
		}
		delete(b.waiters, old)
	}
	c := make(chan fate, 1)
	b.waiters[id] = c
	return c
}

// mostFates bounds the answers whose fate no page has come back for.
const mostFates = 64

// awaited is where the fate of an earlier answer to id is told, nil when it has been heard.
func (b *board) awaited(id elicit.ID) <-chan fate {
	b.mu.Lock()
	defer b.mu.Unlock()
	if c, ok := b.waiters[id]; ok {
		return c
	}
	return nil
}

// heard forgets what a page has been told.
func (b *board) heard(id elicit.ID, from <-chan fate) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.waiters[id] == from {
		delete(b.waiters, id)
	}
}

// decide tells whoever waits. An answer has one fate; what comes after it is for the next answer.
func (b *board) decide(id elicit.ID, f fate) {
	if c, waits := b.waiters[id]; waits {
		select {
		case c <- f:
		default:
		}
	}
}

// shown is the question of that id while it is before the person, and the way to answer it.
func (b *board) shown(id elicit.ID) (s engine.Show, answer ui.Answer, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if q := b.byID(id); q != nil && q.show != nil {
		return *q.show, q.answer, true
	}
	return s, nil, false
}

// keep keeps a draft for pages that are loaded later.
func (b *board) keep(id elicit.ID, draft []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if q := b.byID(id); q != nil {
		q.draft = draft
	}
}

// entered tells every page how many browsers can answer. A page whose cookie was withdrawn is cut off by its stream.
func (b *board) entered(browsers int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.inside = browsers
	b.touch()
}

// asking reports whether a question is before the person.
func (b *board) asking() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	now, _ := b.current()
	return now != nil
}

// end tells every page that nothing more will come.
func (b *board) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done = true
	b.touch()
}

func (b *board) byRef(session, ref string) *question {
	for _, q := range b.open {
		if q.request.Ref == ref && q.request.Session == session {
			return q
		}
	}
	return nil
}

func (b *board) byID(id elicit.ID) *question {
	for _, q := range b.open {
		if q.request.ID == id && id != "" {
			return q
		}
	}
	return nil
}
