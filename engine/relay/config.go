package relay

import (
	"cmp"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
)

// Role says what the host is.
//
// A host that is one of the peers has no second connection. It gives its own messages to Step all the same, and gets
// those of the machine as Send and Forward to its own end.
type Role string

// These are the roles. The machine is the same in each. A role decides who is asked if Ask is not set, and says in the
// journal and the documentation what the host is.
const (
	Between  Role = "between" // a proxy between two peers
	AsClient Role = "client"  // the host is the client: it gives its own requests as received from the client
	AsServer Role = "server"  // the host is the server: it gives its own requests as received from the server
)

// Asker says who is asked about a question that policy leaves open.
//
// The asker also decides what the server reads about elicitation: Audience.Declare writes it into the client's request.
type Asker string

// These are the askers.
const (
	AskHost   Asker = link.AskHost   // the host's own user interface, in the modes that Config.Modes names
	AskClient Asker = link.AskClient // the client, as far as it declared elicitation itself
	AskEither Asker = link.AskEither // the client in its declared modes, else the host in Config.Modes; only for MCP
	AskPolicy Asker = link.AskPolicy // nobody: policy answers what it can, the rest is cancelled as no_ui
	AskNobody Asker = link.AskNobody // nobody, and the server is told that there is no elicitation
)

// Config is the configuration of a connection.
//
// New copies the value and fills in the defaults. It keeps Engine, so the caller must not change those bytes. A
// Configured event replaces Engine later. Nothing else changes for the life of a connection.
type Config struct {
	Engine    []byte       // the engine's configuration, JSON; nil for the defaults
	Server    string       // the name of the server for policy and people; never the name that it gives itself
	Protocol  Protocol     // "" for MCP
	ACPv1     bool         // read version 1 of ACP only; for other protocols nothing
	ACPChain  bool         // the host is a proxy of a chain, and a conductor is its only peer, as Client; only for ACP
	Identity  string       // what the server really is: its command and arguments, or the origin of its URL
	Principal string       // the owner of the session
	Role      Role         // "" for Between
	Ask       Asker        // "" for AskClient if the role is AsServer, otherwise AskHost
	Modes     elicit.Modes // the modes that the host can show to a person; used with AskHost and AskEither
	Session   *Session     // nil if the connection begins with its first message

	// Guests answer consults inside Step if they have the module of a guardian. The output of a module depends only on
	// its bytes and the question, so a step stays a function of its input. Other consults come out as effects. nil for
	// none.
	Guests engine.Guests

	// HoldCalls holds every tools/call of the client until the engine accepts it. Only for MCP, and not if the client is
	// asked itself.
	HoldCalls bool

	// PolicyAlone declares forms and pages also if neither the client nor the host can show any, so that policy can
	// answer. What policy leaves open is then cancelled as no_ui. It is only for AskEither.
	PolicyAlone bool

	KeepAlive      int64 // milliseconds between progress notifications while a call waits for an answer; 0 for none
	AnswerWithin   int64 // milliseconds that the client may take for an answer; 0 for the default, below 0 for no end
	CompletionWait int64 // milliseconds that a call waits for a visited page to be finished; 0 for the default
	CallOver       int64 // milliseconds that a question stays open after its call has ended; 0 for the default
	MaxMessage     int   // bytes of one message; 0 for the default
}

// Session is what two ends agreed on before the machine was opened, for an SDK that owns the connection and passes
// only its questions on.
type Session struct {
	Version   string       // the protocol date
	Declared  elicit.Modes // the modes declared to the server
	CallsSeen bool         // the machine sees the calls too; otherwise a question may belong to a call of any tool
}

// These are the defaults and bounds of Config.
const (
	// All times are milliseconds. MostWait is a day, so that At plus a wait never overflows.
	DefaultAnswerWithin   = 10 * 60_000
	DefaultCompletionWait = 30_000 // servers need not say that a page is finished, and clients give up after a minute
	DefaultCallOver       = 5_000
	DefaultMaxMessage     = 64 << 20
	MostMessage           = 1 << 30
	MostWait              = 24 * 3600 * 1000
)

// orDefault returns the configuration with its defaults, and every problem with it. The pointer of a problem names the
// JSON member.
func (c Config) orDefault() (Config, []elicit.Problem) {
	var problems []elicit.Problem
	bad := func(code, name string, args ...elicit.Arg) {
		problems = append(problems, elicit.Problem{Code: code, Pointer: string(jsontext.AppendToken(nil, name)), Args: args})
	}
	if c.Engine == nil {
		c.Engine = []byte("{}")
	}
	if c.Server == "" {
		bad("missing", "server")
	}
	c.Protocol = cmp.Or(c.Protocol, MCP)
	if !slices.Contains(Protocols(), c.Protocol) {
		bad("unknown_protocol", "protocol", elicit.Str("protocol", gate.Clipped(string(c.Protocol))))
	}
	c.Role = cmp.Or(c.Role, Between)
	if !slices.Contains(Roles(), c.Role) {
		bad("unknown_role", "role", elicit.Str("role", gate.Clipped(string(c.Role))))
	}
	if c.Ask == "" {
		if c.Ask = AskHost; c.Role == AsServer {
			c.Ask = AskClient
		}
	}
	if !slices.Contains(Askers(), c.Ask) {
		bad("unknown_asker", "ask", elicit.Str("ask", gate.Clipped(string(c.Ask))))
	}
	// Each of these members has a meaning for one protocol or one asker. Elsewhere it would be ignored silently, and an
	// administrator would believe in a protection that does not work.
	if c.ACPChain && c.Protocol != ACP {
		bad("acp_only", "acp_chain")
	}
	if c.Ask == AskEither && c.Protocol != MCP {
		bad("mcp_only", "ask")
	}
	if c.PolicyAlone && c.Ask != AskEither {
		bad("either_only", "policy_alone")
	}
	// Only the host shows the question about a held call: hold sets no Show. With AskClient, nobody could decide it.
	if c.HoldCalls && (c.Protocol != MCP || c.Ask == AskClient) {
		bad("hold_unfit", "hold_calls")
	}
	within := func(name string, v *int64, def, most int64) {
		*v = cmp.Or(*v, def)
		if *v < 0 || *v > most {
			bad("limit_out_of_range", name, elicit.Num("least", 0), elicit.Num("most", int(most)))
		}
	}
	within("keep_alive_ms", &c.KeepAlive, 0, MostWait)
	// Below 0 means no end. It must not become the default, as 0 does.
	if c.AnswerWithin >= 0 {
		within("answer_within_ms", &c.AnswerWithin, DefaultAnswerWithin, MostWait)
	}
	within("completion_wait_ms", &c.CompletionWait, DefaultCompletionWait, MostWait)
	within("call_over_ms", &c.CallOver, DefaultCallOver, MostWait)
	largest := int64(c.MaxMessage)
	within("max_message", &largest, DefaultMaxMessage, MostMessage)
	c.MaxMessage = int(largest)
	return c, problems
}

