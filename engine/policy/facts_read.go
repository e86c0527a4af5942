package policy

import (
	"strconv"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// ReadFacts reads the facts of a request in one strict pass, from a JSON object with the members of Facts in
// snake_case. The problem is a syntax fault of the document, or bad_input with the pointer of the first member that
// cannot be read. Facts that are understood only in part could lead to another decision.
func ReadFacts(doc []byte) (Facts, *elicit.Problem) {
	r := factReader{text: string(doc)}
	r.Reset(doc, jsontext.Limits{})
	if r.Peek() != jsontext.KindObject {
		if f := jsontext.Check(doc, jsontext.Limits{}); f != nil {
			p := elicit.FromFault(f)
			return Facts{}, &p
		}
		return Facts{}, &elicit.Problem{Code: codeBadInput}
	}
	words, flags := r.words(), r.flags()
	for r.Enter(); r.More(); {
		if key := r.Key(); !r.member(key, words[:], flags[:]) && r.Fault() == nil {
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

func (r *factReader) report(key jsontext.Text) *elicit.Problem {
	return &elicit.Problem{Code: codeBadInput, Pointer: string(jsontext.AppendToken(nil, key.String())) + r.at}
}

// member reads one member of the facts. It returns false when the member is unknown or cannot be read.
func (r *factReader) member(key jsontext.Text, words []named[string], flags []named[bool]) bool {
	f := &r.facts
	if word := find(words, key); word != nil {
		return r.string(word)
	}
	if flag := find(flags, key); flag != nil {
		return r.bool(flag)
	}
	switch {
	case key.Equal("at"):
		return r.time(&f.At)
	case key.Equal("fields"):
		return r.fields()
	case key.Equal("annotations"):
		return r.annotations(&f.Annotations)
	case key.Equal("candidates"):
		return r.candidates()
	case key.Equal("paths"):
		return r.strings(&f.Paths)
	case key.Equal("hosts"):
		return r.strings(&f.Hosts)
	case key.Equal("outside"):
		return r.said(&f.Outside)
	}
	return false
}

// words lists the members that are strings, and flags those that are booleans.
func (r *factReader) words() [13]named[string] {
	f := &r.facts
	return [...]named[string]{{"server", &f.Server}, {"tool", &f.Tool}, {"side", (*string)(&f.Side)},
		{"mode", (*string)(&f.Mode)}, {"kind", (*string)(&f.Kind)}, {"message", &f.Message},
		{"claim", (*string)(&f.Claim)}, {"granted", &f.Granted}, {"host", &f.Host}, {"scheme", &f.Scheme},
		{"does", (*string)(&f.Does)}, {"command", &f.Command}, {"cwd", &f.Cwd}}
}

func (r *factReader) flags() [9]named[bool] {
	f := &r.facts
	return [...]named[bool]{{"fillable", &f.Fillable}, {"strict_review", &f.StrictReview},
		{"persistable", &f.Persistable}, {"candidates_cut", &f.CandidatesCut},
		{"host_shows_forms", &f.HostShowsForms}, {"root_thread", &f.RootThread},
		{"auto_review_allowed", &f.AutoReviewAllowed}, {"reach_cut", &f.ReachCut},
		{"dangerous", &f.Dangerous}}
}

type named[T any] struct {
	name string
	at   *T
}

func find[T any](members []named[T], key jsontext.Text) *T {
	for _, m := range members {
		if key.Equal(m.name) {
			return m.at
		}
	}
	return nil
}

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

func (r *factReader) said(to *elicit.Said) bool {
	yes := false
	ok := r.bool(&yes)
	*to = elicit.Say(yes)
	return ok
}

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

func (r *factReader) time(to *int64) bool {
	if r.Peek() != jsontext.KindNumber {
		return false
	}
	n, ok := r.Number().Int()
	*to = int64(n)
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
