package ask

import (
	"encoding/hex"

	"github.com/elicit-engine/elicit/engine/seal"
)

// returns reports whether the client is told to make the call again without a state: after the error -32042. The call
// is then known by its principal, target and arguments.
func (c Client) returns() bool {
	return c.Session == "" && c.Conn == nil && c.Version == "2025-11-25" && c.Declared.URL && c.Principal != ""
}

// unknownAgain reports whether nobody could tell who makes a call again after the error -32042. Another client could
// take the answer for its own call, so that URLs reach this client through the model, with an id.
func (c Client) unknownAgain() bool {
	return c.Session == "" && c.Conn == nil && c.Version == "2025-11-25" && c.Principal == ""
}

// callName is the name of the session of a call that is known when it is made again.
func (a *Asker) callName(c Call) string {
	arguments, _ := digestOf(c.Arguments) // unreadable ones are refused with the first question
	d, _ := seal.Digest(encoded([]any{"elicit call", a.options.Server, c.Principal, c.Method, c.Target,
		hex.EncodeToString(arguments[:]), c.Declared.Form}))
	return hex.EncodeToString(d[:16])
}
