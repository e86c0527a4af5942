package relay

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/wire"
)

// newID makes an id for a request of the machine. It is a string that no one can guess. An answer is accepted by its
// id, and both peers number their requests from one.
func (m *Machine) newID() []byte {
	m.minted++
	return gate.Quote(m.prefix + strconv.Itoa(m.minted))
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
	problem := gate.Problem("ref_in_use", elicit.Str("ref", gate.Clipped(string(id))))
	m.note(from, problem)
	m.send(from, wire.AppendProblems(nil, gate.Clone(id), wire.InvalidRequest, []elicit.Problem{problem}))
}
