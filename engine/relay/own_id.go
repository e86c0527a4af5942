package relay

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/wire"
)

// ownIDs makes the ids of the machine's own requests.
type ownIDs struct {
	prefix string // of all of them
	minted int
	random [32]byte // of the step
}

// draw returns random bytes for one use. Every use in a step gets other bytes.
func (l *ownIDs) draw() [32]byte {
	drawn := l.random
	l.random = digest.Sum256(l.random[:])
	return drawn
}

// next makes an id for a request of the machine. It is a string that no one can guess. An answer is accepted by its
// id, and both peers number their requests from one.
func (l *ownIDs) next() []byte {
	l.minted++
	return gate.Quote(l.prefix + strconv.Itoa(l.minted))
}

// own reports whether the machine made an id, or whether it looks so. A peer that has seen one of our ids can guess
// the next ones, so no request of a peer may have one.
func (l *ownIDs) own(id []byte) bool {
	if len(id) <= len(l.prefix) || id[0] != '"' {
		return false
	}
	if bytes.IndexByte(id, '\\') < 0 {
		return string(id[1:1+len(l.prefix)]) == l.prefix
	}
	s, ok := wire.Text(id)
	return ok && strings.HasPrefix(s, l.prefix)
}

// refuseOwnID answers a request that has an id of ours. No peer can take the error for the answer to another request,
// because the requests with such ids go in the other direction.
func (m *Machine) refuseOwnID(from End, id []byte) {
	problem := gate.Problem("ref_in_use", elicit.Str("ref", gate.Clipped(string(id))))
	m.out.note(from, problem)
	m.send(from, wire.AppendProblems(nil, gate.Clone(id), wire.InvalidRequest, []elicit.Problem{problem}))
}
