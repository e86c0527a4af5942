package proxy

import (
	"bytes"

	"github.com/elicit-engine/elicit/engine/wire"
)

// The envelope of a message that only passes is read with room to spare: what a tool returns is not ours to judge.
const (
	passDepth   = 1000
	passMembers = 1 << 20
)

// splice replaces the member called name of the object in body, by text that fits there, and keeps every other byte.
func splice(body []byte, name string, value []byte) []byte {
	o, _ := wire.ReadObject(body)
	m, ok := o.Find(name)
	if !ok {
		return body
	}
	return wire.Apply(nil, body, []wire.Edit{{Start: m.Value, End: m.End, With: value}})
}

// withEnd is body with the line end that raw had.
func withEnd(body, raw []byte) []byte {
	end := raw[len(bytes.TrimRight(raw, "\r\n")):]
	return append(bytes.Clone(body), end...)
}

// ended is a message of our own as a line.
func ended(body []byte) []byte { return append(body, '\n') }

// canonicalID spells an id in one way, so that two spellings of a string are one reference.
func canonicalID(raw []byte) string {
	s, ok := wire.Text(raw)
	if !ok {
		return string(raw)
	}
	return string(quote(s))
}
