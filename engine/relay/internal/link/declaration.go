package link

import (
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// Declaration is a place where a request declares what its sender can do.
type Declaration struct {
	Dialect mcp.Dialect
	Path    []string // of the capabilities in the request
}

// Read returns the modes that the place declares.
func (at Declaration) Read(body []byte) mcp.Modes {
	o, _ := wire.ReadObject(body)
	for _, name := range at.Path {
		if o, _ = o.Child(name); o.Text == nil {
			return mcp.Modes{}
		}
	}
	return at.Dialect.ParseCapability(o.Get("elicitation"))
}

// Write writes modes to the place, or removes the declaration if there are none: a server that believes a client can
// be asked would ask questions that no one sees.
func (at Declaration) Write(body []byte, modes mcp.Modes) []byte {
	if value, ok := at.Dialect.AppendCapability(nil, modes); ok {
		out, _ := wire.Set(nil, body, value, true, append(at.Path[:len(at.Path):len(at.Path)], "elicitation")...)
		return out
	}
	o, _ := wire.ReadObject(body)
	for _, name := range at.Path {
		var ok bool
		if o, ok = o.Child(name); !ok {
			return body
		}
	}
	if o.Get("elicitation") == nil {
		return body
	}
	return wire.Apply(nil, body, o.Exchange(nil, nil, "elicitation"))
}
