package schema

import "github.com/elicit-engine/elicit/engine/internal/jsontext"

// Field is one input that a person fills in. Kind says which other members have a meaning:
//
//	Text                   Limit: lengths, patterns, Format or FormatNote
//	Number, Integer        Limit.Range
//	Boolean                none
//	OneChoice, ManyChoices Choices; ManyChoices also Limit.MinItems and MaxItems; OneChoice also Numeric
//
// Compile alone writes a Field. Names are unique in a form and may hold any characters of JSON but are never
// empty.
type Field struct {
	Name      string // the key of the answer
	Label     string // what to show as its name: the title, or the name made readable
	Help      string // a sentence or two, may be ""
	Kind      FieldKind
	Widget    Widget
	Required  bool
	Sensitive bool // the name, title or description names a secret
	Numeric   bool // the values of the choices are numbers
	plainName bool // JSON spells Name without escapes
	enumNames bool // the titles of the choices came in enumNames
	Choices   []Choice
	Limit     Constraints

	Initial    []byte // the canonical JSON value to start from, also if it is false, 0 or ""; nil when there is none
	Provenance Provenance

	byValue map[string]uint16 // choices by value; nil when there are few enough to compare one by one
}

// FieldKind is the type of a field's value.
type FieldKind uint8

// The value of a Text or OneChoice is a JSON string, or a number if the field is Numeric. ManyChoices is an array of
// strings.
const (
	Text FieldKind = iota + 1
	Number
	Integer
	Boolean
	OneChoice
	ManyChoices
)

// String returns the JSON spelling.
func (k FieldKind) String() string {
	switch k {
	case Text:
		return "text"
	case Number:
		return "number"
	case Integer:
		return "integer"
	case Boolean:
		return "boolean"
	case OneChoice:
		return "choice"
	case ManyChoices:
		return "choices"
	}
	return "invalid"
}

// Choice is one member of an enumeration. Value goes into the answer: as a string, or as the number that it
// spells if the field is Numeric. People read Title, which equals Value when the schema gives no title. Values
// are distinct within a field; titles need not be. A person who types a title that two choices share is told
// so.
type Choice struct {
	Value       string
	Title       string
	Description string
}

// Provenance says where an initial value comes from.
type Provenance uint8

// Only the schema's own default exists today. A host may add suggestions of its own.
const (
	FromNowhere Provenance = iota
	FromDefault
)

// String returns the JSON spelling.
func (p Provenance) String() string {
	if p == FromDefault {
		return "default"
	}
	return "none"
}

// Constraints are the limits that Check enforces. Numbers keep their text; a Number without text is no
// constraint. The zero value is no usable one, because 0 is a length: see unlimited. MinLength and MinItems of
// 0 allow everything. Format and FormatNote are never both set.
type Constraints struct {
	MinLength  int // code points
	MaxLength  int // code points, -1 for none
	MinItems   int
	MaxItems   int // -1 for none
	Format     Format
	FormatNote string // a format that is shown but not enforced
	*Range            // of a number; not nil in the field of a form

	patterns []expression // all must match
}

// Range holds the bounds of a number. Minimum and Above, or Maximum and Below, may both be set. A number must
// then meet both. For an integer field, bounds with a fraction have been rounded, so all of them are whole.
type Range struct {
	Minimum    jsontext.Number
	Maximum    jsontext.Number
	Above      jsontext.Number // exclusive minimum
	Below      jsontext.Number // exclusive maximum
	MultipleOf jsontext.Number

	quick [4]fixed // Minimum, Maximum, Above and Below, if they are small
}

// anyNumber is the shared range of fields without bounds. Nothing writes to it.
var anyNumber = &Range{}

// unlimited holds no constraint.
var unlimited = Constraints{MaxLength: -1, MaxItems: -1, Range: anyNumber}

// Format is a text format that Check enforces.
type Format uint8

// The first four formats belong to every protocol date. The others are formats of JSON Schema that the tolerant profile
// enforces too.
const (
	AnyFormat Format = iota
	Email
	URI
	Date
	DateTime
	Time
	UUID
	IPv4
	IPv6
	Hostname
)

// String returns the JSON Schema spelling.
func (f Format) String() string {
	switch f {
	case Email:
		return "email"
	case URI:
		return "uri"
	case Date:
		return "date"
	case DateTime:
		return "date-time"
	case Time:
		return "time"
	case UUID:
		return "uuid"
	case IPv4:
		return "ipv4"
	case IPv6:
		return "ipv6"
	case Hostname:
		return "hostname"
	}
	return ""
}

// formatNamed returns the format of a name, or AnyFormat if it is none of those up to last. last is DateTime
// for a strict profile, whose grammar has four formats.
func formatNamed(name string, last Format) Format {
	for f := Email; f <= last; f++ {
		if f.String() == name {
			return f
		}
	}
	return AnyFormat
}

// Matches reports whether b, a decoded string, has the format. It reads b once and does not allocate.
func (f Format) Matches(b []byte) bool {
	switch f {
	case Email:
		return isEmail(b)
	case URI:
		return isURI(b)
	case Date:
		return isDate(b)
	case DateTime:
		return isDateTime(b)
	case Time:
		return isTime(b)
	case UUID:
		return isUUID(b)
	case IPv4:
		return isIPv4(b)
	case IPv6:
		return isIPv6(b)
	case Hostname:
		return isHostname(b)
	}
	return true
}

// manyChoices is the number of choices from which a map is faster than comparing one by one.
const manyChoices = 8

// choice returns the position of a decoded value, or -1. The value of a choice is compared byte by byte, as a
// JSON Schema validator does. Use numberChoice for a Numeric field.
func (f *Field) choice(value []byte) int {
	text := jsontext.View(value)
	if f.byValue != nil {
		if i, ok := f.byValue[text]; ok {
			return int(i)
		}
		return none
	}
	for i := range f.Choices {
		if f.Choices[i].Value == text {
			return i
		}
	}
	return none
}

// indexChoices fills byValue once all choices are known. Two spellings of one number have one key: see
// valueKey.
func (f *Field) indexChoices() {
	if len(f.Choices) <= manyChoices {
		return
	}
	f.byValue = make(map[string]uint16, len(f.Choices))
	for i := range f.Choices {
		f.byValue[f.valueKey(f.Choices[i].Value)] = uint16(i)
	}
}
