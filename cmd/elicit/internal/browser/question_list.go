package browser

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// questionList is the state that every page of this proxy shows: the open questions in the order of their arrival, and
// how earlier ones ended. A change only wakes the pages. Each page then reads the part that it has not seen, so a slow
// page needs no queue.
type questionList struct {
	mu         sync.Mutex
	do         func(event.Event)
	open       []*question
	asks       int       // number of all questions
	chosen     *question // the question that the person wants to see; nil is the first that is shown
	history    []*endedQuestion
	endedCount int           // number of all questions that ended
	revision   int           // of the latest change in history
	changed    chan struct{} // closed and replaced with every change
	closed     bool
	browsers   int                             // that can answer
	results    map[elicit.ID]chan answerResult // of the last answer to each question, until a page has read it
}

// question is an open question.
type question struct {
	number  int // counts the questions; a page names an open one by it
	request elicit.Request
	since   time.Time
	show    *effect.Show // nil while policy, guardians or earlier questions hold it back
	answer  ui.Answer    // takes the person's answer to show
	draft   []byte       // the half-typed answer without sensitive fields, nil for none

	receipts []event.Receipt // that pages sent, each once
	drawn    time.Time       // when a page first drew the question where the person can see it, zero for never
}

// answerResult is the result of an answer: the end of its question, or problems that the person can correct.
type answerResult struct {
	outcome  elicit.Outcome // "" while the question is open
	cause    elicit.Cause
	problems []elicit.Problem
}

func newQuestionList() *questionList {
	return &questionList{changed: make(chan struct{}), results: map[elicit.ID]chan answerResult{},
		do: func(event.Event) {}}
}

// notifyPages wakes every page. The caller holds the lock.
func (l *questionList) notifyPages() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// Attend sets the function that gives events to the engine. The proxy calls it before any other method.
func (l *questionList) Attend(do func(event.Event)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.do = do
}

// sendEvent gives an event to the engine. The caller must not hold the lock, because the engine's effects may call the
// list again.
func (l *questionList) sendEvent(ev event.Event) {
	l.mu.Lock()
	do := l.do
	l.mu.Unlock()
	do(ev)
}

func (l *questionList) asked(r elicit.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.add(&question{request: r})
	l.notifyPages()
}

// add adds an open question. The caller holds the lock.
func (l *questionList) add(q *question) {
	l.asks++
	q.number, q.since = l.asks, time.Now()
	l.open = append(l.open, q)
}

// choose makes every page draw an open question. The engine shows it first, if it still waits for its turn.
func (l *questionList) choose(number int) {
	l.mu.Lock()
	i := slices.IndexFunc(l.open, func(q *question) bool { return q.number == number })
	if i < 0 {
		l.mu.Unlock()
		return
	}
	q := l.open[i]
	l.chosen = q
	isShown := q.show != nil
	ev := event.Preferred{Session: q.request.Session, Ref: q.request.Ref}
	l.notifyPages()
	l.mu.Unlock()
	if !isShown {
		l.sendEvent(ev)
	}
}

func (l *questionList) show(s effect.Show, answer ui.Answer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	q := l.byRef(s.Session, s.Ref)
	if q == nil { // shown again after it joined another question, or Asked was not called for it
		q = &question{request: elicit.Request{Session: s.Session, Ref: s.Ref, Server: s.Server, Tool: s.Tool, Mode: s.Mode,
			Message: s.Message, URL: s.URL}}
		l.add(q)
	}
	q.request.ID, q.show, q.answer, q.draft = s.ID, &s, answer, s.Draft
	l.notifyPages()
}

// Over moves a question to the history. A nil reply means that the asker withdrew the question.
func (l *questionList) Over(r elicit.Request, reply *effect.Reply) {
	l.mu.Lock()
	defer l.mu.Unlock()
	q := l.byRef(r.Session, r.Ref)
	if q == nil {
		return
	}
	if reply == nil {
		reply = &effect.Reply{ID: q.request.ID, Cause: elicit.ByPeerCancelled}
	}
	l.finish(q, reply)
}

// Withdraw removes a question that ended without a reply.
func (l *questionList) Withdraw(w effect.Withdraw) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if q := l.byID(w.ID); q != nil {
		l.finish(q, &effect.Reply{ID: w.ID, Cause: w.Cause})
	}
}

