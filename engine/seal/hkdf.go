package seal

import "github.com/elicit-engine/elicit/engine/internal/digest"

// HMAC and HKDF are written out here because those of the standard library ask for 15 pieces of memory for each token,
// which cost more than their hashes. Tests compare the two.

const (
	block  = 64
	onPage = 1024 // what fits is summed without asking for memory
)

// mac is HMAC-SHA-256 (RFC 2104) of the parts, one after another without a mark between them. The caller makes sure
// that no two lists of parts join to the same bytes. The key has at most 64 bytes.
func mac(key []byte, parts ...[]byte) [digest.Size]byte {
	var page [onPage]byte
	inner, size := page[:block], block
	for _, p := range parts {
		size += len(p)
	}
	if size > onPage {
		inner = make([]byte, block, size)
	}
	var outer [block + digest.Size]byte
	copy(inner, key)
	copy(outer[:], key)
	for i := range block {
		inner[i] ^= 0x36
		outer[i] ^= 0x5c
	}
	for _, p := range parts {
		inner = append(inner, p...)
	}
	sum := digest.Sum256(inner)
	copy(outer[block:], sum[:])
	return digest.Sum256(outer[:])
}

// derive is HKDF-SHA-256 (RFC 5869) of a secret. It fills to, which has at most 255 sums. The info is "elicit seal 1"
// and the header of a token.
func derive(to, secret, salt, header []byte) {
	prk := mac(salt, secret)
	var last [digest.Size]byte
	before := last[:0]
	for n := byte(1); len(to) > 0; n++ {
		last = mac(prk[:], before, []byte(keyInfo), header, []byte{n})
		before = last[:]
		to = to[copy(to, last[:]):]
	}
}
