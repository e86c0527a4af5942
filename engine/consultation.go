package engine

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/policy"
)

// consultation is a request that guardians have before them. A question has at most one at a time (consults.open). It
// begins with consult, and concludeOrWait ends it. It is never saved: after a restart the guardians are asked again.
type consultation struct {
	// BeforeShow has a decision and no outgoing. BeforeSend and SecondPerson have an outgoing and no decision.
	phase    guardian.Phase
	asks     []pendingConsult
	decision policy.Decision // before_show: what happens when nobody objects
	outgoing *outgoing       // later: the answer that waits to be sent
	deadline int64           // the request's own, 0 for none
}

// pendingConsult is one guardian that has been asked. A guardian leaves the state "asked" once: done is set with a
// verdict, a review or a fault, and nothing resets it.
type pendingConsult struct {
	effect.Consult
	permit guardian.Permit
	// The mark that a reviewer repeats. It is the same for all attempts, because the question is.
	seed   string // of the question
	done   bool
	result guardian.Result
	review guardian.Review // a reviewer's
	by     string          // second_person: who answered
}

// pose puts a question before the permits' guardians and returns what to ask them. Each sees what its own permit
// allows, whatever the other permits say. rounds counts the consultations of the question.
func (c *consultation) pose(subject *guardian.Subject, permits []guardian.Permit, rounds *int, random [32]byte,
	at int64) (ask []effect.Consult) {
	// The subject is turned into JSON once. Each permit then filters that text.
	questions := guardian.Questions(subject)
	for i := range permits {
		g := &permits[i]
		// A round names one asking of one guardian, across all consultations of the question. It never repeats, so a
		// late answer cannot be taken for an answer to a later consult. A saved session keeps the count.
		*rounds++
		seed := guardian.Seed(random, *rounds, g.Name)
		posed := questions.Question(g, seed)
		a := pendingConsult{permit: *g, seed: seed,
			result: guardian.Result{Guardian: g.Name, Digest: g.Digest, Audit: g.Audit, Phase: c.phase},
			Consult: effect.Consult{Session: subject.Request.Session, ID: subject.Request.ID, Round: *rounds,
				Guardian: g.Name, Digest: g.Digest, Phase: c.phase, Reviewer: g.Reviewer, Host: g.Host,
				Deadline: at + g.Deadline, Question: posed.Text, Data: g.Data, Kept: posed.Kept}}
		if !g.Host {
			a.Fuel, a.WASI = g.Fuel, g.WASI
		}
		if c.phase == effect.SecondPerson {
			// A person is no module: nothing runs, and a colleague has a day.
			a.Digest, a.Data, a.Host, a.Fuel, a.WASI, a.Deadline = "", "", true, 0, false, at+secondPersonTTL
			a.Question = posed.Kept // secrets are for the guardian, not for colleagues
		}
		// A guardian that cannot be shown the whole question does not judge a part of it. It counts as one that
		// failed.
		if posed.TooLong {
			a.done, a.result.Fault = true, guardian.FaultQuestionTooLarge
		} else {
			ask = append(ask, a.Consult)
		}
		c.asks = append(c.asks, a)
	}
	return ask
}

// waits reports whether a guardian has not been heard, and until when: the first moment at which one is late, or the
// question is.
func (c *consultation) waits() (until int64, waiting bool) {
	until = c.deadline
	for i := range c.asks {
		if a := &c.asks[i]; !a.done {
			waiting = true
			if until == 0 || a.Deadline < until {
				until = a.Deadline
			}
		}
	}
	return until, waiting
}

// failOverdue fails the guardians whose time is up.
func (c *consultation) failOverdue(at int64) {
	for i := range c.asks {
		if a := &c.asks[i]; !a.done && a.Deadline <= at {
			a.done, a.result.Fault = true, guardian.FaultTimeout
		}
	}
}

// waitingFor is the guardian that an answer of that round is from, nil when nobody waits for it.
func (c *consultation) waitingFor(round int) *pendingConsult {
	if c == nil {
		return nil
	}
	for i := range c.asks { // a guardian that has spoken has no second word
		if a := &c.asks[i]; a.Round == round && !a.done {
			return a
		}
	}
	return nil
}

// results are those of the guardians, and of the reviewers, apart.
func (c *consultation) results() (guests []guardian.Result, reviewers []*pendingConsult) {
	for i := range c.asks {
		if a := &c.asks[i]; a.Reviewer {
			reviewers = append(reviewers, a)
		} else {
			guests = append(guests, a.result)
		}
	}
	return guests, reviewers
}

// outgoing is an answer that fits and is on its way.
type outgoing struct {
	reply   effect.Reply
	via     event.Via
	answer  event.Answered // what it came with, without content
	reasons []elicit.Reason
	// Canonical, less all hidden members: it may go into records, suggestions and digests.
	typed []byte // what of the content may be remembered

	request *elicit.Request // with edited arguments, as a journal may keep them; nil for no edit
	hasty   bool            // the person accepted soon after the question was shown
	once    bool            // a yes cannot be remembered: a value of the arguments is kept nowhere, or it is narrowed
}

// byPerson reports whether somebody in front of the host's own interface can mend the answer.
func (x *outgoing) byPerson() bool { return x.reply.Cause == elicit.ByUser && x.via == event.ViaPerson }
