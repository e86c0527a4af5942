package engine

import (
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/policy"
)

// decider decides about requests in one step, by the rules of the configuration and by what people have said yes to. It
// reads a question and its session, and keeps neither. It changes two things alone: needs3, and the findings and
// reasons of the question that it weighs.
type decider struct {
	config *config
	grants *grants
	format int       // of the record that is made again, 0 for none
	id     elicit.ID // that a grant of this step gets
	wall   int64
	needs3 bool // a decision has the meaning of format 3
}

// circumstances are what tells for or against a request, beside the request itself.
type circumstances struct {
	Known
	// See reviews.tripped. It turns a review into a question to the person, and never an accept into anything.
	reviewsStopped bool // reviewers have refused so much in this session that a person must be asked
}

// now is what tells for or against a question in this step, beside the question itself.
func (s *step) now(q *question) circumstances {
	session := s.sessions.of(q)
	return circumstances{s.sessions.known(session, s.config.servers, s.wall), session.reviews.tripped()}
}

// weigh decides about a request that has just come, or is decided as if it had.
func (d *decider) weigh(q *question, now circumstances) policy.Decision {
	facts, findings := consider(q.request, q.kind, q.facts, now.Known)
	return d.weighFacts(q, facts, findings, now, true)
}

// weighAgain is weigh for a request that was decided before. Time and haste are those of the moment when it came, as
// far as they are known: a request that waits is not decided by what the person did since.
//
// A question is weighed again in two cases: a saved session comes back (redecide), and a new grant may cover what waits
// (keepGrant). No grant is taken where the person has the question before them already.
func (d *decider) weighAgain(q *question, now circumstances, grants bool) policy.Decision {
	facts, findings := consider(q.request, q.kind, q.facts, now.Known)
	if q.came.at != 0 {
		facts.At = q.came.at
	}
	if q.came.haste != notKnown {
		facts.Hasty = q.came.haste == knownTrue
	}
	return d.weighFacts(q, facts, findings, now, grants)
}

// weighFacts replaces the findings and reasons of q by those of this decision. Effects that were emitted keep the old
// lists, because nothing is written into them.
func (d *decider) weighFacts(q *question, facts policy.Facts, findings []elicit.Finding, now circumstances,
	grants bool) policy.Decision {
	// A question that waits is decided by what the session did before it, also when a grant is given meanwhile.
	facts.Labels = facts.Labels[:min(q.came.labels, len(facts.Labels))]
	// A grant is a fact for policy and not a way around it. A rule may still ask, and a finding may make the decision
	// stricter. weighAgain takes no grant for a question that a person has before them already.
	if grants {
		facts.Granted = d.coveringGrant(q, findings)
	}
	made := d.byPolicy(&facts, findings)
	if made.Outcome == policy.Review {
		if why := d.whyNotReviewed(q, now); why != "" {
			// A reviewer may stand in for a person; without one the person is asked, which is never the laxer choice.
			made.Outcome, made.Reasons = policy.Ask, append(made.Reasons, elicit.Reason{Code: why})
		}
	}
	// The question shows what this decision rests on. The basis of an earlier decision is gone with it.
	q.findings, q.reasons = findings, made.Reasons
	if q.shown.left != "" {
		q.because(elicit.Reason{Code: q.shown.left})
	}
	return made
}

// whyNotReviewed says why a request that policy gives to a reviewer cannot be judged by one: "" when it can.
func (d *decider) whyNotReviewed(q *question, now circumstances) string {
	switch {
	case !slices.ContainsFunc(d.config.guardians, func(g guardian.Permit) bool { return g.Reviewer }):
		return "no_reviewer"
	// A reviewer's yes must never fill in data, or send a person to a page.
	case q.form == nil || len(q.form.Fields) > 0:
		return "review_needs_person" // no reviewer answers what a person would have to type, or a page they would visit
	case now.reviewsStopped:
		return "reviews_stopped"
	}
	return ""
}

// byPolicy asks the policies about a request, and lets its findings make the decision stricter. Findings never make it
// laxer: an inspection that finds nothing proves nothing.
//
// A journal of an earlier format is decided by the meaning that its format had, so that it replays to the same bytes.
// The recorder learns from needs3 that the meaning of today made a difference.
func (d *decider) byPolicy(facts *policy.Facts, findings []elicit.Finding) policy.Decision {
	// Up to format 2, a rule that tightens counted as matched when it only may match. AsFormat2 decides so again, and
	// Since3 says where the two meanings differ.
	stack := d.config.stack
	if before3(d.format) {
		stack = stack.AsFormat2()
	}
	made := stack.Tighten(stack.Decide(facts), findings)
	d.needs3 = d.needs3 || made.Since3()
	if d.format == 1 {
		made.Reasons = inFormat1(made.Reasons)
	}
	return made
}

