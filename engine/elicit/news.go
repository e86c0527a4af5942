package elicit

import (
	"strconv"

	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// Problem says that an input is wrong, with a stable code, the place, and the figures for a sentence. Problems are
// collected and returned. Package english turns them into sentences. Example: {"code":"missing","pointer":"/region"}
// for content {} of a form that requires region. Codes are a contract; every code has a sentence in package english,
// and none is used for two meanings.
type Problem struct {
	Code    string
	Pointer string     // RFC 6901 pointer into the document with the problem; "" is the whole document
	In      AnswerPart // of an answer, if the document is not its content
	// Offsets are bytes of the text as it came, so an editor can mark the place. End is the first byte behind it.
	Start int // byte span in that document; both 0 if there is none
	End   int
	Args  []Arg

	// Deprecated says that the input counts as it was meant, and that the next version will refuse this spelling.
	Deprecated bool
}

// FromFault returns the problem for a fault of a document, with the same code, span and pointer, and with the limit if
// one was exceeded. f must not be nil.
func FromFault(f *jsontext.Fault) Problem {
	p := Problem{Code: f.Code, Pointer: f.Pointer, Start: f.Start, End: f.End}
	if f.Limit > 0 {
		p.Args = []Arg{Num("limit", f.Limit)}
	}
	return p
}

// AnswerPart is a part of an answer that is not its content.
type AnswerPart string

// These are the parts of an answer that are not its content.
const (
	InNote      AnswerPart = "note"
	InArguments AnswerPart = "arguments"
)

// Deprecated makes the problem of a member with an old name, which a record may have. use is its new name.
func Deprecated(pointer, use string) Problem {
	return Problem{Code: "deprecated_member", Pointer: pointer, Args: []Arg{Str("use", use)}, Deprecated: true}
}

// Reason says why a decision was made. Every decision has its reasons, also an accept.
type Reason struct {
	Code  string
	Layer string // policy layer: managed, user, project, session, builtin; "" outside policy
	Rule  string // name or number of the rule, "" if none
	Args  []Arg
}

// Severity orders findings.
type Severity string

// These are the severities, from a remark to a reason to refuse without asking.
const (
	Info     Severity = "info"
	Low      Severity = "low"
	Medium   Severity = "medium"
	High     Severity = "high"
	Critical Severity = "critical"
)

// Rank orders severities. An unknown severity ranks above critical, so that it fails closed. A guardian or a later
// version may say a severity that is not known here.
func (s Severity) Rank() int {
	switch s {
	case Info:
		return 0
	case Low:
		return 1
	case Medium:
		return 2
	case High:
		return 3
	case Critical:
		return 4
	}
	return 5
}

// Finding is something a person or a policy should know about a request before it is answered.
type Finding struct {
	Code     string
	Severity Severity
	Pointer  string // RFC 6901 pointer into the request: /message, /url, /requestedSchema/properties/x/title
	Start    int    // byte span of the evidence in the decoded string that Pointer names
	End      int
	Evidence string // the offending text, with invisible characters spelled U+XXXX, at most 120 bytes
	Args     []Arg
}

// Arg is one named figure of a problem, reason or finding. Raw is its JSON text: a quoted string, number or boolean. A
// sentence in package english has {name} in the place of it. Raw is trusted: it is written into JSON as it stands.
type Arg struct {
	Name string
	Raw  string
}

// Num makes an integer argument.
func Num(name string, v int) Arg { return Arg{name, strconv.Itoa(v)} }

// Bool makes a boolean argument.
func Bool(name string, v bool) Arg { return Arg{name, strconv.FormatBool(v)} }

// Raw makes an argument from JSON text that the caller has checked, such as a number that must stay exact.
func Raw(name, json string) Arg { return Arg{name, json} }
