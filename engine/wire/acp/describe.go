package acp

import (
	"strconv"
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
//
// The order of the parts is fixed, so that two permissions for the same deed have the same message. get marks the
// permission for a choice if a member was announced and was too long to keep.
func (p *Permission) describe(text *wire.Parts, tool *wire.Reading, known *Announced) {
	get := func(name string) []byte {
		raw, ok := known.member(tool, name, p.patches)
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
	title, _ := wire.Text(get("title"))
	whole := p.does(kind, title, get("rawInput"), get("locations"), get("content"))

	text.Add(elicit.PartText, strings.TrimSpace(title), maxTitle)
	text.Add(elicit.PartText, locations(get("locations")), maxLocations)
	text.Add(elicit.PartCommand, q.Command, maxInput)
	if q.Cwd != "" {
		text.Add(elicit.PartDirectory, "In "+wire.InLine(q.Cwd), maxTitle)
	}
	if input := get("rawInput"); input != nil && !whole {
		text.Add(elicit.PartText, string(jsontext.AppendValue(nil, input)), maxInput)
	}
	p.addContents(text, get("content"))
	if text.String() == "" { // nothing says what would be approved
		p.Choice = true
		id, _ := wire.Text(tool.Get("toolCallId"))
		text.Add(elicit.PartText, "Tool call "+wire.Shown(id), maxTitle)
	}
}

// annotations returns what the kind of a tool call says about the tool. It is the agent's word.
//
// The kinds are those of ToolKind. "other" and unknown kinds say nothing.
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
//
// An element that has no path is shown as JSON. The line is no part of the path for policy.
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
		if line := wire.Given(o.Get("line")); wire.TypeOf(line) == wire.Number {
			path += ":" + string(line)
		}
		lines = append(lines, wire.InLine(path))
	}
	return strings.Join(lines, "\n")
}

// addContents adds the content of a tool call. All of it together is at most as long as one part may be: the content
// that goes beyond that, and what comes after it, become one part, which is cut.
func (p *Permission) addContents(text *wire.Parts, raw []byte) {
	list, _ := wire.Elements(raw, len(raw))
	left := maxContent
	for i, one := range list {
		is, part := p.contentOf(one)
		if len(part) > left {
			rest := []string{part}
			for _, later := range list[i+1:] {
				_, part = p.contentOf(later)
				is, rest = elicit.PartText, append(rest, part)
			}
			text.Add(is, strings.Join(rest, "\n\n"), left)
			return
		}
		text.Add(is, part, left)
		left = max(left-len(part)-len("\n\n"), 0)
	}
}

// contentOf describes one content of a tool call: a text as it is, a change of a file as removed and added lines, and
// anything else as JSON.
//
// Each member that decides must have the right type. Otherwise the JSON of the whole content is shown, and nothing is
// left out.
func (p *Permission) contentOf(raw []byte) (elicit.PartKind, string) {
	o, _ := wire.ReadObject(raw)
	kind, _ := wire.Text(o.Get("type"))
	inner, _ := o.Child("content")
	is, _ := wire.Text(inner.Get("type"))
	block, hasText := wire.Text(inner.Get("text"))
	path, hasPath := wire.Text(o.Get("path"))
	after, hasAfter := wire.Text(o.Get("newText"))
	before, hasBefore := wire.Text(o.Get("oldText"))
	hasBefore = hasBefore || wire.Given(o.Get("oldText")) == nil
	listed, isListed := changeList(o)
	switch {
	case kind == "content" && is == "text" && hasText:
		return elicit.PartText, block
	case kind == "diff" && p.patches && isListed:
		return elicit.PartDiff, listed
	case kind == "diff" && !p.patches && hasPath && hasAfter && hasBefore:
		return elicit.PartDiff, change(path, before, after)
	}
	return elicit.PartText, string(jsontext.AppendValue(nil, raw))
}

// change returns the lines that a change of a file removes and adds. Equal lines at the beginning and at the end are
// left out.
//
// It is no minimal diff: one block of removed and one of added lines. That is linear, also for hostile texts.
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
	out.WriteString(wire.InLine(path) + ":" + strconv.Itoa(from+1))
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
