package aead

import "github.com/elicit-engine/elicit/engine/internal/digest"

// Sum is the output of HMAC.
type Sum = [digest.Size]byte

// HMAC is HMAC-SHA-256 (RFC 2104) of the parts, one after another without a mark between them. The caller makes sure
// that no two lists of parts join to the same bytes.
func HMAC(key []byte, parts ...[]byte) Sum {
	const block = 64
	var inner, outer [block]byte
	if len(key) > block {
		short := digest.Sum256(key)
		key = short[:]
	}
	copy(inner[:], key)
	copy(outer[:], key)
	for i := range block {
		inner[i] ^= 0x36
		outer[i] ^= 0x5c
	}
	var sum Sum
	h := digest.New()
	h.Write(inner[:])
	for _, p := range parts {
		h.Write(p)
	}
	h.Sum(sum[:0])
	h.Reset()
	h.Write(outer[:])
	h.Write(sum[:])
	h.Sum(sum[:0])
	return sum
}

// Derive returns the first 64 bytes of HKDF-SHA-256 (RFC 5869), which is enough for a key and a nonce.
func Derive(secret, salt, info []byte) (out [2 * digest.Size]byte) {
	prk := HMAC(salt, secret)
	first := HMAC(prk[:], info, []byte{1})
	second := HMAC(prk[:], first[:], info, []byte{2})
	copy(out[:], first[:])
	copy(out[digest.Size:], second[:])
	return out
}
