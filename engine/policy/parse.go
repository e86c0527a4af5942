package policy

import (
	"slices"
	"strconv"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/tidwall/gjson"
)

// These are the limits of one policy file. A part over a limit is a problem and fails closed. A file comes from a
// repository or an administrator, and may be hostile. The limits bound the work for each request: at most 500 rules,
// each with patterns that read the texts in linear time.
const (
	MaxRules = 500
	MaxGlobs = 2000 // patterns in the whole file

	// MaxMessageGlobs bounds the message patterns with a wildcard other than a star at an end. Each of them reads the
	// whole message, which comes from a peer and may have a megabyte.
	MaxMessageGlobs = 100
)

// Parse compiles one layer's policy file (docs/reference/policy.md). It always returns a usable Policy. It reports
// every problem, and a part that cannot be read fails closed without affecting other parts. Pointers and spans of the
// problems refer to doc. Layer Builtin and unknown layers are read as Session, the least trusted one.
func Parse(layer Layer, doc []byte) (*Policy, []elicit.Problem) { return compile(layer, doc, false) }

// ParseRecorded is Parse for a policy in a journal. A member may have the name of an earlier version, and counts as if
// it had its name of today. For each of them there is a problem of severity deprecated, after all others.
func ParseRecorded(layer Layer, doc []byte) (*Policy, []elicit.Problem) {
	return compile(layer, doc, true)
}

// compile reads the document in one pass. The policy shares no bytes with doc.
func compile(layer Layer, doc []byte, recorded bool) (*Policy, []elicit.Problem) {
	p := &parser{policy: &Policy{layer: min(layer, Session)}, recorded: recorded}
	p.document(doc)
	return p.policy, append(p.problems, p.deprecated...)
}

// parser reads a gated document and collects every problem. at is the pointer of the current value.
type parser struct {
	policy     *Policy
	recorded   bool // members may have names of an earlier version
	outdated   bool // the member that is read has such a name, and may not
	problems   []elicit.Problem
	deprecated []elicit.Problem
	// problems and deprecated are kept apart, because the deprecated ones come last whatever their place is.
	at       []byte
	globs    int // patterns read so far, and how many of them MaxMessageGlobs bounds
	scanning int
	// One budget serves all servers and tools together.
	places int // servers and tools read so far
}

// A member that stands twice does not get here, because jsontext.Check refuses it (RFC 7493 section 2.3). A version
// that is left out is a problem, but its words can be read, so the file still counts.
func (p *parser) document(doc []byte) {
	if fault := jsontext.Check(doc, jsontext.Limits{}); fault != nil {
		p.problems, p.policy.unreadable = []elicit.Problem{elicit.FromFault(fault)}, true
		return
	}
	file := gjson.ParseBytes(doc)
	if !file.IsObject() {
		p.wrongType(file, "object")
		p.policy.unreadable = true
		return
	}
	version := false
	file.ForEach(func(k, v gjson.Result) bool {
		defer p.into(k.String())()
		key := p.renamed(k.String())
		at := slices.IndexFunc(root, func(m member) bool { return m.key == key })
		if at < 0 {
			p.unknownKey(v)
			return true
		}
		version = version || root[at].key == "version"
		root[at].read(p, v)
		return true
	})
	// The report has no span: nothing in the file is wrong, something is missing.
	if !version {
		p.missing(gjson.Result{}, "version")
	}
}

// into adds a token to the pointer until the caller calls the returned function. The usual form is: defer
// p.into(key)(). The pointer is that of RFC 6901.
func (p *parser) into(token string) (out func()) {
	n := len(p.at)
	p.at = jsontext.AppendToken(p.at, token)
	return func() { p.at = p.at[:n] }
}

// report adds a problem at the current pointer. The span is that of v, and missing if v is nothing in the document.
func (p *parser) report(code string, v gjson.Result, args ...elicit.Arg) {
	bad := elicit.Problem{Code: code, Pointer: string(p.at), Args: args}
	if v.Index > 0 {
		bad.Start, bad.End = v.Index, v.Index+len(v.Raw)
	}
	p.problems = append(p.problems, bad)
}

func (p *parser) unknownKey(v gjson.Result) { p.report("unknown_member", v) }

// missing reports that the object v lacks a required member.
func (p *parser) missing(v gjson.Result, key string) {
	defer p.into(key)()
	p.report("missing", v)
}

func (p *parser) wrongType(v gjson.Result, expected string) {
	p.report("wrong_type", v, elicit.Str("expected", expected))
}

// word reads a string that must be one of the allowed words.
func (p *parser) word(v gjson.Result, allowed ...string) (string, bool) {
	if v.Type != gjson.String {
		p.wrongType(v, "string")
		return "", false
	}
	if s := v.String(); slices.Contains(allowed, s) {
		return s, true
	}
	p.unknownValue(v, allowed...)
	return "", false
}

func (p *parser) unknownValue(v gjson.Result, allowed ...string) {
	var list []byte
	for i, a := range allowed {
		if i > 0 {
			list = append(list, ", "...)
		}
		list = append(list, a...)
	}
	p.report("unknown_value", v, elicit.Str("value", v.String()), elicit.Str("allowed", string(list)))
}

// editorSchema reads the member by which editors find the published schema. It has no effect on decisions.
func (p *parser) editorSchema(v gjson.Result) {
	if v.Type != gjson.String {
		p.wrongType(v, "string")
	}
}

// version reads the version. The words of another version have an unknown meaning, so such a file declines everything.
func (p *parser) version(v gjson.Result) {
	switch {
	case v.Type != gjson.Number:
		p.wrongType(v, "number")
	case v.Raw != "1":
		p.report("policy_unknown_version", v, elicit.Raw("version", v.Raw))
	default:
		return
	}
	p.policy.unreadable = true
}

