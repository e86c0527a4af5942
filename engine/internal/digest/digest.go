// Package digest is SHA-256 and its hexadecimal spelling. It avoids the standard packages where code size counts.
//
// It also has the two constructions that the engine makes of SHA-256: MAC (HMAC) and Derive (HKDF). Tokens and
// encrypted stores use them. The chain of the journal uses the hash alone.
//
//	Wasm (wasip1)    blocks.go, constants.go   our own SHA-256
//	other builds     standard.go               crypto/sha256
//
// Both give the same digests, and a test compares them at each length around the borders of a block. The
// functions keep no reference to what they are given.
package digest

// Size is the length of a digest in bytes.
const Size = 32

// Hash takes bytes and returns their SHA-256. Write never fails. Sum does not end the hash, so a caller can
// take the digest of a prefix and write on. It is not safe for concurrent use.
type Hash interface {
	Write(p []byte) (n int, err error)
	Sum(dst []byte) []byte // appends the digest of everything written so far
	Reset()
}
