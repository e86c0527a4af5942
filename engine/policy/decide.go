package policy

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/order"
)

// defaultDecline is the lowest Severity.Rank of findings that decline when no layer sets one.
const defaultDecline = 4 // critical

// Decision is what to do with a request, and every reason for it. The reasons are ordered by layer from the top. In
// each layer its rules come first, in order, then its approval policy, then the effect of the layer on the outcome.
type Decision struct {
	Outcome     Outcome
	Reasons     []elicit.Reason
	Determining []int // indexes of the reasons that determine the outcome, ascending, never empty

	since3 bool // see Since3
}

// Since3 reports whether records of format 2 could hold another decision of the same policies; see Stack.AsFormat2.
func (d Decision) Since3() bool { return d.since3 }

// By returns the index of the first determining reason.
func (d Decision) By() int {
	if len(d.Determining) == 0 {
		return 0
	}
	return d.Determining[0]
}

// AppendJSON appends {"outcome","by","reasons"}.
func (d Decision) AppendJSON(dst []byte) []byte {
	return append(d.AppendMembers(append(dst, '{')), '}')
}

// AppendMembers appends the members of AppendJSON without the braces.
func (d Decision) AppendMembers(dst []byte) []byte {
	dst = append(dst, `"outcome":"`...)
	dst = append(dst, d.Outcome.String()...)
	dst = append(dst, `","by":`...)
	dst = strconv.AppendInt(dst, int64(d.By()), 10)
	dst = append(dst, `,"reasons":`...)
	return elicit.AppendList(dst, d.Reasons)
}

// decideAll is Decide without the reasons of layers that say nothing. Decisions about the same facts may share texts;
// nil shares none.
func (s Stack) decideAll(f *Facts, x *texts) Decision {
	if f.Hasty && s.hasty {
		return s.decideHasty(f, x)
	}
	if f.ambiguous() {
		return s.decideStrictest(f)
	}
	if x != nil {
		x.overlapped = 0 // each decision may do the same work
	}
	return s.decide(f, false, x)
}

// decide decides for the one tool that the facts name. With unknown, the tool may be any.
func (s Stack) decide(f *Facts, unknown bool, x *texts) Decision {
	t := tally{reviewer: s.reviewer, facts: f, known: x, unknown: unknown, row: f.row(),
		asFormat2: s.asFormat2, declines: s.unknown == unknownDeclines, declinesBy: s.unknownLayer}
	t.strictReview = f.StrictReview && f.AutoReviewAllowed && !f.Persistable && !s.reviewBarred
	t.reasons = make([]elicit.Reason, 0, len(s.layers)+1)
	for i := range s.layers {
		t.apply(&s.layers[i])
	}
	t.applyBuiltin(s.builtin)
	t.applySelfProtection(&s)
	if t.row.refused() && t.outcome < Decline {
		c := table[t.row][colPrompt]
		t.tighten(c.outcome, t.say(elicit.Reason{Code: c.code, Layer: Builtin.String()}))
	}
	t.applyGrant()
	t.applyQuiet(&s)
	return Decision{t.outcome, t.reasons, t.by, t.since3}
}

// tally collects the opinions of the layers, from the top. A layer can only raise the outcome. Therefore no layer can
// undo the decision of a layer above it.
type tally struct {
	facts        *Facts
	reviewer     reviewer // the strictest setting of all layers
	known        *texts   // the texts of the facts, read on first use, or shared with other decisions about the same facts
	unknown      bool     // the tool is not known
	trusted      bool     // unknown: the current layer trusts what the server says about its tools
	asFormat2    bool     // the meaning of earlier records
	declines     bool     // a rule that declines counts where it only may match
	declinesBy   Layer    // the layer that says so
	since3       bool     // records of format 2 could hold another decision
	row          row
	strictReview bool
	traits       elicit.Traits // of the tool, in the current layer

	spoken      bool // a layer has given an opinion
	owned       bool // a managed or user layer has given one, so the built-in layer does not apply
	byRule      bool // a rule determined the outcome
	named       bool // a rule of some layer says ask or review
	fromManaged bool // a rule of a managed layer accepts
	outcome     Outcome
	asked       Outcome // the strictest of ask and review among all opinions, 0 when there was neither
	askedAbove  Outcome // the same among opinions that only the reading with the settings from above has
	askedByRule Outcome // the same among the opinions of rules
	oneAccepts  bool    // in the reading with the settings of all layers a rule's accept still stands
	floor       Outcome // the outcome before the current layer
	reasons     []elicit.Reason
	by          []int
	bars        []bar // layers that let no one be asked
}

