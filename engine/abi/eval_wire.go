package abi

import (
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// evalDecode reads one document of a protocol: {version, what, …}. It returns raw texts unchanged, and an id or a state
// as a string with its exact text.
//
//	envelope     {message, bare?} → {"kind","id"?,"method"?,"params"?,"result"?,"error"?,"problems"?}
//	capability   {capability?} → {"form","url","malformed"}
//	declared     {params} → as capability, from where the version declares it
//	create       {params, declared?} → {"request":Q,"echo"?,"tasked"?} | {"error":{"code","problems"}}
//	answer       {result, mode} → {"action","content"?} | {"problems"}
//	complete     {params} → {"link"} | {"problems"}
//	cancelled    {params} → {"ref","reason"?} | {"problems"}
//	url_required {error, declared?} → {"requests":[Q,…]} | {"problems"}
//	result       {result, method?, declared?} → {"asks":false}
//	             | {"asks":true,"array"?,"entries":[{"key","request":Q,"echo"?}|{"key","method","params"?}],"state"?}
//	             | {"problems"}
//	task         {task, declared?} → {"task","status","over"?,"lists"?,"entries":[as of result]} | {"problems"}
//
// Q is {"mode","message","message_cut"?,"schema"?,"url"?,"link"?,"claim"?,"does"?,"command"?,"command_candidate"?,
// "cwd"?,"paths"?,"hosts"?,"reach_cut"?,"outside"?,"command_at"?,"arguments"?,"arguments_schema"?,"takes"?,
// "strict_review"?,"persistable"?}.
// declared is the raw capability that our side declared; the default is every mode of the version. Only envelope and
// cancelled need no version.
func evalDecode(in gjson.Result, dst []byte) []byte {
	what := member(in, "what").String()
	read, ok := decoders[what]
	if !ok {
		return missing(dst, "what")
	}
	c := wireCall{in: in}
	if !c.lookup() && !undated[what] {
		return c.unknownVersion(dst)
	}
	return read(&c, dst)
}

// undated has the values of what that need no version of MCP. A message of another protocol belongs here too.
var undated = map[string]bool{"envelope": true, "cancelled": true, "error": true}

// decoders has the reader for each value of what.
var decoders = map[string]func(*wireCall, []byte) []byte{
	"envelope":     decodeEnvelope,
	"capability":   decodeCapability,
	"declared":     decodeDeclared,
	"create":       decodeCreate,
	"answer":       decodeAnswer,
	"complete":     decodeComplete,
	"cancelled":    decodeCancelled,
	"url_required": decodeURLRequired,
	"result":       decodeResult,
	"task":         decodeTask,
}

// wireCall is one decode or encode with its parameters.
type wireCall struct {
	in      gjson.Result
	dialect mcp.Dialect
	wrong   []elicit.Problem
}

func (c *wireCall) lookup() (ok bool) {
	c.dialect, ok = mcp.Lookup(member(c.in, "version").String())
	return ok
}

func (c *wireCall) unknownVersion(dst []byte) []byte {
	return appendProblem(dst, elicit.Problem{Code: "unknown_version", Pointer: "/version",
		Args: []elicit.Arg{elicit.Str("version", member(c.in, "version").String())}})
}

// gated passes the document parameter name through the gate. It records a problem in c.wrong.
func (c *wireCall) gated(name string) []byte {
	doc, ok := document(c.in, name)
	if !ok {
		c.wrong = append(c.wrong, elicit.Problem{Code: "bad_input", Pointer: string(jsontext.AppendToken(nil, name))})
		return nil
	}
	return c.check(doc)
}

// optional is gated, but returns nil for an absent parameter.
func (c *wireCall) optional(name string) []byte {
	if doc, ok := document(c.in, name); ok {
		return c.check(doc)
	}
	return nil
}

func (c *wireCall) check(doc []byte) []byte {
	if f := jsontext.Check(doc, jsontext.Limits{}); f != nil {
		c.wrong = append(c.wrong, elicit.FromFault(f))
		return nil
	}
	return doc
}

func (c *wireCall) declared() mcp.Modes {
	if raw := c.optional("declared"); raw != nil {
		return c.dialect.ParseCapability(raw)
	}
	return c.dialect.AllModes()
}

func decodeEnvelope(c *wireCall, dst []byte) []byte {
	doc, ok := document(c.in, "message")
	if !ok {
		return missing(dst, "message")
	}
	read := wire.ReadEnvelope
	if member(c.in, "bare").Bool() {
		read = wire.ReadBareEnvelope
	}
	e, f := read(doc, jsontext.Limits{})
	if f != nil {
		return appendProblem(dst, elicit.FromFault(f))
	}
	dst = jsontext.AppendString(append(dst, `{"kind":`...), e.Kind.String())
	dst = appendText(dst, "id", e.ID)
	if e.Method != "" {
		dst = jsontext.AppendString(append(dst, `,"method":`...), e.Method)
	}
	dst = appendRaw(dst, "params", e.Params)
	dst = appendRaw(dst, "result", e.Result)
	dst = appendRaw(dst, "error", e.Error)
	if e.Problems != nil {
		dst = elicit.AppendList(append(dst, `,"problems":`...), e.Problems)
	}
	return append(dst, '}')
}

func decodeCapability(c *wireCall, dst []byte) []byte {
	raw := c.optional("capability")
	if c.wrong != nil {
		return appendProblem(dst, c.wrong...)
	}
	return appendModes(dst, c.dialect.ParseCapability(raw))
}

func decodeDeclared(c *wireCall, dst []byte) []byte {
	params := c.gated("params")
	if c.wrong != nil {
		return appendProblem(dst, c.wrong...)
	}
	return appendModes(dst, c.dialect.ParseCapability(c.dialect.Declared(params)))
}

func decodeCreate(c *wireCall, dst []byte) []byte {
	params, declared := c.gated("params"), c.declared()
	if c.wrong != nil {
		return appendProblem(dst, c.wrong...)
	}
	q, x, no := c.dialect.DecodeCreate(params, declared)
	if no != nil {
		dst = strconv.AppendInt(append(dst, `{"error":{"code":`...), int64(no.Code), 10)
		return append(elicit.AppendList(append(dst, `,"problems":`...), no.Problems), '}', '}')
	}
	dst = appendQuestion(append(dst, `{"request":`...), &q)
	dst = appendRaw(dst, "echo", x.Echo)
	return append(appendTrue(dst, "tasked", x.Tasked), '}')
}

func decodeAnswer(c *wireCall, dst []byte) []byte {
	result := c.gated("result")
	if c.wrong != nil {
		return appendProblem(dst, c.wrong...)
	}
	a, problems := c.dialect.DecodeAnswer(result, elicit.Mode(member(c.in, "mode").String()))
	if problems != nil {
		return appendProblem(dst, problems...)
	}
	dst = jsontext.AppendString(append(dst, `{"action":`...), string(a.Action))
	return append(appendRaw(dst, "content", a.Content), '}')
}

func decodeComplete(c *wireCall, dst []byte) []byte {
	params := c.gated("params")
	if c.wrong != nil {
		return appendProblem(dst, c.wrong...)
	}
	link, problems := c.dialect.DecodeComplete(params)
	if problems != nil {
		return appendProblem(dst, problems...)
	}
	return append(jsontext.AppendString(append(dst, `{"link":`...), link), '}')
}

func decodeCancelled(c *wireCall, dst []byte) []byte {
	params := c.gated("params")
	if c.wrong != nil {
		return appendProblem(dst, c.wrong...)
	}
	n, problems := mcp.DecodeCancelled(params)
	if problems != nil {
		return appendProblem(dst, problems...)
	}
	dst = jsontext.AppendString(append(dst, `{"ref":`...), n.ID)
	if n.Reason != "" {
		dst = jsontext.AppendString(append(dst, `,"reason":`...), n.Reason)
	}
	return append(dst, '}')
}

func decodeURLRequired(c *wireCall, dst []byte) []byte {
	object, declared := c.gated("error"), c.declared()
	if c.wrong != nil {
		return appendProblem(dst, c.wrong...)
	}
	list, problems := c.dialect.DecodeURLRequired(object, declared)
	if problems != nil {
		return appendProblem(dst, problems...)
	}
	dst = append(dst, `{"requests":[`...)
	for i := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendQuestion(dst, &list[i])
	}
	return append(dst, ']', '}')
}

