package schema

import (
	"bytes"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// TestCheckDoesNotAllocate checks that a valid answer causes no allocation, also when keys come out of order or have
// escapes, and when choices are many.
func TestCheckDoesNotAllocate(t *testing.T) {
	for _, tc := range []struct{ name, schema, answer string }{
		{"form8", form8, form8Good},
		{"out of order and unknown", form8,
			`{"x":{"y":[1]},"teams":["network"],"severity":"low","email":"a@b","summary":"0123456789",` +
				`"tick\u0065t":"\u0041BCDE"}`},
		{"many choices", `{"type":"object","properties":{"c":{"type":"array","items":{"type":"string","enum":` +
			manyEnum(300) + `}}}}`,
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

func TestNilContentIsEmpty(t *testing.T) {
	f := compiled(t, `{"type":"object","properties":{"a":{"type":"boolean"},"b":{"type":"integer","default":0}}}`)
	if p := f.Check(nil); p != nil {
		t.Errorf("Check(nil): got %v, want none", p)
	}
	if got := string(f.Fill(nil, nil)); got != `{"b":0}` {
		t.Errorf("Fill(nil): got %s", got)
	}
	if p := f.Check([]byte{}); len(p) != 1 {
		t.Errorf("Check of no bytes: got %v, want one problem", p)
	}
}

func TestFormKind(t *testing.T) {
	if got := compiled(t, `{"type":"object","properties":{}}`).Kind(); got != elicit.KindConfirm {
		t.Errorf("no fields: got %s, want %s", got, elicit.KindConfirm)
	}
	if got := compiled(t, form8).Kind(); got != elicit.KindForm {
		t.Errorf("nine fields: got %s, want %s", got, elicit.KindForm)
	}
}

// TestProblemsAreBounded checks that a hostile answer cannot make the list of its problems long.
func TestProblemsAreBounded(t *testing.T) {
	f := compiled(t, `{"type":"object","properties":{"m":{"type":"array","items":{"type":"string","enum":["a"]}}}}`)
	answer := append([]byte(`{"m":[0`), bytes.Repeat([]byte(",0"), 5000)...)
	if got := f.Check(append(answer, "]}"...)); len(got) != maxProblems {
		t.Errorf("got %d problems, want %d", len(got), maxProblems)
	}
}
