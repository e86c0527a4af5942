package mcp

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// MethodTools is the call whose result lists a server's tools.
const MethodTools = "tools/list"

// MaxTools is the most tools that are read from one result. Later tools are unknown, so policy assumes the worst of
// them.
const MaxTools = 4096

// Tool holds the parts of an entry of a tools/list result that matter for deciding about questions.
//
// Definition has the five members in a fixed order, in the server's own spelling. Its digest says whether a server has
// changed what a tool claims to be.
type Tool struct {
	Name        string
	Annotations elicit.Annotations
	InputSchema []byte // as received, nil if it is no object
	Description string
	Definition  []byte // the members that a person or a model reads, as a JSON object
}

// definition are the members of a tool that say what it is.
var definition = []string{"name", "title", "description", "inputSchema", "annotations"}

// DecodeTools reads a tools/list result that has passed the gate (every date; annotations as in 2025-06-18,
// ToolAnnotations). It never fails: it leaves out an entry that is no tool, and it ignores a hint that is neither true
// nor false.
func DecodeTools(result []byte) (list []Tool) {
	o, _ := wire.ReadObject(result)
	entries, _ := wire.Elements(o.Get("tools"), MaxTools)
	for _, raw := range entries {
		entry, _ := wire.ReadObject(raw)
		name, _ := wire.Text(entry.Get("name"))
		if name == "" {
			continue
		}
		tool := Tool{Name: name}
		tool.Description, _ = wire.Text(entry.Get("description"))
		o := jsontext.Begin(nil)
		for _, member := range definition {
			o.OptRaw(member, entry.Get(member))
		}
		tool.Definition = o.End()
		if schema := entry.Get("inputSchema"); wire.TypeOf(schema) == wire.Map {
			tool.InputSchema = schema
		}
		if hints, ok := entry.Child("annotations"); ok {
			tool.Annotations = ReadAnnotations(hints)
		}
		list = append(list, tool)
	}
	return list
}

// ReadAnnotations reads the annotations of a tool. It ignores a hint that is neither true nor false.
//
// A missing hint stays unsaid, which policy tells from a no.
func ReadAnnotations(hints wire.Object) (said elicit.Annotations) {
	for hint, into := range map[string]*elicit.Said{"readOnlyHint": &said.ReadOnly, "destructiveHint": &said.Destructive,
		"idempotentHint": &said.Idempotent, "openWorldHint": &said.OpenWorld} {
		if v := hints.Get(hint); wire.TypeOf(v) == wire.Boolean {
			*into = elicit.Say(wire.True(v))
		}
	}
	return said
}
