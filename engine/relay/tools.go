package relay

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// tools is what the server has said about its tools. Its last word counts, because it could have said the same first.
type tools map[string]elicit.Annotations

const (
	maxTools    = mcp.MaxTools // of all results together; tools beyond them are unknown
	maxToolName = 256
	maxSchema   = 64 << 10
)

// listed records a tools/list result. Readers differ on the meaning of a result with a repeated key. After such a
// result, every tool is unknown.
func (m *Machine) listed(result []byte) {
	t := m.tools
	if m.gate.distinct(result, "") != nil {
		clear(t)
		clear(m.schemas)
		return
	}
	for _, tool := range mcp.DecodeTools(result) {
		if _, known := t[tool.Name]; known || len(t) < maxTools && len(tool.Name) <= maxToolName {
			t[tool.Name] = tool.Annotations
			m.keepSchema(tool)
		}
	}
}

// maxSchemas bounds the schemas of tools that are kept. The arguments of a tool without one are not checked when a
// person edits them.
const maxSchemas = 8 << 20

// keepSchema keeps what a server says of the arguments of a tool.
func (m *Machine) keepSchema(tool mcp.Tool) {
	if !m.config.HoldCalls {
		return
	}
	delete(m.schemas, tool.Name)
	size := len(tool.InputSchema)
	for _, schema := range m.schemas {
		size += len(schema)
	}
	if tool.InputSchema != nil && len(tool.InputSchema) <= maxSchema && size <= maxSchemas {
		m.schemas[tool.Name] = clone(tool.InputSchema)
	}
}
