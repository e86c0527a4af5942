// Package jsontext is the gate through which every document of a peer passes, and the scanner that reads schemas and
// answers in the same pass.
//
// It is stricter than most readers, because two readers that disagree about one document are a way around policy:
// duplicate keys, invalid UTF-8, lone surrogates and trailing bytes are refused, and depth, size and member counts are
// bounded. Numbers keep their text, objects keep their order, and every fault names its byte span and RFC 6901 pointer.
package jsontext
