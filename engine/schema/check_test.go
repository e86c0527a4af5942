package schema

import "testing"

// TestCheckDoesNotAllocate holds the promise that a valid answer costs no garbage, also when keys come out of order, have
// escapes, and choices are many.
func TestCheckDoesNotAllocate(t *testing.T) {
	for _, tc := range []struct{ name, schema, answer string }{
		{"form8", form8, form8Good},
		{"out of order and unknown", form8,
			`{"x":{"y":[1]},"teams":["network"],"severity":"low","email":"a@b","summary":"0123456789","tick\u0065t":"\u0041BCDE"}`},
		{"many choices", `{"type":"object","properties":{"c":{"type":"array","items":{"type":"string","enum":` + manyEnum(300) + `}}}}`,
			`{"c":["v7","v299","v0"]}`},
		{"step", `{"type":"object","properties":{"n":{"type":"number","multipleOf":0.01}}}`, `{"n":19.99}`},
	} {
		f, answer := compiled(t, tc.schema), []byte(tc.answer)
		if p := f.Check(answer); p != nil {
			t.Fatalf("%s: %v", tc.name, p)
		}
		if n := testing.AllocsPerRun(100, func() { f.Check(answer) }); n != 0 {
			t.Errorf("%s: %v allocations, want 0", tc.name, n)
		}
	}
}

func manyEnum(n int) string {
	list := []byte("[")
	for i := range n {
		if i > 0 {
			list = append(list, ',')
		}
		list = append(list, `"v`...)
		for d := 100; d > 0; d /= 10 {
			if i >= d || d == 1 {
				list = append(list, byte('0'+i/d%10))
			}
		}
		list = append(list, '"')
	}
	return string(append(list, ']'))
}
