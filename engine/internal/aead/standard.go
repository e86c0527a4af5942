//go:build !wasip1

package aead

import (
	"crypto/aes"
	"crypto/cipher"
)

// Seal appends the ciphertext of text and its tag. A nonce must never be used twice with the same key.
func Seal(dst []byte, key *[KeySize]byte, nonce *[NonceSize]byte, text, associated []byte) []byte {
	return gcm(key).Seal(dst, nonce[:], text, associated)
}

// Open appends the text of sealed. ok is false if sealed or associated are not as Seal had them; dst is then unchanged.
func Open(dst []byte, key *[KeySize]byte, nonce *[NonceSize]byte, sealed, associated []byte) (text []byte, ok bool) {
	text, err := gcm(key).Open(dst, nonce[:], sealed, associated)
	if err != nil {
		return dst, false
	}
	return text, true
}

func gcm(key *[KeySize]byte) cipher.AEAD {
	block, err := aes.NewCipher(key[:])
	if err != nil {
		panic("aead: AES refuses a key of 32 bytes")
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic("aead: GCM refuses AES")
	}
	return aead
}
