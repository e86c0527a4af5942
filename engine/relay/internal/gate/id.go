package gate

import (
	"bytes"

	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// Key is an id as a map key. The string "5" and the number 5 are two keys; 5 and 5.0 are one number. Ids of usual
// length need no allocation: a UUID has 36 bytes, and an id of the machine about 35.
//
// JSON-RPC 2.0 section 4 lets an id be a string, a number or null. A number that Integer cannot read, such as 0.5, is a
// key by its own spelling.
type Key struct {
	size   uint8
	quoted bool // a string, not a number
	short  [46]byte
	long   string // the text of an id that is too long for short
}

// KeyOf makes the key of an id. Strings are compared in decoded form, because a peer may write its own string back
// with other escapes.
//
// raw must have passed ValidID, or be an id of the machine. The key has a copy of the text.
func KeyOf(raw []byte) (k Key) {
	text := raw
	if quoted(raw) {
		k.quoted, text = true, raw[1:len(raw)-1]
		if bytes.IndexByte(text, '\\') >= 0 {
			text = jsontext.Text{Raw: text, Escaped: true}.AppendTo(nil)
		}
	} else if plain := PlainID(raw); plain != nil {
		text = plain
	}
	if len(text) > len(k.short) {
		k.long = string(text)
		return k
	}
	k.size = uint8(copy(k.short[:], text))
	return k
}

// quoted reports whether an id is a string.
func quoted(id []byte) bool { return bytes.HasPrefix(id, []byte{'"'}) }

// text returns the id as text, a string without its quotes.
func (k *Key) text() string {
	if k.long != "" {
		return k.long
	}
	return string(k.short[:k.size])
}

// Raw returns the JSON text of the id. A string may have other escapes than the peer wrote.
func (k *Key) Raw() []byte {
	if k.quoted {
		return Quote(k.text())
	}
	return []byte(k.text())
}

// Find looks for an id among the keys of open. A peer may answer 5 as "5", and "5" as 5. That has one meaning if
// nothing is open under the id as spelled. found is false if nothing is open at all.
//
// A caller that forwards the message must write the found key into it. See clientAnswer.
func Find[V any](open map[Key]V, id []byte) (key Key, found bool) {
	key = KeyOf(id)
	if _, found = open[key]; found {
		return key, true
	}
	if other := OtherID(id); other != nil {
		if twin := KeyOf(other); Has(open, twin) {
			return twin, true
		}
	}
	return key, false
}

// Has reports whether a map has a key.
func Has[K comparable, V any](open map[K]V, key K) bool {
	_, ok := open[key]
	return ok
}

// OtherID returns the number for an id that is the text of a number, and the text for a number. It returns nil for any
// other id.
//
// Example: 5 gives "5", "5.0" gives 5, and "abc" gives nil. Two open requests 5 and "5" stay apart, as Find tries the
// exact key first.
func OtherID(id []byte) []byte {
	if quoted(id) {
		text, _, ok := Integer([]byte(CanonicalID(id)[1 : len(CanonicalID(id))-1]))
		if !ok {
			return nil
		}
		return text
	}
	if plain := PlainID(id); plain != nil {
		return Quote(string(plain))
	}
	return nil
}

// PlainID returns the one spelling of an id that every reader understands: a string as it is, and an integer that
// JavaScript can count with as digits. It returns nil for any other number.
//
// A request that passes has its id in this spelling. Only the client's answer has the client's own spelling again.
func PlainID(id []byte) []byte {
	if quoted(id) {
		return id
	}
	text, _, ok := Integer(id)
	if !ok {
		return nil
	}
	return text
}

// CancelledID returns the id of the request that a cancellation names in a member, or nil. It may be any id that a
// request may have.
func CancelledID(params []byte, member string) []byte {
	o, _ := wire.ReadObject(params)
	if id := o.Get(member); ValidID(id) {
		return id
	}
	return nil
}

// Cancelling is a cancellation that names its request in our spelling.
//
// It passes unchanged only if the id has the same kind, the same value and the plain spelling.
func (m *Message) Cancelling(member string, given, own []byte) Passage {
	if KeyOf(given) == KeyOf(own) && bytes.Equal(given, PlainID(given)) {
		return Passes
	}
	return Changed(Splice(m.Raw, "params", Splice(m.Params, member, own)))
}

// Quote returns the JSON text of a string.
func Quote(s string) []byte { return jsontext.AppendString(nil, s) }

// CanonicalID spells an id in one way, so that two spellings of a string are one reference.
//
// It is the ref of a question, and a key of Recent. A number beyond the plain ones keeps its spelling.
func CanonicalID(raw []byte) string {
	s, ok := wire.Text(raw)
	if !ok {
		if plain := PlainID(raw); plain != nil {
			raw = plain
		}
		return string(raw)
	}
	return string(Quote(s))
}

// Splice replaces the value of the member called name in body. It keeps every other byte.
//
// The result never shares memory with body, unless body has no such member.
func Splice(body []byte, name string, value []byte) []byte {
	o, _ := wire.ReadObject(body)
	mem, ok := o.Find(name)
	if !ok {
		return body
	}
	return wire.Apply(nil, body, []wire.Edit{{Start: mem.Value, End: mem.End, With: value}})
}

// Clone returns a copy of a span, nil for nil.
func Clone(b []byte) []byte {
	if b == nil {
		return nil
	}
	return append([]byte{}, b...)
}
