package jsontext

import "strconv"

// Object appends one JSON object member by member, in the order of the calls. It escapes names and strings. Example:
//
//	o := jsontext.Begin(dst)
//	o.Str("code", "too_low")
//	o.OptInt("limit", 3)
//	dst = o.End() // {"code":"too_low","limit":3}
//
// dst belongs to the Object until End gives it back. Methods whose names begin with Opt write nothing for an
// empty value, so an absent member and an empty one are the same to the reader. No method tests whether a name
// stands twice.
type Object struct {
	dst   []byte
	count int
}

// Begin opens an object at the end of dst.
func Begin(dst []byte) Object { return Object{dst: append(dst, '{')} }

// With opens an object whose first members are strings: a name, its value, and so on.
func With(dst []byte, members ...string) Object {
	o := Begin(dst)
	o.Strs(members...)
	return o
}

// Whole appends an object whose members are strings.
func Whole(dst []byte, members ...string) []byte {
	o := With(dst, members...)
	return o.End()
}

// Empty reports that the object has no member yet.
func (o *Object) Empty() bool { return o.count == 0 }

// End closes the object and returns the extended slice.
func (o *Object) End() []byte { return append(o.dst, '}') }

// Name appends a member's name and lets add append its value. add must append exactly one value.
func (o *Object) Name(name string, add func(dst []byte) []byte) { o.name(name); o.dst = add(o.dst) }

// Str appends a string member.
func (o *Object) Str(name, value string) { o.name(name); o.dst = AppendString(o.dst, value) }

// OptStr appends a string member unless it is empty.
func (o *Object) OptStr(name, value string) {
	if value != "" {
		o.Str(name, value)
	}
}

// Strs appends string members: a name, its value, and so on.
func (o *Object) Strs(members ...string) {
	for i := 0; i < len(members); i += 2 {
		o.Str(members[i], members[i+1])
	}
}

// OptStrs appends those of the string members that are not empty.
func (o *Object) OptStrs(members ...string) {
	for i := 0; i < len(members); i += 2 {
		o.OptStr(members[i], members[i+1])
	}
}

// Int appends an integer member.
func (o *Object) Int(name string, value int64) {
	o.name(name)
	o.dst = strconv.AppendInt(o.dst, value, 10)
}

// OptInt appends an integer member unless it is zero.
func (o *Object) OptInt(name string, value int64) {
	if value != 0 {
		o.Int(name, value)
	}
}

// Bool appends a boolean member.
func (o *Object) Bool(name string, value bool) {
	o.name(name)
	o.dst = strconv.AppendBool(o.dst, value)
}

// OptTrue appends a boolean member when it is true.
func (o *Object) OptTrue(name string, value bool) {
	if value {
		o.name(name)
		o.dst = append(o.dst, "true"...)
	}
}

// Raw appends a member whose value is JSON text. The caller guarantees that the text is valid.
func (o *Object) Raw(name string, value []byte) { o.name(name); o.dst = append(o.dst, value...) }

// OptRaw appends a raw member unless it is empty.
func (o *Object) OptRaw(name string, value []byte) {
	if len(value) > 0 {
		o.Raw(name, value)
	}
}

// OptObject appends a member whose value is an object, unless write adds no member to it. write returns the object that
// it got, so that none is allocated.
func (o *Object) OptObject(name string, write func(inner Object) Object) {
	before := *o
	o.name(name)
	if inner := write(Begin(o.dst)); inner.Empty() {
		*o = before
	} else {
		o.dst = inner.End()
	}
}

// name appends the comma, the name and the colon. It escapes the name, because names come from peers too: a field of a
// form, or a member of edited arguments. One with a quote would otherwise add members that nobody wrote.
func (o *Object) name(name string) {
	o.comma()
	o.dst = append(AppendString(o.dst, name), ':')
}

func (o *Object) comma() {
	if o.count++; o.count > 1 {
		o.dst = append(o.dst, ',')
	}
}

// Spelled appends a member whose name is spelled already, with its quotes. Name and value must be valid JSON.
func (o *Object) Spelled(name string, value []byte) {
	o.comma()
	o.dst = append(append(append(o.dst, name...), ':'), value...)
}
