// Package digest is SHA-256 and its hexadecimal spelling. It avoids the standard packages where code size counts.
package digest

// Size is the length of a digest in bytes.
const Size = 32

// Hash takes bytes and returns their SHA-256. Write never fails.
type Hash interface {
	Write(p []byte) (n int, err error)
	Sum(dst []byte) []byte // appends the digest of everything written so far
	Reset()
}
