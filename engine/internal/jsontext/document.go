package jsontext

// DocumentLimits returns limits that let every document through that any stage of the engine may accept. The
// stages have tighter ones. They are fixed, so a record that was written once can always be read again.
func DocumentLimits() Limits { return Limits{Bytes: 4 << 20, Depth: 128} }

// Spelling is what is known of how a document is written. A caller that has just checked a document passes this
// on, to spare another pass over a large text.
type Spelling uint8

// These are the spellings.
const (
	Unread    Spelling = iota // nothing is known yet
	Canonical                 // JSON within DocumentLimits, in the spelling of a record
	Otherwise                 // JSON within DocumentLimits, in another
)

// SpellingOf is the spelling of JSON within DocumentLimits.
func SpellingOf(canonical bool) Spelling {
	if canonical {
		return Canonical
	}
	return Otherwise
}

// FitsInline reports whether a document can be a member of a record and keep its every byte.
func FitsInline(doc []byte) bool { return Check(doc, DocumentLimits()) == nil && IsCanonical(doc) }

// Document appends a document of somebody else, unless it is nil: inline when that keeps its every byte, else
// as exact text in the member with _text behind its name. Problems point into it by byte, so a replay must see
// the same bytes. With the name "schema", the document {"a":1} becomes "schema":{"a":1}. The document { "a": 1
// } has other bytes, so it becomes "schema_text":"{ \"a\": 1 }".
func (o *Object) Document(name string, doc []byte, known Spelling) {
	switch {
	case doc == nil:
	case known == Canonical || known == Unread && FitsInline(doc):
		o.Raw(name, doc)
	default:
		o.Str(name+"_text", string(doc))
	}
}
