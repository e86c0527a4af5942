package digest

import "math/bits"

const blockSize = 64

// blocks is SHA-256 as FIPS 180-4 §6.2 defines it: every block of 64 bytes changes eight words. filled is below
// blockSize between calls. length counts all bytes since Reset, and the padding writes it in bits.
type blocks struct {
	state  [8]uint32
	part   [blockSize]byte // the block that is not yet full
	filled int
	length uint64 // bytes written
}

func newBlocks() *blocks {
	h := &blocks{}
	h.Reset()
	return h
}

func (h *blocks) Reset() { *h = blocks{state: initial} }

func (h *blocks) Write(p []byte) (int, error) {
	n := len(p)
	h.length += uint64(n)
	// Complete the block that the last call began. A block is never turned before it is full.
	if h.filled > 0 {
		taken := copy(h.part[h.filled:], p)
		h.filled, p = h.filled+taken, p[taken:]
		if h.filled < blockSize {
			return n, nil
		}
		h.turn(&h.part)
		h.filled = 0
	}
	for len(p) >= blockSize {
		h.turn((*[blockSize]byte)(p))
		p = p[blockSize:]
	}
	h.filled = copy(h.part[:], p)
	return n, nil
}

// Sum pads a copy and turns it. The padding is a bit of 1, zeros, and the length in bits as eight bytes with
// the highest first (FIPS 180-4, section 5.1.1). size is how many bytes go before the length: from 1 to 64,
// since the first one is always there.
func (h *blocks) Sum(dst []byte) []byte {
	last := *h // a copy, because the caller may write on after Sum
	padding := [blockSize + 8]byte{0x80}
	size := blockSize - (last.filled+8)%blockSize // up to the length field, which ends a block
	for i := range 8 {
		padding[size+i] = byte(h.length << 3 >> (56 - 8*i))
	}
	last.Write(padding[:size+8])
	for _, word := range last.state {
		dst = append(dst, byte(word>>24), byte(word>>16), byte(word>>8), byte(word))
	}
	return dst
}

// turn processes one block. The loop body has eight rounds, because the eight words then return to their places. Moving
// them after every round costs as much in Wasm as the round itself.
func (h *blocks) turn(block *[blockSize]byte) {
	// w is the message schedule of section 6.2.2.
	var w [64]uint32
	for i := range 16 {
		w[i] = uint32(block[4*i])<<24 | uint32(block[4*i+1])<<16 | uint32(block[4*i+2])<<8 | uint32(block[4*i+3])
	}
	for i := 0; i < 48; i += 8 { // eight words at constant places, so that the access to memory is checked once
		m := (*[24]uint32)(w[i:])
		for j := range 8 {
			a, b := m[j+1], m[j+14]
			m[j+16] = m[j] + m[j+9] + (bits.RotateLeft32(a, -7) ^ bits.RotateLeft32(a, -18) ^ a>>3) +
				(bits.RotateLeft32(b, -17) ^ bits.RotateLeft32(b, -19) ^ b>>10)
		}
	}
	a, b, c, d := h.state[0], h.state[1], h.state[2], h.state[3]
	e, f, g, z := h.state[4], h.state[5], h.state[6], h.state[7]
	// A round of the standard gives two words new values and moves all eight by a place. Instead of the moves,
	// each round here has the words in other roles. The word h, here z, takes the result of the first round and
	// is the word a of the second.
	for i := 0; i < 64; i += 8 {
		k, m := (*[8]uint32)(round[i:]), (*[8]uint32)(w[i:])
		z += (bits.RotateLeft32(e, -6) ^ bits.RotateLeft32(e, -11) ^ bits.RotateLeft32(e, -25)) + (g ^ e&(f^g)) + k[0] + m[0]
		d += z
		z += (bits.RotateLeft32(a, -2) ^ bits.RotateLeft32(a, -13) ^ bits.RotateLeft32(a, -22)) + (a&b | c&(a|b))
		g += (bits.RotateLeft32(d, -6) ^ bits.RotateLeft32(d, -11) ^ bits.RotateLeft32(d, -25)) + (f ^ d&(e^f)) + k[1] + m[1]
		c += g
		g += (bits.RotateLeft32(z, -2) ^ bits.RotateLeft32(z, -13) ^ bits.RotateLeft32(z, -22)) + (z&a | b&(z|a))
		f += (bits.RotateLeft32(c, -6) ^ bits.RotateLeft32(c, -11) ^ bits.RotateLeft32(c, -25)) + (e ^ c&(d^e)) + k[2] + m[2]
		b += f
		f += (bits.RotateLeft32(g, -2) ^ bits.RotateLeft32(g, -13) ^ bits.RotateLeft32(g, -22)) + (g&z | a&(g|z))
		e += (bits.RotateLeft32(b, -6) ^ bits.RotateLeft32(b, -11) ^ bits.RotateLeft32(b, -25)) + (d ^ b&(c^d)) + k[3] + m[3]
		a += e
		e += (bits.RotateLeft32(f, -2) ^ bits.RotateLeft32(f, -13) ^ bits.RotateLeft32(f, -22)) + (f&g | z&(f|g))
		d += (bits.RotateLeft32(a, -6) ^ bits.RotateLeft32(a, -11) ^ bits.RotateLeft32(a, -25)) + (c ^ a&(b^c)) + k[4] + m[4]
		z += d
		d += (bits.RotateLeft32(e, -2) ^ bits.RotateLeft32(e, -13) ^ bits.RotateLeft32(e, -22)) + (e&f | g&(e|f))
		c += (bits.RotateLeft32(z, -6) ^ bits.RotateLeft32(z, -11) ^ bits.RotateLeft32(z, -25)) + (b ^ z&(a^b)) + k[5] + m[5]
		g += c
		c += (bits.RotateLeft32(d, -2) ^ bits.RotateLeft32(d, -13) ^ bits.RotateLeft32(d, -22)) + (d&e | f&(d|e))
		b += (bits.RotateLeft32(g, -6) ^ bits.RotateLeft32(g, -11) ^ bits.RotateLeft32(g, -25)) + (a ^ g&(z^a)) + k[6] + m[6]
		f += b
		b += (bits.RotateLeft32(c, -2) ^ bits.RotateLeft32(c, -13) ^ bits.RotateLeft32(c, -22)) + (c&d | e&(c|d))
		a += (bits.RotateLeft32(f, -6) ^ bits.RotateLeft32(f, -11) ^ bits.RotateLeft32(f, -25)) + (z ^ f&(g^z)) + k[7] + m[7]
		e += a
		a += (bits.RotateLeft32(b, -2) ^ bits.RotateLeft32(b, -13) ^ bits.RotateLeft32(b, -22)) + (b&c | d&(b|c))
	}
	for i, v := range [8]uint32{a, b, c, d, e, f, g, z} {
		h.state[i] += v
	}
}
