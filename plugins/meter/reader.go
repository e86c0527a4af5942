package meter

import (
	"math"
	"unicode/utf8"
)

// reader walks bytes with a position. The first refusal sticks and ends every loop over it: nothing is read after it,
// every read gives zero.
type reader struct {
	src     []byte // the whole module, so that positions are those of a Refusal
	at, end int
	no      *Refusal // the first one
}

func (r *reader) refuse(code string, at int, detail string) {
	if r.no == nil {
		r.no = &Refusal{Code: code, Offset: at, Detail: detail}
	}
	r.at = r.end
}

// more reports whether bytes are left and nothing was refused.
func (r *reader) more() bool { return r.no == nil && r.at < r.end }

func (r *reader) byte() byte {
	if r.at >= r.end {
		r.refuse(Malformed, r.at, "unexpected end")
		return 0
	}
	b := r.src[r.at]
	r.at++
	return b
}

func (r *reader) header() {
	if r.end < 8 || string(r.src[:4]) != "\x00asm" {
		r.refuse(Malformed, 0, "not a Wasm module")
		return
	}
	if string(r.src[4:8]) != "\x01\x00\x00\x00" {
		r.refuse(Unsupported, 4, "not a core module of version 1 (a component?)")
		return
	}
	r.at = 8
}

// u32 reads an unsigned LEB128 of at most five bytes. Padding up to that length is legal and linkers use it.
func (r *reader) u32() uint32 {
	at := r.at
	var v uint32
	for shift := 0; shift < 35; shift += 7 {
		b := r.byte()
		if shift == 28 && b > 0x0f {
			break
		}
		v |= uint32(b&0x7f) << shift
		if b < 0x80 {
			return v
		}
	}
	r.refuse(Malformed, at, "integer too long")
	return 0
}

// index reads a number of 32 bits. A larger one than an int of 32 bits has becomes that largest one, which no list has
// either. A module that runs this engine would take it for a negative one.
func (r *reader) index() int { return int(min(r.u32(), math.MaxInt32)) }

// signed reads a signed LEB128 of the given width in bits.
func (r *reader) signed(width int) int64 {
	at := r.at
	var v int64
	for shift := 0; shift < width; shift += 7 {
		b := r.byte()
		v |= int64(b&0x7f) << shift
		left := width - shift
		if left < 7 {
			// The bits above the width must repeat the sign, and no byte may follow.
			sign := int8(b<<1) >> left
			if b >= 0x80 || sign != 0 && sign != -1 {
				break
			}
		}
		if b < 0x80 {
			if shift+7 < 64 && b&0x40 != 0 {
				v |= -1 << (shift + 7)
			}
			return v
		}
	}
	r.refuse(Malformed, at, "integer too long")
	return 0
}

// part returns a reader over the next n bytes and steps over them.
func (r *reader) part(n int) *reader {
	if n < 0 || n > r.end-r.at {
		r.refuse(Malformed, r.at, "length out of bounds")
		n = 0
	}
	p := &reader{src: r.src, at: r.at, end: r.at + n, no: r.no}
	r.at += n
	return p
}

// adopt takes over what a part refused.
func (r *reader) adopt(part *reader) {
	if r.no == nil && part.no != nil {
		r.no, r.at = part.no, r.end
	}
}

// finish refuses bytes left over.
func (r *reader) finish() {
	if r.more() {
		r.refuse(Malformed, r.at, "section size mismatch")
	}
}

func (r *reader) name() string {
	at := r.at
	p := r.part(r.index())
	if !utf8.Valid(p.src[p.at:p.end]) {
		r.refuse(Malformed, at, "malformed UTF-8 in a name")
		return ""
	}
	return string(p.src[p.at:p.end])
}

// few is count with a limit on how many there may be.
func (r *reader) few(most int, what string) int {
	at := r.at
	n := r.count()
	if n > most {
		r.refuse(TooMany, at, what)
		return 0
	}
	return n
}

// count reads the length of a vector whose members have at least one byte each. A length is never more than the bytes
// that are left, so no caller allocates more than the module is long.
func (r *reader) count() int {
	at := r.at
	n := r.index()
	if n > r.end-r.at {
		r.refuse(Malformed, at, "length out of bounds")
		return 0
	}
	return n
}
