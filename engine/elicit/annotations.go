package elicit

import (
	"strconv"

	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// Annotations is what a server says of one of its tools (MCP 2025-11-25, tools, ToolAnnotations). It is the server's
// word: the specification wants it believed only of servers that are trusted.
type Annotations struct{ ReadOnly, Destructive, Idempotent, OpenWorld Said }

// Said is a yes or a no that may have been left unsaid.
type Said uint8

// The zero value is unsaid.
const (
	Unsaid Said = iota
	SaidNo
	SaidYes
)

// Say is yes or no, said.
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

// Traits is what a tool is held to be.
type Traits struct{ ReadOnly, Destructive, Idempotent, OpenWorld bool }

// Traits fills in what was left unsaid with the specification's defaults, which think the worst: not read-only,
// destructive, not idempotent, open to the world. A tool that only reads destroys nothing unless it says so itself.
func (a Annotations) Traits() Traits {
	reads := a.ReadOnly.or(false)
	return Traits{ReadOnly: reads, Destructive: a.Destructive.or(!reads), Idempotent: a.Idempotent.or(false), OpenWorld: a.OpenWorld.or(true)}
}

// AppendJSON appends {"read_only"?,"destructive"?,"idempotent"?,"open_world"?}: what was said, each true or false.
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

// Members lists the annotations in the order of their JSON, for those that read them.
func (a *Annotations) Members() [4]Annotation {
	return [4]Annotation{{"read_only", &a.ReadOnly}, {"destructive", &a.Destructive}, {"idempotent", &a.Idempotent}, {"open_world", &a.OpenWorld}}
}

// String is what was said, for digests: a letter and its answer each.
func (a Annotations) String() string {
	s := ""
	for _, m := range a.Members() {
		s += strconv.Itoa(int(*m.Said))
	}
	return s
}
