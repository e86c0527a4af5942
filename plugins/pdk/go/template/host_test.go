//go:build !wasip1

package main

// The host's side of what a rule may use, for go test: a log that is dropped, and the data document of the tests.

var document []byte

func log(int32, string) {}

func dataSize() int { return len(document) }

func dataRead(offset int, into []byte) int {
	return copy(into, document[min(offset, len(document)):])
}
