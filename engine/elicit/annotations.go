package elicit

import (
	"strconv"

	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// Annotations is what a server says about one of its tools (MCP 2025-11-25, tools, ToolAnnotations). It is the server's
// word. The specification allows hosts to believe it only from trusted servers.
type Annotations struct{ ReadOnly, Destructive, Idempotent, OpenWorld Said }

// Said is a yes, a no, or neither. The difference between "no" and nothing matters: an unsaid hint has the default of
// the specification, see Traits.
type Said uint8

// The zero value is Unsaid.
const (
	Unsaid Said = iota
	SaidNo
	SaidYes
)

// Say returns a yes or a no.
func Say(yes bool) Said {
	if yes {
		return SaidYes
	}
	return SaidNo
}

func (s Said) or(otherwise bool) bool {
	if s == Unsaid {
		return otherwise
	}
	return s == SaidYes
}

// Traits is how policy classifies a tool.
type Traits struct{ ReadOnly, Destructive, Idempotent, OpenWorld bool }

// Traits replaces unsaid annotations by the specification's defaults, which assume the worst: not read-only,
// destructive, not idempotent, open world. A tool that only reads destroys nothing, unless the server says so. MCP
// 2025-11-25, schema, ToolAnnotations: readOnlyHint is false by default, destructiveHint true, idempotentHint false and
// openWorldHint true.
func (a Annotations) Traits() Traits {
	reads := a.ReadOnly.or(false)
	return Traits{ReadOnly: reads, Destructive: a.Destructive.or(!reads),
		Idempotent: a.Idempotent.or(false), OpenWorld: a.OpenWorld.or(true)}
}

// AppendJSON appends {"read_only"?,"destructive"?,"idempotent"?,"open_world"?}: each that was said, true or false.
func (a Annotations) AppendJSON(dst []byte) []byte {
	o := jsontext.Begin(dst)
	for _, m := range a.Members() {
		if *m.Said != Unsaid {
			o.Bool(m.Name, *m.Said == SaidYes)
		}
	}
	return o.End()
}

// Annotation is one member of Annotations under its name in JSON.
type Annotation struct {
	Name string
	Said *Said
}

// Members lists the annotations in the order of their JSON, for readers and writers.
func (a *Annotations) Members() [4]Annotation {
	return [4]Annotation{{"read_only", &a.ReadOnly}, {"destructive", &a.Destructive},
		{"idempotent", &a.Idempotent}, {"open_world", &a.OpenWorld}}
}

// String returns what was said, for digests: for each annotation a letter and its value. Example: read-only said yes
// and nothing else is "2000". Digests of grants have this text, so it must never change.
func (a Annotations) String() string {
	s := ""
	for _, m := range a.Members() {
		s += strconv.Itoa(int(*m.Said))
	}
	return s
}