func decodeResult(c *wireCall, dst []byte) []byte {
	result, declared := c.gated("result"), c.declared()
	if c.wrong != nil {
		return appendProblem(dst, c.wrong...)
	}
	r, problems := c.dialect.DecodeResult(member(c.in, "method").String(), result, declared)
	switch {
	case problems != nil:
		return appendProblem(dst, problems...)
	case !r.Asks:
		return append(dst, `{"asks":false}`...)
	}
	dst = appendTrue(append(dst, `{"asks":true`...), "array", r.Array)
	dst = appendEntries(dst, r.Entries)
	return append(appendText(dst, "state", r.State), '}')
}

func decodeTask(c *wireCall, dst []byte) []byte {
	task, declared := c.gated("task"), c.declared()
	if c.wrong != nil {
		return appendProblem(dst, c.wrong...)
	}
	t, problems := c.dialect.DecodeTask(task, declared)
	if problems != nil {
		return appendProblem(dst, problems...)
	}
	dst = jsontext.AppendString(append(dst, `{"task":`...), t.ID)
	dst = jsontext.AppendString(append(dst, `,"status":`...), t.Status)
	dst = appendTrue(appendTrue(dst, "over", t.Over()), "lists", t.Lists)
	return append(appendEntries(dst, t.Entries), '}')
}

