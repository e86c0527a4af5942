// Package strict reads the members of JSON objects by their exact names. It collects every problem, and it refuses
// members that nobody asked for: a document that is understood only in part could mean something else.
//
//	r, problems := strict.Document(doc, limits) // gates doc, which must be an object
//	server := r.Str("server")
//	quick := r.Flag("quick")
//	if n := r.Time("at"); n == 0 {
//		r.Report("missing", "at")
//	}
//	r.RefuseUnknown()
//	problems = r.Problems
//
// Four readers do the same by themselves. Three of them are on the path of every question: the facts of package policy,
// the messages of package wire/mcp, and the verdicts of package guardian. The fourth is the policy file: its problems
// have spans, and it decides at each member what fails closed. docs/rationale.md has the reasons and numbers. All four
// have one verb for a problem: report.
package strict

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// Reader has the members of one object. The object must have passed the gate of jsontext, which refuses a name
// that stands twice. The zero value reads an object without members. The methods of value.go take a member by
// its name and return its value in Go. They report a wrong type and then return the zero value, so a caller can
// read on and show all problems at once. Problems are in the order of the calls.
//
// A member counts as asked for once it was taken, whatever came of that. The gate bounds how many members there
// are, and so how many problems RefuseUnknown can report.
type Reader struct {
	Problems   []elicit.Problem
	Recorded   bool             // a journal's: members may have names of an earlier version
	Deprecated []elicit.Problem // recorded members with such names, which are read as they were meant

	root    gjson.Result
	members []member // of root, once one has been taken
	indexed bool
}

type member struct {
	name  string
	value gjson.Result
	taken bool
}

// Document returns a reader of a document that has not passed the gate yet. With problems, there is nothing to read.
func Document(doc []byte, limits jsontext.Limits) (Reader, []elicit.Problem) {
	var r Reader
	problems := r.Reset(doc, limits)
	return r, problems
}

// Of returns a reader of a value that has passed the gate. A value that is no object has no members. It takes
// no copy, so the text behind object must not change while the reader is in use.
func Of(object gjson.Result) Reader { return Reader{root: object} }

// Reset makes r a reader of another document, in the room that its members have. See Document.
func (r *Reader) Reset(doc []byte, limits jsontext.Limits) []elicit.Problem {
	*r = Reader{members: r.members[:0]}
	if f := jsontext.Check(doc, limits); f != nil {
		return []elicit.Problem{elicit.FromFault(f)}
	}
	if r.root = gjson.ParseBytes(doc); !r.root.IsObject() {
		r.root = gjson.Result{}
		return []elicit.Problem{{Code: "wrong_type", Args: []elicit.Arg{elicit.Str("expected", "object")}}}
	}
	return nil
}

// Report adds a problem of the member called name.
func (r *Reader) Report(code, name string, args ...elicit.Arg) {
	r.ReportAt(Pointer(name), code, args...)
}

// ReportAt adds a problem at a pointer into the object.
func (r *Reader) ReportAt(pointer, code string, args ...elicit.Arg) {
	r.Problems = append(r.Problems, elicit.Problem{Code: code, Pointer: pointer, Args: args})
}

// reportType reports that the member called name has another type than the one it must have.
func (r *Reader) reportType(name, expected string) {
	r.Report("wrong_type", name, elicit.Str("expected", expected))
}

// Pointer is the pointer of the member called name.
func Pointer(name string) string { return string(jsontext.AppendToken(nil, name)) }

// Include adds what another reader found, whose object is at a pointer into this one, and refuses the members there
// that nobody asked for.
func (r *Reader) Include(pointer string, sub *Reader) {
	sub.RefuseUnknown()
	r.IncludeProblems(pointer, sub.Problems)
	for _, p := range sub.Deprecated {
		p.Pointer = pointer + p.Pointer
		r.Deprecated = append(r.Deprecated, p)
	}
}

// IncludeProblems adds the problems of what is at a pointer into the object. Deprecated ones are kept apart.
func (r *Reader) IncludeProblems(pointer string, problems []elicit.Problem) {
	for _, p := range problems {
		p.Pointer = pointer + p.Pointer
		if p.Deprecated {
			r.Deprecated = append(r.Deprecated, p)
		} else {
			r.Problems = append(r.Problems, p)
		}
	}
}

// RefuseUnknown reports every member that was not taken, once. Call it last. A misspelled name, such as
// "time_out" for "timeout", would otherwise leave a limit unset without a word.
func (r *Reader) RefuseUnknown() {
	r.index()
	for i := range r.members {
		if m := &r.members[i]; !m.taken {
			m.taken = true
			r.Report("unknown_member", m.name)
		}
	}
}

// Allow lets RefuseUnknown pass the members whose names may stand.
func (r *Reader) Allow(may func(name string) bool) {
	r.index()
	for i := range r.members {
		m := &r.members[i]
		m.taken = m.taken || may(m.name)
	}
}

// index lists the members at the first call that needs them.
func (r *Reader) index() {
	if r.indexed {
		return
	}
	if r.indexed = true; r.members == nil {
		r.members = make([]member, 0, 16)
	}
	r.root.ForEach(func(k, v gjson.Result) bool {
		r.members = append(r.members, member{name: k.String(), value: v})
		return true
	})
}

// find returns the member of that name, or nil. The pointer is valid until the next Reset.
func (r *Reader) find(name string) *member {
	r.index()
	for i := range r.members {
		if r.members[i].name == name {
			return &r.members[i]
		}
	}
	return nil
}

// Has reports whether there is a member called name, and does not take it.
func (r *Reader) Has(name string) bool { return r.find(name) != nil }

// Take takes the member called name. Its value does not exist if there is none.
func (r *Reader) Take(name string) gjson.Result {
	m := r.find(name)
	if m == nil {
		return gjson.Result{}
	}
	m.taken = true
	return m.value
}

// Renamed returns the name under which a member stands: its name of today, or in a record the one of an earlier
// version. An earlier name elsewhere, or beside the one of today, is an unknown member.
func (r *Reader) Renamed(name, earlier string) string {
	if !r.Recorded || r.Has(name) || !r.Has(earlier) {
		return name
	}
	r.Deprecated = append(r.Deprecated, elicit.Deprecated(Pointer(earlier), name))
	return earlier
}
