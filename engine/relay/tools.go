package relay

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// tools is what the server has said of its tools. What it says last counts; it could as well have said it first.
type tools map[string]elicit.Annotations

const (
	maxTools    = mcp.MaxTools // of all results together; of tools beyond them nothing is known
	maxToolName = 256
)

// listed notes a tools/list result. Of one that repeats a key, readers differ on what it says, so nothing is known of any
// tool from then on.
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
