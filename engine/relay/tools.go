package relay

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// tools is what the server has said about its tools. Its last word counts, because it could have said the same first.
type tools map[string]elicit.Annotations

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
func (m *Machine) listed(result []byte) {
	t := m.tools
	if m.gate.Distinct(result, "") != nil {
		clear(t)
		clear(m.said)
		return
	}
	for _, tool := range mcp.DecodeTools(result) {
		if _, known := t[tool.Name]; known || len(t) < maxTools && len(tool.Name) <= maxToolName {
			t[tool.Name] = tool.Annotations
			m.keepDefinition(tool)
		}
	}
}

// maxSchemas bounds the schemas of tools that are kept. The arguments of a tool without one are not checked when a
// person edits them.
const maxSchemas = 8 << 20

// maxDescription is the most bytes of a description that a person is shown.
const maxDescription = 1 << 10

// keepDefinition keeps what a server says of a tool.
func (m *Machine) keepDefinition(tool mcp.Tool) {
	d := definition{digest: sortedDigest(tool.Definition)}
	if m.config.HoldCalls {
		delete(m.said, tool.Name)
		size := len(tool.InputSchema)
		for _, other := range m.said {
			size += len(other.schema)
		}
		if tool.InputSchema != nil && len(tool.InputSchema) <= maxSchema && size <= maxSchemas {
			d.schema = gate.Clone(tool.InputSchema) // as it is: grants of earlier versions have its digest
		}
		d.description = beginning([]byte(tool.Description), maxDescription)
	}
	m.said[tool.Name] = d
}

// definitionOf is the digest of what the server has said of a tool. A tool that it has not listed has a digest too, so
// what it says later is another definition.
func (m *Machine) definitionOf(tool string) string {
	if d, known := m.said[tool]; known {
		return d.digest
	}
	return sortedDigest(append(append([]byte(`{"name":`), gate.Quote(tool)...), '}'))
}

// ofTool says of a question what the server has said of the tool that it belongs to.
func (m *Machine) ofTool(q *link.Question) {
	tool := q.Request.Tool
	if tool == "" {
		return
	}
	if said, known := m.tools[tool]; known {
		q.Request.Annotations = said
	}
	q.Request.Definition = m.definitionOf(tool)
}

// askOfTool asks the engine a question that may belong to a tool.
func (m *Machine) askOfTool(q *question) {
	m.ofTool(q.Question)
	m.ask(q)
}
