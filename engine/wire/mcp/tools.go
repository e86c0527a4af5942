package mcp

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire"
)

// MethodTools is the call whose result lists a server's tools.
const MethodTools = "tools/list"

// MaxTools bounds the tools read from one result; those after it are not known, so the worst is thought of them.
const MaxTools = 4096

// Tool is as much of an entry of a tools/list result as questions are judged by.
type Tool struct {
	Name        string
	Annotations elicit.Annotations
}

// DecodeTools reads a tools/list result that has passed the gate (every date; annotations as in 2025-06-18,
// ToolAnnotations). It never fails: an entry that is no tool is left out, and a hint that is not true or false is unsaid.
func DecodeTools(result []byte) (list []Tool) {
	o, _ := wire.ReadObject(result)
	entries, _ := wire.Elements(o.Get("tools"), MaxTools)
	for _, raw := range entries {
		entry, ok := wire.ReadObject(raw)
		name, named := wire.Text(entry.Get("name"))
		if !ok || !named || name == "" {
			continue
		}
		tool := Tool{Name: name}
		if hints, ok := entry.Child("annotations"); ok {
			said := &tool.Annotations
			for hint, into := range map[string]*elicit.Said{"readOnlyHint": &said.ReadOnly, "destructiveHint": &said.Destructive,
				"idempotentHint": &said.Idempotent, "openWorldHint": &said.OpenWorld} {
				if v := hints.Get(hint); wire.TypeOf(v) == wire.Boolean {
					*into = elicit.Say(wire.True(v))
				}
			}
		}
		list = append(list, tool)
	}
	return list
}
