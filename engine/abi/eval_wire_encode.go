package abi

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// evalEncode writes one document of a protocol: {version, what, …}. It returns that document, or {"problems":[…]}. With
// "text":true it returns {"text": the document's exact text}.
//
//	answer     {id, action, mode?, content?, echo?} the reply, or in a multi-round version the bare answer
//	create     {mode, message, schema?, url?, link?} the parameters of elicitation/create
//	error      {id?, code, message} or {id?, code, problems:[{code,pointer}]} an error reply
//	capability {modes:["form","url"]} the declaration
//	declare    {params, modes, replace?} params with the declaration added
//	retry      {request, id, responses?:[{key,value}], state?, array?, progress?} the repeated call
//	round      {request, id, result, answers:[{key,action,content?}|{key,value}], number?, limit?}
//	           decode, answer and retry in one
//
// id, state and progress are raw: inline, or exact as id_text, state_text, progress_text. mode defaults to form.
// Example: answer with id 7 and decline is {"jsonrpc":"2.0","id":7,"result":{"action":"decline"}} in 2025-11-25, and
// {"action":"decline"} in 2026-07-28, where an answer travels in a retry. Content of a decline is left out.
func evalEncode(in gjson.Result, dst []byte) []byte {
	c := wireCall{in: in}
	return c.written(c.perform(encoders), dst)
}

// written appends what a writer has made, or its problems.
func (c *wireCall) written(out, dst []byte) []byte {
	switch {
	case c.wrong != nil:
		return appendProblem(dst, c.wrong...)
	case member(c.in, "text").Bool():
		return append(jsontext.AppendString(append(dst, `{"text":`...), out), '}')
	}
	return append(dst, out...)
}

// encoders has the writer for each value of what. A writer records a problem in wireCall.wrong.
var encoders = map[string]func(*wireCall) []byte{
	"answer":     encodeAnswer,
	"create":     encodeCreate,
	"error":      encodeError,
	"capability": encodeCapability,
	"declare":    encodeDeclare,
	"retry":      encodeRetry,
	"round":      encodeRound,
}

// demand records a parameter that is not valid. The first problem is kept. The writers go on, and written drops what
// they made.
func (c *wireCall) demand(ok bool, name string) {
	if !ok && c.wrong == nil {
		c.wrong = []elicit.Problem{{Code: "bad_input", Pointer: "/" + name}}
	}
}

// mode is the mode of a question, form when none is given. The writers refuse any other text.
func (c *wireCall) mode() elicit.Mode {
	if v := member(c.in, "mode"); v.Exists() {
		return elicit.Mode(v.String())
	}
	return elicit.Form
}

// modes ignores a name that it does not know: a declaration promises only what stands in it.
func (c *wireCall) modes() (m mcp.Modes) {
	for _, v := range member(c.in, "modes").Array() {
		m.Form = m.Form || v.String() == string(elicit.Form)
		m.URL = m.URL || v.String() == string(elicit.URL)
	}
	return m
}

// encodeAnswer writes a response in versions of requests, and the bare answer where answers travel in a retry. Content
// must be an object. It is written for an accept of a form alone.
func encodeAnswer(c *wireCall) []byte {
	a := mcp.Answer{Action: elicit.Action(member(c.in, "action").String()), Mode: c.mode(),
		Content: c.optional("content"), Echo: c.optional("echo")}
	id := c.optional("id")
	// In rounds the answer has no id of its own.
	c.demand(c.dialect.Carrier == wire.Rounds || wire.ValidID(id), "id")
	c.demand(a.Content == nil || wire.TypeOf(a.Content) == wire.Map, "content")
	out, ok := c.dialect.AppendAnswer(nil, id, a)
	c.demand(ok, "action")
	return out
}

// encodeCreate is for servers. It refuses a mode that the version does not have.
func encodeCreate(c *wireCall) []byte {
	schema := c.optional("schema")
	c.demand(schema == nil || wire.TypeOf(schema) == wire.Map, "schema")
	out, ok := c.dialect.AppendCreate(nil, &elicit.Request{Mode: c.mode(), Message: member(c.in, "message").String(),
		Schema: schema, URL: member(c.in, "url").String(), Link: member(c.in, "link").String()})
	c.demand(ok, "mode")
	return out
}