// bar is a layer whose approval policy lets no one be asked. permits is the loosest outcome that its exceptions still
// allow.
type bar struct {
	reason  elicit.Reason
	at      int // the index of reason in the list of reasons, or -1 if it is not there
	permits Outcome
	rules   bool // it bars only what a rule asks
	one     bool // only the reading with the settings of all layers bars
}

func (t *tally) say(r elicit.Reason) int {
	t.reasons = append(t.reasons, r)
	return len(t.reasons) - 1
}

// tighten raises the outcome to o. The reasons at the indexes by caused it. A looser or equal o changes nothing.
func (t *tally) tighten(o Outcome, by ...int) bool {
	t.oneAccepts = t.oneAccepts && o == Accept
	if o == Ask || o == Review {
		t.asked = max(t.asked, o)
	}
	if o <= t.outcome {
		return false
	}
	t.outcome = o
	t.by = append(t.by[:0], by...)
	return true
}

// apply applies one layer.
func (t *tally) apply(p *ranked) {
	t.floor, t.traits = t.outcome, p.traits(t.facts)
	if p.unreadable {
		t.spoken, t.byRule = true, false
		t.tighten(Decline, t.say(elicit.Reason{Code: codeUnreadable, Layer: p.layer.String()}))
		return
	}
	at := p.placeOf(t.facts)
	if t.unknown {
		t.applyUnknown(p, at)
	} else {
		ruled := t.applyRules(p) || t.applyApprovals(p, at)
		t.applyApprovalPolicy(p, at, ruled)
	}
	t.barAsking()
	t.owned = t.spoken && (t.owned || p.layer.mayAccept())
}

// applyRules applies the layer's matching rules. The first intact one is the layer's opinion. A broken rule may match
// more than its author meant, so it only tightens and never hides a rule after it.
func (t *tally) applyRules(p *ranked) (ruled bool) {
	for i := range p.rules {
		r := &p.rules[i]
		if ruled && !r.broken && t.assumes() || t.leaves(p, r) {
			continue // only its reason would be another
		}
		when, lacks := t.matches(r.when, r.then != Accept, r.then != Accept)
		unless, lacksUnless := matchNo, lacks
		if when != matchNo && r.unless != nil { // an exception from accepting tightens, so a look-alike counts
			unless, lacksUnless = t.matches(r.unless, r.then == Accept, r.then == Accept || !t.asFormat2)
		}
		switch {
		case when == matchNo:
		case unless >= matchResembles:
			t.say(r.reasonExcepted)
		case r.broken:
			t.applyLoosely(p, r, r.reasonBroken)
		case ruled:
			t.say(r.reasonShadowed)
		case when == matchMaybe:
			t.applyPossibly(p, r, lacks)
		case unless == matchMaybe: // an exception that only may hold holds nothing off
			t.applyLoosely(p, r, t.possible(r, lacksUnless))
		case when == matchResembles: // a look-alike must not hide the rules after this one
			t.applyLoosely(p, r, r.reasonResembled)
		default:
			ruled = true
			t.applyRule(p, r)
		}
	}
	return ruled
}

