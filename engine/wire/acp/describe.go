package acp

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// These bound the parts of a message in bytes. Together they fit the engine's default limit of a message.
const (
	maxTitle     = 4 << 10
	maxInput     = 16 << 10
	maxContent   = 24 << 10
	maxLocations = 4 << 10
	maxTool      = 256
)

// describe fills in the tool and the message of a permission. The message has the title, the places, the input and the
// content of the tool call, because people, rules and inspection must see what is approved.
func (p *Permission) describe(tool *wire.Reading, known *Announced) {
	get := func(name string) []byte {
		raw, ok := known.member(tool, name)
		p.Choice = p.Choice || !ok
		return raw
	}
	kind, _ := wire.Text(get("kind"))
	name, _ := wire.Text(get("name"))
	q := &p.Request
	if q.Tool = name; name == "" {
		q.Tool = kind
	}
	if len(q.Tool) > maxTool {
		q.Tool = ""
	}
	q.CandidatesCut = q.Tool == "" // it may be any tool
	q.Annotations = annotations(kind)
	p.does(kind, get("rawInput"), get("locations"), get("content"))

	var text wire.Parts
	title, _ := wire.Text(get("title"))
	text.Add(strings.TrimSpace(title), maxTitle)
	text.Add(locations(get("locations")), maxLocations)
	if input := get("rawInput"); input != nil {
		text.Add(string(jsontext.AppendValue(nil, input)), maxInput)
	}
	text.Add(contents(get("content")), maxContent)
	q.Message, p.Choice = text.String(), p.Choice || text.Cut
	if q.Message == "" { // nothing says what would be approved
		p.Choice = true
		id, _ := wire.Text(tool.Get("toolCallId"))
		q.Message = "Tool call " + wire.Shown(id)
	}
}

// annotations returns what the kind of a tool call says about the tool. It is the agent's word.
func annotations(kind string) (a elicit.Annotations) {
	switch kind {
	case "read", "search", "think":
		a.ReadOnly = elicit.SaidYes
	case "delete":
		a.ReadOnly, a.Destructive = elicit.SaidNo, elicit.SaidYes
	case "edit", "move", "execute", "switch_mode":
		a.ReadOnly = elicit.SaidNo
	case "fetch":
		a.OpenWorld = elicit.SaidYes
	}
	return a
}

// locations lists the paths that a tool call names, one a line.
func locations(raw []byte) string {
	list, _ := wire.Elements(raw, len(raw))
	lines := make([]string, 0, len(list))
	for _, one := range list {
		o, _ := wire.ReadObject(one)
		path, ok := wire.Text(o.Get("path"))
		if !ok {
			lines = append(lines, string(jsontext.AppendValue(nil, one)))
			continue
		}
		if line := given(o.Get("line")); wire.TypeOf(line) == wire.Number {
			path += ":" + string(line)
		}
		lines = append(lines, path)
	}
	return strings.Join(lines, "\n")
}

// contents returns the content of a tool call: texts as they are, changes of files as removed and added lines, and
// anything else as JSON.
func contents(raw []byte) string {
	list, _ := wire.Elements(raw, len(raw))
	parts := make([]string, 0, len(list))
	for _, one := range list {
		o, _ := wire.ReadObject(one)
		kind, _ := wire.Text(o.Get("type"))
		block, _ := o.Child("content")
		text, isText := wire.Text(block.Get("text"))
		path, hasPath := wire.Text(o.Get("path"))
		after, hasAfter := wire.Text(o.Get("newText"))
		before, hasBefore := wire.Text(o.Get("oldText"))
		hasBefore = hasBefore || given(o.Get("oldText")) == nil
		switch {
		case kind == "content" && isText:
			parts = append(parts, text)
		case kind == "diff" && hasPath && hasAfter && hasBefore:
			parts = append(parts, change(path, before, after))
		default:
			parts = append(parts, string(jsontext.AppendValue(nil, one)))
		}
	}
	return strings.Join(parts, "\n\n")
}

// change returns the lines that a change of a file removes and adds. Equal lines at the beginning and at the end are
// left out.
func change(path, before, after string) string {
	old, now := lines(before), lines(after)
	from := 0
	for from < len(old) && from < len(now) && old[from] == now[from] {
		from++
	}
	old, now = old[from:], now[from:]
	for len(old) > 0 && len(now) > 0 && old[len(old)-1] == now[len(now)-1] {
		old, now = old[:len(old)-1], now[:len(now)-1]
	}
	var out strings.Builder
	out.WriteString(path + ":" + digits(from+1))
	for _, line := range old {
		out.WriteString("\n- " + line)
	}
	for _, line := range now {
		out.WriteString("\n+ " + line)
	}
	return out.String()
}

func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}
