package mcp

import (
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// toolbox is what the server has said about its tools. Its last word counts, because it could have said the same
// first.
//
// annotations and said have the same tools. Both are empty until the client lists tools. The machine lists none itself.
type toolbox struct {
	annotations map[string]elicit.Annotations
	said        map[string]definition
	held        bool // calls are held
	schemas     int  // bytes of all schemas in said
}

func newToolbox(held bool) toolbox {
	return toolbox{annotations: map[string]elicit.Annotations{}, said: map[string]definition{}, held: held}
}

// definition is what a server has said of a tool, beside its annotations.
type definition struct {
	digest      string // of all that it says
	schema      []byte // of the arguments, if calls are held
	description string // the beginning, if calls are held
}

const (
	maxTools    = mcp.MaxTools // of all results together; tools beyond them are unknown
	maxToolName = 256
	maxSchema   = 64 << 10
)

// listed records a tools/list result. Readers differ on the meaning of a result with a repeated key. After such a
// result, every tool is unknown.
//
// Pages of a list come as results of their own, so a result adds and replaces, and never removes.
func (t *toolbox) listed(result []byte) {
	if gate.Distinct(result, "") != nil {
		clear(t.annotations)
		clear(t.said)
		t.schemas = 0
		return
	}
	for _, tool := range mcp.DecodeTools(result) {
		if _, known := t.annotations[tool.Name]; known || len(t.annotations) < maxTools && len(tool.Name) <= maxToolName {
			t.annotations[tool.Name] = tool.Annotations
			t.keep(tool)
		}
	}
}

// maxSchemas bounds the schemas of tools that are kept. The arguments of a tool without one are not checked when a
// person edits them.
const maxSchemas = 8 << 20

// maxDescription is the most bytes of a description that a person is shown.
const maxDescription = 1 << 10

// keep keeps what a server says of a tool.
func (t *toolbox) keep(tool mcp.Tool) {
	d := definition{digest: sortedDigest(tool.Definition)}
	if t.held {
		t.schemas -= len(t.said[tool.Name].schema) // this definition takes the place of the one before
		if size := len(tool.InputSchema); tool.InputSchema != nil && size <= maxSchema && t.schemas+size <= maxSchemas {
			d.schema = gate.Clone(tool.InputSchema) // as it is: grants of earlier versions have its digest
			t.schemas += size
		}
		d.description = beginning([]byte(tool.Description), maxDescription)
	}
	t.said[tool.Name] = d
}

// definitionOf is the digest of what the server has said of a tool. A tool that it has not listed has a digest too, so
// what it says later is another definition.
//
// A grant remembers it. A server that changes a tool after a person said "always" has another digest, and is asked
// again.
func (t *toolbox) definitionOf(tool string) string {
	if d, known := t.said[tool]; known {
		return d.digest
	}
	unlisted := jsontext.With(nil, "name", tool)
	return sortedDigest(unlisted.End())
}

// describe says of a question what the server has said of the tool that it belongs to.
func (t *toolbox) describe(q *link.Question) {
	tool := q.Request.Tool
	if tool == "" {
		return
	}
	if said, known := t.annotations[tool]; known {
		q.Request.Annotations = said
	}
	q.Request.Definition = t.definitionOf(tool)
}

// names are the texts of names of tools and methods, by their raw text. The same few names come again and again.
//
// At most maxTools of at most maxToolName bytes are kept. A server or client with more names only costs allocations.
type names map[string]string

// text returns the text of a name.
func (n names) text(raw []byte) string {
	if name, ok := n[string(raw)]; ok {
		return name
	}
	name, _ := wire.Text(raw)
	if len(raw) <= maxToolName && len(n) < maxTools {
		n[string(raw)] = name
	}
	return name
}

// beginning is a text up to a number of bytes. A text that is cut ends with a whole character and a mark.
func beginning(text []byte, most int) string {
	if len(text) <= most {
		return string(text)
	}
	n := most
	for !utf8.RuneStart(text[n]) {
		n--
	}
	return string(text[:n]) + "…"
}
