package journal

import (
	"bytes"

	"github.com/elicit-engine/elicit/engine/internal/digest"
)

// A line of a keyed journal has one more member after the hash: ,"mac":"…", an authentication code over the hash by the
// writer of the file. The chain does not cover the code, and the engine never sees a key. A record without its code is
// the record as the engine made it.
const (
	macMember = `,"mac":"`
	macLen    = len(macMember) + 2*digest.Size + len(`"}`)
)

// WithMAC appends record with mac, 32 bytes, as its last member. The code is HMAC-SHA-256 or the like over the hash,
// with a key that only the host has. This package checks none.
func WithMAC(dst, record []byte, mac [digest.Size]byte) []byte {
	dst = append(dst, record[:len(record)-1]...)
	dst = append(dst, macMember...)
	dst = digest.AppendHex(dst, mac[:])
	return append(dst, '"', '}')
}

// SplitMAC splits a line without its newline into the record and the hex digits of its code. For a line without a code,
// it returns the line and nil. Otherwise the record is a copy. A text that only looks like a code, within a string of
// the event, stands before the hash and not at the end.
func SplitMAC(line []byte) (record, mac []byte) {
	at := len(line) - macLen
	if at < 0 || !bytes.HasPrefix(line[at:], []byte(macMember)) || !bytes.HasSuffix(line, []byte(`"}`)) {
		return line, nil
	}
	mac = line[at+len(macMember) : len(line)-len(`"}`)]
	if bytes.ContainsAny(mac, `"\`) {
		return line, nil
	}
	return append(append(make([]byte, 0, at+1), line[:at]...), '}'), mac
}
