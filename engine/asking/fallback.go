package asking

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// fallbackResult is the result of a call whose question goes through a model: a text that says what to do.
func (c *client) fallbackResult(q *question, structured bool) []byte {
	tool := c.config.Fallback
	person, refusal := "the person",
		`If the person refuses, use "action":"decline". If they do not want to decide now, use "action":"cancel".`
	open := "Ask the person to open this page: "
	if c.forAnother(q) {
		person, open = q.For, "Ask the person to send this page to "+q.For+", who alone can answer: "
		refusal = `To give up, use "action":"cancel".`
	}
	text := ""
	if q.absent {
		text = "Nobody was asked: the client gave the question back at once, as clients do when nobody is there. "
	}
	text += "This tool needs an answer from " + person + " before it can go on. Do not answer for them.\n\nQuestion: " +
		q.message() + "\n\n"
	url := q.URL
	if q.page {
		url = c.config.Page + q.link
	}
	id := c.config.Prefix + string(q.id)
	accept := `{"id":` + string(jsontext.AppendString(nil, id)) + `,"action":"accept"`
	switch {
	case url != "":
		text += open + url + "\nWhen they have finished, call the tool " + tool + " with " +
			accept + "}.\n"
	case q.show.Kind == elicit.KindConfirm || q.show.Kind == elicit.KindApproval:
		text += "If the person agrees, call the tool " + tool + " with " + accept + "}.\n"
	default:
		text += "Call the tool " + tool + " with " + accept + `,"content":{…}}. The content must fit this JSON Schema: ` +
			string(q.Schema) + "\n"
	}
	// The model must know how to say no. A model that knows only one way to go on takes it.
	text += refusal
	o := jsontext.Begin(nil)
	if c.dialect.Carrier == wire.Rounds { // a result says what it is
		o.Str("resultType", "complete")
	}
	o.Name("content", func(dst []byte) []byte { return mcp.AppendText(dst, text) })
	// A tool that promises structured content may leave it out of an error alone (MCP server/tools, Output Schema).
	o.OptTrue("isError", structured)
	o.Name("_meta", func(dst []byte) []byte {
		meta := jsontext.Begin(dst)
		meta.Name("elicit/question", func(dst []byte) []byte {
			one := jsontext.With(dst, "id", id, "message", q.message())
			one.OptRaw("schema", q.Schema)
			one.OptStr("url", url)
			one.Int("expires", q.deadline)
			return one.End()
		})
		return meta.End()
	})
	return o.End()
}

// AppendFallbackTool appends the definition of the tool that passes on answers, for the list of tools of clients that
// need it.
func AppendFallbackTool(dst []byte, name string) []byte {
	o := jsontext.With(dst, "name", name, "title", "Pass on a person's answer")
	o.Str("description", "Another tool's result may ask you for an answer of the person. Ask the person, wait for their "+
		"reply, then call this tool with the id from that result. Never answer for the person. The result of this tool is "+
		"the result of the other tool.")
	o.Raw("inputSchema", []byte(`{"type":"object","properties":{`+
		`"id":{"type":"string","description":"the id in the result that asked"},`+
		`"action":{"type":"string","enum":["accept","decline","cancel"],"description":"what the person decided"},`+
		`"content":{"type":"object","description":"for accept: the answer, as the schema in that result says"}},`+
		`"required":["id","action"],"additionalProperties":false}`))
	return o.End()
}

// resume lets the handler of an interrupted call run again.
func (m *Machine) resume(c *call) {
	if c == nil {
		return
	}
	if c.running && !c.interrupted {
		m.out.problem("call_running", "")
		return
	}
	m.out.emit(c.again())
}
