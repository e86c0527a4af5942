package relay

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// idKey is an id as a map key: exact, so the string "5", the number 5 and the number 5.0 are three. Ids of usual length
// need no memory of their own.
type idKey struct {
	size  uint8
	kind  byte // 's' for a string, 'n' for a number
	short [46]byte
	long  string // of an id that is too long for short
}

// keyOf makes the key of an id. Strings are compared as they are once decoded, because a peer may spell its own string
// with other escapes when it writes it back.
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

// text is the id as text, of a string without its quotes.
func (k *idKey) text() string {
	if k.long != "" {
		return k.long
	}
	return string(k.short[:k.size])
}

// newID mints an id for a request of our own. It is a string that nobody can guess, because an answer is believed by its
// id, and both peers number their requests from one.
func (m *Machine) newID() []byte {
	m.minted++
	return quote(m.prefix + strconv.Itoa(m.minted))
}

// ownID reports whether an id was minted here.
func (m *Machine) ownID(id []byte) bool {
	s, ok := wire.Text(id)
	return ok && strings.HasPrefix(s, m.prefix)
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

// number is the JSON text of a float, nil for one that JSON cannot spell.
func number(f float64) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	return strconv.AppendFloat(nil, f, 'g', -1, 64)
}
