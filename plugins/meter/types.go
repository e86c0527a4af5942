package meter

import (
	"bytes"
	"strings"
)

// Value types as the binary format spells them. unknown stands for a value that unreachable code would have pushed.
const (
	i32       = 0x7f
	i64       = 0x7e
	f32       = 0x7d
	f64       = 0x7c
	v128      = 0x7b
	funcref   = 0x70
	externref = 0x6f
	unknown   = 0
)

// signature is the type of a function or block.
type signature struct{ params, results []byte }

// value reads a value type.
func (r *reader) value() byte {
	at := r.at
	switch b := r.byte(); b {
	case i32, i64, f32, f64, funcref, externref:
		return b
	case v128:
		r.refuse(Unsupported, at, "SIMD")
	case 0x69, 0x74:
		r.refuse(Unsupported, at, "exception handling")
	case 0x63, 0x64, 0x6a, 0x6b, 0x6c, 0x6d, 0x6e, 0x71, 0x72, 0x73:
		r.refuse(Unsupported, at, "garbage collection or typed references")
	default:
		r.refuse(Malformed, at, "malformed value type")
	}
	return i32
}

// reference reads a reference type.
func (r *reader) reference() byte {
	at := r.at
	t := r.value()
	if t != funcref && t != externref {
		r.refuse(Malformed, at, "malformed reference type")
	}
	return t
}

// values reads a list of value types, which are slices of the module itself: a type costs no memory of its own.
func (r *reader) values() []byte {
	at := r.at
	n := r.count()
	if n > maxArity {
		r.refuse(TooMany, at, "more than 128 parameters or results")
		return nil
	}
	from := r.at
	for range n {
		r.value()
	}
	if r.no != nil {
		return nil
	}
	return r.src[from:r.at:r.at]
}

func (m *guest) readTypes(r *reader) {
	n := r.few(maxTypes, "more than 10,000 types")
	m.types = make([]signature, 0, n)
	for i := 0; i < n && r.no == nil; i++ {
		at := r.at
		switch r.byte() {
		case 0x60:
			m.types = append(m.types, signature{r.values(), r.values()})
		case 0x4e, 0x4f, 0x50, 0x5e, 0x5f:
			r.refuse(Unsupported, at, "garbage collection")
		default:
			r.refuse(Malformed, at, "malformed function type")
		}
	}
}

// bounds are the limits of a memory or table.
type bounds struct{ least, most uint32 }

// bounds reads limits and lowers the maximum to most; absent maxima become most. No valid module goes above space.
func (r *reader) bounds(most, space uint32, code, what string) bounds {
	at := r.at
	flags := r.byte()
	switch {
	case flags&^15 == 0 && flags&8 != 0:
		r.refuse(Unsupported, at, "custom page sizes")
	case flags&^7 != 0:
		r.refuse(Malformed, at, "malformed limits")
	case flags&4 != 0:
		r.refuse(Unsupported, at, "memory64")
	case flags&2 != 0:
		r.refuse(Unsupported, at, "shared memory (threads)")
	}
	b := bounds{r.u32(), most}
	if flags&1 != 0 {
		declared := r.u32()
		if declared < b.least {
			r.refuse(Invalid, at, "minimum above maximum")
		}
		if declared > space {
			r.refuse(Invalid, at, "maximum above what can be addressed")
		}
		b.most = min(declared, most)
	}
	if b.least > most {
		r.refuse(code, at, what)
	}
	return b
}

// spellings are the letters of types in an Import's signature; r and e stand for references to functions and to things
// of the host. spelledTypes are the types in the same order.
const spellings = "iIfFre"

var spelledTypes = [...]byte{i32, i64, f32, f64, funcref, externref}

// typeOf reads a letter of a type of numbers.
func typeOf(letter byte) byte {
	if i := strings.IndexByte(spellings[:4], letter); i >= 0 {
		return spelledTypes[i]
	}
	return unknown
}

// letters spells types as an Import does.
func letters(types []byte) string {
	s := make([]byte, len(types))
	for i, t := range types {
		if n := bytes.IndexByte(spelledTypes[:], t); n >= 0 {
			s[i] = spellings[n]
		}
	}
	return string(s)
}

// spelled reports whether types are what the letters say.
func spelled(letters string, types []byte) bool {
	if len(letters) != len(types) {
		return false
	}
	for i, t := range types {
		if typeOf(letters[i]) != t {
			return false
		}
	}
	return true
}
