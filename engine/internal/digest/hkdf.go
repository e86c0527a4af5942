package digest

// HMAC and HKDF are written out here because those of the standard library ask for 15 pieces of memory for each token,
// which cost more than their hashes. Tests compare the two.

const onPage = 1024 // what fits is summed without asking for memory

// MAC is HMAC-SHA-256 (RFC 2104) of the parts, one after another without a mark between them. The caller makes
// sure that no two lists of parts join to the same bytes. The key has at most 64 bytes. A longer key would have
// to be hashed first (RFC 2104, section 2). No caller has one, so that case is left out, and the bytes beyond
// 64 would be ignored.
func MAC(key []byte, parts ...[]byte) [Size]byte {
	// inner is the key in a block of its own, and behind it the parts. One call then hashes it all.
	var page [onPage]byte
	inner, size := page[:blockSize], blockSize
	for _, p := range parts {
		size += len(p)
	}
	if size > onPage {
		inner = make([]byte, blockSize, size)
	}
	var outer [blockSize + Size]byte
	copy(inner, key)
	copy(outer[:], key)
	// The two pads of RFC 2104 make two keys of one.
	for i := range blockSize {
		inner[i] ^= 0x36
		outer[i] ^= 0x5c
	}
	for _, p := range parts {
		inner = append(inner, p...)
	}
	sum := Sum256(inner)
	copy(outer[blockSize:], sum[:])
	return Sum256(outer[:])
}

// Derive is HKDF-SHA-256 (RFC 5869) of a secret. It fills to, which has at most 255 sums. The label and info
// together are the info of the RFC. The salt has at most 64 bytes. With a salt of no bytes, the key is 64
// zeros, as the RFC asks (section 2.2).
func Derive(to, secret, salt []byte, label string, info []byte) {
	// Extract: prk is a key of even quality, whatever form the secret has.
	prk := MAC(salt, secret)
	// Expand: each block is the MAC of the block before it, the info and a count that begins with 1.
	var last [Size]byte
	before := last[:0]
	for n := byte(1); len(to) > 0; n++ {
		last = MAC(prk[:], before, []byte(label), info, []byte{n})
		before = last[:]
		to = to[copy(to, last[:]):]
	}
}
