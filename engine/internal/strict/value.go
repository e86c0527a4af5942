package strict

import (
	"math"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// LastMoment is the latest time that a document may name, in milliseconds since 1970. Numbers of every language hold
// it, and deadlines some time after it.
const LastMoment = 1 << 52

// Str takes a string that must be there.
func (r *Reader) Str(name string) string {
	v := r.Take(name)
	if v.Type != gjson.String {
		r.reportType(name, "string")
	}
	return v.String()
}

// Opt takes a string that may be left out, "" then.
func (r *Reader) Opt(name string) string {
	if r.Take(name).Exists() {
		if v := r.Take(name); v.Type == gjson.String {
			return v.String()
		}
		r.reportType(name, "string")
	}
	return ""
}

// Flag takes a boolean that may be left out, false then.
func (r *Reader) Flag(name string) bool {
	v := r.Take(name)
	if v.Exists() && !v.IsBool() {
		r.reportType(name, "boolean")
	}
	return v.Type == gjson.True
}

// MostCount is more than a document counts of anything. An int of 32 bits, which the modules have, also holds what is
// counted after it.
const MostCount = 1 << 30

// Integer is the integer that v spells; ok is false for another value. 100.0 and 1e2 are integers, and 1.5 and
// "5" are none. Neither is one of more than 64 bits.
func Integer(v gjson.Result) (n int64, ok bool) {
	if v.Type == gjson.Number {
		n, ok = jsontext.Number{Raw: []byte(v.Raw)}.Int()
	}
	if !ok {
		return 0, false
	}
	return n, true
}

// Bounded is n as an int, or the nearest number of 32 bits, in every build. In the modules, where an int has 32 bits,
// the conversion alone would make 2^31 a negative number, and 2^32 zero.
func Bounded(n int64) int { return int(max(math.MinInt32, min(n, math.MaxInt32))) }

// Time takes a time that must be there, in milliseconds since 1970.
func (r *Reader) Time(name string) int64 {
	n, ok := Integer(r.Take(name))
	if !ok || n < 0 || n > LastMoment {
		r.reportType(name, "milliseconds")
		return 0
	}
	return n
}

// OptTime takes a time that may be left out, 0 then.
func (r *Reader) OptTime(name string) int64 {
	if !r.Take(name).Exists() {
		return 0
	}
	return r.Time(name)
}

// Count takes how often something was, 0 for one that is left out. More than MostCount is MostCount.
func (r *Reader) Count(name string) int { return int(min(r.OptTime(name), MostCount)) }

// Raw takes the text of a value, nil for one that is left out. The result is a copy. An explicit null is there,
// so its text is returned.
func (r *Reader) Raw(name string) []byte {
	if v := r.Take(name); v.Exists() {
		return []byte(v.Raw)
	}
	return nil
}

// Text takes a document inline, or as exact text in the member with _text behind its name. "schema":{"a":1}
// gives {"a":1}, and "schema_text":"{ \"a\": 1 }" gives { "a": 1 }. jsontext writes both forms: see
// Object.Document there. With both members, the exact text counts, and the other one is unknown.
func (r *Reader) Text(name string) []byte {
	if v := r.Take(name + "_text"); v.Type == gjson.String {
		return []byte(v.String())
	} else if v.Exists() {
		r.reportType(name+"_text", "string")
	}
	return r.Raw(name)
}

// Array takes an array that may be left out, and calls each with every element until it returns false.
func (r *Reader) Array(name string, each func(i int, v gjson.Result) bool) {
	v := r.Take(name)
	if v.Exists() && !v.IsArray() {
		r.reportType(name, "array")
		return
	}
	i := -1
	v.ForEach(func(_, e gjson.Result) bool {
		i++
		return each(i, e)
	})
}

// Strs takes a list of strings that may be left out.
func (r *Reader) Strs(name string) (list []string) {
	r.Array(name, func(_ int, e gjson.Result) bool {
		if e.Type != gjson.String {
			r.reportType(name, "string")
		}
		list = append(list, e.String())
		return true
	})
	return list
}

// Objects takes an array of at most most objects that may be left out, and calls read with a reader of each until
// something is wrong. An array that is not so is reported with code.
func (r *Reader) Objects(name, code string, most int, read func(one *Reader)) {
	r.Array(name, func(i int, v gjson.Result) bool {
		if i == most || !v.IsObject() {
			r.Report(code, name)
			return false
		}
		one := Of(v)
		read(&one)
		r.Include(Element(name, i), &one)
		return len(r.Problems) == 0
	})
}

// Object takes an object that may be left out, and calls read with a reader of its members.
func (r *Reader) Object(name string, read func(sub *Reader)) {
	v := r.Take(name)
	if !v.Exists() {
		return
	}
	if !v.IsObject() {
		r.reportType(name, "object")
		return
	}
	sub := Of(v)
	read(&sub)
	r.Include(Pointer(name), &sub)
}

// Element is the pointer of an element of the array called name.
func Element(name string, i int) string { return Pointer(name) + "/" + strconv.Itoa(i) }
