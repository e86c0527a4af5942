package guardian

import (
	"slices"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// Verdict is a guardian's answer. The zero value is none: Decision 0 is no decision. Redact and Second are obligations,
// which before_send alone has.
type Verdict struct {
	Decision Decision
	Findings []Finding
	Redact   []string // pointers to members of the answer that must not be sent
	Second   bool     // another person must approve
}

// Finding is a guardian's finding in its own words. Code is in the guardian's own name space; reports have it as an
// argument of guardian_finding. Pointer is into its question, "" for none.
type Finding struct {
	Code     string
	Pointer  string
	Message  string
	Severity elicit.Severity
}

// These are the bounds of a verdict. A guest that has more to say is cut off by its fault bad_verdict, and not by
// losing a part of what it said.
const (
	MaxOutput      = 16 << 10 // bytes of a verdict
	maxFindings    = 32
	maxObligations = 8
	maxMessage     = 500
	maxPointer     = 512
)

var verdictLimits = jsontext.Limits{Bytes: MaxOutput, Depth: 8}

// ReadVerdict reads the output of a guest:
//
//	{"v":1,"decision":"pass"|"allow"|"ask"|"deny","findings"?:[{"code","pointer"?,"message","severity"?}…],
//	 "obligations"?:[{"do":"redact","pointer"}|{"do":"second_person"}…]}
//
// Any other content is a problem, and then there is no verdict: a verdict that was read only in part must not count. Of
// several problems the first is returned, in the order of the document. Output is not kept.
func ReadVerdict(output []byte, phase Phase) (v Verdict, problem *elicit.Problem) {
	if f := jsontext.Check(output, verdictLimits); f != nil {
		p := elicit.FromFault(f)
		return v, &p
	}
	r := verdictReader{phase: phase}
	r.read(gjson.ParseBytes(output))
	if r.problem != nil {
		return Verdict{}, r.problem
	}
	return r.verdict, nil
}

// verdictReader does not use package strict: a verdict is read once for each guardian and phase of a question, and its
// first problem is enough, so no member is kept and nothing is collected.
type verdictReader struct {
	phase   Phase
	verdict Verdict
	problem *elicit.Problem // the first
}

// report keeps the first problem. It returns false, which ends the walk of its caller.
func (r *verdictReader) report(code, pointer string, args ...elicit.Arg) bool {
	if r.problem == nil {
		r.problem = &elicit.Problem{Code: code, Pointer: pointer, Args: args}
	}
	return false
}

func (r *verdictReader) read(root gjson.Result) {
	if !root.IsObject() {
		r.report("wrong_type", "", elicit.Str("expected", "object"))
		return
	}
	// Members may come in any order. The gate has refused a member that stands twice.
	version := false
	root.ForEach(func(k, v gjson.Result) bool {
		switch k.String() {
		case "v":
			version = v.Raw == "1"
			return version || r.report("verdict_version", "/v")
		case "decision":
			if r.verdict.Decision = parseDecision(v.Str); r.verdict.Decision == 0 {
				return r.report("unknown_decision", "/decision", elicit.Str("decision", v.String()))
			}
		case "findings":
			r.findings(v)
		case "obligations":
			r.obligations(v)
		default:
			return r.report("unknown_member", string(jsontext.AppendToken(nil, k.String())))
		}
		return r.problem == nil
	})
	// After the loop, because the member may be missing. Only the first problem is kept, so this hides none.
	if !version {
		r.report("verdict_version", "/v")
	}
	if r.verdict.Decision == 0 {
		r.report("unknown_decision", "/decision", elicit.Str("decision", ""))
	}
}

// It ends at the first problem. A list of any length costs no more than most elements.
func (r *verdictReader) each(list gjson.Result, at string, most int, take func(v gjson.Result, at string)) {
	if !list.IsArray() {
		r.report("wrong_type", at, elicit.Str("expected", "array"))
		return
	}
	for i, v := range list.Array() {
		at := at + "/" + strconv.Itoa(i)
		switch {
		case i == most:
			r.report("too_many_entries", at, elicit.Num("limit", most))
		case !v.IsObject():
			r.report("wrong_type", at, elicit.Str("expected", "object"))
		default:
			take(v, at)
		}
		if r.problem != nil {
			return
		}
	}
}

func (r *verdictReader) findings(list gjson.Result) {
	r.each(list, "/findings", maxFindings, func(v gjson.Result, at string) {
		// Without a severity a finding counts as medium, which is enough to keep a grant from answering.
		f := Finding{Severity: elicit.Medium}
		v.ForEach(func(k, v gjson.Result) bool {
			ok := v.Type == gjson.String
			switch k.String() {
			case "code":
				f.Code = v.Str
			case "pointer":
				f.Pointer = v.Str
				ok = ok && len(v.Str) <= maxPointer && (v.Str == "" || v.Str[0] == '/')
			case "message":
				f.Message = v.Str
				ok = ok && len(v.Str) <= maxMessage
			case "severity":
				f.Severity = elicit.Severity(v.Str)
				ok = ok && f.Severity.Rank() <= elicit.Critical.Rank()
			default:
				return r.report("unknown_member", at+string(jsontext.AppendToken(nil, k.String())))
			}
			return ok || r.report("verdict_value", at+"/"+k.String())
		})
		if !coded(f.Code) {
			r.report("verdict_value", at+"/code")
		}
		if f.Message == "" {
			r.report("verdict_value", at+"/message")
		}
		r.verdict.Findings = append(r.verdict.Findings, f)
	})
}

func (r *verdictReader) obligations(list gjson.Result) {
	r.each(list, "/obligations", maxObligations, func(v gjson.Result, at string) {
		do, pointer := "", ""
		v.ForEach(func(k, v gjson.Result) bool {
			switch k.String() {
			case "do":
				do = v.String()
			case "pointer":
				pointer = v.String()
			default:
				return r.report("unknown_member", at+string(jsontext.AppendToken(nil, k.String())))
			}
			return v.Type == gjson.String || r.report("verdict_value", at+"/"+k.String())
		})
		switch {
		// Before a question is shown there is no answer to redact and nobody whose yes a second person could approve.
		case r.phase != BeforeSend:
			r.report("obligation_too_early", at)
		case do == "redact" && AnswerMember(pointer) == "":
			r.report("redacts_nothing", at)
		case do == "redact":
			if !slices.Contains(r.verdict.Redact, pointer) {
				r.verdict.Redact = append(r.verdict.Redact, pointer)
			}
		case do == "second_person" && pointer == "":
			r.verdict.Second = true
		default:
			r.report("unknown_obligation", at, elicit.Str("do", do))
		}
	})
}

// AnswerMember returns the name of the member of the answer that a pointer names, or "". A star names no member:
// elsewhere it stands for any member, and the author of a redaction would not mean a member called "*". Example:
// /answer/comment names comment, and /answer/list/0 names nothing, because only whole members can be taken out.
func AnswerMember(pointer string) string {
	if p, ok := ParsePattern(pointer); ok && len(p.tokens) == 2 && p.tokens[0] == "answer" && p.tokens[1] != "*" {
		return p.tokens[1]
	}
	return ""
}

// RedactsNothing returns the problem of a verdict that redacts a member of the answer that is no field of the form, or
// nil. The author of such a verdict believes that something is not sent, so the obligation must not count as met.
func (v *Verdict) RedactsNothing(isField func(name string) bool) *elicit.Problem {
	for _, pointer := range v.Redact {
		if !isField(AnswerMember(pointer)) {
			return &elicit.Problem{Code: "redacts_nothing", Pointer: "/obligations"}
		}
	}
	return nil
}

// coded reports whether s is a code: lower case, digits and underscores, at most 64 bytes, a letter first. Codes go
// into reports, file names of tests and statistics, so they have the form of an identifier.
func coded(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (i == 0 || (c < '0' || c > '9') && c != '_') {
			return false
		}
	}
	return s != "" && len(s) <= 64
}

// AppendJSON appends the verdict in canonical form, as ReadVerdict reads it. A journal keeps it in this form after
// Discreet. The member v and the severity are always there.
func (v *Verdict) AppendJSON(dst []byte) []byte {
	o := jsontext.Begin(dst)
	o.Int("v", 1)
	o.Str("decision", v.Decision.String())
	if len(v.Findings) > 0 {
		o.Each("findings", len(v.Findings), func(dst []byte, i int) []byte { return v.Findings[i].appendJSON(dst) })
	}
	if len(v.Redact) > 0 || v.Second {
		o.Name("obligations", v.appendObligations)
	}
	return o.End()
}

func (f *Finding) appendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "code", f.Code)
	o.OptStr("pointer", f.Pointer)
	o.Strs("message", f.Message, "severity", string(f.Severity))
	return o.End()
}

func (v *Verdict) appendObligations(dst []byte) []byte {
	dst = append(dst, '[')
	for _, pointer := range v.Redact {
		dst = jsontext.Whole(jsontext.Comma(dst), "do", "redact", "pointer", pointer)
	}
	if v.Second {
		dst = jsontext.Whole(jsontext.Comma(dst), "do", "second_person")
	}
	return append(dst, ']')
}
