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
)

// listed records a tools/list result. Readers differ on the meaning of a result with a repeated key. After such a
// result, every tool is unknown.
func (m *Machine) listed(result []byte) {
	t := m.tools
	if m.gate.distinct(result, "") != nil {
		clear(t)
		return
	}
	for _, tool := range mcp.DecodeTools(result) {
		if _, known := t[tool.Name]; known || len(t) < maxTools && len(tool.Name) <= maxToolName {
			t[tool.Name] = tool.Annotations
		}
	}
}
