// Package gate reads the messages of one connection so strictly that no two readers can differ about a message that
// passes. It knows JSON-RPC 2.0, and of a protocol only the names in a Vocabulary.
//
// Read it in this order: message.go and passage.go (what is read, and what happens to it), gate.go (the envelope),
// deciding.go (the places that somebody acts on), fold.go (names that some reader takes for known ones), id.go and
// integer.go (ids that have several spellings), respell.go (odd spellings with one meaning), glance.go (what a message
// shows that cannot be read).
//
// The attack is a message with two meanings. The machine reads "arguments" and asks a person about them. A lax server
// reads "Arguments", or the second of two "arguments", and does something else. So the gate finds every such place and
// refuses the message. The gate refuses these, each for a reader that exists:
//
//	{"id":1,"id":2,…}                      first or last of a repeated key
//	{"params":{"name":"a","Name":"b"}}     readers that ignore case
//	{"params":{"argu_ments":{}}}           readers that accept snake_case
//	{"params":{"name\u0000x":"b"}}         readers whose strings end at a zero byte
//	{"reſult":{}}                          readers that fold ſ to s
//	{"params":{"__proto__":{}}}            readers that set the prototype
//	{"id":9007199254740993,…}              readers that round numbers, in an answer or a request of the server
//
// These have one meaning and pass, in the machine's spelling: {"id":5.0,…} as 5, {"params":null,…} without params, and
// {"error":null,"result":{}} without the error.
//
// A result of a tool may have all of that inside, because nobody acts on it here. It is not even parsed into values:
// its end is found, and the bytes pass. The cost of reading is linear in the message. A message in the plain spelling
// usually causes no allocation.
package gate