// applyLoosely applies a rule that may not be meant for this request: it only tightens.
func (t *tally) applyLoosely(p *ranked, r *rule, why elicit.Reason) {
	from := t.say(why)
	then := t.wish(p, r)
	if then != Accept && t.tighten(then, t.since(from)...) {
		t.byRule = true
	}
}

func (t *tally) applyRule(p *ranked, r *rule) {
	from := t.say(r.reasonMatched)
	then := t.wish(p, r)
	t.fromManaged = t.fromManaged || then == Accept && p.layer == Managed
	t.take(p, then, from, r.name, true)
}

// wish returns the outcome of a rule, as far as its layer may give it to this request.
func (t *tally) wish(p *ranked, r *rule) Outcome {
	then := r.then
	lower := func(code string) {
		then = Ask
		t.say(elicit.Reason{Code: code, Layer: p.layer.String(), Rule: r.name})
	}
	if then == Accept && !t.facts.dataless() {
		lower(codeNeedsData)
	}
	if then == Accept && !p.layer.mayAccept() {
		lower(codeCannotAccept)
	}
	if then == Review && !p.layer.mayReview(t.reviewer) {
		lower(codeCannotReview)
	}
	if then == Ask || then == Review {
		t.named, t.askedByRule = true, max(t.askedByRule, then)
	}
	return then
}

// take makes an opinion count. The reasons from index from on belong to it.
func (t *tally) take(p *ranked, o Outcome, from int, rule string, byRule bool) {
	t.spoken = true
	switch {
	case t.tighten(o, t.since(from)...):
		t.byRule = byRule
	case o < t.floor:
		t.say(elicit.Reason{Code: codeCannotLoosen, Layer: p.layer.String(), Rule: rule,
			Args: []elicit.Arg{elicit.Str("wanted", o.String()), elicit.Str("stands", t.floor.String())}})
	}
}

// since returns the first and the last reason from index from on: the wish, and its effect.
func (t *tally) since(from int) []int {
	if last := len(t.reasons) - 1; last > from {
		return []int{from, last}
	}
	return []int{from}
}

// applyApprovalPolicy applies the layer's approval policy. It is the layer's opinion when no rule matched, and it may
// bar asking in any case.
func (t *tally) applyApprovalPolicy(p *ranked, from place, ruled bool) {
	if from.approvalPolicy == policyUnsaid {
		return
	}
	columns := p.columns(from.approvalPolicy, t.row)
	c := columns.opinion(t.row, t.strictReview)
	at := -1
	if !ruled {
		at = t.applyApprovalOpinion(p, from, columns)
	}
	if !from.approvalPolicy.showsRules(t.row) {
		t.bars = append(t.bars, bar{reason: elicit.Reason{Code: flagOff.code, Layer: p.layer.String(),
			Args: flagArgs(from.approvalArgs, flagOfRules)}, at: -1, rules: true})
	}
	forbids := columns.all.forbids()
	if t.row.deed() && forbids == refused {
		forbids = cell{} // a flag bars what the approval policy asks itself; a rule has a flag of its own
	}
	if forbids.outcome == 0 || c.outcome == Ask {
		return
	}
	b := bar{reason: elicit.Reason{Code: forbids.code, Layer: p.layer.String(), Args: from.approvalArgs}, at: -1,
		one: columns.above.forbids().outcome == 0 || columns.above.at(t.row, t.strictReview).outcome == Ask}
	if c.outcome == Review {
		b.permits = Review
	}
	if at >= 0 && (t.reasons[at].Code == forbids.code || t.asFormat2 && c.code == forbids.code) {
		b.at = at
	}
	t.bars = append(t.bars, b)
}

