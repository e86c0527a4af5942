package codex

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/schema"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// fieldJSON is the name of the field whose text is the JSON of an answer that no form can draw.
const fieldJSON = "json"

const jsonSchema = `{"type":"object","properties":{"` + fieldJSON + `":{"type":"string","title":"Answer as JSON",` +
	`"minLength":1}},"required":["` + fieldJSON + `"]}`

// readElicitation reads mcpServer/elicitation/request. A mode that is not known is a question that only the client can
// draw.
//
//	form                       the server's schema
//	url                        a page
//	openai/form, openaiForm    the schema if a form can draw it, else a field for JSON text
//	another mode               a field for JSON text, and only the client can answer
//
// _meta decides whether Codex itself asks. Its marks prove nothing, because a server writes _meta too. An announced
// call with equal tool and arguments proves it, once.
func readElicitation(q *Question, r *wire.Reading, items *List) {
	q.Thread, q.Turn = r.Filled("threadId", maxName), optional(r, "turnId")
	q.Server = r.Filled("serverName", maxName)
	req := &q.Request
	req.Mode = elicit.Form
	switch mode := r.Filled("mode", maxName); mode {
	case "form":
		req.Message, req.Schema = r.Str("message"), r.Map("requestedSchema")
	case "url":
		req.Mode, req.Message = elicit.URL, r.Str("message")
		req.URL, req.Link = r.Filled("url", 0), r.Filled("elicitationId", maxName)
	case "openai/form", "openaiForm":
		req.Message = r.Str("message")
		if req.Schema = r.Get("requestedSchema"); req.Schema == nil {
			r.Report("missing", "requestedSchema")
		}
		if !drawable(req.Schema) {
			req.Schema = []byte(jsonSchema)
		}
	default:
		var text wire.Parts
		for _, name := range [...]string{"title", "message", "description"} {
			part, _ := wire.Text(r.Get(name))
			text.Add(elicit.PartText, strings.TrimSpace(part), maxCommand)
		}
		text.Add(elicit.PartText, "("+mode+")", maxTitle)
		text.Set(req)
		req.Schema, q.ClientOnly = []byte(jsonSchema), true
	}
	meta, ok := r.Child("_meta")
	if !ok {
		q.attribute(items)
		return
	}
	kind, tagged := meta.Get("codex_approval_kind"), meta.Get("codex_request_type")
	mcp.ReadClaim(meta, req)
	if text, _ := wire.Text(kind); text != "mcp_tool_call" {
		q.attribute(items)
		return
	}
	empty := mcp.EmptyForm(req)
	// The server that is named here is the one whose tool would be called. Codex asks.
	if q.call = q.own(meta, items); q.call != nil && empty {
		req.Claim, req.Tool, q.persist = elicit.ClaimApproval, q.call.Tool, meta.Get("persist")
		req.Does, req.Annotations = elicit.DeedTool, annotationsOf(meta, mcp.ReadAnnotations)
		q.describeCall(meta)
		return
	}
	q.call = nil
	q.attribute(items)
	// No yes to a forged approval may be remembered.
	if req.Persistable = false; req.Claim == elicit.ClaimNone || tagged == nil || !empty {
		req.Claim, q.forged = elicit.ClaimMalformed, true // a server speaks as if it were Codex
	}
}

// attribute records which call of the server may have caused its question.
//
// An elicitation does not name a call. Every open call of that server is a candidate, so no rule for one tool is
// avoided.
func (q *Question) attribute(items *List) {
	req := &q.Request
	for _, it := range items.Calls(q.Thread, q.Server) {
		if len(req.Candidates) == elicit.MaxCandidates {
			req.CandidatesCut = true
			break
		}
		req.Candidates = append(req.Candidates, elicit.Candidate{Tool: it.Tool, Open: true})
	}
	switch len(req.Candidates) {
	case 0:
		req.CandidatesCut = true // the client may have called a tool by itself
	case 1:
		req.Tool, req.Candidates = req.Candidates[0].Tool, nil
	}
}

// describeCall adds the arguments of the call to the message. Codex leaves it to the client to show them.
//
// Example of the message: Allow the files MCP server to run tool "write"? and then {"path":"/a"}.
func (q *Question) describeCall(meta wire.Object) {
	var text wire.Parts
	text.Add(elicit.PartText, q.Request.Message, maxTitle)
	if params := wire.Given(meta.Get("tool_params")); params != nil {
		text.Add(elicit.PartText, string(jsontext.AppendValue(nil, params)), maxCommand)
	}
	text.Set(&q.Request)
	if text.Cut || q.call.long { // a person must see what is approved
		q.Choice, q.Request.Claim = true, elicit.ClaimNone
		q.Options = []Option{word(nameAccept, elicit.Accept, elicit.Once)}
		q.Request.Schema = q.appendChoice(nil)
	}
}

// drawable reports whether a form can draw the schema.
func drawable(text []byte) bool {
	if wire.TypeOf(text) != wire.Map {
		return false
	}
	_, problems := schema.Compile(text, schema.Options{})
	return problems == nil
}

// byJSON reports whether the content of the form has the answer as JSON text.
func (q *Question) byJSON() bool { return string(q.Request.Schema) == jsonSchema }