// finish moves a question to the history and sends the result to the page that answered. The caller holds the lock.
func (l *questionList) finish(q *question, r *effect.Reply) {
	if l.chosen == q {
		l.chosen = nil
	}
	l.open = slices.DeleteFunc(l.open, func(one *question) bool { return one == q })
	l.addToHistory(q, r)
	outcome := cmp.Or(r.Outcome, elicit.Cancelled)
	l.sendResult(q.request.ID, answerResult{outcome: outcome, cause: r.Cause, problems: r.Problems})
	l.notifyPages()
}

// Problem reports the problems of an answer to the page that sent it.
func (l *questionList) Problem(p effect.Problem) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if p.About == effect.AboutAnswer {
		l.sendResult(p.ID, answerResult{p.Outcome, p.Cause, p.Problems})
	}
}

// Extend changes the deadline of a question.
func (l *questionList) Extend(e effect.Extend) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if q := l.byID(e.ID); q != nil && q.show != nil {
		s := *q.show
		s.Deadline = e.Deadline
		q.show = &s
		l.notifyPages()
	}
}

// expectResult returns the channel that will get the result of the next answer to id. The result stays there until a
// page has read it, because guardians may take longer than one request of a page may last.
func (l *questionList) expectResult(id elicit.ID) <-chan answerResult {
	l.mu.Lock()
	defer l.mu.Unlock()
	for old := range l.results {
		if len(l.results) < mostResults {
			break
		}
		delete(l.results, old)
	}
	c := make(chan answerResult, 1)
	l.results[id] = c
	return c
}

// mostResults is the most results that wait for a page to read them.
const mostResults = 64

// expectedResult returns the channel of an earlier answer to id. It is nil when a page has read the result.
func (l *questionList) expectedResult(id elicit.ID) <-chan answerResult {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.results[id]
}

// forgetResult removes a result that a page has read.
func (l *questionList) forgetResult(id elicit.ID, from <-chan answerResult) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.results[id] == from {
		delete(l.results, id)
	}
}

// sendResult sends the result of the last answer to id. An answer has one result; later ones are for the next answer.
// The caller holds the lock.
func (l *questionList) sendResult(id elicit.ID, f answerResult) {
	if c, waits := l.results[id]; waits {
		select {
		case c <- f:
		default:
		}
	}
}

// shown returns the question of an id and the function that takes its answer. ok is false when the question is not
// shown.
func (l *questionList) shown(id elicit.ID) (s effect.Show, answer ui.Answer, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if q := l.byID(id); q != nil && q.show != nil {
		return *q.show, q.answer, true
	}
	return s, nil, false
}

// keepDraft keeps a draft for pages that are loaded later.
func (l *questionList) keepDraft(id elicit.ID, draft []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if q := l.byID(id); q != nil {
		q.draft = draft
	}
}

// noteReceipt keeps a receipt for the history, because a question that is withdrawn has no reply with receipts.
func (l *questionList) noteReceipt(id elicit.ID, what event.Receipt) {
	l.mu.Lock()
	defer l.mu.Unlock()
	q := l.byID(id)
	if q == nil || slices.Contains(q.receipts, what) || !slices.Contains(event.Receipts(), what) {
		return
	}
	q.receipts = append(q.receipts, what)
	if what == event.ReceiptShown {
		q.drawn = time.Now()
	}
}

// setBrowsers sets how many browsers can answer, for every page to show. The stream of a page whose cookie was
// withdrawn ends itself.
func (l *questionList) setBrowsers(browsers int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.browsers = browsers
	l.notifyPages()
}

// hasShownQuestion reports whether a question is shown to the person.
func (l *questionList) hasShownQuestion() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now, _ := l.current()
	return now != nil
}

// countOpen counts the open questions.
func (l *questionList) countOpen() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.open)
}

// close tells every page that no more updates will come.
func (l *questionList) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	l.notifyPages()
}

func (l *questionList) byRef(session, ref string) *question {
	for _, q := range l.open {
		if q.request.Ref == ref && q.request.Session == session {
			return q
		}
	}
	return nil
}

func (l *questionList) byID(id elicit.ID) *question {
	for _, q := range l.open {
		if q.request.ID == id && id != "" {
			return q
		}
	}
	return nil
}
