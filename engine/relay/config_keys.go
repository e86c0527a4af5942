package relay

import (
	"strconv"

	"github.com/elicit-engine/elicit/engine"
)

// Roles lists the roles.
func Roles() []Role { return []Role{Between, AsClient, AsServer} }

// Askers lists the askers.
func Askers() []Asker { return []Asker{AskHost, AskClient, AskEither, AskPolicy, AskNobody} }

// ConfigKeys lists the members of a connection's configuration, in the order of docs/reference/relay.md. A member
// without a default is unset if it is left out, except for two: "server" is required, and "ask" depends on the role.
func ConfigKeys() []engine.ConfigKey {
	number := func(name string, value int64) engine.ConfigKey {
		return engine.ConfigKey{Name: name, Type: "integer", Default: strconv.FormatInt(value, 10)}
	}
	return []engine.ConfigKey{
		{Name: "server", Type: "string"},
		{Name: "protocol", Type: "string", Default: `"` + string(MCP) + `"`, Values: texts(Protocols())},
		{Name: "acp_v2", Type: "boolean", Default: "true"},
		{Name: "acp_chain", Type: "boolean", Default: "false"},
		{Name: "config", Type: "object", Default: "{}"},
		{Name: "identity", Type: "string"},
		{Name: "principal", Type: "string"},
		{Name: "role", Type: "string", Default: `"` + string(Between) + `"`, Values: texts(Roles())},
		{Name: "ask", Type: "string", Values: texts(Askers())},
		{Name: "modes", Type: "array", Default: "[]"},
		{Name: "policy_alone", Type: "boolean", Default: "false"},
		{Name: "hold_calls", Type: "boolean", Default: "false"},
		{Name: "session", Type: "object"},
		number("keep_alive_ms", 0),
		number("answer_within_ms", DefaultAnswerWithin),
		number("completion_wait_ms", DefaultCompletionWait),
		number("call_over_ms", DefaultCallOver),
		number("max_message", DefaultMaxMessage),
	}
}

func texts[T ~string](names []T) (list []string) {
	for _, name := range names {
		list = append(list, string(name))
	}
	return list
}
