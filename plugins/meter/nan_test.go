package meter_test

import (
	"fmt"
	"testing"

	"github.com/elicit-engine/elicit/plugins/internal/assemble"
)

// floatOps are the operators that can make a NaN, by the letter of their operands.
var floatOps = map[byte]struct{ unary, binary []int }{
	'f': {[]int{0x8d, 0x8e, 0x8f, 0x90, 0x91}, []int{0x92, 0x93, 0x94, 0x95, 0x96, 0x97}},
	'F': {[]int{0x9b, 0x9c, 0x9d, 0x9e, 0x9f}, []int{0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5}},
}

// asFloat pushes a float with these bits, which no engine can know while it compiles.
func asFloat(of byte, local int) []byte {
	if of == 'f' {
		return ops(0x20, local, 0xa7, 0xbe)
	}
	return ops(0x20, local, 0xbf)
}

// asBits makes an i64 of the float on the stack.
func asBits(of byte) []byte {
	if of == 'f' {
		return ops(0xbc, 0xad)
	}
	return ops(0xbd)
}

// TestNaNBits: whatever NaNs go into arithmetic, the canonical one comes out, on both engines.
func TestNaNBits(t *testing.T) {
	nans := map[byte][]int64{
		'f': {0x7fc00001, 0xffc00002, 0x7fa00003, 0x7fc00000, 0xffc00000},
		'F': {0x7ff8000000000001, -0x7fffffffffffe, 0x7ff4000000000003, 0x7ff8000000000000, -0x8000000000000},
	}
	one := map[byte]int64{'f': 0x3f800000, 'F': 0x3ff0000000000000}
	want := map[byte]uint64{'f': 0x7fc00000, 'F': 0x7ff8000000000000}
	count := 0
	for _, of := range []byte{'f', 'F'} {
		check := func(op int, operands ...int64) {
			t.Helper()
			count++
			var body []byte
			var locals []byte
			for i, v := range operands {
				body = append(body, ops(assemble.Long(int(v)), 0x21, i)...)
				locals = append(locals, asFloat(of, i)...)
			}
			m := newModule()
			m.function("run", m.kind("", "I"), ops(1, len(operands), 0x7e), ops(body, locals, op, asBits(of)))
			o := both(t, rewrite(t, m.bytes()), "run", 1000, 100)
			if len(o.results) != 1 || o.results[0] != want[of] {
				t.Errorf("operator %#x on %#x: got %#x, want %#x", op, operands, o.results, want[of])
			}
		}
		for _, a := range nans[of] {
			for _, op := range floatOps[of].unary {
				check(op, a)
			}
			for _, op := range floatOps[of].binary {
				check(op, a, one[of])
				check(op, one[of], a)
				for _, b := range nans[of] {
					check(op, a, b)
				}
			}
		}
	}
	if count < 400 {
		t.Errorf("%d operations", count)
	}
}

// TestNaNPlaces holds the rewriting to the places a NaN can go to: each body makes the float 0/0 or one that is widened
// or narrowed, and shows its bits.
func TestNaNPlaces(t *testing.T) {
	zero := ops(0x20, 0, 0xb9)   // f64.convert_i64_s
	nan := ops(zero, zero, 0xa3) // 0/0
	const canonical = 0x7ff8000000000000
	for _, c := range []struct {
		name string
		body []byte
		want uint64
	}{
		{"at once", ops(nan, 0xbd), canonical},
		{"into a local", ops(nan, 0x21, 1, 0x20, 1, 0xbd), canonical},
		{"through memory", ops(i32c(8), nan, 0x39, 3, 0, i32c(8), 0x29, 3, 0), canonical},
		{"its sign", ops(0x44, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, nan, 0xa6, 0xbd), 0x3ff0000000000000},
		{"negated", ops(nan, 0x9a, 0xbd), canonical | 1<<63},
		{"out of a block", ops(0x02, 0x7c, nan, 0x0b, 0xbd), canonical},
		{"by a branch", ops(0x02, 0x7c, nan, 0x0c, 0, 0x0b, 0xbd), canonical},
		{"by return", ops(nan, 0x21, 1, 0x20, 1, 0xbd, 0x0f), canonical},
		{"out of a loop", ops(0x03, 0x7c, nan, 0x20, 0, 0xa7, 0x0d, 0, 0x0b, 0xbd), canonical},
		{"chained", ops(nan, zero, 0xa0, zero, 0xa2, 0x9f, 0xbd), canonical},
		{"narrowed", ops(nan, 0xb6, 0xbc, 0xad), 0x7fc00000},
		{"widened", ops(nan, 0xb6, 0xbb, 0xbd), canonical},
		{"compared", ops(nan, zero, 0x61, 0xad), 0},
		{"truncated to fit", ops(nan, 0xfc, 6), 0},
		{"dropped", ops(nan, 0x1a, 0x42, 5), 5},
		{"selected", ops(nan, zero, 0x20, 0, 0xa7, 0x45, 0x1b, 0xbd), canonical},
		{"moved, not computed", ops(assemble.Long(0x7ff4000000000003), 0xbf, 0x21, 1, i32c(8), 0x20, 1, 0x39, 3, 0, i32c(8),
			0x2b, 3, 0, 0xbd), 0x7ff4000000000003},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := withMemory(1)
			m.function("run", m.kind("", "I"), ops(2, 1, 0x7e, 1, 0x7c), c.body)
			src := m.bytes()
			o := both(t, rewrite(t, src), "run", 1000, 100)
			if fmt.Sprint(o.results) != fmt.Sprint([]uint64{c.want}) {
				t.Errorf("got %#x (%s), want %#x", o.results, o.trap, c.want)
			}
		})
	}
}

// TestFloatCost: arithmetic on floats is dearer than on integers, for what keeps its NaNs canonical.
func TestFloatCost(t *testing.T) {
	m := newModule()
	m.function("run", m.kind("", "I"), ops(1, 1, 0x7e), ops(asFloat('F', 0), asFloat('F', 0), 0xa0, 0x9a, 0xbd))
	o := both(t, rewrite(t, m.bytes()), "run", 1000, 100)
	if used := 1000 - o.fuel; used != 8+4+4+2 {
		t.Errorf("used %d, want entry 8, operands 4, the sum 4, the sign and the bits 2", used)
	}
}
