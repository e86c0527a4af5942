package hooks

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// readElicitation reads a question of an MCP server, as Claude Code gives it to the hook Elicitation.
func readElicitation(r *reading, hook *Hook) {
	q := &hook.Request
	q.Server, q.Message, q.Mode = r.filled("mcp_server_name"), r.text("message"), r.mode()
	q.Ref, q.Link = hook.Event, r.optional("elicitation_id")
	r.notHost(q.Server)
	switch q.Mode {
	case elicit.Form:
		if q.Schema = r.Get("requested_schema"); wire.TypeOf(q.Schema) != wire.Map {
			r.report("bad_input", "/requested_schema")
		}
	case elicit.URL:
		q.URL = r.filled("url")
	}
}

// mode reads the mode; an absent one is form.
func (r *reading) mode() elicit.Mode {
	switch mode := elicit.Mode(r.optional("mode")); {
	case mode == "":
		return elicit.Form
	case mode.Valid():
		return mode
	default:
		r.report("unknown_mode", "/mode", elicit.Str("mode", shown(string(mode))))
		return ""
	}
}

// readElicitationResult reads the answer of a person. The input does not repeat the question, so the request is one
// that the answer would fit: a form with the same members, each without a default.
//
// The engine can then run the same checks on the answer, such as those for secrets. hook.Content is nil for anything
// but an accepted form.
func readElicitationResult(r *reading, hook *Hook) {
	q := &hook.Request
	q.Server, q.Mode, q.Ref = r.filled("mcp_server_name"), r.mode(), hook.Event
	q.Message = "The answer to a question of " + q.Server
	r.notHost(q.Server)
	if hook.Action = elicit.Action(r.text("action")); !hook.Action.Valid() {
		r.report("unknown_action", "/action", elicit.Str("action", shown(string(hook.Action))))
	}
	content := r.Get("content")
	switch wire.TypeOf(content) {
	case wire.Absent, wire.Null:
		content = nil
	case wire.Map:
	default:
		r.report("bad_input", "/content")
		return
	}
	if hook.Action == elicit.Accept && q.Mode == elicit.Form {
		hook.Content = content
		if content == nil {
			hook.Content = []byte(`{}`)
		}
	}
	q.Schema = r.schemaFor(hook.Content)
}

// schemaFor writes the schema of a form that the content answers.
func (r *reading) schemaFor(content []byte) []byte {
	o, ok := wire.ReadObject(content)
	if !ok {
		return nothingToType
	}
	properties := jsontext.Begin([]byte(`{"type":"object","properties":`))
	var required []byte
	for _, m := range o.Members {
		field := fieldFor(o.Raw(m))
		if field == nil {
			r.report("bad_input", "/content"+string(jsontext.AppendToken(nil, m.Name)))
			continue
		}
		properties.Raw(m.Name, field)
		required = jsontext.AppendString(append(required, ','), m.Name)
	}
	if required == nil {
		return nothingToType
	}
	schema := append(append(properties.End(), `,"required":[`...), required[1:]...)
	return append(schema, ']', '}')
}

// fieldFor is the schema of one value, nil for a value that no form has.
func fieldFor(value []byte) []byte {
	switch wire.TypeOf(value) {
	case wire.String:
		return []byte(`{"type":"string"}`)
	case wire.Number:
		return []byte(`{"type":"number"}`)
	case wire.Boolean:
		return []byte(`{"type":"boolean"}`)
	case wire.Array:
		return listFor(value)
	}
	return nil
}

// listFor is the schema of several choices out of the chosen ones.
func listFor(value []byte) []byte {
	words, n := wire.Elements(value, limits.Members)
	if n == 0 {
		return []byte(`{"type":"array","items":{"type":"string","enum":["-"]}}`)
	}
	field := []byte(`{"type":"array","items":{"type":"string","enum":[`)
	for _, word := range words {
		if wire.TypeOf(word) != wire.String {
			return nil
		}
		field = append(jsontext.Comma(field), word...)
	}
	return append(field, `]}}`...)
}