// renamed returns the name that a member has today. An earlier name is deprecated in a record, and refused elsewhere.
// "mode" is the name that approval_policy once had. A journal keeps the file as it was, and a replay must read it.
func (p *parser) renamed(key string) string {
	if key != "mode" {
		return key
	}
	if p.outdated = !p.recorded; p.recorded {
		p.deprecated = append(p.deprecated, elicit.Deprecated(string(p.at), "approval_policy"))
	}
	return "approval_policy"
}

func (p *parser) approvalPolicy(v gjson.Result) {
	p.policy.approvalPolicy, p.policy.approvalArgs = p.approvalPolicyOf(v, p.policy.approvalPolicy)
}

// approvalPolicyOf reads an approval policy, and the arguments of its reasons. before is what an earlier member of the
// same object said: the old name and the new one may not stand beside each other. An approval policy under the old name
// declines, unless it is recorded.
func (p *parser) approvalPolicyOf(v gjson.Result, before approvalPolicy) (m approvalPolicy, args []elicit.Arg) {
	name := "unreadable"
	switch {
	// "mode" and "approval_policy" in one object contradict each other, and nobody knows which one its author meant.
	case before != policyUnsaid || p.outdated:
		p.unknownKey(v)
		m, p.outdated = policyUnreadable, false
	case v.IsObject():
		name = "granular"
		m = p.granular(v)
	case v.Type == gjson.String:
		var ok bool
		if m, ok = parseApprovalPolicy(v.String()); !ok {
			p.unknownValue(v, append(approvalPolicyWords[:len(approvalPolicyWords):len(approvalPolicyWords)], "granular")...)
		}
		name = v.String()
	default:
		p.wrongType(v, "string or object")
		m = policyUnreadable
	}
	return m, []elicit.Arg{elicit.Str("approval_policy", name)}
}

// granular reads {"granular":{…}}. Each flag says which prompts may be shown. Without readable flags the result is
// policyUnreadable, which lets no one be asked and accepts nothing.
func (p *parser) granular(v gjson.Result) approvalPolicy {
	m := policyUnreadable
	found := false
	v.ForEach(func(k, flags gjson.Result) bool {
		defer p.into(k.String())()
		switch {
		case k.String() != "granular":
			p.unknownKey(flags)
		case !flags.IsObject():
			found = true
			p.wrongType(flags, "object")
		default:
			found = true
			m = p.flags(flags)
		}
		return true
	})
	if !found {
		p.missing(v, "granular")
	}
	return m
}

// flags reads the members of granular. An unknown flag is a problem that changes nothing, because it could only allow
// more.
func (p *parser) flags(v gjson.Result) approvalPolicy {
	m, readable := policyGranular, true
	var seen []string
	v.ForEach(func(k, flag gjson.Result) bool {
		key := k.String()
		defer p.into(key)()
		seen = append(seen, key)
		bit, known := granularFlags[key]
		switch {
		case !known:
			p.unknownKey(flag)
		case !flag.IsBool():
			p.wrongType(flag, "boolean")
			// A flag that may be left out counts as false if it cannot be read, which refuses.
			readable = readable && !slices.Contains(granularNeeded, key)
		case flag.Bool():
			m |= bit
		}
		return true
	})
	for _, key := range granularNeeded {
		if !slices.Contains(seen, key) {
			p.missing(v, key)
			readable = false
		}
	}
	if !readable {
		return policyUnreadable
	}
	return m
}

// The strictest value stands first, so a word that cannot be read leaves it.
func (p *parser) access(v gjson.Result) {
	p.policy.access = accessSandboxed
	if s, _ := p.word(v, accessWords...); s == "full" {
		p.policy.access = accessFull
	}
}

func (p *parser) reviewer(v gjson.Result) {
	p.policy.reviewer = reviewerUser
	if s, _ := p.word(v, reviewerWords...); s == "auto_review" {
		p.policy.reviewer = reviewerAuto
	}
}

// These are thresholds by Severity.Rank. neverDecline is above every rank, also above ranks that may be added later.
const (
	strictestDecline = 2
	neverDecline     = 6
)

func (p *parser) findings(v gjson.Result) {
	if !v.IsObject() {
		p.wrongType(v, "object")
		p.policy.findings = strictestDecline
		return
	}
	v.ForEach(func(k, v gjson.Result) bool {
		defer p.into(k.String())()
		if k.String() != "decline" {
			p.unknownKey(v)
			return true
		}
		p.policy.findings = strictestDecline
		if s, ok := p.word(v, thresholdWords...); s == "never" {
			// "never" must be above each rank that a later version may add.
			p.policy.findings = neverDecline
		} else if ok {
			p.policy.findings = elicit.Severity(s).Rank()
		}
		return true
	})
}

// rules reads the list in order. Each element becomes one rule, also if nothing of it can be read, so numbers stay
// right.
func (p *parser) rules(v gjson.Result) {
	if !v.IsArray() {
		p.wrongType(v, "array")
		p.addBroken("rules")
		return
	}
	n := 0
	v.ForEach(func(_, v gjson.Result) bool {
		defer p.into(strconv.Itoa(n))()
		// The rules behind the limit could have been any, so one broken rule in their place asks about everything.
		if n++; n > MaxRules {
			p.report("policy_too_many_rules", v, elicit.Num("limit", MaxRules))
			p.addBroken("#" + strconv.Itoa(n))
			return false
		}
		p.rule(v, "#"+strconv.Itoa(n))
		return true
	})
}

// addBroken adds a rule in place of rules that could not be read at all: every request that they may match is asked.
func (p *parser) addBroken(name string) {
	r := rule{name: name, then: Ask, broken: true}
	r.seal(p.policy.layer, "")
	p.policy.rules = append(p.policy.rules, r)
}
