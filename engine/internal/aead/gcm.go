package aead

// stream is GCM for one key and nonce: the key stream, and the hash of what is authenticated.
type stream struct {
	keys    schedule
	blocks  [64]byte // the part of the key stream at hand
	used    int
	counter [16]byte

	mask [16]byte  // encrypts the tag
	h, y [2]uint64 // the hash key, and the hash so far (SP 800-38D §6.4)
}

func newStream(key *[KeySize]byte, nonce *[NonceSize]byte) *stream {
	s := &stream{keys: newSchedule(key)}
	copy(s.counter[:], nonce[:])
	s.fill(1) // block 0 stays zero: its encryption is the hash key
	s.h = words(s.blocks[:16])
	copy(s.mask[:], s.blocks[16:])
	s.used = 32
	return s
}

// fill makes the next blocks of the key stream, from block first on.
func (s *stream) fill(first int) {
	s.blocks, s.used = [64]byte{}, 0
	for i := first; i < 4; i++ {
		n := word32(s.counter[12:]) + 1
		s.counter[12], s.counter[13], s.counter[14], s.counter[15] = byte(n>>24), byte(n>>16), byte(n>>8), byte(n)
		copy(s.blocks[16*i:], s.counter[:])
	}
	s.keys.encrypt(&s.blocks)
}

// crypt appends text, encrypted or decrypted.
func (s *stream) crypt(dst, text []byte) []byte {
	for _, b := range text {
		if s.used == len(s.blocks) {
			s.fill(0)
		}
		dst = append(dst, b^s.blocks[s.used])
		s.used++
	}
	return dst
}

// hash adds p, padded with zeros to whole blocks.
func (s *stream) hash(p []byte) {
	for len(p) > 0 {
		var block [16]byte
		p = p[copy(block[:], p):]
		w := words(block[:])
		s.turn(w)
	}
}

// turn adds a block and multiplies by the hash key. The bits of GCM's field are in the opposite order: the first bit is
// the lowest power.
func (s *stream) turn(w [2]uint64) {
	x := [2]uint64{s.y[0] ^ w[0], s.y[1] ^ w[1]}
	v0, v1 := s.h[0], s.h[1]
	var z0, z1 uint64
	for _, word := range x {
		for range 64 {
			take := -(word >> 63)
			word <<= 1
			z0 ^= v0 & take
			z1 ^= v1 & take
			over := -(v1 & 1)
			v1 = v1>>1 | v0<<63
			v0 = v0>>1 ^ 0xe100000000000000&over
		}
	}
	s.y = [2]uint64{z0, z1}
}

// tag is the tag of a ciphertext.
func (s *stream) tag(sealed, associated []byte) (tag [Overhead]byte) {
	s.hash(associated)
	s.hash(sealed)
	s.turn([2]uint64{8 * uint64(len(associated)), 8 * uint64(len(sealed))})
	for i := range tag {
		tag[i] = byte(s.y[i/8]>>(56-i%8*8)) ^ s.mask[i]
	}
	return tag
}

func word32(b []byte) uint32 {
	return uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
}

func words(b []byte) (w [2]uint64) {
	for i := range w {
		w[i] = uint64(word32(b[8*i:]))<<32 | uint64(word32(b[8*i+4:]))
	}
	return w
}

// seal is Seal without the standard library.
func seal(dst []byte, key *[KeySize]byte, nonce *[NonceSize]byte, text, associated []byte) []byte {
	s := newStream(key, nonce)
	start := len(dst)
	dst = s.crypt(dst, text)
	tag := s.tag(dst[start:], associated)
	return append(dst, tag[:]...)
}

// open is Open without the standard library. It decrypts nothing before it has checked the tag.
func open(dst []byte, key *[KeySize]byte, nonce *[NonceSize]byte, sealed, associated []byte) (text []byte, ok bool) {
	if len(sealed) < Overhead {
		return dst, false
	}
	s := newStream(key, nonce)
	sealed, given := sealed[:len(sealed)-Overhead], sealed[len(sealed)-Overhead:]
	if tag := s.tag(sealed, associated); !Equal(string(tag[:]), string(given)) {
		return dst, false
	}
	return s.crypt(dst, sealed), true
}
