package digest

import "math/bits"

const blockSize = 64

// blocks is SHA-256 as FIPS 180-4 §6.2 spells it: eight words turned by every block of 64 bytes.
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

func (h *blocks) Sum(dst []byte) []byte {
	last := *h // writing may go on after a sum
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

func (h *blocks) turn(block *[blockSize]byte) {
	var w [64]uint32
	for i := range 16 {
		w[i] = uint32(block[4*i])<<24 | uint32(block[4*i+1])<<16 | uint32(block[4*i+2])<<8 | uint32(block[4*i+3])
	}
	for i := 16; i < 64; i++ {
		a, b := w[i-15], w[i-2]
		w[i] = w[i-16] + w[i-7] +
			(bits.RotateLeft32(a, -7) ^ bits.RotateLeft32(a, -18) ^ a>>3) +
			(bits.RotateLeft32(b, -17) ^ bits.RotateLeft32(b, -19) ^ b>>10)
	}
	a, b, c, d, e, f, g, last := h.state[0], h.state[1], h.state[2], h.state[3], h.state[4], h.state[5], h.state[6], h.state[7]
	for i := range 64 {
		x := last + (bits.RotateLeft32(e, -6) ^ bits.RotateLeft32(e, -11) ^ bits.RotateLeft32(e, -25)) + (e&f ^ ^e&g) + round[i] + w[i]
		y := (bits.RotateLeft32(a, -2) ^ bits.RotateLeft32(a, -13) ^ bits.RotateLeft32(a, -22)) + (a&b ^ a&c ^ b&c)
		last, g, f, e, d, c, b, a = g, f, e, d+x, c, b, a, x+y
	}
	for i, v := range [8]uint32{a, b, c, d, e, f, g, last} {
		h.state[i] += v
	}
}
