package relay

import (
	"slices"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// Role says what the host is.
type Role string

// These are the roles. The machine is the same in each. A role decides who is asked if Ask is not set, and says in the
// journal and the documentation what the host is.
const (
	Between  Role = "between" // a proxy between two peers
	AsClient Role = "client"  // the host is the client: it gives its own requests as received from the client
	AsServer Role = "server"  // the host is the server: it gives its own requests as received from the server
)

// Asker says who is asked about a question that policy leaves open.
type Asker string

// These are the askers.
const (
	AskHost   Asker = "host"   // the host's own user interface, in the modes that Config.Modes names
	AskClient Asker = "client" // the client, as far as it declared elicitation itself
	AskPolicy Asker = "policy" // nobody: policy answers what it can, the rest is cancelled as no_ui
	AskNobody Asker = "nobody" // nobody, and the server is told that there is no elicitation
)

// Config is the configuration of a connection.
type Config struct {
	Engine    []byte       // the engine's configuration, JSON; nil for the defaults
	Server    string       // the name of the server for policy and people; never the name that it gives itself
	Identity  string       // what the server really is: its command and arguments, or the origin of its URL
	Principal string       // the owner of the session
	Role      Role         // "" for Between
	Ask       Asker        // "" for AskClient if the role is AsServer, otherwise AskHost
	Modes     engine.Modes // the modes that the host can show to a person; used with AskHost
	Session   *Session     // nil if the connection begins with its first message

	// Guests answer consults inside Step if they have the module of a guardian. The output of a module depends only on its
	// bytes and the question, so a step stays a function of its input. Other consults come out as effects. nil for none.
	Guests engine.Guests

	KeepAlive      int64 // milliseconds between progress notifications while a call waits for an answer; 0 for none
	CompletionWait int64 // milliseconds that a call waits for a visited page to be finished; 0 for the default
	CallOver       int64 // milliseconds that a question stays open after its call has ended; 0 for the default
	MaxMessage     int   // bytes of one message; 0 for the default
}

// Session is what two ends agreed on before the machine was opened, for an SDK that owns the connection and passes only
// its questions on.
type Session struct {
	Version   string       // the protocol date
	Declared  engine.Modes // the modes declared to the server
	CallsSeen bool         // the machine sees the calls too; otherwise a question may belong to a call of any tool
}

// These are the defaults and bounds of Config.
const (
	DefaultCompletionWait = 30_000 // servers need not say that a page is finished, and clients give up after a minute
	DefaultCallOver       = 5_000
	DefaultMaxMessage     = 64 << 20
	MostMessage           = 1 << 30
	mostWait              = 24 * 3600 * 1000
)

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
	if c.Role == "" {
		c.Role = Between
	}
	if !slices.Contains(Roles(), c.Role) {
		bad("unknown_role", "role", elicit.Str("role", clipped(string(c.Role))))
	}
	if c.Ask == "" {
		if c.Ask = AskHost; c.Role == AsServer {
			c.Ask = AskClient
		}
	}
	if !slices.Contains(Askers(), c.Ask) {
		bad("unknown_asker", "ask", elicit.Str("ask", clipped(string(c.Ask))))
	}
	within := func(name string, v *int64, def, most int64) {
		if *v == 0 {
			*v = def
		}
		if *v < 0 || *v > most {
			bad("limit_out_of_range", name, elicit.Num("least", 0), elicit.Num("most", int(most)))
		}
	}
	within("keep_alive_ms", &c.KeepAlive, 0, mostWait)
	within("completion_wait_ms", &c.CompletionWait, DefaultCompletionWait, mostWait)
	within("call_over_ms", &c.CallOver, DefaultCallOver, mostWait)
	largest := int64(c.MaxMessage)
	within("max_message", &largest, DefaultMaxMessage, MostMessage)
	c.MaxMessage = int(largest)
	return c, problems
}

