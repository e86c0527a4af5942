// Package digest is SHA-256 and its hexadecimal spelling, without what the standard packages bring along where size counts.
package digest

// Size is the length of a digest in bytes.
const Size = 32

// Hash takes bytes and tells their SHA-256. Write never fails.
type Hash interface {
	Write(p []byte) (n int, err error)
	Sum(dst []byte) []byte // appends the digest of what was written so far
	Reset()
}