// settlement is the reply that a decision gives without a person, if it does. An accept by policy sends the defaults of
// the form, and only if they fit: policy can say yes, and it cannot make up data. If nobody can be asked, the question
// is cancelled, because no person refused it. It is declined if a rule that declines may match.
func (d *decider) settlement(q *question, made policy.Decision) (effect.Reply, bool) {
	switch made.Outcome {
	case policy.Accept:
		if q.form != nil {
			// Example: a form with a required text and no default does not fit when nothing is typed. A rule that
			// accepts it leads to a question with the reason accept_needs_data. A rule that accepts a page leads there
			// too.
			content := q.form.Fill(nil, nil)
			if len(q.form.Check(content)) == 0 {
				return effect.Reply{Outcome: elicit.Accepted, Cause: elicit.ByPolicy, Content: content,
					Hidden: q.privateFields(d.config.stack)}, true
			}
		}
		q.reasons = append(q.reasons, elicit.Reason{Code: "accept_needs_data"})
	case policy.Ask:
	case policy.Review:
		return effect.Reply{}, false // nobody need be shown anything yet
	case policy.Cancel:
		return effect.Reply{Outcome: elicit.Cancelled, Cause: elicit.ByPolicy}, true
	default: // decline, and whatever a policy may come to say that is not known here
		return effect.Reply{Outcome: elicit.Declined, Cause: elicit.ByPolicy}, true
	}
	// Neither the host nor the client has a surface for this mode now. Nobody saw the question, and no_ui says so.
	if opened := q.opened; !opened.Shown.Has(q.request.Mode) && !opened.Client.Has(q.request.Mode) {
		return effect.Reply{Outcome: q.unasked(), Cause: elicit.ByNoUI}, true
	}
	return effect.Reply{}, false
}

// weighEdit decides about the call that a person has edited. A person cannot type what policy would have declined.
func (d *decider) weighEdit(q *question, x *extras, edited *elicit.Request, now circumstances) {
	// The message of the question shows the arguments as they were. A rule about the message must see what is sent. Two
	// messages are possible when the old arguments do not stand in the message once, letter for letter. A rule that
	// declines either of them counts: a person cannot type around a rule by a message of unusual form.
	message, exact := edited.Message, false
	edited.Message, exact = messageOf(&q.request, edited)
	facts, findings := consider(*edited, q.kind, q.facts, now.Known)
	x.found = append(x.found, q.newFindings(findings)...)
	refused := d.refusal(&facts, findings)
	if refused == nil && !exact { // a rule may match the message as it was
		facts.Message = message
		refused = d.refusal(&facts, findings)
	}
	if refused != nil {
		x.problems = append(x.problems, *refused)
	}
}

// refusal is the problem with a call that policy declines, or nil.
func (d *decider) refusal(facts *policy.Facts, findings []elicit.Finding) *elicit.Problem {
	made := d.byPolicy(facts, findings)
	switch made.Outcome {
	case policy.Accept, policy.Ask, policy.Review:
		return nil
	}
	// Only the deciding reason goes to the person. The others are about rules that did not decide.
	why := made.Reasons[made.By()]
	return &elicit.Problem{Code: "arguments_refused", In: elicit.InArguments,
		Args: []elicit.Arg{elicit.Str("reason", why.Code), elicit.Str("rule", why.Rule)}}
}

// inFormat1 gives reasons the names that they had when journals of format 1 were written. A replay compares the bytes
// of its records with those of the journal.
func inFormat1(reasons []elicit.Reason) []elicit.Reason {
	reasons = slices.Clone(reasons)
	for i, r := range reasons {
		if rest, ok := strings.CutPrefix(r.Code, "approval_policy_"); ok {
			reasons[i].Code = "mode_" + rest
		}
		reasons[i].Args = slices.Clone(r.Args)
		for j, arg := range r.Args {
			if arg.Name == "approval_policy" {
				reasons[i].Args[j].Name = "mode"
			}
		}
	}
	return reasons
}
