package jsontext

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/internal/must"
)

func TestText(t *testing.T) {
	tests := []struct {
		raw, want string
		runes     int
	}{
		{``, "", 0},
		{`abc`, "abc", 3},
		{`é€😀`, "é€😀", 3},
		{`\u00e9\u20AC\uD83D\uDE00`, "é€😀", 3},
		{`e\u0301`, "e\u0301", 2},
		{`\"\\\/\b\f\n\r\t`, "\"\\/\b\f\n\r\t", 8},
		{`\u0000x`, "\x00x", 2},
		{`\uFFFDx`, "\uFFFDx", 2},
		{`👩\u200d👧`, "👩\u200d👧", 3},
	}
	for _, tt := range tests {
		var s Scanner
		s.Reset([]byte(`"`+tt.raw+`"`), Limits{})
		got := s.Text()
		if !s.End() {
			t.Fatalf("%q: %v", tt.raw, s.Fault())
		}
		if got.Runes != tt.runes || got.String() != tt.want || string(got.AppendTo(nil)) != tt.want {
			t.Errorf("%q: got %q with %d code points, want %q with %d", tt.raw, got.String(), got.Runes, tt.want, tt.runes)
		}
		if !got.Equal(tt.want) || got.Equal(tt.want+"x") || got.Equal("x"+tt.want) ||
			tt.want != "" && got.Equal(tt.want[:len(tt.want)-1]) {
			t.Errorf("%q: Equal is wrong", tt.raw)
		}
		if json, want := string(got.AppendJSON(nil)), string(AppendString(nil, tt.want)); json != want {
			t.Errorf("%q: canonical %s, want %s", tt.raw, json, want)
		}
		if n := testing.AllocsPerRun(5, func() { got.Equal(tt.want) }); n != 0 {
			t.Errorf("%q: Equal allocates %v times", tt.raw, n)
		}
	}
	if (Text{Raw: []byte(`\uFFFD`), Escaped: true}).Equal("\xFF") {
		t.Error("a replacement character equals a byte that is not UTF-8")
	}
}

// TestTextUnchecked decodes text that no gate has accepted. The result is unspecified, but the decoder must return.
func TestTextUnchecked(t *testing.T) {
	for _, raw := range []string{`\`, `\u`, `\u12`, `\uD800`, `\uD800\`, `\uD800\u`, `\q`, "\xFF", `\uDC00\uDC00`} {
		text := Text{Raw: []byte(raw), Escaped: true}
		if s := text.String(); !utf8.ValidString(s) || text.Equal("no") {
			t.Errorf("%q: %q", raw, s)
		}
		AppendValue(nil, []byte(`["`+raw))
	}
}

// TestWriters writes lists and objects of none, one and two elements.
func TestWriters(t *testing.T) {
	o := Begin(nil)
	for _, words := range [][]string{{}, {"a"}, {"a", "["}} {
		add := func(dst []byte, i int) []byte { return AppendString(dst, words[i]) }
		o.Each("each", len(words), add)
		o.OptObject("some", func(inner Object) Object {
			for _, w := range words {
				inner.Str(w, w)
			}
			return inner
		})
		OptStrings(&o, "opt", words)
	}
	o.Int("end", 1)
	want := `{"each":[],"each":["a"],"some":{"a":"a"},"opt":["a"],` +
		`"each":["a","["],"some":{"a":"a","[":"["},"opt":["a","["],"end":1}`
	if got := string(o.End()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func FuzzAppendString(f *testing.F) {
	f.Add("a\"b\\c\x00\x1f\x7f\u2028é😀\xff")
	f.Fuzz(func(t *testing.T, s string) {
		quoted := AppendString(nil, s)
		if fault := Check(quoted, Limits{Bytes: len(quoted)}); fault != nil {
			t.Fatalf("%q: %s: %v", s, quoted, fault)
		}
		var back string
		must.Unmarshal(t, quoted, &back)
		if want := string([]rune(s)); back != want {
			t.Fatalf("%q: %s reads as %q, want %q", s, quoted, back, want)
		}
		if again := string(AppendValue(nil, quoted)); again != string(quoted) {
			t.Fatalf("%s is not canonical: %s", quoted, again)
		}
	})
}

// TestHalfPairsAreOneCharacter checks that half a pair is U+FFFD, and that the text after it is read separately.
func TestHalfPairsAreOneCharacter(t *testing.T) {
	for raw, want := range map[string]string{
		`\ud800`: "\uFFFD", `a\udc00b`: "a\uFFFDb", `\ud800\n`: "\uFFFD\n", `\ud800\ud83d\ude00`: "\uFFFD😀",
		`\ud800\u0061`: "\uFFFDa",
	} {
		text := Text{Raw: []byte(raw), Escaped: true}
		if got := text.String(); got != want {
			t.Errorf("%s: got %q, want %q", raw, got, want)
		}
		if !text.Equal(want) {
			t.Errorf("%s is not equal to %q", raw, want)
		}
	}
}

// TestPlainEnd compares the eight-byte steps with the table: every byte at every place, before bytes that could borrow.
func TestPlainEnd(t *testing.T) {
	for c := range 256 {
		for at := range 19 {
			for _, next := range []byte{'a', ' ', '!', '#', ']', '"', '\\', 0, 0x1f, 0x7f, 0x80, 0xff} {
				doc := bytes.Repeat([]byte{'a'}, 20)
				doc[at], doc[at+1] = byte(c), next
				want := 0
				for want < len(doc) && classes[doc[want]]&plain != 0 {
					want++
				}
				if got := plainEnd(doc, 0); got != want {
					t.Fatalf("%q: got %d want %d", doc, got, want)
				}
			}
		}
	}
}

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
