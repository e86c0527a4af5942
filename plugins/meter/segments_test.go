package meter_test

import (
	"testing"

	"github.com/elicit-engine/elicit/plugins/meter"
)

// TestSegmentsThatDoNotFit are refused, as engines disagree on what comes of them.
func TestSegmentsThatDoNotFit(t *testing.T) {
	data := func(offset, size int) []byte { return ops(0, i32c(offset), 0x0b, leb(size), make([]byte, size)) }
	elements := func(offset, count int) []byte { return ops(0, i32c(offset), 0x0b, leb(count), make([]byte, count)) }
	use := func(index int) []byte { return ops(i32c(0), i32c(0), i32c(0), 0xfc, 8, index, 0) }
	for _, c := range []struct {
		name, want           string
		elements, data, body []byte
	}{
		{"data to the end", "", nil, data(65536-4, 4), nil},
		{"nothing at the end", "", nil, data(65536, 0), nil},
		{"data beyond", meter.Invalid, nil, data(65536-4, 5), nil},
		{"nothing beyond", meter.Invalid, nil, data(65537, 0), nil},
		{"data at a negative place", meter.Invalid, nil, data(-1, 1), nil},
		{"elements to the end", "", elements(6, 4), nil, nil},
		{"no elements at the end", "", elements(10, 0), nil, nil},
		{"elements beyond", meter.Invalid, elements(7, 4), nil, nil},
		{"no elements beyond", meter.Invalid, elements(11, 0), nil, nil},
		{"elements at a negative place", meter.Invalid, elements(-1, 1), nil, nil},
		{"an active segment used again", meter.Unsupported, nil, data(0, 4), use(0)},
		{"an active segment dropped", "", nil, data(0, 4), ops(0xfc, 9, 0)},
		{"a passive segment used", "", nil, ops(1, 1, 0), use(0)},
		{"references of the host", meter.Unsupported, ops(5, 0x6f, 1, 0xd0, 0x6f, 0x0b), nil, ops(i32c(0), i32c(0), i32c(1),
			0xfc, 12, 0, 1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := withMemory(1)
			m.tables = [][]byte{{0x70, 0, 10}, {0x6f, 0, 10}}
			if c.elements != nil {
				m.elements = [][]byte{c.elements}
			}
			if c.data != nil {
				m.counted, m.data = true, [][]byte{c.data}
			}
			m.function("run", m.kind("", ""), nil, c.body)
			code := ""
			if _, no := meter.Rewrite(m.bytes(), meter.Limits{}); no != nil {
				code = no.Code
			}
			if code != c.want {
				t.Errorf("got %q, want %q", code, c.want)
			}
		})
	}
}
