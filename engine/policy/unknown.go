package policy

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// A fact may be unknown: an agent asks to run a command and does not say which, or a list of paths is cut. An unknown
// fact never matches a rule that accepts. A rule that asks counts for it. A rule that declines or cancels only may be
// meant, so a person decides, unless a layer says that an unknown fact declines.

// unknownFacts says what a rule that declines does when it only may match, because a fact is not known. Lower is
// stricter. The default is looser than the other value, so a file can tighten here alone. A layer cannot take "decline"
// back.
type unknownFacts uint8

const (
	unknownUnsaid unknownFacts = iota
	unknownDeclines
	unknownAsks // the default
)

// The words of the member "unknown".
var unknownWords = []string{"ask", "decline"}

// limitUnknown returns the layer's setting. A project or session layer cannot undo what another layer says, because
// the strictest setting holds and asking is the default.
func (p *Policy) limitUnknown() unknownFacts {
	if p.unreadable {
		return unknownDeclines
	}
	return p.unknown
}

// unknown reads the member of that name. A value that cannot be read declines.
func (p *parser) unknown(v gjson.Result) {
	p.policy.unknown = unknownDeclines
	if word, _ := p.word(v, unknownWords...); word == "ask" {
		p.policy.unknown = unknownAsks
	}
}

// AsFormat2 returns the stack with the meaning that policies had when records of the journal had format 2 or an earlier
// one: a rule that only may match counts as if it matched, if it tightens. A replay needs it. The engine must decide
// about an old record as it did then. The fields asFormat2 of tally mark each place where the meaning has changed.
// Decision.Since3 says whether one of them was passed.
func (s Stack) AsFormat2() Stack {
	s.asFormat2 = true
	return s
}

// DeclinesUnasked reports whether a decision asks a person in place of a rule that declines and only may match, or to
// protect Elicit itself. If nobody can be asked, it declines.
func DeclinesUnasked(reasons []elicit.Reason) bool {
	for i := range reasons {
		if reasons[i].Code == codeUnknownAsks || protects(&reasons[i]) {
			return true
		}
	}
	return false
}

// stricter reports whether a decision is stricter than another, also where nobody can be asked. An ask in place of a
// decline becomes a decline where nobody can be asked, so it counts as more than a plain ask.
func (d Decision) stricter(than Decision) bool {
	return d.Outcome > than.Outcome ||
		d.Outcome == than.Outcome && DeclinesUnasked(d.Reasons) && !DeclinesUnasked(than.Reasons)
}

// mayHold reports whether the criterion is about a fact that is not known. A subject that is not listed is always
// known, such as the server or the mode: an empty server is a server without a name.
func (t *tally) mayHold(c *criterion) bool {
	f := t.facts
	switch c.on {
	case onCommand:
		return f.Command == "" && f.Does == elicit.DeedCommand || !t.asFormat2 && t.commandMayHold(c)
	case onMessage:
		return f.MessageCut
	case onCwd:
		return t.cwdUnclear() && (f.Command != "" || f.Does == elicit.DeedCommand && !t.asFormat2)
	case onPath:
		return f.touches() && (len(f.Paths) == 0 && len(f.Hosts) == 0 || f.ReachCut)
	case onHost:
		return !f.url() && f.ReachCut
	// A list that is cut may have a path outside behind the cut. That no path lies outside is then not known either.
	case onOutside:
		return f.touches() && (f.Outside == elicit.Unsaid || f.Outside == elicit.SaidNo && f.ReachCut && !t.asFormat2)
	case onLabel, onFetchedFrom:
		return t.labelMayHold(c)
	case onDangerous:
		return f.uninspected() && !t.asFormat2
	}
	return t.impactMayHold(c)
}

// dangerHolds reports whether the inspection found a danger, or none. It finds none where it sees nothing.
func (t *tally) dangerHolds(want bool) bool {
	unseen := !want && t.facts.uninspected() && !t.asFormat2
	t.since3 = t.since3 || unseen
	return t.facts.Dangerous == want && !unseen
}

// uninspected reports whether the inspection could not see what the deed is, so that it found nothing. For example, an
// agent asks to run a command and does not say which one. Dangerous is false then, but means nothing.
func (f *Facts) uninspected() bool {
	switch f.deed() {
	case elicit.DeedCommand:
		return f.Command == ""
	case elicit.DeedPatch:
		return len(f.Paths) == 0 || f.ReachCut
	}
	return false
}

// lacking is the match of criteria that was m before one of them met a fact that is not known. The first fact that is
// not known is named, because one is enough for the reader of a reason.
func (t *tally) lacking(m match, on, lacks subject) (match, subject) {
	if t.asFormat2 && on != onTool && !on.trait() {
		return min(m, matchResembles), lacks
	}
	t.since3 = true
	if m == matchMaybe {
		return m, lacks
	}
	return matchMaybe, on
}

// applyPossibly applies a rule that only may match.
func (t *tally) applyPossibly(p *ranked, r *rule, lacks subject) {
	if t.asFormat2 {
		t.applyLoosely(p, r, r.reasonPossible)
		return
	}
	from := t.say(t.possible(r, lacks))
	then := t.wish(p, r)
	if then > Ask {
		then = t.unlessUnknown(p, r)
	}
	if then != Accept && t.tighten(then, t.since(from)...) {
		t.byRule = true
	}
}

// possible is the reason of a rule that only may match. lacks is the fact that is not known.
func (t *tally) possible(r *rule, lacks subject) elicit.Reason {
	why := r.reasonPossible
	if !t.asFormat2 {
		why.Args = append([]elicit.Arg{elicit.Str("unknown", lacks.unknownName())}, why.Args...)
	}
	return why
}

// unlessUnknown is the outcome of a rule that declines or cancels and only may match. A rule that declines "rm *" must
// not decline every command that an agent does not show, and must not let it pass.
func (t *tally) unlessUnknown(p *ranked, r *rule) Outcome {
	if t.declines { // also for a rule that cancels: where nobody can be asked, asking declines too
		t.say(elicit.Reason{Code: codeUnknownDeclines, Layer: t.declinesBy.String()})
		return Decline
	}
	t.named, t.askedByRule = true, max(t.askedByRule, Ask)
	t.say(elicit.Reason{Code: codeUnknownAsks, Layer: p.layer.String(), Rule: r.name})
	return Ask
}

// unknownName names the fact in a reason.
func (s subject) unknownName() string {
	switch {
	case s == onCwd:
		return "directory"
	case s == onOutside:
		return "place"
	case s == onDangerous:
		return "danger"
	case s.trait():
		return subjects[onTool].key
	}
	return subjects[s].key
}
