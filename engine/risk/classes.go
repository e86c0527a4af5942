package risk

// classes says which kinds of byte a text holds. Most texts hold plain letters only, and then most checks can be
// skipped.
type classes byte

const (
	classBeyond  classes = 1 << iota // not ASCII
	classControl                     // a control character other than tab and line ends
	classAngle                       // <
	classLink                        // ':', ']' or '.': every address in a text has one of them
)

// byteClasses gives the class of each byte. Tabs and line ends are ordinary in a text.
var byteClasses = func() (table [256]classes) {
	for c := range table {
		switch b := byte(c); {
		case b >= 0x80:
			table[c] = classBeyond
		case b < ' ' && b != '\t' && b != '\n' && b != '\r', b == 0x7F:
			table[c] = classControl
		case b == '<':
			table[c] = classAngle
		case b == ':' || b == ']' || b == '.':
			table[c] = classLink
		}
	}
	return table
}()

// It does not stop early: a text has few classes, and a loop without a branch is faster than one with a test.
func classesOf(text string) (all classes) {
	for i := 0; i < len(text); i++ {
		all |= byteClasses[text[i]]
	}
	return all
}
