// Package aead encrypts and authenticates with AES-256-GCM (NIST SP 800-38D), and derives keys with HKDF-SHA-256
// (RFC 5869).
//
// Native builds use crypto/aes and crypto/cipher. Those add 0.6 MB of self-tests to a Wasm module. There, AES and GCM
// are this package's own. They do the same work for every key and text: no branch and no address depends on either, so
// nobody learns them from the time that it takes. Tests compare both, byte for byte.
package aead

// KeySize, NonceSize and Overhead are lengths in bytes. A ciphertext is Overhead longer than its text.
const (
	KeySize   = 32
	NonceSize = 12
	Overhead  = 16
)

// Equal reports whether a and b are the same. Its time depends on their lengths only.
func Equal(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	var different byte
	for i := range len(a) {
		different |= a[i] ^ b[i]
	}
	return different == 0
}
