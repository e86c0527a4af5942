package acp

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// maxDescription is the most bytes of a permission's own description in its message.
const maxDescription = 4 << 10

// readSubject reads what a permission of version 2 is about: a tool call, a command, or nothing but its own words. A
// person must choose about a subject of another kind, because what it means is not known here.
//
// The title is required and is the first part of the message. A subject of another kind is shown as JSON.
func (p *Permission) readSubject(
	text *wire.Parts, r *wire.Reading, known func(session, toolCall string) *Announced,
) {
	text.Add(elicit.PartText, strings.TrimSpace(r.Str("title")), maxTitle)
	if raw := wire.Given(r.Get("description")); raw != nil {
		text.Add(elicit.PartText, strings.TrimSpace(r.Str("description")), maxDescription)
	}
	p.Request.Does, p.Request.CandidatesCut = elicit.DeedTool, true // it may be any tool
	raw := wire.Given(r.Get("subject"))
	if raw == nil {
		if text.String() == "" { // nothing says what would be approved
			p.Choice = true
			text.Add(elicit.PartText, "Permission without a title", maxTitle)
		}
		return
	}
	s := wire.Read(raw, "/subject")
	switch kind := s.Str("type"); {
	case s.Problems != nil:
	case kind == "tool_call":
		p.readCall(text, &s, s.Map("toolCall"), "/subject/toolCall", known)
	case kind == "command":
		p.readCommand(text, &s, known)
	default:
		p.Subject, p.Choice, p.Request.ReachCut = wire.Shown(kind), true, true
		text.Add(elicit.PartText, string(jsontext.AppendValue(nil, raw)), maxInput)
	}
	r.Problems = append(r.Problems, s.Problems...)
}

// readCommand reads a subject that is a command. Its tool is the name of the tool call that it belongs to, as far as
// that was announced, or else the kind that such a tool call has.
func (p *Permission) readCommand(
	text *wire.Parts, s *wire.Reading, known func(session, toolCall string) *Announced,
) {
	command, cwd := s.Filled("command", 0), s.Filled("cwd", 0)
	if s.Problems == nil && !absolute(cwd) {
		s.Report("path_not_absolute", "cwd")
	}
	if s.Problems != nil {
		return
	}
	q := &p.Request
	q.Tool, q.CandidatesCut, q.Annotations = p.toolOf(s, known), false, annotations("execute")
	q.Does, q.Command, q.Cwd = elicit.DeedCommand, wire.Script(command), wire.PlainPath(cwd)
	text.Add(elicit.PartCommand, command, maxInput)
	text.Add(elicit.PartDirectory, "In "+wire.InLine(cwd), maxTitle)
	if len(q.Command) > maxInput || len(q.Cwd) > maxTitle { // the message is cut too, so a person must choose
		q.Command, q.Cwd = "", ""
	}
}

func (p *Permission) toolOf(s *wire.Reading, known func(session, toolCall string) *Announced) string {
	id, _ := wire.Text(s.Get("toolCallId"))
	if a := known(p.Session, id); id != "" && a != nil {
		if name, _ := wire.Text(a.members["name"]); name != "" && len(name) <= maxTool {
			return name
		}
	}
	return "execute"
}

// absolute reports whether a path is absolute on some system.
func absolute(name string) bool {
	drive := len(name) > 2 && name[1] == ':' && (name[2] == '\\' || name[2] == '/')
	return strings.HasPrefix(name, "/") || strings.HasPrefix(name, `\\`) || drive
}
