package policy

import (
	"strconv"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// ReadFacts reads the facts of a request in one strict pass, from a JSON object with the members of Facts in
// snake_case. The problem is a syntax fault of the document, or bad_input with the pointer of the first member that
// cannot be read. Facts that are understood only in part could lead to another decision. An unknown member is refused,
// and not skipped. A host that is newer than the engine may know a fact that makes the decision stricter, and nobody
// would notice that it did not count.
//
// The strings of the facts share one copy of doc, so the caller may change doc afterwards.
func ReadFacts(doc []byte) (Facts, *elicit.Problem) {
	r := factReader{text: string(doc)}
	r.Reset(doc, jsontext.Limits{})
	// A syntax fault is reported in place of bad_input, because it says more.
	if r.Peek() != jsontext.KindObject {
		if f := jsontext.Check(doc, jsontext.Limits{}); f != nil {
			p := elicit.FromFault(f)
			return Facts{}, &p
		}
		return Facts{}, &elicit.Problem{Code: codeBadInput}
	}
	for r.Enter(); r.More(); {
		if key := r.Key(); !r.member(key) && r.Fault() == nil {
			return Facts{}, r.report(key)
		}
	}
	if !r.End() {
		p := elicit.FromFault(r.Fault())
		return Facts{}, &p
	}
	return r.facts, nil
}

const codeBadInput = "bad_input"

// factReader reads facts. Their strings share one copy of the document. It stands on the scanner and not on package
// strict, because other languages decide every question through it: one pass checks the document and reads it.
type factReader struct {
	jsontext.Scanner
	text  string
	facts Facts
	at    string // the pointer, below the member, of the value that cannot be read
}

// report points at the member, and below it at the value that could not be read.
func (r *factReader) report(key jsontext.Text) *elicit.Problem {
	return &elicit.Problem{Code: codeBadInput, Pointer: string(jsontext.AppendToken(nil, key.String())) + r.at}
}

// member reads one member of the facts. It returns false when the member is unknown or cannot be read.
func (r *factReader) member(key jsontext.Text) bool {
	name, f := key.Raw, &r.facts
	// A name may be spelled with escapes, as "\u0073erver": it is the same member (RFC 8259 section 8.3).
	if key.Escaped {
		name = []byte(key.String())
	}
	switch string(name) {
	case "server":
		return r.string(&f.Server)
	case "tool":
		return r.string(&f.Tool)
	case "side":
		return r.string((*string)(&f.Side))
	case "mode":
		return r.string((*string)(&f.Mode))
	case "kind":
		return r.string((*string)(&f.Kind))
	case "claim":
		return r.string((*string)(&f.Claim))
	case "message":
		return r.string(&f.Message)
	case "granted":
		return r.string(&f.Granted)
	case "host":
		return r.string(&f.Host)
	case "scheme":
		return r.string(&f.Scheme)
	case "at":
		return r.time(&f.At)
	case "fields":
		return r.fields()
	case "annotations":
		return r.annotations(&f.Annotations)
	case "candidates":
		return r.candidates()
	case "candidates_cut":
		return r.bool(&f.CandidatesCut)
	case "fillable":
		return r.bool(&f.Fillable)
	case "strict_review":
		return r.bool(&f.StrictReview)
	case "persistable":
		return r.bool(&f.Persistable)
	case "host_shows_forms":
		return r.bool(&f.HostShowsForms)
	case "root_thread":
		return r.bool(&f.RootThread)
	case "auto_review_allowed":
		return r.bool(&f.AutoReviewAllowed)
	case "labels":
		return r.strings(&f.Labels)
	case "hasty":
		return r.bool(&f.Hasty)
	}
	return r.deed(string(name))
}

// deed reads one of the members that tell what an approval would do.
func (r *factReader) deed(name string) bool {
	f := &r.facts
	switch name {
	case "does":
		return r.string((*string)(&f.Does))
	case "command":
		return r.string(&f.Command)
	case "command_candidate":
		return r.string(&f.CommandCandidate)
	case "cwd":
		return r.string(&f.Cwd)
	case "paths":
		return r.strings(&f.Paths)
	case "hosts":
		return r.strings(&f.Hosts)
	case "message_cut":
		return r.bool(&f.MessageCut)
	case "reach_cut":
		return r.bool(&f.ReachCut)
	case "outside":
		return r.said(&f.Outside)
	case "dangerous":
		return r.bool(&f.Dangerous)
	}
	return false
}

// A text without escapes needs no copy: it is a slice of r.text at the place where the scanner stands. false means a
// value of another kind. A fault of the scanner returns true here and is reported at the end.
func (r *factReader) string(to *string) bool {
	if r.Peek() != jsontext.KindString {
		return false
	}
	text := r.Text()
	if text.Escaped {
		*to = text.String()
		return true
	}
	if end := r.Offset() - 1; end >= len(text.Raw) { // end is the closing quote; after a fault there is no text
		*to = r.text[end-len(text.Raw) : end]
	}
	return true
}

func (r *factReader) bool(to *bool) bool {
	if r.Peek() != jsontext.KindBool {
		return false
	}
	*to = r.Bool()
	return true
}

// said reads a boolean with three values: a member that is missing is Unsaid, which differs from false.
func (r *factReader) said(to *elicit.Said) bool {
	yes := false
	ok := r.bool(&yes)
	*to = elicit.Say(yes)
	return ok
}

// strings reads a list of texts. One element of another kind makes the whole member unreadable.
func (r *factReader) strings(to *[]string) bool {
	if r.Peek() != jsontext.KindArray {
		return false
	}
	for r.Enter(); r.More(); {
		var one string
		if !r.string(&one) {
			r.at = "/" + strconv.Itoa(len(*to))
			return false
		}
		*to = append(*to, one)
	}
	return true
}

// A negative time and a fraction are refused; 0 is "unknown", as if the member were left out.
func (r *factReader) time(to *int64) bool {
	if r.Peek() != jsontext.KindNumber {
		return false
	}
	n, ok := r.Number().Int()
	*to = n
	return ok && n >= 0
}

// fields reads [{"name","sensitive"?}]. Other members of a field are no facts.
func (r *factReader) fields() bool {
	if r.Peek() != jsontext.KindArray {
		return false
	}
	r.facts.Fields = make([]FieldFact, 0, 8)
	for r.Enter(); r.More(); {
		var f FieldFact
		if !r.field(&f) {
			r.at = "/" + strconv.Itoa(len(r.facts.Fields))
			return false
		}
		r.facts.Fields = append(r.facts.Fields, f)
	}
	return true
}

func (r *factReader) field(f *FieldFact) bool {
	if r.Peek() != jsontext.KindObject {
		return false
	}
	named := false
	for r.Enter(); r.More(); {
		switch key := r.Key(); {
		case key.Equal("name"):
			if named = r.string(&f.Name); !named {
				return false
			}
		case key.Equal("sensitive"):
			if !r.bool(&f.Sensitive) {
				return false
			}
		default:
			r.Skip()
		}
	}
	return named
}

// candidates reads [{"tool","annotations"?,"open"?}], at most elicit.MaxCandidates of them.
func (r *factReader) candidates() bool {
	if r.Peek() != jsontext.KindArray {
		return false
	}
	for r.Enter(); r.More(); {
		at := len(r.facts.Candidates)
		r.at = "/" + strconv.Itoa(at)
		if at == elicit.MaxCandidates || !r.candidate() {
			return false
		}
	}
	r.at = ""
	return true
}

// Members besides the three make it unreadable, as for the facts themselves. A candidate without a tool has no name to
// decide by, so it is refused.
func (r *factReader) candidate() bool {
	if r.Peek() != jsontext.KindObject {
		return false
	}
	var c elicit.Candidate
	named, place := false, r.at
	for r.Enter(); r.More(); {
		ok := false
		switch key := r.Key(); {
		case key.Equal("tool"):
			ok = r.string(&c.Tool)
			named = ok
		case key.Equal("annotations"):
			r.at = ""
			ok = r.annotations(&c.Annotations)
			r.at = place + "/annotations" + r.at
		case key.Equal("open"):
			ok = r.bool(&c.Open)
		}
		if !ok {
			return false
		}
		r.at = place
	}
	r.facts.Candidates = append(r.facts.Candidates, c)
	return named
}

// annotations reads what the server says about a tool.
func (r *factReader) annotations(to *elicit.Annotations) bool {
	if r.Peek() != jsontext.KindObject {
		return false
	}
	for r.Enter(); r.More(); {
		key := r.Key()
		known := false
		for _, m := range to.Members() {
			if key.Equal(m.Name) && r.said(m.Said) {
				known = true
				break
			}
		}
		if !known {
			r.at = string(jsontext.AppendToken(nil, key.String()))
			return false
		}
	}
	return true
}
