package gate

import "slices"

// Vocabulary is the names that the gate reads strictly: the methods that the machine acts on, and the members that
// decide, by their place. A name that some reader could take for one of them is refused.
//
// A dialogue makes one for its protocol, and it never changes. Methods and Params have the same length. A name that is
// not here is not read at all: a rule about a new member of the protocol needs an entry first.
type Vocabulary struct {
	Methods []string   // by method; "" for a method that the protocol does not have
	Params  [][]string // of a call, by method; every method has an entry, which may be empty
	// Questions are the methods that ask a person something. Each must have an id.
	Questions []Method
	Listing   []Method // notifications of the server whose params may list questions
	Result    []string // of every result, also of an answer to a question
	Entry     []string // of the params of a question that is an entry of a result
	Meta      []string // of _meta; the first is that of a progress token
	// Client has the methods that the client answers, beside Questions, and Slow those whose answer comes when some work
	// of the client ends.
	Client, Slow []string
	Bare         bool // messages have no jsonrpc member; if it is there, it must still be "2.0"
}

// These places are the same in every protocol, because they belong to JSON-RPC 2.0.
var (
	envelopeKeys = []string{"jsonrpc", "id", "method", "params", "result", "error"}
	errorKeys    = []string{"code", "message", "data"}
)

func (w *Vocabulary) methodOf(name []byte) Method {
	for m, known := range w.Methods {
		if known != "" && string(name) == known {
			return Method(m)
		}
	}
	return OtherMethod
}

// These are the members of _meta by which a request declares what its sender can do.
const (
	MetaVersion      = "io.modelcontextprotocol/protocolVersion"
	MetaCapabilities = "io.modelcontextprotocol/clientCapabilities"
)

// New makes a gate that reads these words strictly.
func New(words *Vocabulary) Gate { return Gate{words: words} }

// Bare reports whether messages have no jsonrpc member.
func (g *Gate) Bare() bool { return g.words.Bare }

// ForClient reports whether the protocol has a request for the client, and whether its answer may take any time.
//
// The name is compared as spelled, without its quotes. A name with escapes is unknown. That changes an error code, and
// its answer is then due after AnswerWithin.
func (g *Gate) ForClient(m *Message) (known, slow bool) {
	if m.Name == nil {
		return false, false
	}
	name := string(m.Name[1 : len(m.Name)-1])
	return slices.Contains(g.words.Client, name), slices.Contains(g.words.Slow, name)
}

// Misplaced reports whether a message of the server lists questions in a place that no protocol has.
//
// MCP 2026-07-28 has inputRequests in results and in notifications about tasks. In the params of a request, no check
// would read the questions.
func (g *Gate) Misplaced(m *Message) bool {
	return m.Asks && (m.Kind != Notification || !slices.Contains(g.words.Listing, m.Method))
}
