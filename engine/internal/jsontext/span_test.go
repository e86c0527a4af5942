package jsontext

import (
	"encoding/json"
	"testing"

	"github.com/tidwall/gjson"
)

func TestSpans(t *testing.T) {
	for _, tt := range valid {
		t.Run(tt.name, func(t *testing.T) { spansProperties(t, []byte(tt.doc)) })
	}
	for _, doc := range []string{` { "a" : "}\"" , "b\u0061":[ {"x":"]"} , [ ] ],"":-1.5e+3 } `, "[\n]",
		`[[],{},"",null ,true]`, `{"é":"\\"}`} {
		t.Run(doc, func(t *testing.T) { spansProperties(t, []byte(doc)) })
	}
}

// FuzzSpans compares a walk over accepted text with gjson's. On any other text, the walk must end within its bounds.
func FuzzSpans(f *testing.F) {
	for _, tt := range valid {
		f.Add([]byte(tt.doc))
	}
	f.Add([]byte(`{"a":1,`))
	f.Add([]byte(`{"a"`))
	f.Add([]byte(`[,,]`))
	f.Fuzz(func(t *testing.T, doc []byte) { spansProperties(t, doc) })
}

func spansProperties(t *testing.T, doc []byte) {
	type span struct {
		key        string
		start, end int
	}
	var got, want []span
	s, open, ok := SpansOf(doc)
	for before := -1; ok && s.More(); {
		if s.at <= before || s.at > len(doc) {
			t.Fatalf("%q: from %d to %d", doc, before, s.at)
		}
		before = s.at
		var key string
		if s.Object() {
			k, _ := s.Key()
			key = k.String()
		}
		start, end := s.Value()
		got = append(got, span{key, start, end})
	}
	if Check(doc, Limits{}) != nil {
		return
	}
	v := gjson.ParseBytes(doc)
	if ok != (v.IsObject() || v.IsArray()) || ok && s.Object() != v.IsObject() {
		t.Fatalf("%q: %v, want what gjson says", doc, ok)
	}
	if ok {
		for i := range open {
			if classes[doc[i]]&white == 0 {
				t.Fatalf("%q: opens at %d", doc, open)
			}
		}
		v.ForEach(func(k, m gjson.Result) bool {
			var key string
			if s.Object() {
				key = k.String()
			}
			want = append(want, span{key, m.Index, m.Index + len(m.Raw)})
			return true
		})
	}
	if len(got) != len(want) {
		t.Fatalf("%q: %d values, want %d", doc, len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("%q: value %d: got %+v, want %+v", doc, i, got[i], want[i])
		}
		if !json.Valid(doc[got[i].start:got[i].end]) {
			t.Fatalf("%q: value %d is not whole: %q", doc, i, doc[got[i].start:got[i].end])
		}
	}
}
