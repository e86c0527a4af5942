package policy

import (
	"cmp"
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/impact"
	visible "github.com/elicit-engine/elicit/engine/internal/fold"
	"github.com/elicit-engine/elicit/engine/internal/order"
)

// A server may answer a call first and ask afterwards, or ask while two calls are open. No one can then tell which tool
// the question belongs to, and a server must not escape a rule for one tool that way. So every candidate is decided by
// itself, and the strictest decision holds: a rule that tightens counts when any candidate matches it, and a rule that
// accepts counts when all of them do. A tool that is not listed is decided as unknown; see unknown.go.

// texts are the peer's texts as deciding reads them. Decisions over the same facts share them. Each member is made when
// a rule first needs it, and then kept. Facts that differ only in tool, annotations and Granted may share one value,
// since no member but impacts depends on these; reads says for which annotations it was made.
//
// left and assumed are no texts: they change how a decision goes on, for nameHiding and for package compare. They stand
// here because texts reaches all functions of a decision.
type texts struct {
	message    folded
	read       folded // the message with look-alikes replaced, as a person reads it
	host       spelledHost
	hosts      []spelledHost // those that the deed would reach
	paths      []spelledPath // those that it would touch
	command    commandLine
	impacts    *impact.Report
	overlapped int                 // the work of overlaps so far
	reads      elicit.Said         // whether the tool that has these impacts only reads
	scanned    map[*criterion]bool // results of criteria on the message; nil to keep none
	assumed    *Assumptions        // answers in place of the facts
	left       *elicit.Reason      // names a rule that is left out
	resembled  map[*criterion]bool // results of criteria on the message as a person reads it
}

// texts makes an own value if none is shared with other decisions.
func (t *tally) texts() *texts {
	if t.known == nil {
		t.known = &texts{}
	}
	return t.known
}

// messageHolds matches a criterion with the message and keeps the result: a message may be long, and candidates many.
func (t *tally) messageHolds(c *criterion) bool {
	x := t.texts()
	return once(x.scanned, c, func() bool { return c.any(x.message.of(t.facts.Message)) })
}

// known is nil for a single decision, because a map would cost more than it saves.
func once(known map[*criterion]bool, c *criterion, ask func() bool) bool {
	holds, asked := known[c]
	if asked {
		return holds
	}
	holds = ask()
	if known != nil {
		known[c] = holds
	}
	return holds
}

// resembles reports whether the criterion matches the message as a person reads it, another spelling of the host, or a
// part of the command line.
func (t *tally) resembles(c *criterion) bool {
	switch {
	case c.on == onHost:
		return t.hostResembles(c)
	case c.on == onPath:
		return t.pathResembles(c)
	case c.on == onCommand:
		return t.commandResembles(c)
	case c.on == onCwd:
		return t.cwdResembles(c)
	case c.on == onFetchedFrom:
		return t.labelResembles(c)
	case c.on.kindOf() != "":
		return !c.every && t.impactResembles(c)
	case c.on == onMessage && !visible.Plain(t.facts.Message):
		x := t.texts()
		return once(x.resembled, c, func() bool {
			if !x.read.done {
				x.read = folded{text: visible.Text(t.facts.Message), done: true}
			}
			return anyOf(c.looks, x.read.text)
		})
	}
	return false
}

// ambiguous reports that the request may belong to several calls, or to one that the host does not list.
func (f *Facts) ambiguous() bool { return len(f.Candidates) > 0 || f.CandidatesCut }

// decideStrictest decides for every candidate and returns the strictest decision, the first one of equals. It names the
// rules that keep another candidate from a stricter one. The cost is one decision for each different candidate, at most
// MaxCandidates and two more. A host that sees no calls at all counts as one with an unknown tool: the question is
// decided without a tool and as if it had any.
func (s Stack) decideStrictest(f *Facts) Decision {
	shared := texts{scanned: map[*criterion]bool{}, resembled: map[*criterion]bool{}}
	one := *f
	if len(f.Candidates) == 0 && f.Tool == "" { // the host sees no calls, now or when a yes was given
		return s.strictest([]Facts{one, one}, true, elicit.Reason{}, &shared)
	}
	// A grant names a question with its tool. If the tool is one of several, the same text may be another question.
	one.Granted = "" // a yes to one tool is no yes to another
	listed := f.Candidates[:min(len(f.Candidates), elicit.MaxCandidates)]
	if f.Tool != "" {
		listed = append([]elicit.Candidate{{Tool: f.Tool, Annotations: f.Annotations}}, listed...)
	}
	var calls []Facts
	for i, c := range listed {
		alike := func(o elicit.Candidate) bool { return o.Tool == c.Tool && o.Annotations == c.Annotations }
		if slices.ContainsFunc(listed[:i], alike) {
			continue
		}
		one.Tool, one.Annotations = c.Tool, c.Annotations
		calls = append(calls, one)
	}
	unknown := f.CandidatesCut || len(f.Candidates) > elicit.MaxCandidates
	if unknown {
		one.Tool, one.Annotations = "", elicit.Annotations{}
		calls = append(calls, one)
	}
	return s.strictest(calls, unknown, elicit.Reason{Code: codeToolUncertain,
		Args: []elicit.Arg{elicit.Num("candidates", len(listed))}}, &shared)
}

