package link

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/wire"
)

// IDs makes the ids of the machine's own requests.
//
// Minted counts the ids of this connection. It makes them differ, and Prefix makes them secret.
type IDs struct {
	Prefix string   // of all of them; no one can guess it
	Random [32]byte // of the step
	Minted int
}

// Draw returns random bytes for one use. Every use in a step gets other bytes.
func (l *IDs) Draw() [32]byte {
	drawn := l.Random
	l.Random = digest.Sum256(l.Random[:])
	return drawn
}

// Next makes an id for a request of the machine. It is a string that no one can guess. An answer is accepted by its
// id, and both peers number their requests from one.
func (l *IDs) Next() []byte {
	l.Minted++
	return gate.Quote(l.Prefix + strconv.Itoa(l.Minted))
}

// Own reports whether the machine made an id, or whether it looks so. A peer that has seen one of our ids can guess
// the next ones, so no request of a peer may have one.
func (l *IDs) Own(id []byte) bool {
	if len(id) <= len(l.Prefix) || id[0] != '"' {
		return false
	}
	// An id may be spelled with escapes: "\u0065licit-…" is the same string, and a peer would read it as the same id.
	if bytes.IndexByte(id, '\\') < 0 {
		return string(id[1:1+len(l.Prefix)]) == l.Prefix
	}
	s, ok := wire.Text(id)
	return ok && strings.HasPrefix(s, l.Prefix)
}

// InUse is the problem with a request of the server under the id of an open one.
func InUse(ref string) elicit.Problem { return gate.Problem("ref_in_use", elicit.Str("ref", ref)) }

// AppendInUse appends the answer to such a request. Under its id, the error would pass for the answer to the earlier
// request. So the error has no id, and its text names the id.
func AppendInUse(dst []byte, ref string) []byte {
	problem := gate.Problem("ref_in_use", elicit.Raw("ref", ref))
	text := "request id " + ref + " is still in use: the earlier request with this id is not answered yet"
	content := append(elicit.AppendList([]byte(`{"problems":`), []elicit.Problem{problem}), '}')
	return wire.AppendError(dst, nil, wire.InvalidRequest, text, content)
}
