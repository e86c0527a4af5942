// Package gate reads the messages of one connection so strictly that no two readers can differ about a message that
// passes. It knows JSON-RPC 2.0, and of a protocol only the names in a Vocabulary.
//
// Read it in this order: message.go and passage.go (what is read, and what happens to it), gate.go (the envelope),
// deciding.go (the places that somebody acts on), fold.go (names that some reader takes for known ones), id.go and
// integer.go (ids that have several spellings), respell.go (odd spellings with one meaning), glance.go (what a message
// shows that cannot be read).
package gate
