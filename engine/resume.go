package engine

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/pending"
	"github.com/elicit-engine/elicit/engine/policy"
)

// handleResumed rebuilds a saved session. State may come from anywhere, so every part is checked as if it were new,
// policy decides again, and a state with anything wrong in it changes nothing. The order below is not free. Rates and
// grants are in place before any question is restored, so that nothing is asked under a fuller rate. All questions are
// restored before one is decided, so that their order is that of the state.
func (s *step) handleResumed(ev event.Resumed) {
	reader := stateReader{config: &s.config, forms: s.forms, known: s.open.Table}
	saved, problems := reader.read(ev.State)
	if len(problems) > 0 {
		s.out.problem(effect.AboutSession, "", "", problems...)
		return
	}
	session := s.sessions.begin(saved.opened, s.config.limits.sessions)
	if session == nil {
		return
	}
	// The state has the times of the clock where it was saved. From here on all its times are those of this engine.
	// Each engine knows how far the wall clock is ahead of its own clock. The difference of the two distances is 0
	// between hosts without a clock of elapsed time.
	saved.move(saved.ahead - s.clock.ahead)
	opened := &session.opened
	for _, end := range saved.ended {
		s.open.Remember(end)
	}
	// Saving and loading must not refill a rate: a server could ask without end by having its session moved.
	left := saved.allowance
	if left == nil {
		left = &allowance{} // a state that does not say gives its server nothing to spend
	}
	s.open.SetAllowance(opened.Server, left.level, left.at, s.at)
	if left := saved.sessionAllowance; left != nil {
		s.open.SetSessionAllowance(opened.Session, left.level, left.at, s.at)
	}
	s.grants.setOf(opened.Session, saved.grants)
	session.reviews, session.muted = saved.reviews, saved.muted
	// The configuration of today decides what a session may remember. A state cannot bring back what it forbids.
	if s.config.stack.Suggestions() > policy.SuggestionsNone {
		session.typed = saved.typed
	}
	session.haste, session.labels = saved.haste, saved.labels
	if s.config.changes {
		session.accepted = saved.accepted
	}
	if s.config.pauses {
		session.stopwatch.total = saved.stopwatch.at(s.at) // it goes on when a question is shown again
	}
	s.sessions.recall(opened, saved.hosts, saved.servers)
	// All questions get their places before the first is decided again: the end of one may end another.
	items := saved.items
	s.queueBeyondLimit(items)
	for _, item := range items {
		item.held.opened = opened
		s.open.keep(item.held)
		if item.State == pending.Awaiting {
			s.open.awaitPage(item.held)
		}
		s.open.Restore(item.Item)
	}
	s.expire() // what fell due while nobody held the session is over before anybody sees it
	for _, item := range items {
		s.redecide(item.ID)
	}
}

// queueBeyondLimit puts shown requests back into the queue if other sessions have taken the places before the person.
// Those of one session alone stay, as they were before the person together: a limit that was lowered takes none away.
// Requests that the person preferred stay too. Records of format 2 show them all.
func (s *step) queueBeyondLimit(items []savedItem) {
	if s.open.Shown() == 0 || before3(s.records.format) {
		return
	}
	free := s.config.limits.shown - s.open.Shown()
	for i := range items {
		it := &items[i].Item
		if it.State != pending.Shown || it.Apart || items[i].held.shown.preferred {
			continue
		}
		// Formats 1 and 2 show them all, so the step needs format 3 where it does not.
		if free--; free < 0 {
			it.State, s.decider.needs3 = pending.Queued, true
		}
	}
}

// move turns the times of the clock where a session was saved into those of the clock here. Between two engines, the
// wall clocks tell how much time has passed.
func (saved *savedSession) move(by int64) {
	times := []*int64{&saved.stopwatch.since}
	for i := range saved.items {
		times = append(times, &saved.items[i].Deadline, &saved.items[i].held.shown.at)
	}
	for _, left := range []*allowance{saved.allowance, saved.sessionAllowance} {
		if left != nil {
			times = append(times, &left.at)
		}
	}
	for _, at := range times {
		if *at != 0 {
			// 0 would say that there is no time. A time that lies before this engine's clock began counts as its first
			// moment.
			*at = max(*at+by, 1)
		}
	}
}

// redecide lets policy, which may have changed since, decide again on a restored request, and shows it again if it was
// shown. A rule that has become stricter holds for what is open. An accept it would give now is not taken, and grants
// are not asked: the person has the question already. A deadline stays as it is. A question that the policy of today
// declines is withdrawn with its outcome and cause.
func (s *step) redecide(id elicit.ID) {
	it, open := s.open.Find(id)
	if !open || it.State == pending.Awaiting {
		return
	}
	q := s.open.byID.At(id)
	if s.reviewAgain(it, q) {
		return
	}
	d := s.decider.weighAgain(q, s.now(q), false)
	if r, settled := s.decider.settlement(q, d); settled && r.Outcome != elicit.Accepted {
		s.open.withdraw(q, r.Outcome, r.Cause)
		return
	}
	if it.State == pending.Shown {
		s.show(q, it.Deadline)
	}
}

// reviewAgain puts a restored request before the guardians of today, which may differ from those that passed it. A
// request that no person has seen yet is decided as if it had just come, grants included. True says that the question
// has been dealt with here. Without guardians, a question that was seen before is left to redecide.
func (s *step) reviewAgain(it pending.Item, q *question) bool {
	unseen := it.State == pending.Reviewing
	d := s.decider.weighAgain(q, s.now(q), unseen)
	grants := s.config.guardiansDue(guardian.BeforeShow, d.Outcome == policy.Review)
	if len(grants) == 0 && !unseen {
		return false
	}
	r, settled := s.decider.settlement(q, d)
	// A state holds no verdict of a guardian: it may come from anywhere, and a forged verdict would let the question
	// pass. So the question begins where nobody has seen it.
	s.open.Recall(it.ID)
	switch {
	case settled && r.Outcome != elicit.Accepted:
		s.open.finish(q, r)
	case len(grants) > 0:
		s.consult(q, &consultation{phase: guardian.BeforeShow, decision: d, deadline: it.Deadline}, grants)
	case settled:
		r.Findings = q.facts.defaults
		s.send(q, outgoing{reply: r})
	case before3(s.records.format):
		s.open.Release(it.ID, s.at)
	default: // no guardian is left to ask
		s.decider.needs3 = s.decider.needs3 || q.opened.Client.Has(q.request.Mode)
		s.release(q)
	}
	return true
}
