package schema

import "github.com/elicit-engine/elicit/engine/internal/jsontext"

// notes records where the properties and their keywords are in the document, each property before its keywords, so that
// the document is walked once. The first ones are kept in an array, because most forms have no more.
type notes struct {
	few  [80]note
	more []note
	n    int
}

// note is the positions of a key and its value.
type note struct {
	jsontext.Member
	keyword keyword
}

func (l *notes) add(n note) (at int) {
	if at = l.n; at < len(l.few) {
		l.few[at] = n
	} else {
		l.more = append(l.more, n)
	}
	l.n++
	return at
}

func (l *notes) at(i int) *note {
	if i < len(l.few) {
		return &l.few[i]
	}
	return &l.more[i-len(l.few)]
}

func (n *note) keyIn(doc []byte) []byte   { return doc[n.Key:n.KeyEnd] }
func (n *note) valueIn(doc []byte) []byte { return doc[n.Value:n.ValueEnd:n.ValueEnd] }
