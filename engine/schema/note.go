package schema

import "github.com/elicit-engine/elicit/engine/internal/jsontext"

// notes records where the properties and their keywords are in the document, each property before its keywords,
// so that the document is walked once. The first ones are kept in an array, because most forms have no more. An
// entry of the keyword kwProperty is a property. The entries behind it, up to the next such entry, are the
// members of that property that have a meaning here, in the order of the document:
//
//	"properties":{"a":{"type":"string","maxLength":3},"b":{…}}
//	entries: a, type, maxLength, b, …
//
// more grows only with members that the scanner has accepted, so the size of the document bounds it.
type notes struct {
	few  [80]note
	more []note
	n    int
}

// note is the positions of a key and its value in the document. They fit 32 bits, because hardBytes bounds the
// document. The key's span includes the quotes. keyword is what the decoded key means.
type note struct {
	jsontext.Member
	keyword keyword
}

// add returns the position of the entry, not its address: the next call may move the entries of more.
func (l *notes) add(n note) (at int) {
	if at = l.n; at < len(l.few) {
		l.few[at] = n
	} else {
		l.more = append(l.more, n)
	}
	l.n++
	return at
}

// at returns the entry at a position. The pointer is valid until the next call of add.
func (l *notes) at(i int) *note {
	if i < len(l.few) {
		return &l.few[i]
	}
	return &l.more[i-len(l.few)]
}

// keyIn returns the key as the document spells it, with its quotes. valueIn returns the raw value. Neither
// copies.
func (n *note) keyIn(doc []byte) []byte   { return doc[n.Key:n.KeyEnd] }
func (n *note) valueIn(doc []byte) []byte { return doc[n.Value:n.ValueEnd:n.ValueEnd] }
