package guest

import (
	"strconv"

	"github.com/elicit-engine/elicit/plugins/meter"
)

// AppendJSON appends
// {"digest","manifest","abi","wasi","initialize","fuel_version","instance_fuel","sizes","metered"?}, the metered
// bytes in base64 where they are wanted.
func (m *Module) AppendJSON(dst []byte, metered bool) []byte {
	dst = append(append(append(dst, `{"digest":"`...), m.Digest...), `","manifest":`...)
	dst = m.Manifest.AppendJSON(dst)
	dst = strconv.AppendInt(append(dst, `,"abi":`...), int64(m.ABI), 10)
	dst = strconv.AppendBool(append(dst, `,"wasi":`...), m.WASI)
	dst = strconv.AppendBool(append(dst, `,"initialize":`...), m.Initialize)
	dst = strconv.AppendInt(append(dst, `,"fuel_version":`...), meter.Version, 10)
	dst = strconv.AppendInt(append(dst, `,"instance_fuel":`...), int64(m.Instance), 10)
	s := m.Sizes
	for i, n := range [...]struct {
		name string
		v    int
	}{{"module", s.Module}, {"metered", s.Metered}, {"functions", s.Functions}, {"longest_body", s.LongestBody},
		{"data", s.Data}, {"pages_least", s.PagesLeast}, {"pages_most", s.PagesMost}} {
		if i == 0 {
			dst = append(dst, `,"sizes":{"`...)
		} else {
			dst = append(dst, `,"`...)
		}
		dst = strconv.AppendInt(append(append(dst, n.name...), `":`...), int64(n.v), 10)
	}
	dst = append(dst, '}')
	if metered {
		dst = append(appendBase64(append(dst, `,"metered":"`...), m.Metered), '"')
	}
	return append(dst, '}')
}

const base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// appendBase64 is the standard encoding with padding (RFC 4648 §4); the standard package reads types at run time,
// which costs a Wasm build more than this.
func appendBase64(dst, src []byte) []byte {
	for ; len(src) >= 3; src = src[3:] {
		n := uint(src[0])<<16 | uint(src[1])<<8 | uint(src[2])
		dst = append(dst, base64[n>>18], base64[n>>12&63], base64[n>>6&63], base64[n&63])
	}
	switch len(src) {
	case 1:
		dst = append(dst, base64[src[0]>>2], base64[src[0]&3<<4], '=', '=')
	case 2:
		n := uint(src[0])<<8 | uint(src[1])
		dst = append(dst, base64[n>>10], base64[n>>4&63], base64[n&15<<2], '=')
	}
	return dst
}
