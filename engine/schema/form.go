package schema

import "github.com/elicit-engine/elicit/engine/elicit"

// Form is a compiled schema: the ordered list of fields that every user interface draws. A form without fields is a
// confirmation. A Form is immutable and safe to share. It keeps no reference to the schema.
type Form struct {
	Title  string
	Help   string
	Fields []Field // in the order of the document
	Notes  []Note  // what was left out of the schema or read differently from its text, in the order found

	index    index
	required fieldSet
	maxText  int // the most bytes of one string of an answer
	maxDepth int
}

// Profile says how far a schema may go beyond the protocol's own grammar.
type Profile uint8

// Tolerant accepts what real servers send, as long as no meaning is lost. A strict profile accepts the grammar of one
// protocol date and nothing else. 2026-07-28 kept the grammar of 2025-11-25.
const (
	Tolerant Profile = iota
	Strict20250618
	Strict20251125
)

// ProfileNamed returns the profile of a name: "tolerant", or the date of a protocol.
func ProfileNamed(name string) (p Profile, known bool) {
	switch name {
	case "tolerant":
	case "2025-06-18":
		p = Strict20250618
	case "2025-11-25", "2026-07-28":
		p = Strict20251125
	default:
		return Tolerant, false
	}
	return p, true
}

// Limits bound the work that a schema or an answer may cause. A zero member means its default.
type Limits struct {
	Bytes   int // of the schema; default 64 KiB
	Depth   int // nesting of schema and answer; default 32
	Fields  int // of one form; default 100, at most 512
	Choices int // of one field; default 1,000, at most 10,000
	Text    int // bytes of one string of an answer, decoded; default 64 KiB
}

// No option raises these ceilings. The last one is the most problems that are kept.
const (
	hardBytes   = 1 << 30
	hardFields  = 512
	hardChoices = 10_000
	maxProblems = 64
)

// WithDefaults returns l with every zero member set to its default and the hard ceilings applied.
func (l Limits) WithDefaults() Limits {
	set := func(v *int, def int) {
		if *v <= 0 {
			*v = def
		}
	}
	set(&l.Bytes, 64<<10)
	set(&l.Depth, 32)
	set(&l.Fields, 100)
	set(&l.Choices, 1_000)
	set(&l.Text, 64<<10)
	l.Bytes = min(l.Bytes, hardBytes)
	l.Fields = min(l.Fields, hardFields)
	l.Choices = min(l.Choices, hardChoices)
	return l
}

// Options choose how Compile reads.
type Options struct {
	Profile Profile
	Limits  Limits
}

// Kind returns the kind of question: a form, or a confirmation when there is nothing to fill in.
func (f *Form) Kind() elicit.Kind {
	if len(f.Fields) == 0 {
		return elicit.KindConfirm
	}
	return elicit.KindForm
}

// AllChosen reports whether there are fields, and each is a list of choices that starts with all of them. A
// person who then sends the form as it is accepts everything that the server asked for.
func (f *Form) AllChosen() bool {
	for i := range f.Fields {
		field := &f.Fields[i]
		if field.Kind != ManyChoices || field.Initial == nil || count(field.Initial) != len(field.Choices) {
			return false // the start has each choice once at most
		}
	}
	return len(f.Fields) > 0
}

// Field returns the field with that name, or nil.
func (f *Form) Field(name string) *Field {
	if i := f.index.find(f.Fields, []byte(name)); i >= 0 {
		return &f.Fields[i]
	}
	return nil
}

// fieldSet is a set of field positions that lives on the stack. It has a bit for each field that a form may
// have, so the memory of a set never depends on the form.
type fieldSet [hardFields / 64]uint64

func (s *fieldSet) add(i int)      { s[i>>6] |= 1 << (i & 63) }
func (s *fieldSet) has(i int) bool { return s[i>>6]&(1<<(i&63)) != 0 }