func (t *tally) applyApprovalOpinion(p *ranked, from place, columns columns) (at int) {
	c := accepted{cell: columns.opinion(t.row, t.strictReview)}
	if t.outcome == Accept && t.byRule || t.oneAccepts {
		before := columns.whenAcceptedInFormat2(t.row, t.strictReview)
		if c = before; !t.asFormat2 {
			c = columns.whenAccepted(t.row, t.strictReview)
			t.since3 = t.since3 || c != before
		}
	} else if above := columns.above.at(t.row, t.strictReview); c.outcome == Review && above.outcome == Accept &&
		!p.layer.mayAccept() {
		t.since3 = true // what counts as ask in one reading is no review because of the other
		if !t.asFormat2 {
			c = accepted{cell: above}
		}
	}
	args := from.approvalArgs
	if c.cell == flagOff {
		args = flagArgs(args, t.row.flagName())
	}
	at = t.say(elicit.Reason{Code: c.code, Layer: p.layer.String(), Args: args})
	if c.stands {
		return at
	}
	if c.outcome == Accept && !p.layer.mayAccept() {
		c.outcome = Ask
		t.say(elicit.Reason{Code: codeCannotAccept, Layer: p.layer.String()})
	}
	asked := t.asked
	t.take(p, c.outcome, at, "", false)
	if c.oneAsks { // what the other reading bars, it does not ask
		t.askedAbove, t.asked, t.oneAccepts = max(t.askedAbove, c.outcome), asked, true
	}
	return at
}

// barAsking declines a request that a person or a reviewer would be asked although some layer so far lets no one be
// asked. It looks at every opinion and not at the outcome: a cancel, which is looser than decline, must not hide an
// ask.
func (t *tally) barAsking() {
	if t.outcome == Decline {
		return
	}
	for i := range t.bars {
		b := &t.bars[i]
		asked := max(t.asked, t.askedAbove)
		switch {
		case b.rules:
			asked = t.askedByRule
		case b.one:
			asked = t.asked
		}
		if b.permits >= asked {
			continue
		}
		if b.at < 0 {
			b.at = t.say(b.reason)
		}
		if !t.tighten(Decline, b.at) {
			t.by = append(t.by, b.at)
		}
	}
	order.Stable(t.by, cmp.Compare[int])
}

// applyBuiltin applies the built-in layer. It decides when no layer has an opinion, and it is the lower limit for
// project and session layers when no layer above them has one.
func (t *tally) applyBuiltin(s settings) {
	if t.owned {
		return
	}
	cell := s.columns(policyOnRequest, t.row).opinion(t.row, t.strictReview)
	if t.spoken && cell.outcome <= t.outcome {
		if cell.outcome == Ask || cell.outcome == Review {
			t.asked = max(t.asked, cell.outcome) // quiet hours must not hide an ask behind a cancel
		}
		return
	}
	t.tighten(cell.outcome, t.say(elicit.Reason{Code: cell.code, Layer: Builtin.String(), Args: builtinArgs}))
	t.barAsking()
}

var builtinArgs = []elicit.Arg{elicit.Str("approval_policy", "on-request")}

// Tighten declines a decided request if its findings reach the strictest threshold of all layers. Without a threshold
// in any layer, critical findings decline. The decision passed in does not change.
func (s Stack) Tighten(d Decision, findings []elicit.Finding) Decision {
	threshold, layer := s.decline, s.declineLayer
	if threshold == 0 {
		threshold, layer = defaultDecline, Builtin
	}
	t := tally{outcome: d.Outcome, reasons: slices.Clip(d.Reasons), by: slices.Clone(d.Determining), since3: d.since3}
	for i := range findings {
		if rank := findings[i].Severity.Rank(); rank < threshold {
			if rank >= defaultDecline && d.Outcome < Decline && !s.asFormat2 && !names(t.reasons, layer) {
				t.say(mattered(layer, Decline))
				t.since3 = true
			}
			continue
		}
		at := t.say(elicit.Reason{Code: codeFinding, Layer: layer.String(), Args: []elicit.Arg{
			elicit.Str("finding", findings[i].Code), elicit.Str("severity", string(findings[i].Severity))}})
		if !t.tighten(Decline, at) {
			t.by = append(t.by, at)
		}
	}
	return Decision{t.outcome, t.reasons, t.by, t.since3}
}