// ReadConfig reads the configuration of a connection, a JSON object that has passed the gate:
//
//	{"server":"NAME","protocol"?,"acp_v2"?,"acp_chain"?,"config"?:{…},"identity"?,"principal"?,"role"?,"ask"?,
//	 "modes"?:["form","url"],"policy_alone"?,"hold_calls"?,
//	 "session"?:{"version":"2025-11-25","declared":["form","url"],"calls_seen"?},
//	 "keep_alive_ms"?,"answer_within_ms"?,"completion_wait_ms"?,"call_over_ms"?,"max_message"?}
//
// The members are those of Config. 0 for "answer_within_ms" is no end. An unknown member is a problem.
//
// "acp_v2" is true by default, so only its absence and true leave ACPv1 unset. The engine's configuration in "config"
// is kept as raw JSON. New gives it to the engine, which reports its problems with pointers into that object.
func ReadConfig(doc []byte) (c Config, problems []elicit.Problem) {
	root := gjson.ParseBytes(doc)
	if !root.IsObject() {
		return c, []elicit.Problem{{Code: "wrong_type", Args: []elicit.Arg{elicit.Str("expected", "object")}}}
	}
	r := strict.Of(root)
	c = Config{Engine: r.Raw("config"), Server: takeText(&r, "server"), Identity: takeText(&r, "identity"),
		Protocol: Protocol(takeText(&r, "protocol")), Principal: takeText(&r, "principal"),
		Role: Role(takeText(&r, "role")), Ask: Asker(takeText(&r, "ask")),
		ACPChain: r.Flag("acp_chain"),
		Modes:    takeModes(&r, "modes"), PolicyAlone: r.Flag("policy_alone"), HoldCalls: r.Flag("hold_calls"),
		KeepAlive:      takeNumber(&r, "keep_alive_ms"),
		CompletionWait: takeNumber(&r, "completion_wait_ms"), CallOver: takeNumber(&r, "call_over_ms"),
		MaxMessage: strict.Bounded(takeNumber(&r, "max_message"))}
	c.ACPv1 = r.Raw("acp_v2") != nil && !r.Flag("acp_v2")
	if given := r.Raw("answer_within_ms"); given != nil {
		if c.AnswerWithin = takeNumber(&r, "answer_within_ms"); c.AnswerWithin == 0 {
			c.AnswerWithin = -1
		}
	}
	r.Object("session", func(sub *strict.Reader) {
		c.Session = &Session{Version: takeText(sub, "version"), Declared: takeModes(sub, "declared"),
			CallsSeen: sub.Flag("calls_seen")}
	})
	if r.RefuseUnknown(); len(r.Problems) > 0 {
		return c, r.Problems
	}
	return c.orDefault()
}

// takeText takes a name, which may be left out.
func takeText(r *strict.Reader, name string) string {
	s := r.Opt(name)
	if len(s) > 1024 {
		r.Report("wrong_type", name, elicit.Str("expected", "string"))
		return ""
	}
	return s
}

// takeNumber takes a number without sign, fraction and exponent, which may be left out.
//
// 15 digits fit an int64 without a test for overflow. "1e3" and "-1" are problems of type. A number that is too large
// is a problem of range in orDefault.
func takeNumber(r *strict.Reader, name string) (n int64) {
	digits := r.Raw(name)
	for _, c := range digits {
		if c < '0' || c > '9' || len(digits) > 15 {
			r.Report("wrong_type", name, elicit.Str("expected", "integer"))
			return 0
		}
		n = 10*n + int64(c-'0')
	}
	return n
}

func takeModes(r *strict.Reader, name string) (m elicit.Modes) {
	r.Array(name, func(i int, v gjson.Result) bool {
		switch mode := elicit.Mode(v.Str); {
		// Two modes exist. A longer list can only repeat them, and must not cost a problem for each element.
		case i == 8:
			r.Report("wrong_type", name, elicit.Str("expected", "array"))
			return false
		case mode == elicit.Form:
			m.Form = true
		case mode == elicit.URL:
			m.URL = true
		default:
			r.Report("wrong_type", name, elicit.Str("expected", "mode"))
		}
		return true
	})
	return m
}
