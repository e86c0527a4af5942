package abi

import (
	"bytes"
	"cmp"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/base64"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/relay"
)

// MaxLine is the most bytes of a call as a line. It has room for the longest message of a connection with the default
// limit, in base64, and for the members around it. A document in the line has its own limit. A longer line is refused
// by its length before it is parsed.
const MaxLine = (relay.DefaultMaxMessage+2)/3*4 + 4096

// lineOps are the operations with state, by their name in a line. Those without state have their own names: see EvalOp.
var lineOps = map[string]Op{"describe": OpDescribe, "open": OpOpen, "step": OpStep, "close": OpClose, "form": OpForm,
	"guest": OpGuest, "data": OpData, "client": OpClient, "server": OpServer, "next": OpNext}

// lineBytes is where the input of an operation has its bytes, in base64.
var lineBytes = map[Op]string{OpGuest: "module", OpData: "document"}

// Line performs one call, a JSON object, and appends its answer, an object without line breaks:
//
//	{"id"?:any,"op":"…","handle"?:"16 hex digits","input"?:document} → {"id":…,"status":"…","handle"?:"…","output":{…}}
//	{"id"?:any,"op":"client","handle":"16 hex digits","message":text} → {"id":…,"status":"…","output":{…}}
//	{"id"?:any,"op":"next","handle":"16 hex digits"} → {"id":…,"status":"…","output":{…},"text"?:text}
//
// op is describe, open, step, close, form, guest, data or a stateless operation. check with a handle checks against
// that form, guest takes {"module":"base64"}, and data takes {"document":"base64"}. The operations client and server
// give a connection a message of that end. Bytes that are not UTF-8 go into "message_base64" instead of "message". The
// text of next is the message of a forward or a send, or the record of an append. The id is returned unchanged. It is
// null if there was none or the line could not be read. A program writes one line and reads one line. Several may be
// under way for different handles; the id tells whose answer a line is.
func (t *Table) Line(line, dst []byte) []byte {
	root, fault := gate(line, jsontext.Limits{Bytes: MaxLine, Depth: 141, Members: 1 << 20})
	if fault != nil {
		return appendLine(dst, "", Invalid, 0, appendProblem(nil, *fault), nil)
	}
	c, problems := readLine(root)
	if len(problems) > 0 {
		return appendLine(dst, c.id, Invalid, 0, appendProblem(nil, problems...), nil)
	}
	opened, out, status := t.Call(c.op, c.handle, c.input, nil)
	if c.op == OpNext && status == OK {
		document, text := nextText(out, int(opened))
		return appendLine(dst, c.id, status, 0, document, text)
	}
	return appendLine(dst, c.id, status, opened, out, nil)
}

// nextText splits the output of Next at the size of its document. Text of a document of another, a message or a record,
// must keep its bytes, so it is no part of the document in a line. A JSON reader in the host would give a string of the
// same characters and not the same bytes: it may respell numbers and escapes. A record must keep them for the chain,
// and a message for the peer.
func nextText(out []byte, size int) (document, text []byte) {
	document = out[:size]
	if len(out) > size {
		text = out[size+1:] // after the zero byte
	}
	if record, is := bytes.CutPrefix(document, []byte(`{"effect":"append","record":`)); is {
		return []byte(`{"effect":"append"}`), bytes.TrimSuffix(record, []byte("}"))
	}
	return document, text
}

// lineCall is a line after reading.
type lineCall struct {
	id     string // raw JSON
	op     Op
	handle Handle
	input  []byte
}

// readLine reads every member. It refuses an unknown member, which may be a misspelt one. It goes on after a problem,
// so that the answer names all of them, and so that the id is known.
func readLine(root gjson.Result) (c lineCall, problems []elicit.Problem) {
	wrong := func(name, code string) {
		problems = append(problems, elicit.Problem{Code: code, Pointer: string(jsontext.AppendToken(nil, name))})
	}
	name, handled := "", false
	var input, message, coded gjson.Result
	root.ForEach(func(k, v gjson.Result) bool {
		switch key := k.String(); key {
		case "id":
			c.id = v.Raw
		case "op":
			name = v.Str
		case "input":
			input = v
		case "message":
			message = v
		case "message_base64":
			coded = v
		case "handle":
			if c.handle, handled = readHandle(v.Str); !handled {
				wrong(key, "bad_input")
			}
		default:
			wrong(key, "unknown_member")
		}
		return true
	})
	if c.op = lineOp(name, handled); int(c.op)-int(FirstEval) == len(evalOrder) {
		wrong("op", "unknown_op")
	}
	c.input = []byte(input.Raw)
	if c.op == OpClient || c.op == OpServer {
		if input.Exists() {
			wrong("input", "unknown_member")
		}
		ok := false
		if c.input, ok = lineMessage(message, coded); !ok {
			wrong("message", "bad_input")
		}
		return c, problems
	}
	if message.Exists() {
		wrong("message", "unknown_member")
	}
	if coded.Exists() {
		wrong("message_base64", "unknown_member")
	}
	if name := lineBytes[c.op]; name != "" {
		coded, ok := member(gjson.ParseBytes(c.input), name), false
		if c.input, ok = base64.Read(nil, coded.Str); !ok || coded.Type != gjson.String {
			problems = append(problems, elicit.Problem{Code: "bad_input", Pointer: "/input/" + name})
		}
	}
	return c, problems
}

// lineOp returns the number of an operation by its name in a line. The name check has two meanings: with a handle it
// checks against that form.
func lineOp(name string, handled bool) Op {
	switch op, stateful := lineOps[name]; {
	case stateful:
		return op
	case name == "check" && handled:
		return OpCheck
	}
	return EvalOp(name)
}

// lineMessage returns the message of a connection, given in one of two spellings. Exactly one of both. Two messages
// would be two opinions about what the peer said.
func lineMessage(message, coded gjson.Result) (bytes []byte, ok bool) {
	switch {
	case message.Type == gjson.String && !coded.Exists():
		return []byte(message.String()), true
	case coded.Type == gjson.String && !message.Exists():
		return base64.Read(nil, coded.String())
	}
	return nil, false
}

// 16 hex digits, because a number of 64 bits is no number of JavaScript.
func readHandle(s string) (h Handle, ok bool) {
	var bytes [8]byte
	if !digest.ReadHex(bytes[:], s) {
		return 0, false
	}
	for _, b := range bytes {
		h = h<<8 | Handle(b)
	}
	return h, true
}

// An id of any type comes back as it was written. Without one it is null.
func appendLine(dst []byte, id string, status Status, opened Handle, output, text []byte) []byte {
	id = cmp.Or(id, "null")
	o := jsontext.Begin(dst)
	o.Raw("id", jsontext.AppendValue(nil, []byte(id)))
	o.Str("status", Statuses()[status])
	if opened != 0 {
		var bytes [8]byte
		for i := range bytes {
			bytes[i] = byte(opened >> (56 - 8*i))
		}
		o.Str("handle", digest.Hex(bytes[:]))
	}
	o.Raw("output", unbroken(output))
	if text != nil {
		o.Str("text", string(text))
	}
	return o.End()
}

// unbroken returns a document on one line. A document that another party wrote, such as the settings in a guardian's
// manifest, keeps its spelling in an output, and so its line breaks. A string has none, so they stand between tokens. A
// carriage return ends a line for some readers, too.
func unbroken(document []byte) []byte {
	if !bytes.ContainsAny(document, "\r\n") {
		return document
	}
	document = bytes.ReplaceAll(document, []byte("\n"), []byte(" "))
	return bytes.ReplaceAll(document, []byte("\r"), []byte(" "))
}