// encodeError writes {"jsonrpc","id","error":{"code","message","data"?}}. With problems, the message is their sentence
// in English, and data has their codes: {"code":"missing","pointer":"/url"} is "this is required (at /url)". Without an
// id it is null, as JSON-RPC 2.0 section 5 asks for a request whose id could not be read.
func encodeError(c *wireCall) []byte {
	id, code := c.optional("id"), strict.Bounded(member(c.in, "code").Int())
	c.demand(int64(code) == member(c.in, "code").Int(), "code")
	c.demand(id == nil || wire.ValidID(id), "id")
	if v := member(c.in, "message"); v.Exists() {
		return wire.AppendError(nil, id, code, v.String(), nil)
	}
	var problems []elicit.Problem
	for _, v := range member(c.in, "problems").Array() {
		problems = append(problems, elicit.Problem{Code: member(v, "code").String(), Pointer: member(v, "pointer").String()})
	}
	return wire.AppendProblems(nil, id, code, problems)
}

func encodeCapability(c *wireCall) []byte {
	out, ok := c.dialect.AppendCapability(nil, c.modes())
	c.demand(ok, "modes")
	return out
}

// encodeDeclare adds the declaration to the params of a client's request, such as {"capabilities":{}} of initialize,
// and keeps all other members as they are. A declaration that is there stays, unless replace is true.
func encodeDeclare(c *wireCall) []byte {
	params := c.gated("params")
	if c.wrong != nil {
		return nil
	}
	out, ok := c.dialect.Declare(nil, params, c.modes(), member(c.in, "replace").Bool())
	c.demand(ok, "params")
	return out
}

// encodeRetry writes a call again with the responses and the state that its server has sent. The new id must be another
// one than that of the first call.
func encodeRetry(c *wireCall) []byte {
	r := mcp.Retry{ID: c.gated("id"), State: c.optional("state"), Progress: c.optional("progress"),
		Array: member(c.in, "array").Bool()}
	for _, v := range member(c.in, "responses").Array() {
		r.Responses = append(r.Responses, mcp.Response{Key: member(v, "key").String(), Value: []byte(member(v, "value").Raw)})
	}
	return c.retry(r)
}

func (c *wireCall) retry(r mcp.Retry) []byte {
	request := c.gated("request")
	if c.wrong != nil {
		return nil
	}
	out, problems := mcp.AppendRetry(nil, request, r, jsontext.Limits{})
	c.wrong = problems
	return out
}

// It is what a client does in one step: read what is asked, answer it, and write the call again. Round.Next counts the
// rounds, so a server cannot ask without an end.
func encodeRound(c *wireCall) []byte {
	result := c.gated("result")
	if c.wrong != nil {
		return nil
	}
	asked, problems := c.dialect.DecodeResult(member(c.in, "method").String(), result, c.declared())
	if c.wrong = append(c.wrong, problems...); c.wrong != nil {
		return nil
	}
	last := mcp.Round{Number: strict.Bounded(member(c.in, "number").Int()),
		Limit: strict.Bounded(member(c.in, "limit").Int())}
	round, ok := last.Next(asked)
	if !ok {
		c.wrong = []elicit.Problem{last.Refused()}
		return nil
	}
	for _, v := range member(c.in, "answers").Array() {
		if p := c.answerOne(&round, v); p != nil {
			c.wrong = append(c.wrong, *p)
		}
	}
	r, problems := round.Retry(c.gated("id"))
	if c.wrong = append(c.wrong, problems...); c.wrong != nil {
		return nil
	}
	r.Progress = c.optional("progress")
	return c.retry(r)
}

// answerOne answers one entry of a round: a question with an action and its content, any other request with a value. It
// returns a problem for a key that was not asked, or an answer that does not fit the mode.
func (c *wireCall) answerOne(round *mcp.Round, v gjson.Result) *elicit.Problem {
	key := member(v, "key").String()
	if value := member(v, "value"); value.Exists() {
		return round.Supply(key, []byte(value.Raw), jsontext.Limits{})
	}
	var content []byte
	if raw := member(v, "content"); raw.Exists() {
		content = []byte(raw.Raw)
	}
	return round.Answer(c.dialect, key, elicit.Action(member(v, "action").String()), content)
}