// strictest returns the strictest decision about some calls. The tool of the last one may be any, if it is unknown. Of
// equal decisions the first one is returned, so the order of candidates decides which reasons are shown.
func (s Stack) strictest(calls []Facts, unknown bool, why elicit.Reason, shared *texts) Decision {
	all, at, since3 := make([]Decision, len(calls)), 0, false
	for i := range calls {
		all[i] = s.decide(&calls[i], unknown && i == len(calls)-1, shared)
		if since3 = since3 || all[i].since3; all[i].stricter(all[at]) {
			at = i
		}
	}
	d := all[at]
	switch {
	case unknown && at == len(calls)-1:
		d.Reasons = append(d.Reasons, elicit.Reason{Code: codeToolUnknown})
	case why.Code != "":
		why.Args = append(why.Args, elicit.Str("tool", calls[at].Tool))
		d.Reasons = append(d.Reasons, why)
	}
	d.since3 = since3
	if !s.asFormat2 && d.Outcome != Decline { // nothing is stricter
		s.nameHiding(calls, all, unknown, &d, shared)
	}
	return d
}

// nameHiding adds a reason for each rule without which another call would be decided more strictly than d. A person who
// reads the reasons could otherwise not see why a call was let through: a rule that accepts one tool has stopped the
// search before a rule that declines. Such a rule is left out once, and the decision made again.
func (s Stack) nameHiding(calls []Facts, all []Decision, unknown bool, d *Decision, shared *texts) {
	for i := range calls {
		for _, r := range all[i].Reasons {
			same := func(o elicit.Reason) bool { return o.Layer == r.Layer && o.Rule == r.Rule }
			if r.Code != codeMatched || slices.ContainsFunc(d.Reasons, same) {
				continue
			}
			shared.left = &r
			if s.decide(&calls[i], unknown && i == len(calls)-1, shared).Outcome > d.Outcome {
				d.Reasons, d.since3 = append(slices.Clip(d.Reasons), r), true
			}
		}
	}
}

// leaves reports whether a rule is left out, to see what it hides.
func (t *tally) leaves(p *ranked, r *rule) bool {
	return t.known != nil && t.known.left != nil && t.known.left.Layer == p.layer.String() && t.known.left.Rule == r.name
}

// dependsOnTool reports whether the unknown tool decides if the criterion holds. A server's claims about a tool count
// only in a layer that trusts the server. In other layers every tool has the same traits.
func (t *tally) dependsOnTool(c *criterion) bool { return c.on == onTool || c.on.trait() && t.trusted }

// applyUnknown applies a layer to a tool that is not known: its rules, as far as they may match, no approvals, and the
// approval policy of each tool that the layer names, because the unknown tool may be that tool. No approval is given to
// an unknown tool, so approvals of single tools only count as "prompt". Each different approval policy of a tool is
// applied, and the strictest opinion holds.
func (t *tally) applyUnknown(p *ranked, at place) {
	before := t.spoken
	speaks := at.approvalPolicy != policyUnsaid || at.approvals != approvalsUnsaid && t.row.approval()
	places := []place{at}
	if s := p.servers[t.facts.Server]; s != nil {
		t.trusted = s.trusted
		for _, tool := range s.tools {
			if tool.approvals != approvalsUnsaid {
				at.approvals = approvalsPrompt
			}
			if tool.approvalPolicy != policyUnsaid {
				places = append(places, tool)
			}
		}
	}
	order.Stable(places[1:], place.compare)
	places = slices.CompactFunc(places, func(a, b place) bool { return a.compare(b) == 0 })
	ruled := t.applyRules(p)
	speaks = speaks || ruled
	ruled = ruled || t.applyApprovals(p, at)
	for _, from := range places {
		t.applyApprovalPolicy(p, from, ruled)
	}
	t.trusted = false
	t.spoken = before || speaks // approval policies of single tools do not replace the built-in layer for all other tools
}

// compare orders places by their approval policies, so that equal policies give equal reasons.
func (a place) compare(b place) int {
	if c := cmp.Compare(a.approvalPolicy, b.approvalPolicy); c != 0 || a.approvalPolicy == policyUnsaid {
		return c
	}
	return cmp.Compare(a.approvalArgs[0].Raw, b.approvalArgs[0].Raw)
}
