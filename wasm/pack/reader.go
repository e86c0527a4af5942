package main

// unreadable says why a module cannot be packed.
type unreadable string

func (u unreadable) Error() string { return string(u) }

// reader reads the parts of a module. It panics with unreadable at its end.
type reader struct{ rest []byte }

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.rest) {
		panic(unreadable("the module ends too early"))
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

// number reads an unsigned LEB128 number.
func (r *reader) number() (n int) {
	for shift := 0; shift < 35; shift += 7 {
		b := r.take(1)[0]
		n |= int(b&0x7f) << shift
		if b < 0x80 {
			return n
		}
	}
	panic(unreadable("a number is too long"))
}

func appendNumber(dst []byte, n uint64) []byte {
	for n >= 0x80 {
		dst = append(dst, byte(n)|0x80)
		n >>= 7
	}
	return append(dst, byte(n))
}

// signed reads a signed LEB128 number.
func (r *reader) signed() (n int64) {
	for shift := 0; shift < 70; shift += 7 {
		b := r.take(1)[0]
		n |= int64(b&0x7f) << shift
		if b < 0x80 {
			if shift += 7; shift < 64 {
				n = n << (64 - shift) >> (64 - shift)
			}
			return n
		}
	}
	panic(unreadable("a number is too long"))
}

// appendSigned appends n as signed LEB128. The sixth bit of its last byte is the sign.
func appendSigned(dst []byte, n int64) []byte {
	for n >= 0x40 || n < -0x40 {
		dst = append(dst, byte(n)|0x80)
		n >>= 7
	}
	return append(dst, byte(n)&0x7f)
}
