// Package wire reads and writes the JSON-RPC envelope that every supported protocol shares. It edits messages in place
// and keeps every other byte. The packages below it, one per protocol, spell the contents. No function keeps state.
//
// ReadEnvelope passes its input through the gate (jsontext.Check). Every other reader expects text that has passed the
// gate, such as any span of an Envelope.
//
// Three rules hold in this package and below it. Readers never copy: what they return are spans of the text that came
// in, and a caller that keeps one must keep that text unchanged. Writers append to dst and return it. A reader never
// stops at a member that it does not know, so a later version of a protocol passes.
//
// Read it in this order: object.go finds members, reading.go collects problems, edit.go changes a text in place,
// write.go writes messages. envelope.go is the message as a whole. parts.go, questions.go, script.go and words.go are
// what several protocols need to describe a deed to a person.
package wire

import (
	"bytes"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// Limits bounds one message. It has a name here for callers outside the engine. A zero member means its default.
type Limits = jsontext.Limits

// Kind says which kind of JSON-RPC 2.0 message an envelope is.
type Kind uint8

// These are the kinds. MCP 2025-06-18 dropped batches, so a batch is refused.
const (
	Invalid Kind = iota
	Batch
	Request
	Notification
	Result
	Error
)

var kindNames = [...]string{"invalid", "batch", "request", "notification", "result", "error"}

// String returns the spelling that vectors use.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return kindNames[Invalid]
}

// Envelope is one message in parts. Every byte slice is a span of the received message, so an id can be echoed and
// parameters can be passed on exactly. nil means that the member is absent.
//
// Exactly one of Method, Result and Error is set if Kind is Request or Notification, Result, or Error.
type Envelope struct {
	Kind     Kind
	Raw      []byte
	ID       []byte // a string or an integer, as spelled; nil also for an error reply without a known request
	Method   string
	Params   []byte
	Result   []byte
	Error    []byte
	Problems []elicit.Problem // why Kind is Invalid or Batch; ID may still name the request to answer
}

// maxID is the most bytes of an id, which is kept as long as its request is open.
const maxID = 1024

// ReadEnvelope passes raw through the gate and reads it. A fault means that raw is not one JSON document within lim.
// Problems lists everything else that is wrong.
func ReadEnvelope(raw []byte, lim jsontext.Limits) (Envelope, *jsontext.Fault) {
	return readEnvelope(raw, lim, false)
}

// ReadBareEnvelope is ReadEnvelope for peers that leave out the jsonrpc member, as the Codex app-server does. If the
// member is there, it must still be "2.0".
func ReadBareEnvelope(raw []byte, lim jsontext.Limits) (Envelope, *jsontext.Fault) {
	return readEnvelope(raw, lim, true)
}

// readEnvelope reads one message, with or without a version. The common case is one pass. If the pass fails, Check
// reads the text again for the exact fault.
func readEnvelope(raw []byte, lim jsontext.Limits, bare bool) (Envelope, *jsontext.Fault) {
	e := Envelope{Raw: raw}
	var version, method, id []byte
	var s jsontext.Scanner
	s.Reset(raw, lim)
	object := s.Peek() == jsontext.KindObject
	for more := object && s.Enter(); more && s.More(); {
		switch key, value := s.Key(), s.Skip(); {
		case key.Equal("jsonrpc"):
			version = value
		case key.Equal("id"):
			id = value
		case key.Equal("method"):
			method = value
		case key.Equal("params"):
			e.Params = value
		case key.Equal("result"):
			e.Result = value
		case key.Equal("error"):
			e.Error = value
		}
	}
	if !object || !s.End() {
		e = Envelope{Raw: raw}
		if f := jsontext.Check(raw, lim); f != nil {
			return e, f
		}
		e.refuseRoot()
		return e, nil
	}
	e.readVersion(version, bare)
	e.readID(id, method == nil && e.Result == nil && e.Error != nil)
	e.classify(method)
	if len(e.Problems) > 0 {
		e.Kind = Invalid
	}
	return e, nil
}

