package wire

import "github.com/elicit-engine/elicit/engine/internal/jsontext"

// Object is where one JSON object and its members stand in the text they were read from.
type Object struct {
	Text    []byte // the text the offsets below point into; never copied
	Open    int    // offset of '{'
	Members []Member
}

// Member is one member of an object: its decoded name, and the offsets of its key, of its value and of the value's end.
type Member struct {
	Name              string
	Start, Value, End int
}

// ReadObject reads the members of the object that text holds; false when it holds something else.
func ReadObject(text []byte) (Object, bool) { return ReadObjectAt(text, 0, len(text)) }

// ReadObjectAt reads the object at text[start:end]. Offsets count from the start of text, so edits of nested objects
// can be applied to the whole.
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

// Get returns the raw value of the member called name, nil when there is none.
func (o Object) Get(name string) []byte {
	m, ok := o.Find(name)
	if !ok {
		return nil
	}
	return o.Raw(m)
}

// Raw returns the text of a member's value.
func (o Object) Raw(m Member) []byte { return o.Text[m.Value:m.End:m.End] }

// Child reads the object that the member called name holds; false when it is absent or no object.
func (o Object) Child(name string) (Object, bool) {
	m, ok := o.Find(name)
	if !ok {
		return Object{}, false
	}
	return ReadObjectAt(o.Text, m.Value, m.End)
}

// Elements returns the raw elements of the array that raw holds, at most limit of them, and how many there are.
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

// Type is the JSON type of a value, read from its first byte.
type Type uint8

// The types; Absent stands for nil and for empty text.
const (
	Absent Type = iota
	Null
	Boolean
	Number
	String
	Array
	Map
)

// TypeOf tells the type of gated text.
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

// True reports whether raw is the literal true.
func True(raw []byte) bool { return string(raw) == "true" }
