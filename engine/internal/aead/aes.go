package aead

// planes holds four blocks of AES, 64 bytes, as eight planes: bit j of plane i is bit i of byte j. One operation on a
// plane works on all bytes at once. A table for the S-box would be faster, and its cache lines would tell the key.
type planes [8]uint64

const rounds = 14 // of AES-256 (FIPS 197 §5)

// schedule is the round keys, each repeated for the four blocks.
type schedule [rounds + 1]planes

// load spreads the bits of 64 bytes.
func load(bytes *[64]byte) (p planes) {
	for j, b := range bytes {
		for i := range p {
			p[i] |= uint64(b>>i&1) << j
		}
	}
	return p
}

func (p *planes) store(bytes *[64]byte) {
	for j := range bytes {
		var b uint64
		for i, plane := range p {
			b |= plane >> j & 1 << i
		}
		bytes[j] = byte(b)
	}
}

// reduced returns the polynomial modulo x⁸+x⁴+x³+x+1, for each byte.
func reduced(c *[15]uint64) planes {
	for k := 14; k >= 8; k-- {
		c[k-8] ^= c[k]
		c[k-7] ^= c[k]
		c[k-5] ^= c[k]
		c[k-4] ^= c[k]
	}
	return planes(c[:8])
}

func product(a, b *planes) planes {
	var c [15]uint64
	for i, x := range a {
		d := (*[8]uint64)(c[i:])
		d[0] ^= x & b[0]
		d[1] ^= x & b[1]
		d[2] ^= x & b[2]
		d[3] ^= x & b[3]
		d[4] ^= x & b[4]
		d[5] ^= x & b[5]
		d[6] ^= x & b[6]
		d[7] ^= x & b[7]
	}
	return reduced(&c)
}

// squared squares every byte n times.
func squared(a planes, n int) planes {
	for range n {
		a = reduced(&[15]uint64{a[0], 0, a[1], 0, a[2], 0, a[3], 0, a[4], 0, a[5], 0, a[6], 0, a[7]})
	}
	return a
}

// substitute is SubBytes: the inverse of every byte in the field, which is its power of 254, and an affine map.
func (p *planes) substitute() {
	second := squared(*p, 1)
	third := product(&second, p)
	twelfth := squared(third, 2)
	fifteenth := product(&twelfth, &third)
	high := squared(fifteenth, 4) // the power of 240
	high = product(&high, &twelfth)
	b := product(&high, &second)
	const constant = 0x63
	for i := range p {
		p[i] = b[i] ^ b[(i+4)%8] ^ b[(i+5)%8] ^ b[(i+6)%8] ^ b[(i+7)%8] ^ -uint64(constant>>i&1)
	}
}

// shiftRows moves row r of each block by r columns. Byte r+4c of a block is in row r and column c.
func (p *planes) shiftRows() {
	for i, x := range p {
		p[i] = x&0x1111111111111111 |
			x>>4&0x0222022202220222 | x<<12&0x2000200020002000 |
			x>>8&0x0044004400440044 | x<<8&0x4400440044004400 |
			x>>12&0x0008000800080008 | x<<4&0x8880888088808880
	}
}

// mixColumns multiplies each column of four bytes by the matrix of FIPS 197 §5.1.3.
func (p *planes) mixColumns() {
	var t, rest planes
	for i, x := range p {
		next := x>>1&0x7777777777777777 | x<<3&0x8888888888888888 // the byte of the next row
		t[i] = x ^ next
		rest[i] = next ^ t[i]>>2&0x3333333333333333 ^ t[i]<<2&0xcccccccccccccccc
	}
	for i := range p {
		p[i] = rest[i] ^ t[(i+7)%8]
	}
	p[1] ^= t[7]
	p[3] ^= t[7]
	p[4] ^= t[7]
}

func (p *planes) add(q *planes) {
	for i := range p {
		p[i] ^= q[i]
	}
}

// newSchedule is KeyExpansion (FIPS 197 §5.2).
func newSchedule(key *[KeySize]byte) (s schedule) {
	var words [4 * 4 * (rounds + 1)]byte
	copy(words[:], key[:])
	constant := byte(1)
	for at := KeySize; at < len(words); at += 4 {
		var word [64]byte
		copy(word[:], words[at-4:at])
		switch at % KeySize {
		case 0:
			word[0], word[1], word[2], word[3] = word[1], word[2], word[3], word[0]
			substituteBytes(&word)
			word[0] ^= constant
			constant <<= 1
		case KeySize / 2:
			substituteBytes(&word)
		}
		for i := range 4 {
			words[at+i] = words[at+i-KeySize] ^ word[i]
		}
	}
	for r := range s {
		var four [64]byte
		for i := range four {
			four[i] = words[16*r+i%16]
		}
		s[r] = load(&four)
	}
	return s
}

func substituteBytes(b *[64]byte) {
	p := load(b)
	p.substitute()
	p.store(b)
}

// encrypt encrypts four blocks.
func (s *schedule) encrypt(blocks *[64]byte) {
	p := load(blocks)
	p.add(&s[0])
	for r := 1; r < rounds; r++ {
		p.substitute()
		p.shiftRows()
		p.mixColumns()
		p.add(&s[r])
	}
	p.substitute()
	p.shiftRows()
	p.add(&s[rounds])
	p.store(blocks)
}
