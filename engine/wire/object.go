package wire

import "github.com/elicit-engine/elicit/engine/internal/jsontext"

// Object has the positions of one JSON object and its members in the text.
//
// The zero value has no members, and every Get on it is nil. So a chain of Child may ignore the second result.
type Object struct {
	Text    []byte // the text that the offsets refer to; never copied
	Open    int    // offset of '{'
	Members []Member
}

// Member is one member of an object: its decoded name, and the offsets of its key, its value, and the end of its value.
type Member struct {
	Name              string
	Start, Value, End int
}

// ReadObject reads the members of the object in text. It returns false if text holds another type.
func ReadObject(text []byte) (Object, bool) { return ReadObjectAt(text, 0, len(text)) }

// ReadObjectAt reads the object at text[start:end]. Offsets count from the start of text, so that edits of nested
// objects apply to the whole text.
//
// The members are in the order of the text. A repeated name occurs twice. Find then returns the first, which is why a
// gate must have refused the text before anybody decides by it.
func ReadObjectAt(text []byte, start, end int) (Object, bool) {
	o := Object{Text: text}
	s, open, ok := jsontext.SpansOf(text[start:end])
	if !ok || !s.Object() {
		return o, false
	}
	o.Open = start + open
	o.Members = make([]Member, 0, 8)
	for s.More() {
		key, at := s.Key()
		from, to := s.Value()
		o.Members = append(o.Members, Member{key.String(), start + at, start + from, start + to})
	}
	return o, true
}

// Find returns the member called name.
func (o Object) Find(name string) (Member, bool) {
	for _, m := range o.Members {
		if m.Name == name {
			return m, true
		}
	}
	return Member{}, false
}

// Get returns the raw value of the member called name, or nil.
func (o Object) Get(name string) []byte {
	m, ok := o.Find(name)
	if !ok {
		return nil
	}
	return o.Raw(m)
}

// Raw returns the text of a member's value. The bound of the capacity keeps an append of the caller from writing over
// the text behind it.
func (o Object) Raw(m Member) []byte { return o.Text[m.Value:m.End:m.End] }

// Child reads the object in the member called name. It returns false if the member is absent or is no object.
func (o Object) Child(name string) (Object, bool) {
	m, ok := o.Find(name)
	if !ok {
		return Object{}, false
	}
	return ReadObjectAt(o.Text, m.Value, m.End)
}

// Elements returns at most limit raw elements of the array raw, and the number of all its elements.
//
// For any other text than an array the count is 0. A caller to whom the difference matters asks TypeOf.
func Elements(raw []byte, limit int) (list [][]byte, count int) {
	s, _, ok := jsontext.SpansOf(raw)
	if !ok || s.Object() {
		return nil, 0
	}
	for s.More() {
		start, end := s.Value()
		if count++; count <= limit {
			list = append(list, raw[start:end])
		}
	}
	return list, count
}

// Type is the JSON type of a value, determined by its first byte.
type Type uint8

// These are the types. Absent stands for nil and for empty text.
const (
	Absent Type = iota
	Null
	Boolean
	Number
	String
	Array
	Map
)

// TypeOf returns the type of text that has passed the gate.
func TypeOf(raw []byte) Type {
	for _, c := range raw {
		switch c {
		case ' ', '\t', '\n', '\r':
			continue
		case '{':
			return Map
		case '[':
			return Array
		case '"':
			return String
		case 't', 'f':
			return Boolean
		case 'n':
			return Null
		}
		return Number
	}
	return Absent
}

// Given returns nil for null, where null means the same as an absent member. Programs in Python write null for what
// they leave out.
func Given(raw []byte) []byte {
	if TypeOf(raw) == Null {
		return nil
	}
	return raw
}

// True reports whether raw is the literal true.
func True(raw []byte) bool { return string(raw) == "true" }