// readElicited reads {action, content, _meta} of the client.
//
// Content of a decline or a cancel is ignored: only an accept has an answer.
func readElicited(q *Question, result []byte) (a Answer, problems []elicit.Problem) {
	r := wire.Read(result, "")
	a.Action = elicit.Action(r.Str("action"))
	if r.Problems == nil && !a.Action.Valid() {
		r.Report("unknown_action", "action", elicit.Str("action", wire.Shown(string(a.Action))))
	}
	if a.Action != elicit.Accept {
		return a, r.Problems
	}
	content := wire.Given(r.Get("content"))
	switch {
	case q.call != nil:
		q.readPersist(&r, &a)
		return a, nil
	case q.Request.Mode == elicit.URL:
		return a, nil
	case content == nil:
		a.Content = []byte(`{}`)
	case q.byJSON():
		a.Content = append(jsontext.AppendString([]byte(`{"`+fieldJSON+`":`), content), '}')
	case wire.TypeOf(content) != wire.Map:
		r.WrongType("content", content, "object")
	default:
		a.Content = content
	}
	return a, r.Problems
}

// readPersist reads how long an approval of a tool call holds: by _meta.persist, or else by the label in the content,
// as Codex does. Codex would take the label Cancel for a yes.
//
//	_meta.persist         content                                      the answer
//	"session"             any but Cancel                               accept for the session, if offered
//	"always"              any but Cancel                               accept always, if offered
//	none                  Allow for this session                       accept for the session, if offered
//	none                  Allow and don't ask me again                 accept always, if offered
//	any                   Cancel                                       cancel
//	any other                                                          accept once
func (q *Question) readPersist(r *wire.Reading, a *Answer) {
	plain, _ := q.find(nameAccept)
	a.Scope, a.Content = elicit.Once, q.contentFor(plain)
	meta, _ := r.Child("_meta")
	said, ok := wire.Text(meta.Get("persist"))
	content, _ := r.Child("content")
	label, _ := wire.Text(content.Get(callPrefix + q.call.ID))
	switch {
	case label == labelCancel:
		*a = Answer{Action: elicit.Cancel}
		return
	case said == "session", !ok && label == labelSession:
		a.Scope = elicit.ForTheSession
	case said == "always", !ok && label == labelAlways:
		a.Scope = elicit.Always
	}
	if q.persistAs(a.Scope) == "" {
		a.Scope = elicit.Once
	}
}

// These are the labels of an approval of a tool call, and the beginning of its key in the content.
const (
	callPrefix   = "mcp_tool_call_approval_"
	labelAllow   = "Allow"
	labelSession = "Allow for this session"
	labelAlways  = "Allow and don't ask me again"
	labelCancel  = "Cancel"
)

// persistAs returns the word for a scope if the request offers it, and "" otherwise.
//
// persist is a word or a list of words.
func (q *Question) persistAs(s elicit.Scope) string {
	list, _ := wire.Elements(q.persist, maxOptions)
	for _, one := range append(list, q.persist) {
		text, _ := wire.Text(one)
		if text == "session" && s == elicit.ForTheSession || text == "always" && s == elicit.Always {
			return text
		}
	}
	return ""
}

// appendElicited appends {action, content, _meta}. A decline and a cancel carry no content.
func appendElicited(q *Question, dst []byte, a Answer) []byte {
	dst = jsontext.AppendString(append(dst, `{"action":`...), string(a.Action))
	if a.Action != elicit.Accept {
		return append(dst, `,"content":null,"_meta":null}`...)
	}
	dst = append(append(dst, `,"content":`...), q.contentOut(a)...)
	if persist := q.persistAs(a.Scope); q.call != nil && persist != "" {
		dst = jsontext.AppendString(append(dst, `,"_meta":{"persist":`...), persist)
		return append(dst, '}', '}')
	}
	return append(dst, `,"_meta":null}`...)
}

// contentOut returns the content for the server.
//
// The text of a JSON field that is not JSON becomes an empty object, because the result must be one document.
func (q *Question) contentOut(a Answer) []byte {
	switch {
	case q.Request.Mode == elicit.URL:
		return []byte("null")
	case q.call != nil, a.Content == nil:
		return []byte(`{}`)
	case q.byJSON():
		o, _ := wire.ReadObject(a.Content)
		text, _ := wire.Text(o.Get(fieldJSON))
		if jsontext.Check([]byte(text), jsontext.Limits{}) != nil {
			return []byte(`{}`)
		}
		return []byte(text)
	}
	return a.Content
}

// AppendParams appends the params of the question for the client, with the message and the schema that were inspected.
// A client draws an approval from members that Codex wrote, so its params stay as they are. A forged one loses the
// marks of an approval, because a client would draw it as one of Codex. A client of codex mcp-server may know MCP only,
// so the message tells all, and the schema has the decision if a person must choose.
//
// params are edited in place, so members that this package does not know stay for the client.
func (q *Question) AppendParams(dst, params []byte, message string, form *schema.Form) []byte {
	o, _ := wire.ReadObject(params)
	var edits []wire.Edit
	plain := q.Method == MethodServer
	if m, ok := o.Find("message"); ok && (plain || message != q.Request.Message) {
		if plain {
			message = q.servedTitle() + "\n\n" + message
		}
		edits = append(edits, wire.Edit{Start: m.Value, End: m.End, With: jsontext.AppendString(nil, message)})
	}
	m, ok := o.Find("requestedSchema")
	mode, _ := wire.Text(o.Get("mode"))
	if ok && (plain || mode == "form") && q.call == nil && form != nil && len(form.Fields) > 0 {
		edits = append(edits, wire.Edit{Start: m.Value, End: m.End, With: form.AppendSchema(nil, true)})
	}
	if meta, _ := o.Child("_meta"); q.forged {
		edits = meta.Exchange(edits, nil, "codex_approval_kind", "codex_request_type", "persist")
	}
	return wire.Apply(dst, params, edits)
}
