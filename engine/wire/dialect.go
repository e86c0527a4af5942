package wire

// Carrier says how a question travels.
type Carrier string

// The carriers. In Rounds nothing is in flight while a person thinks: the question is the result of a call, and the
// answer rides in the parameters of the same call made again.
const (
	Direct Carrier = "direct"
	Rounds Carrier = "rounds"
)

// Dialect is what one dated protocol can say, as facts; how it says it is code in the package named by Protocol.
type Dialect struct {
	Protocol   string // "mcp"
	Version    string // the date negotiated on the wire
	Carrier    Carrier
	Profile    string // the schema profile that is this date's own grammar
	URL        bool   // URL mode exists
	Modes      bool   // capabilities name the modes; otherwise their presence means form
	Link       bool   // a URL request carries an id that a later completion names
	AnswerMeta bool   // an answer may carry _meta
	Tasks      bool   // a question may belong to a task and must then be answered with the same mark
}
