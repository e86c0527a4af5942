package wire

// Carrier says how a question travels.
type Carrier string

// These are the carriers. With Rounds, no request is open while a person thinks: the question is the result of a call,
// and the answer is in the parameters of the same call made again.
const (
	Direct Carrier = "direct"
	Rounds Carrier = "rounds"
)

// Dialect lists what one dated protocol can express. The package named by Protocol has the code that reads and writes
// it.
//
// It is data: most code asks what a date can do, and not which date it is.
type Dialect struct {
	Protocol   string // "mcp" or "acp"
	Version    string // the date negotiated on the wire
	Carrier    Carrier
	Profile    string // the schema profile with this date's own grammar
	URL        bool   // URL mode exists
	Modes      bool   // capabilities name the modes; otherwise a capability means form
	Link       bool   // a URL request has an id that a later completion names
	AnswerMeta bool   // an answer may have _meta
	Explicit   bool   // every mode is named: a capability without one declares none, and a question has one
	Tasks      bool   // a question may belong to a task, and its answer must then have the same mark
}
