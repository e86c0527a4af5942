package gate

import (
	"bytes"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/wire"
)

// Kind is a kind of JSON-RPC 2.0 message.
type Kind uint8

// These are the kinds. The zero value is none of them.
const (
	invalid Kind = iota
	Request
	Notification
	Result
	Failure // an error reply
	Batch
	Silence // none came in time
)

// Message is one JSON-RPC message in parts. Every slice is a span of the received bytes: what outlives the step
// needs Clone. nil means that the member is absent.
//
// The gate fills it in the order of the members. Kind says which of Params, Result and Failure is there: a Request and
// a Notification may have Params, a Result has Result, and a Failure has Failure. ID and Given differ in spelling only.
type Message struct {
	Kind    Kind
	Raw     []byte // in the machine's spelling, if odd
	Odd     bool   // the received bytes are spelled in another way than raw, with the same meaning
	ID      []byte // a string or a number; nil for an error reply without an id
	Given   []byte // the id as the sender spelled it
	Method  Method
	Name    []byte // the method's text as spelled, with its quotes
	Params  []byte
	Result  []byte
	Failure []byte
	Bare    bool   // there is no jsonrpc member
	Code    []byte // of the error
	// Question says that the method is that of a question, which must have an id.
	Question bool
	ofParams
	ofResult
}

// ofParams are members of the params.
//
// They are zero for a message without params. They count for any method, because an extension may use the same words.
type ofParams struct {
	Responses                      bool   // inputResponses or requestState is there, or in _meta as in the drafts
	Asks                           bool   // inputRequests is there
	State                          bool   // requestState is there, and is neither null nor empty
	Tool                           []byte // name, of a tools/call
	Token                          []byte // progressToken of _meta, if it is a valid token
	ProgressToken, Progress, Total []byte // of a progress notification
	Declares                       bool   // _meta declares capabilities of the client
}

// ofResult are members of the result. meta may also be of the params.
type ofResult struct{ ResultType, InputRequests, requestState, Meta []byte }

// Method is a method that the machine acts on. Each vocabulary numbers its own.
//
// 0 to the number of methods of the vocabulary. The same number means another method in another protocol.
type Method uint8

// OtherMethod is every method that the machine does not act on.
const OtherMethod Method = 0

// ByteOrderMark is at the beginning of streams of some .NET and Windows programs.
var ByteOrderMark = []byte("\xEF\xBB\xBF")

// Blank reports whether a line has only white space.
//
// Some servers write blank lines between messages. The machine drops them without a note.
func Blank(raw []byte) bool { return len(bytes.TrimSpace(raw)) == 0 }

// Clipped returns what a problem may quote of a peer's text.
//
// A peer chooses these texts, and a person reads them. 80 bytes show what was meant. The cut is between characters.
func Clipped(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	for cut := most; ; cut-- {
		if utf8.RuneStart(s[cut]) {
			return s[:cut] + "…"
		}
	}
}

// Why returns why an error came instead of an answer.
func (m *Message) Why() string {
	o, _ := wire.ReadObject(m.Failure)
	why, _ := wire.Text(o.Get("message"))
	return Clipped(why)
}