// ReadConfig reads the configuration of a connection, a JSON object that has passed the gate:
//
//	{"server":"NAME","config"?:{…},"identity"?,"principal"?,"role"?,"ask"?,"modes"?:["form","url"],
//	 "session"?:{"version":"2025-11-25","declared":["form","url"],"calls_seen"?},
//	 "keep_alive_ms"?,"completion_wait_ms"?,"call_over_ms"?,"max_message"?}
//
// The members are those of Config. An unknown member is a problem.
func ReadConfig(doc []byte) (c Config, problems []elicit.Problem) {
	o, ok := wire.ReadObject(doc)
	if !ok {
		return c, []elicit.Problem{{Code: "wrong_type", Args: []elicit.Arg{elicit.Str("expected", "object")}}}
	}
	r := configReader{}
	for _, m := range o.Members {
		v := o.Raw(m)
		switch m.Name {
		case "config":
			c.Engine = v
		case "server":
			c.Server = r.text("/server", v)
		case "identity":
			c.Identity = r.text("/identity", v)
		case "principal":
			c.Principal = r.text("/principal", v)
		case "role":
			c.Role = Role(r.text("/role", v))
		case "ask":
			c.Ask = Asker(r.text("/ask", v))
		case "modes":
			c.Modes = r.modes("/modes", v)
		case "session":
			c.Session = r.session(v)
		case "keep_alive_ms":
			c.KeepAlive = r.number("/keep_alive_ms", v)
		case "completion_wait_ms":
			c.CompletionWait = r.number("/completion_wait_ms", v)
		case "call_over_ms":
			c.CallOver = r.number("/call_over_ms", v)
		case "max_message":
			c.MaxMessage = int(r.number("/max_message", v))
		default:
			r.unknown("", m.Name)
		}
	}
	if len(r.problems) > 0 {
		return c, r.problems
	}
	return c.orDefault()
}

type configReader struct{ problems []elicit.Problem }

func (r *configReader) wrong(pointer, expected string) {
	r.problems = append(r.problems, elicit.Problem{Code: "wrong_type", Pointer: pointer,
		Args: []elicit.Arg{elicit.Str("expected", expected)}})
}

func (r *configReader) unknown(at, name string) {
	r.problems = append(r.problems, elicit.Problem{Code: "unknown_member",
		Pointer: at + string(jsontext.AppendToken(nil, name))})
}

func (r *configReader) text(pointer string, v []byte) string {
	s, ok := wire.Text(v)
	if !ok || len(s) > 1024 {
		r.wrong(pointer, "string")
		return ""
	}
	return s
}

func (r *configReader) number(pointer string, v []byte) (n int64) {
	for _, c := range v {
		if c < '0' || c > '9' || len(v) > 15 {
			r.wrong(pointer, "integer")
			return 0
		}
		n = 10*n + int64(c-'0')
	}
	return n
}

func (r *configReader) modes(pointer string, v []byte) (m engine.Modes) {
	list, count := wire.Elements(v, 8)
	if wire.TypeOf(v) != wire.Array || count > 8 {
		r.wrong(pointer, "array")
	}
	for _, one := range list {
		switch s, _ := wire.Text(one); elicit.Mode(s) {
		case elicit.Form:
			m.Form = true
		case elicit.URL:
			m.URL = true
		default:
			r.wrong(pointer, "mode")
		}
	}
	return m
}

func (r *configReader) session(v []byte) *Session {
	o, ok := wire.ReadObject(v)
	if !ok {
		r.wrong("/session", "object")
	}
	s := &Session{}
	for _, m := range o.Members {
		switch m.Name {
		case "version":
			s.Version = r.text("/session/version", o.Raw(m))
		case "declared":
			s.Declared = r.modes("/session/declared", o.Raw(m))
		case "calls_seen":
			if s.CallsSeen = wire.True(o.Raw(m)); wire.TypeOf(o.Raw(m)) != wire.Boolean {
				r.wrong("/session/calls_seen", "boolean")
			}
		default:
			r.unknown("/session", m.Name)
		}
	}
	return s
}
