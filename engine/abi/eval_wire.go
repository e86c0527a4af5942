package abi

import (
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
// "strict_review"?,"persistable"?}. declared is the raw capability that our side declared; the default is every mode of
// the version. Only envelope and cancelled need no version. Example:
// {"version":"2025-11-25","what":"create","params":{"mode":"url","message":"Hi","url":"https://x.example/"}} gives
// {"error":{"code":-32602,"problems":[{"code":"missing","pointer":"/elicitationId"}]}}: the answer that the peer gets.
func evalDecode(in gjson.Result, dst []byte) []byte {
	c := wireCall{in: in}
	out := c.perform(decoders)
	if c.wrong != nil {
		return appendProblem(dst, c.wrong...)
	}
	return append(dst, out...)
}

// undated has the values of what that need no version of MCP. A message of another protocol belongs here too. An error
// object has the same form in all versions of JSON-RPC.
var undated = map[string]bool{"envelope": true, "cancelled": true, "error": true}

// decoders has the reader for each value of what. A reader records its problems in wireCall.wrong.
var decoders = map[string]func(*wireCall) []byte{
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

// wireCall is one decode or encode with its parameters. wrong has problems of the caller's input. A refusal of the
// peer's message is no such problem, but a result.
type wireCall struct {
	in      gjson.Result
	dialect mcp.Dialect
	wrong   []elicit.Problem
}

// perform runs the function for the value of what.
func (c *wireCall) perform(table map[string]func(*wireCall) []byte) []byte {
	what, version := member(c.in, "what").String(), member(c.in, "version").String()
	run, known := table[what]
	dialect, dated := mcp.Lookup(version)
	switch {
	case !known:
		c.demand(false, "what")
		return nil
	case !dated && !undated[what]:
		c.wrong = []elicit.Problem{{Code: "unknown_version", Pointer: "/version",
			Args: []elicit.Arg{elicit.Str("version", version)}}}
		return nil
	}
	c.dialect = dialect
	return run(c)
}

// refuse records the problems of a document, unless a parameter has one.
func (c *wireCall) refuse(problems []elicit.Problem) {
	if c.wrong == nil {
		c.wrong = problems
	}
}

// gated passes the document parameter name through the gate. It records a problem in c.wrong. It returns nil with a
// problem; the callers look at c.wrong before they use any of what they have gated.
func (c *wireCall) gated(name string) []byte {
	doc, ok := document(c.in, name)
	if !ok {
		c.wrong = append(c.wrong, elicit.Problem{Code: "bad_input", Pointer: "/" + name})
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

// check passes a document through the gate with the default limits of package jsontext.
func (c *wireCall) check(doc []byte) []byte {
	if f := jsontext.Check(doc, jsontext.Limits{}); f != nil {
		c.wrong = append(c.wrong, elicit.FromFault(f))
		return nil
	}
	return doc
}

// A peer that asks for a mode that was not declared is refused by the dialect.
func (c *wireCall) declared() mcp.Modes {
	if raw := c.optional("declared"); raw != nil {
		return c.dialect.ParseCapability(raw)
	}
	return c.dialect.AllModes()
}

// decodeEnvelope tells requests, responses and notifications apart (JSON-RPC 2.0 sections 4 and 5). A message that is
// none has the kind "invalid" and its problems: an id 1.0 is one, because two readers could write it back differently.
// With bare, the message lacks the member jsonrpc, as in the Codex app-server.
func decodeEnvelope(c *wireCall) []byte {
	doc, ok := document(c.in, "message")
	if c.demand(ok, "message"); !ok {
		return nil
	}
	read := wire.ReadEnvelope
	if member(c.in, "bare").Bool() {
		read = wire.ReadBareEnvelope
	}
	e, f := read(doc, jsontext.Limits{})
	if f != nil {
		c.refuse([]elicit.Problem{elicit.FromFault(f)})
		return nil
	}
	o := jsontext.With(nil, "kind", e.Kind.String())
	o.OptStrs("id", string(e.ID), "method", e.Method)
	o.OptRaw("params", e.Params)
	o.OptRaw("result", e.Result)
	o.OptRaw("error", e.Error)
	jsontext.OptList(&o, "problems", e.Problems)
	return o.End()
}

// decodeCapability reads what a client declares for elicitation. In 2025-11-25, {"url":{}} is URL mode alone, {} is
// forms alone, and no capability is neither.
func decodeCapability(c *wireCall) []byte {
	return modesJSON(c.dialect.ParseCapability(c.optional("capability")))
}

// decodeDeclared finds the capability first: in the params of initialize, or from 2026-07-28 on in _meta of each
// request.
func decodeDeclared(c *wireCall) []byte {
	params := c.gated("params")
	if c.wrong != nil {
		return nil
	}
	return modesJSON(c.dialect.ParseCapability(c.dialect.Declared(params)))
}

// decodeCreate reads the params of elicitation/create. It compiles no schema: a schema that is JSON is passed on as it
// came. echo is what the answer must carry back.
func decodeCreate(c *wireCall) []byte {
	params, declared := c.gated("params"), c.declared()
	if c.wrong != nil {
		return nil
	}
	q, x, no := c.dialect.DecodeCreate(params, declared)
	if no != nil {
		return refusalJSON(no)
	}
	o := jsontext.Begin(nil)
	o.Name("request", func(dst []byte) []byte { return appendQuestion(dst, &q) })
	o.OptRaw("echo", x.Echo)
	o.OptTrue("tasked", x.Tasked)
	return o.End()
}

// refusalJSON is {"error":{"code","problems"}}.
func refusalJSON(no *wire.Refusal) []byte {
	o := jsontext.Begin([]byte(`{"error":`))
	o.Int("code", int64(no.Code))
	jsontext.List(&o, "problems", no.Problems)
	return append(o.End(), '}')
}

// decodeAnswer reads a client's result for a question of that mode. Content of a decline or a cancel is dropped: see
// MCP 2025-11-25 client/elicitation, Response Actions.
func decodeAnswer(c *wireCall) []byte {
	result := c.gated("result")
	if c.wrong != nil {
		return nil
	}
	a, problems := c.dialect.DecodeAnswer(result, elicit.Mode(member(c.in, "mode").String()))
	c.refuse(problems)
	o := jsontext.With(nil, "action", string(a.Action))
	o.OptRaw("content", a.Content)
	return o.End()
}

// decodeComplete reads the notification that a page is finished, which 2025-11-25 alone has. In other versions it is
// the problem not_in_version.
func decodeComplete(c *wireCall) []byte {
	params := c.gated("params")
	if c.wrong != nil {
		return nil
	}
	link, problems := c.dialect.DecodeComplete(params)
	c.refuse(problems)
	return jsontext.Whole(nil, "link", link)
}

// decodeCancelled gives the id as its exact text: "\"a\"" for the string a, "7" for the number. A host compares these
// texts with the ids of its requests.
func decodeCancelled(c *wireCall) []byte {
	params := c.gated("params")
	if c.wrong != nil {
		return nil
	}
	n, problems := mcp.DecodeCancelled(params)
	c.refuse(problems)
	o := jsontext.With(nil, "ref", string(n.ID))
	o.OptStr("reason", n.Reason)
	return o.End()
}

// decodeURLRequired reads the error -32042 of 2025-11-25: a call needs pages that the person has to visit first.
func decodeURLRequired(c *wireCall) []byte {
	object, declared := c.gated("error"), c.declared()
	if c.wrong != nil {
		return nil
	}
	list, problems := c.dialect.DecodeURLRequired(object, declared)
	c.refuse(problems)
	add := func(dst []byte, i int) []byte { return appendQuestion(dst, &list[i]) }
	return append(jsontext.AppendEach([]byte(`{"requests":`), len(list), add), '}')
}

// decodeResult tells a result that ends a call from one that asks. Entries that are no questions, such as roots/list,
// have their method, and the host answers them itself. state is requestState with its exact text.
func decodeResult(c *wireCall) []byte {
	result, declared := c.gated("result"), c.declared()
	if c.wrong != nil {
		return nil
	}
	r, problems := c.dialect.DecodeResult(member(c.in, "method").String(), result, declared)
	c.refuse(problems)
	o := jsontext.Begin(nil)
	if o.Bool("asks", r.Asks); r.Asks {
		o.OptTrue("array", r.Array)
		appendEntries(&o, r.Entries)
		if r.State != nil {
			o.Str("state", string(r.State))
		}
	}
	return o.End()
}

// decodeTask reads the state of a task, which may ask while it runs.
func decodeTask(c *wireCall) []byte {
	task, declared := c.gated("task"), c.declared()
	if c.wrong != nil {
		return nil
	}
	t, problems := c.dialect.DecodeTask(task, declared)
	c.refuse(problems)
	o := jsontext.With(nil, "task", t.ID, "status", t.Status)
	o.OptTrue("over", t.Over())
	o.OptTrue("lists", t.Lists)
	appendEntries(&o, t.Entries)
	return o.End()
}

func appendEntries(o *jsontext.Object, list []mcp.Entry) {
	o.Each("entries", len(list), func(dst []byte, i int) []byte { return appendEntry(dst, &list[i]) })
}

// appendEntry writes a question as the engine reads it, or a request of another method as it came.
func appendEntry(dst []byte, e *mcp.Entry) []byte {
	o := jsontext.With(dst, "key", e.Key)
	if e.Foreign() {
		o.Str("method", e.Method)
		o.OptRaw("params", e.Params)
		return o.End()
	}
	o.Name("request", func(dst []byte) []byte { return appendQuestion(dst, &e.Request) })
	o.OptRaw("echo", e.Extra.Echo)
	return o.End()
}

// appendQuestion writes Q. The members come in the order of the event asked, without those that a host adds: session,
// ref, parent and tool.
func appendQuestion(dst []byte, q *elicit.Request) []byte {
	o := jsontext.With(dst, "mode", string(q.Mode), "message", q.Message)
	jsontext.OptList(&o, "parts", q.Parts)
	o.OptTrue("message_cut", q.MessageCut)
	o.OptRaw("schema", q.Schema)
	o.OptStrs("url", q.URL, "link", q.Link, "claim", string(q.Claim))
	q.AppendDeed(&o)
	q.AppendHeld(&o)
	o.OptTrue("strict_review", q.StrictReview)
	o.OptTrue("persistable", q.Persistable)
	return o.End()
}

// malformed says that the capability is no object: {"elicitation":true}. Form and url are false then.
func modesJSON(m mcp.Modes) []byte {
	o := jsontext.Begin(nil)
	o.Bool("form", m.Form)
	o.Bool("url", m.URL)
	o.Bool("malformed", m.Malformed)
	return o.End()
}
