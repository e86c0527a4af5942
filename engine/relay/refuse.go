package relay

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
)

// fail answers a request of the client that is not kept with an error.
func (o *outbox) fail(id []byte, problem elicit.Problem) {
	o.error(Client, id, wire.InternalError, problem)
}

func (o *outbox) error(to End, id []byte, code int, problem elicit.Problem) {
	o.send(to, wire.AppendProblems(nil, gate.Clone(id), code, []elicit.Problem{problem}))
}

// unasked reports an answer to nothing that is open.
func (o *outbox) unasked(from End, msg *gate.Message) {
	id := "null"
	if msg.ID != nil {
		id = gate.Clipped(string(msg.Given))
	}
	o.refused(from, gate.Problem("answer_unasked", elicit.Str("id", id)))
}

// refuseOwn answers a request that has an id of ours. No peer can take the error for the answer to another request,
// because the requests with such ids go in the other direction.
//
// It goes under the id all the same. Without it, an honest peer that copies ids would get no answer.
func (o *outbox) refuseOwn(from End, id []byte) {
	problem := link.InUse(gate.Clipped(string(id)))
	o.note(from, problem)
	o.error(from, id, wire.InvalidRequest, problem)
}

// refuseUsed refuses a request of the server under an open id, and reports it.
func (o *outbox) refuseUsed(id []byte) {
	o.refused(Server, link.InUse(gate.Clipped(string(id))))
	o.refuseAgain(gate.CanonicalID(id))
}

// refuseAgain answers a request of the server under an open id.
func (o *outbox) refuseAgain(ref string) { o.send(Server, link.AppendInUse(nil, ref)) }
