// Package mcp reads and writes elicitation in the spelling of the Model Context Protocol. One file for each protocol
// date has the differences, and one file for each message has the common part. Words of the wire (elicitationId,
// requestState, inputResponses) stay in this package.
//
// The functions take spans of messages that have passed the gate, see package wire. Pointers of problems start at the
// document passed in: params, a result, or an error object.
//
//	date         a question                                  its answer
//	2025-06-18   a request elicitation/create                a result
//	2025-11-25   the same, the error -32042, tasks           a result; nothing for an error
//	2026-07-28   a result with inputRequests, tasks          inputResponses in the repeated call
//
// A method of Dialect that begins with Decode reads what a peer wrote, and returns problems. One that begins with
// Append writes, and returns false for what the date cannot express. dst is then unchanged. Read dialect.go,
// capability.go, create.go and answer.go first. result.go, array.go, round.go and retry.go are for rounds. required.go,
// task.go, notice.go and ask.go have the other messages. claim.go and tools.go read what servers say of themselves.
package mcp

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire"
)

// Dialect is one protocol date.
type Dialect struct {
	wire.Dialect
}

// These are method names, and the keys of _meta that matter to elicitation.
const (
	MethodCreate    = "elicitation/create"
	MethodComplete  = "notifications/elicitation/complete"
	MethodCancelled = "notifications/cancelled"

	MethodTaskUpdate = "tasks/update" // of an extension of 2026-07-28

	methodSampling = "sampling/createMessage"
	methodRoots    = "roots/list"

	metaRelatedTask  = "io.modelcontextprotocol/related-task"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
)

// These are bounds of this package; the protocol sets none. Data over a bound is a problem and is never truncated.
const (
	maxLink     = 1024      // bytes of an elicitationId
	maxKey      = 256       // bytes of a key of inputRequests
	maxTask     = 256       // bytes of a taskId
	maxEntries  = 32        // questions in one result
	maxRequired = 16        // URLs in one -32042 error
	maxState    = 256 << 10 // bytes of a requestState as spelled
	maxOptions  = 1000      // options of a draft confirmation
	maxProblems = 16        // problems reported for one confirmation
)

// Dialects lists the supported dates, oldest first.
//
// The list is new for each call, so a caller may change it.
func Dialects() []Dialect { return []Dialect{june2025, november2025, july2026} }

// Lookup finds the dialect of a negotiated version. It does not guess: for an unknown version ok is false, and the
// caller decides.
func Lookup(version string) (d Dialect, ok bool) {
	for _, d := range Dialects() {
		if d.Version == version {
			return d, true
		}
	}
	return Dialect{}, false
}

// MayAsk reports whether the answer to a call of method may be a question. Only multi-round dialects have such calls
// (2026-07-28 basic/patterns/mrtr, Supported Requests).
func (d Dialect) MayAsk(method string) bool {
	if d.Carrier != wire.Rounds {
		return false
	}
	return method == "tools/call" || method == "prompts/get" || method == "resources/read"
}

// Refusal is an error reply.
type Refusal = wire.Refusal

func refuse(code int, p ...elicit.Problem) *Refusal { return &Refusal{Code: code, Problems: p} }
