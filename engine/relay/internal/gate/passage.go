package gate

// Passage is what happens to a message: it passes, it passes with another text, or the machine takes it.
//
// Text with Pass false has no meaning. Text never shares memory with the received bytes, as the host may queue it.
type Passage struct {
	Pass bool
	Text []byte // the changed message; nil if it passes unchanged
}

// These are the passages without another text.
var (
	Passes = Passage{Pass: true}
	Taken  = Passage{}
)

// Changed is the passage of a message as another text.
func Changed(text []byte) Passage { return Passage{Pass: true, Text: text} }