func (e *Envelope) refuseRoot() {
	if TypeOf(e.Raw) == Array {
		e.Kind = Batch
		e.refuse("envelope_batch", "")
		return
	}
	e.refuse("envelope_not_object", "")
}

func (e *Envelope) readVersion(v []byte, bare bool) {
	if v == nil && bare {
		return
	}
	if s, ok := Text(v); !ok || s != "2.0" {
		e.refuse("envelope_version", "/jsonrpc")
	}
}

// readID accepts ids that can be echoed without doubt. It refuses a fraction or an exponent, because readers disagree
// about 1, 1.0 and 1e0. An error reply may have the id null, when the request's id could not be read (JSON-RPC 2.0 §5).
func (e *Envelope) readID(id []byte, mayBeNull bool) {
	if id == nil || mayBeNull && TypeOf(id) == Null {
		return
	}
	if !ValidID(id) {
		e.refuse("envelope_id", "/id")
		return
	}
	e.ID = id
}

func (e *Envelope) classify(method []byte) {
	switch {
	case method != nil && (e.Result != nil || e.Error != nil), e.Result != nil && e.Error != nil:
		e.refuse("envelope_ambiguous", "")
	case method != nil:
		e.classifyCall(method)
	case e.Result != nil:
		e.Kind = Result
		if e.ID == nil && len(e.Problems) == 0 {
			e.refuse("envelope_id", "/id")
		}
	case e.Error != nil:
		e.Kind = Error
		if TypeOf(e.Error) != Map {
			e.refuse("envelope_error", "/error")
		}
	default:
		e.refuse("envelope_empty", "")
	}
}

func (e *Envelope) classifyCall(method []byte) {
	e.Kind = Notification
	if e.ID != nil {
		e.Kind = Request
	}
	var ok bool
	if e.Method, ok = Text(method); !ok || e.Method == "" {
		e.refuse("envelope_method", "/method")
	}
	if e.Params != nil && TypeOf(e.Params) != Map {
		e.refuse("envelope_params", "/params")
	}
}

func (e *Envelope) refuse(code, pointer string) {
	e.Problems = append(e.Problems, elicit.Problem{Code: code, Pointer: pointer})
}

// ValidID reports whether raw may identify a request: a JSON string, or an integer without fraction and exponent, of
// bounded length.
//
// A caller that only forwards may use the looser reader of the gate of a relay, which takes 5.0 for 5.
func ValidID(raw []byte) bool {
	if len(raw) > maxID {
		return false
	}
	switch TypeOf(raw) {
	case String:
		return true
	case Number:
		return integerText(raw)
	}
	return false
}

func integerText(raw []byte) bool {
	digits := bytes.TrimPrefix(raw, []byte("-"))
	for _, c := range digits {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(digits) > 0
}

// IDKey returns a map key for an id. All spellings of one id give one key, because a peer may write its string back
// with other escapes. The number 1 and the string "1" have different keys.
//
// -0 and 0 are one number. Leading zeros cannot occur, because the text has passed the gate.
func IDKey(raw []byte) string {
	if s, ok := Text(raw); ok {
		return "s" + s
	}
	if string(raw) == "-0" {
		return "i0"
	}
	return "i" + string(raw)
}

// Text decodes a JSON string. It returns false if raw is absent or is no string.
//
// A lone surrogate becomes U+FFFD. So two texts may decode to one string. A caller to whom that matters must look for
// it.
func Text(raw []byte) (string, bool) {
	if TypeOf(raw) != String {
		return "", false
	}
	raw = bytes.TrimSpace(raw)
	if len(raw) < 2 {
		return "", false
	}
	inner := raw[1 : len(raw)-1]
	return jsontext.Text{Raw: inner, Escaped: bytes.IndexByte(inner, '\\') >= 0}.String(), true
}