func appendEntries(dst []byte, entries []mcp.Entry) []byte {
	dst = append(dst, `,"entries":[`...)
	for i := range entries {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendEntry(dst, &entries[i])
	}
	return append(dst, ']')
}

func appendEntry(dst []byte, e *mcp.Entry) []byte {
	dst = jsontext.AppendString(append(dst, `{"key":`...), e.Key)
	if e.Foreign() {
		dst = jsontext.AppendString(append(dst, `,"method":`...), e.Method)
		return append(appendRaw(dst, "params", e.Params), '}')
	}
	dst = appendQuestion(append(dst, `,"request":`...), &e.Request)
	return append(appendRaw(dst, "echo", e.Extra.Echo), '}')
}

func appendQuestion(dst []byte, q *elicit.Request) []byte {
	o := jsontext.Begin(dst)
	o.Str("mode", string(q.Mode))
	o.Str("message", q.Message)
	jsontext.OptList(&o, "parts", q.Parts)
	o.OptTrue("message_cut", q.MessageCut)
	o.OptRaw("schema", q.Schema)
	o.OptStr("url", q.URL)
	o.OptStr("link", q.Link)
	o.OptStr("claim", string(q.Claim))
	q.AppendDeed(&o)
	q.AppendHeld(&o)
	o.OptTrue("strict_review", q.StrictReview)
	o.OptTrue("persistable", q.Persistable)
	return o.End()
}

func appendModes(dst []byte, m mcp.Modes) []byte {
	dst = strconv.AppendBool(append(dst, `{"form":`...), m.Form)
	dst = strconv.AppendBool(append(dst, `,"url":`...), m.URL)
	return append(strconv.AppendBool(append(dst, `,"malformed":`...), m.Malformed), '}')
}

// appendRaw appends a member whose value is raw JSON, or nothing if raw is nil.
func appendRaw(dst []byte, name string, raw []byte) []byte {
	if raw == nil {
		return dst
	}
	return append(append(jsontext.AppendString(append(dst, ','), name), ':'), raw...)
}

// appendText appends a member whose value is a string with the text of raw.
func appendText(dst []byte, name string, raw []byte) []byte {
	if raw == nil {
		return dst
	}
	return jsontext.AppendString(append(jsontext.AppendString(append(dst, ','), name), ':'), raw)
}

func appendTrue(dst []byte, name string, v bool) []byte {
	if !v {
		return dst
	}
	return append(jsontext.AppendString(append(dst, ','), name), `:true`...)
}
