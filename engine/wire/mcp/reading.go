package mcp

import "github.com/elicit-engine/elicit/engine/wire"

// reading reads one object of a message of this protocol.
type reading struct{ wire.Reading }

// read starts reading text, which must be an object.
func read(text []byte, at string) *reading { return &reading{wire.Read(text, at)} }

// link reads the required elicitationId. An empty one counts as absent: rmcp accepts a URL question without an id and
// forwards it with an empty one.
func (r *reading) link() string {
	const name = "elicitationId"
	if s, ok := wire.Text(r.Get(name)); ok && s == "" {
		r.Report("missing", name)
		return ""
	}
	return r.Filled(name, maxLink)
}
