//go:build wasip1

package aead

// Seal appends the ciphertext of text and its tag. A nonce must never be used twice with the same key.
func Seal(dst []byte, key *[KeySize]byte, nonce *[NonceSize]byte, text, associated []byte) []byte {
	return seal(dst, key, nonce, text, associated)
}

// Open appends the text of sealed. ok is false if sealed or associated are not as Seal had them; dst is then unchanged.
func Open(dst []byte, key *[KeySize]byte, nonce *[NonceSize]byte, sealed, associated []byte) (text []byte, ok bool) {
	return open(dst, key, nonce, sealed, associated)
}
