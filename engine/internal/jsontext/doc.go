// Package jsontext is the gate that every document of a peer passes, and the scanner that reads schemas and answers in
// the same pass.
//
// It is stricter than most readers. If two readers disagree about one document, that is a way around policy. So it
// refuses duplicate keys, invalid UTF-8, lone surrogates and trailing bytes, and bounds depth, size and member counts.
// Numbers keep their text, and objects keep their order. Every fault has its byte span and RFC 6901 pointer.
package jsontext
