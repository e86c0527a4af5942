package policy

import (
	"strconv"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// ReadFacts reads the facts of a request from a JSON object with the members of Facts in snake_case, in one strict pass.
// The problem is a fault of the document, or bad_input with the pointer of the first member that cannot be read: facts
// that are half understood would decide something else.
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
	for r.Enter(); r.More(); {
		if key := r.Key(); !r.member(key) && r.Fault() == nil {
			return Facts{}, &elicit.Problem{Code: codeBadInput, Pointer: r.wrong(key)}
		}
	}
	if !r.End() {
		p := elicit.FromFault(r.Fault())
		return Facts{}, &p
	}
	return r.facts, nil
}

const codeBadInput = "bad_input"

// factReader reads facts. Their strings are parts of one copy of the document.
type factReader struct {
	jsontext.Scanner
	text  string
	facts Facts
	at    string // the pointer, below the member, of what cannot be read
}

func (r *factReader) wrong(key jsontext.Text) string {
	return string(jsontext.AppendToken(nil, key.String())) + r.at
}

// member reads one member of the facts; false when it is unknown or cannot be read.
func (r *factReader) member(key jsontext.Text) bool {
	f := &r.facts
	if words := r.word(key); words != nil {
		return r.string(words)
	}
	if flag := r.flag(key); flag != nil {
		return r.bool(flag)
	}
	switch {
	case key.Equal("at"):
		return r.time(&f.At)
	case key.Equal("fields"):
		return r.fields()
	case key.Equal("annotations"):
		return r.annotations()
	}
	return false
}

func (r *factReader) word(key jsontext.Text) *string {
	f := &r.facts
	for _, m := range [...]struct {
		name string
		at   *string
	}{{"server", &f.Server}, {"tool", &f.Tool}, {"side", (*string)(&f.Side)}, {"mode", (*string)(&f.Mode)}, {"kind", (*string)(&f.Kind)},
		{"message", &f.Message}, {"claim", (*string)(&f.Claim)}, {"granted", &f.Granted}, {"host", &f.Host}, {"scheme", &f.Scheme}} {
		if key.Equal(m.name) {
			return m.at
		}
	}
	return nil
}

func (r *factReader) flag(key jsontext.Text) *bool {
	f := &r.facts
	for _, m := range [...]struct {
		name string
		at   *bool
	}{{"fillable", &f.Fillable}, {"strict_review", &f.StrictReview}, {"persistable", &f.Persistable},
		{"host_shows_forms", &f.HostShowsForms}, {"root_thread", &f.RootThread}, {"auto_review_allowed", &f.AutoReviewAllowed}} {
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
	if end := r.Offset() - 1; end >= len(text.Raw) { // the closing quote; a fault leaves no text
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

func (r *factReader) time(to *int64) bool {
	if r.Peek() != jsontext.KindNumber {
		return false
	}
	n, ok := r.Number().Int()
	*to = int64(n)
	return ok && n >= 0
}

// fields reads [{"name","sensitive"?}]; what else a field has is no fact.
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

// annotations reads what the server says of the tool.
func (r *factReader) annotations() bool {
	if r.Peek() != jsontext.KindObject {
		return false
	}
	for r.Enter(); r.More(); {
		key := r.Key()
		known := false
		for _, m := range r.facts.Annotations.Members() {
			said := false
			if key.Equal(m.Name) && r.bool(&said) {
				*m.Said, known = elicit.Say(said), true
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
