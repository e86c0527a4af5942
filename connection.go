package elicit

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/relay"
)

// Connection is the configuration of a connection between a client and a server. json.Marshal spells it as the "relay"
// member that the C and Wasm interfaces open (docs/reference/relay.md). Times are milliseconds.
type Connection struct {
	// Server is the name that policy and people know the server by. It is never the name that the server gives itself.
	Server string `json:"server"`
	// Protocol is what the ends speak: "mcp", "acp" with an agent in the place of the server, or "codex" with an
	// app-server there.
	Protocol Protocol `json:"protocol,omitempty"`
	// ACPv2 reads version 2 of ACP too. Left out, it is true; only JSON can say false. It is for "acp" only.
	ACPv2 bool `json:"acp_v2,omitempty"`
	// ACPChain says that the host is a proxy of a chain, with a conductor as its only peer, on the side of the client. It
	// is for "acp" only.
	ACPChain bool `json:"acp_chain,omitempty"`
	// Config is the configuration of the engine.
	Config Config `json:"config,omitzero"`
	// Identity says what the server really is: its command and arguments, or the origin of its URL. A yes that holds
	// always is bound to it.
	Identity string `json:"identity,omitempty"`
	// Principal says whose session it is.
	Principal string `json:"principal,omitempty"`
	// Role says what the host is: "between" two peers, or one of them ("client", "server").
	Role Role `json:"role,omitempty"`
	// Ask says who is asked what policy leaves open: the "host" itself, the "client", "either" (the client in the
	// modes that it declared, else the host), "policy" alone, or "nobody". Left out, it is "client" for a host that is the
	// server, else "host".
	Ask Asker `json:"ask,omitempty"`
	// Modes is what the host can put before a person: "form", "url".
	Modes []Mode `json:"modes,omitempty"`
	// PolicyAlone declares forms and pages also if neither the client nor the host can show any, so that policy can
	// answer. It is for "either" only.
	PolicyAlone bool `json:"policy_alone,omitempty"`
	// HoldCalls holds every tools/call of the client until policy or a person accepts it.
	HoldCalls bool `json:"hold_calls,omitempty"`
	// Session is what the two ends have agreed on before the connection was opened; left out, it begins with the first
	// message.
	Session *Session `json:"session,omitempty"`
	// KeepAliveMS is the time between signs of progress while a call waits for an answer; 0 sends none.
	KeepAliveMS int64 `json:"keep_alive_ms,omitempty"`
	// AnswerWithinMS is how long the client may take to answer a question or a request that it was given. Left out, it is
	// 10 minutes; 0 sets no end.
	AnswerWithinMS *int64 `json:"answer_within_ms,omitempty"`
	// CompletionWaitMS is how long a call waits for a visited page to be finished.
	CompletionWaitMS int64 `json:"completion_wait_ms,omitempty"`
	// CallOverMS is how long a question outlives the call it belongs to.
	CallOverMS int64 `json:"call_over_ms,omitempty"`
	// MaxMessage is the longest message that passes, in bytes.
	MaxMessage int `json:"max_message,omitempty"`
}

// Session is what two ends have agreed on before a connection is opened, for a host whose SDK hands over questions
// alone.
type Session struct {
	// Version is the protocol date.
	Version string `json:"version"`
	// Declared is what the server was told: "form", "url".
	Declared []Mode `json:"declared,omitempty"`
	// CallsSeen says that the machine sees calls too. Without it a question may belong to a call of any tool, so rules for
	// tools can only tighten.
	CallsSeen bool `json:"calls_seen,omitempty"`
}

// relay reads the connection from its JSON, as others do. json.Marshal would make one name of two that are not UTF-8.
func (c Connection) relay() (relay.Config, error) {
	if names := c.Server + " " + c.Identity + " " + c.Principal; !utf8.ValidString(names) {
		return relay.Config{}, fmt.Errorf("elicit: a name of the connection is not UTF-8: %q", names)
	}
	doc, err := json.Marshal(c)
	if err != nil {
		return relay.Config{}, fmt.Errorf("elicit: the connection cannot be spelled: %w", err)
	}
	config, problems := relay.ReadConfig(doc)
	if len(problems) > 0 {
		return config, problemsError("elicit: the connection cannot be opened", problems)
	}
	return config, nil
}
