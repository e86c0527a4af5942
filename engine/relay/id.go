package relay

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// idKey is an id as a map key. The string "5" and the number 5 are two keys; 5 and 5.0 are one number. Ids of usual
// length need no allocation.
type idKey struct {
	size  uint8
	kind  byte // 's' for a string, 'n' for a number
	short [46]byte
	long  string // the text of an id that is too long for short
}

// keyOf makes the key of an id. Strings are compared in decoded form, because a peer may write its own string back with
// other escapes.
func keyOf(raw []byte) (k idKey) {
	text := raw
	k.kind = 'n'
	if len(raw) > 1 && raw[0] == '"' {
		k.kind, text = 's', raw[1:len(raw)-1]
		if bytes.IndexByte(text, '\\') >= 0 {
			text = jsontext.Text{Raw: text, Escaped: true}.AppendTo(nil)
		}
	} else if plain := plainID(raw); plain != nil {
		text = plain
	}
	if len(text) > len(k.short) {
		k.long = string(text)
		return k
	}
	k.size = uint8(copy(k.short[:], text))
	return k
}

// text returns the id as text, a string without its quotes.
func (k *idKey) text() string {
	if k.long != "" {
		return k.long
	}
	return string(k.short[:k.size])
}

// raw returns the JSON text of the id. A string may have other escapes than the peer wrote.
func (k *idKey) raw() []byte {
	if k.kind == 's' {
		return quote(k.text())
	}
	return []byte(k.text())
}

// named returns the open call that an id of the client names, or nil.
func (c *calls) named(id []byte) *call {
	key, _ := find(c.byClient, id)
	return c.byClient[key]
}

// find looks for an id among the keys of open. A peer may answer 5 as "5", and "5" as 5. That has one meaning if
// nothing is open under the id as spelled. found is false if nothing is open at all.
func find[V any](open map[idKey]V, id []byte) (key idKey, found bool) {
	key = keyOf(id)
	if _, found = open[key]; found {
		return key, true
	}
	if other := otherID(id); other != nil {
		if twin := keyOf(other); has(open, twin) {
			return twin, true
		}
	}
	return key, false
}

func has[K comparable, V any](open map[K]V, key K) bool {
	_, ok := open[key]
	return ok
}

// otherID returns the number for an id that is the text of a number, and the text for a number. It returns nil for any
// other id.
func otherID(id []byte) []byte {
	if len(id) > 1 && id[0] == '"' {
		text, _, ok := integer([]byte(canonicalID(id)[1 : len(canonicalID(id))-1]))
		if !ok {
			return nil
		}
		return text
	}
	if plain := plainID(id); plain != nil {
		return quote(string(plain))
	}
	return nil
}

// plainID returns the one spelling of an id that every reader understands: a string as it is, and an integer that
// JavaScript can count with as digits. It returns nil for any other number.
func plainID(id []byte) []byte {
	if len(id) > 0 && id[0] == '"' {
		return id
	}
	text, _, ok := integer(id)
	if !ok {
		return nil
	}
	return text
}

// cancelledID returns the id of the request that a cancellation names, or nil. It may be any id that a request may
// have.
func cancelledID(params []byte) []byte {
	o, _ := wire.ReadObject(params)
	if id := o.Get("requestId"); validID(id) {
		return id
	}
	return nil
}

// cancelling is a cancellation that names its request in our spelling.
func (m *message) cancelling(given, own []byte) verdict {
	if keyOf(given) == keyOf(own) && bytes.Equal(given, plainID(given)) {
		return passes
	}
	return changed(splice(m.raw, "params", splice(m.params, "requestId", own)))
}

// newID makes an id for a request of the machine. It is a string that no one can guess. An answer is accepted by its
// id, and both peers number their requests from one.
func (m *Machine) newID() []byte {
	m.minted++
	return quote(m.prefix + strconv.Itoa(m.minted))
}

// ownID reports whether the machine made an id, or whether it looks so. A peer that has seen one of our ids can guess
// the next ones, so no request of a peer may have one.
func (m *Machine) ownID(id []byte) bool {
	if len(id) <= len(m.prefix) || id[0] != '"' {
		return false
	}
	if bytes.IndexByte(id, '\\') < 0 {
		return string(id[1:1+len(m.prefix)]) == m.prefix
	}
	s, ok := wire.Text(id)
	return ok && strings.HasPrefix(s, m.prefix)
}

// refuseOwnID answers a request that has an id of ours. No peer can take the error for the answer to another request,
// because the requests with such ids go in the other direction.
func (m *Machine) refuseOwnID(from End, id []byte) {
	problem := elicit.Problem{Code: "ref_in_use", Args: []elicit.Arg{elicit.Str("ref", clipped(string(id)))}}
	m.note(from, problem)
	m.send(from, wire.AppendProblems(nil, clone(id), wire.InvalidRequest, []elicit.Problem{problem}))
}

func quote(s string) []byte { return jsontext.AppendString(nil, s) }

// canonicalID spells an id in one way, so that two spellings of a string are one reference.
func canonicalID(raw []byte) string {
	s, ok := wire.Text(raw)
	if !ok {
		if plain := plainID(raw); plain != nil {
			raw = plain
		}
		return string(raw)
	}
	return string(quote(s))
}

// number returns the JSON text of a float, or nil if JSON cannot spell it.
func number(f float64) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	return strconv.AppendFloat(nil, f, 'g', -1, 64)
}
