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

// idKey is an id as a map key. It is exact: the string "5", the number 5 and the number 5.0 are three keys. Ids of
// usual length need no allocation.
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

// named returns the open call that an id of the client names, or nil. A client may spell an id in another way than in
// its call: "1" or 1.0 for 1. Such a spelling names a call that the server does not have. Otherwise the server would be
// told, which does not know the call, and the machine would send it later.
func (c *calls) named(id []byte) *call {
	if k := c.byClient[keyOf(id)]; k != nil {
		return k
	}
	n, ok := wholeNumber(id)
	if !ok {
		return nil
	}
	var found *call
	for _, k := range c.byClient {
		if other, ok := wholeNumber(k.id); !ok || other != n || k.atServer {
			continue
		}
		// of two calls, the one whose id has the same type, then the first one
		alike, before := k.key.kind == keyOf(id).kind, found != nil && found.key.kind == keyOf(id).kind
		if found == nil || alike && !before || alike == before && k.serial < found.serial {
			found = k
		}
	}
	return found
}

// wholeNumber returns the whole number that an id spells, as a number or as text.
func wholeNumber(id []byte) (int64, bool) {
	if text, ok := wire.Text(id); ok {
		id = []byte(text)
	}
	if n, err := strconv.ParseInt(string(id), 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(string(id), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int64(f), true
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
