package jsontext

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// faults are documents with the one fault that each must report: code, span and pointer.
var faults = []struct {
	name, doc  string
	code       string
	start, end int
	pointer    string
}{
	{"nothing", "", CodeEmpty, 0, 0, ""},
	{"only white space", " \t\r\n", CodeEmpty, 0, 4, ""},
	{"byte order mark", "\xEF\xBB\xBF{}", CodeBOM, 0, 3, ""},
	{"bare word", "hello", CodeSyntax, 0, 5, ""},
	{"literal in capitals", "[TRUE]", CodeSyntax, 1, 5, "/0"},
	{"literal with a tail", `{"a":nullx}`, CodeSyntax, 5, 10, "/a"},
	{"single quotes", `['a']`, CodeSyntax, 1, 2, "/0"},
	{"comment", `{"a":1} // b`, CodeTrailing, 8, 12, ""},
	{"two values", `1 2`, CodeTrailing, 2, 3, ""},
	{"NUL behind the value", "{}\x00", CodeTrailing, 2, 3, ""},
	{"trailing comma in object", `{"a":1,}`, CodeSyntax, 7, 8, ""},
	{"trailing comma in array", `{"a":[1,]}`, CodeSyntax, 8, 9, "/a"},
	{"leading comma", `[,1]`, CodeSyntax, 1, 2, "/0"},
	{"missing comma", `[1 2]`, CodeSyntax, 3, 4, ""},
	{"missing colon", `{"a" 1}`, CodeSyntax, 5, 6, "/a"},
	{"missing value", `{"a":}`, CodeSyntax, 5, 6, "/a"},
	{"number as key", `{1:2}`, CodeSyntax, 1, 2, ""},
	{"wrong bracket", `{"a":[1}}`, CodeSyntax, 7, 8, "/a"},
	{"closing without opening", `]`, CodeSyntax, 0, 1, ""},
	{"no-break space", "[1,\u00A02]", CodeSyntax, 3, 5, "/1"},
	{"form feed between tokens", "[\f1]", CodeSyntax, 1, 2, "/0"},
	{"open string", `["abc`, CodeTruncated, 5, 5, "/0"},
	{"open object", `{"a":1`, CodeTruncated, 6, 6, ""},
	{"open literal", `[tru`, CodeTruncated, 4, 4, "/0"},
	{"open exponent", `1e+`, CodeTruncated, 3, 3, ""},
	{"leading zero", `[01]`, CodeNumber, 1, 3, "/0"},
	{"minus zero zero", `[-00]`, CodeNumber, 1, 4, "/0"},
	{"no digit behind the point", `[1.]`, CodeNumber, 1, 3, "/0"},
	{"no digit before the point", `[.5]`, CodeNumber, 1, 3, "/0"},
	{"plus sign", `[+1]`, CodeNumber, 1, 3, "/0"},
	{"no digit in the exponent", `[1e+]`, CodeNumber, 1, 4, "/0"},
	{"lone minus", `[-]`, CodeNumber, 1, 2, "/0"},
	{"hexadecimal", `[0x1F]`, CodeNumber, 1, 5, "/0"},
	{"NaN", `{"a":NaN}`, CodeNumber, 5, 8, "/a"},
	{"minus infinity", `[-Infinity]`, CodeNumber, 1, 10, "/0"},
	{"two points", `[1.2.3]`, CodeNumber, 1, 6, "/0"},
	{"raw newline in string", "[\"a\nb\"]", CodeControl, 3, 4, "/0"},
	{"raw NUL in key", "{\"a\x00\":1}", CodeControl, 3, 4, ""},
	{"unknown escape", `["\x41"]`, CodeSyntax, 2, 4, "/0"},
	{"escape with a bad digit", `["\u00G0"]`, CodeSyntax, 2, 7, "/0"},
	{"lone high surrogate", `["\uD83D"]`, CodeSurrogate, 2, 8, "/0"},
	{"lone low surrogate", `["\uDE00"]`, CodeSurrogate, 2, 8, "/0"},
	{"surrogates in the wrong order", `["\uDE00\uD83D"]`, CodeSurrogate, 2, 8, "/0"},
	{"two high surrogates", `["\uD83D\uD83D\uDE00"]`, CodeSurrogate, 2, 8, "/0"},
	{"high surrogate, other escape", `["\uD83D\n"]`, CodeSurrogate, 2, 8, "/0"},
	{"high surrogate, character beyond", `["\uD83D\uE000"]`, CodeSurrogate, 2, 8, "/0"},
	{"high surrogate, cut escape", `["\uD83D\n`, CodeSurrogate, 2, 8, "/0"},
	{"lone surrogate in key", `{"k":{"\uD800":1}}`, CodeSurrogate, 7, 13, "/k"},
	{"overlong slash", "[\"\xC0\xAF\"]", CodeUTF8, 2, 3, "/0"},
	{"overlong three bytes", "[\"\xE0\x80\xAF\"]", CodeUTF8, 2, 3, "/0"},
	{"surrogate in UTF-8", "[\"\xED\xA0\x80\"]", CodeUTF8, 2, 3, "/0"},
	{"beyond U+10FFFF", "[\"\xF4\x90\x80\x80\"]", CodeUTF8, 2, 3, "/0"},
	{"lone continuation", "[\"a\x80\"]", CodeUTF8, 3, 4, "/0"},
	{"sequence cut by the quote", "[\"\xE2\x82\"]", CodeUTF8, 2, 3, "/0"},
	{"sequence cut by the end", "[\"\xE2\x82", CodeTruncated, 4, 4, "/0"},
	{"not UTF-8 outside strings", "[\xFF]", CodeUTF8, 1, 2, "/0"},
	{"duplicate key", `{"a":1,"b":2,"a":3}`, CodeDuplicateKey, 13, 16, "/a"},
	{"duplicate empty key", `{"":1,"":2}`, CodeDuplicateKey, 6, 8, "/"},
	{"duplicate through an escape", `{"a":1,"\u0061":2}`, CodeDuplicateKey, 7, 15, "/a"},
	{"duplicate escape first", `{"\u0061":1,"a":2}`, CodeDuplicateKey, 12, 15, "/a"},
	{"duplicate through two escapes", `{"\/":1,"\u002f":2}`, CodeDuplicateKey, 8, 16, "/~1"},
	{"duplicate through a pair", `{"😀":1,"\uD83D\uDE00":2}`, CodeDuplicateKey, 10, 24, "/😀"},
	{"duplicate deep inside", `[{"x":{"y~/":[0,{"k":1,"k":2}]}}]`, CodeDuplicateKey, 23, 26, "/0/x/y~0~1/1/k"},
}

func TestFaults(t *testing.T) {
	seen := map[string]bool{}
	for _, tt := range faults {
		t.Run(tt.name, func(t *testing.T) {
			want := Fault{Code: tt.code, Start: tt.start, End: tt.end, Pointer: tt.pointer}
			got := Check([]byte(tt.doc), Limits{})
			if got == nil || *got != want {
				t.Errorf("%q\n got %+v\nwant %+v", tt.doc, got, &want)
			}
		})
		seen[tt.code] = true
	}
	for _, code := range Codes() {
		if limit := code == CodeDepth || code == CodeSize || code == CodeMembers; !limit && !seen[code] {
			t.Errorf("no case for %s", code)
		}
	}
}

// valid are documents that pass, with their canonical spelling.
var valid = []struct{ name, doc, canonical string }{
	{"null", " null\n", "null"},
	{"order kept", `{"b":1 , "a" : 2}`, `{"b":1,"a":2}`},
	{"empty containers", ` [ { } , [ ] ] `, `[{},[]]`},
	{"numbers as spelled", `[-0, 0.10, 1E400, 1e-400, 1E+2, 123456789012345678901234567890]`,
		`[-0,0.10,1E400,1e-400,1E+2,123456789012345678901234567890]`},
	{"escapes normalised", `"\/\u0041\u00e9\u0000\u001F\u000a\b\"\\"`, `"/Aé\u0000\u001f\n\b\"\\"`},
	{"surrogate pair", `"\uD83d\ude00"`, `"😀"`},
	{"separators and delete", `"\u2028\u007f"`, "\"\u2028\x7f\""},
	{"replacement character", `"\uFFFD"`, "\"\uFFFD\""},
	{"last code point", `"\uDBFF\uDFFF"`, "\"\U0010FFFF\""},
	{"mark inside a string", `"\uFEFF"`, "\"\uFEFF\""},
	{"keys equal in other objects", `{"a":{"a":[{"a":1},{"a":2}]}}`, `{"a":{"a":[{"a":1},{"a":2}]}}`},
	{"keys that differ by case", `{"a":1,"A":2,"\u0061b":3}`, `{"a":1,"A":2,"ab":3}`},
	{"keys that differ by normal form", "{\"\u00e9\":1,\"e\u0301\":2}", "{\"\u00e9\":1,\"e\u0301\":2}"},
}

func TestValid(t *testing.T) {
	for _, tt := range valid {
		t.Run(tt.name, func(t *testing.T) {
			if f := Check([]byte(tt.doc), Limits{}); f != nil {
				t.Fatalf("%q: %+v", tt.doc, f)
			}
			if got, want := IsCanonical([]byte(tt.doc)), tt.canonical == tt.doc; got != want {
				t.Errorf("IsCanonical: got %v, want %v", got, want)
			}
			if got := string(AppendValue(nil, []byte(tt.doc))); got != tt.canonical {
				t.Errorf("got %q\nwant %q", got, tt.canonical)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	tests := []struct {
		name, doc string
		lim       Limits
		want      *Fault
	}{
		{"depth at", nested(3), Limits{Depth: 3}, nil},
		{"depth over", nested(4), Limits{Depth: 3}, &Fault{CodeDepth, 3, 4, "/0/0/0", 3}},
		{"default depth at", nested(32), Limits{}, nil},
		{"default depth over", nested(33), Limits{}, &Fault{CodeDepth, 32, 33, strings.Repeat("/0", 32), 32}},
		{"far deeper than the fixed stack", nested(500), Limits{Depth: 500}, nil},
		{"never closed", strings.Repeat("[", 1<<20), Limits{}, &Fault{CodeDepth, 32, 33, strings.Repeat("/0", 32), 32}},
		{"scalar has no depth", "1", Limits{Depth: 1}, nil},
		{"size at", `"ab"`, Limits{Bytes: 4}, nil},
		{"size over", `"abc"`, Limits{Bytes: 4}, &Fault{CodeSize, 4, 5, "", 4}},
		{"size comes before syntax", `!!!!!`, Limits{Bytes: 4}, &Fault{CodeSize, 4, 5, "", 4}},
		{"elements at", `[1,2]`, Limits{Members: 2}, nil},
		{"elements over", `[[1, 2,3]]`, Limits{Members: 2}, &Fault{CodeMembers, 7, 8, "/0", 2}},
		{"members over", `{"o":{"a":1,"b":2,"c":3}}`, Limits{Members: 2}, &Fault{CodeMembers, 18, 19, "/o", 2}},
		{"members counted for each", `{"a":[1,2],"b":[3,4]}`, Limits{Members: 2}, nil},
		{"negative is the default", `[[1]]`, Limits{Bytes: -1, Depth: -1, Members: -1}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Check([]byte(tt.doc), tt.lim)
			if (got == nil) != (tt.want == nil) || got != nil && *got != *tt.want {
				t.Errorf("got %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

// stricter reports whether the gate may refuse what encoding/json accepts.
func stricter(f *Fault) bool {
	switch f.Code {
	case CodeDuplicateKey, CodeDepth, CodeSize, CodeMembers, CodeUTF8, CodeSurrogate:
		return true
	}
	return false
}

// checkProperties checks the properties that hold for every input.
func checkProperties(t *testing.T, doc []byte) {
	t.Helper()
	for _, lim := range []Limits{{}, {Bytes: 64, Depth: 2, Members: 3}} {
		for _, read := range []func([]byte, Limits) *Fault{walkDocument, members} {
			if f, w := Check(doc, lim), read(doc, lim); (f == nil) != (w == nil) || f != nil && *f != *w {
				t.Fatalf("%q: Check %+v, pulled value by value or member by member %+v", doc, f, w)
			}
		}
	}
	f := Check(doc, Limits{})
	if f != nil {
		if json.Valid(doc) && !stricter(f) {
			t.Fatalf("%q: refused with %+v, but encoding/json accepts it", doc, f)
		}
		if f.Start < 0 || f.End < f.Start || f.End > len(doc) {
			t.Fatalf("%q: span of %+v", doc, f)
		}
		return
	}
	if !json.Valid(doc) {
		t.Fatalf("%q: accepted, but encoding/json refuses it", doc)
	}
	canonical := AppendValue(nil, doc)
	if got, want := IsCanonical(doc), bytes.Equal(canonical, doc); got != want {
		t.Fatalf("IsCanonical(%q) is %v, want %v", doc, got, want)
	}
	if f := Check(canonical, Limits{}); f != nil {
		t.Fatalf("%q: canonical %q: %+v", doc, canonical, f)
	}
	if again := AppendValue(nil, canonical); !bytes.Equal(again, canonical) {
		t.Fatalf("%q: canonical %q, then %q", doc, canonical, again)
	}
	if want := standard(t, doc); !bytes.Equal(standard(t, canonical), want) {
		t.Fatalf("%q: canonical %q means something else", doc, canonical)
	}
}

// standard returns what encoding/json makes of a document.
func standard(t *testing.T, doc []byte) []byte {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(doc))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%q: %v", doc, err)
	}
	out, err := json.Marshal(v)
	must.OK(t, err)
	return out
}

func TestProperties(t *testing.T) {
	for _, tt := range faults {
		checkProperties(t, []byte(tt.doc))
	}
	for _, tt := range valid {
		checkProperties(t, []byte(tt.doc))
	}
}

// TestEveryShortDocument checks every document of a few symbols.
func TestEveryShortDocument(t *testing.T) {
	for doc := range vectors.Short(t, 3, 5, "{", "}", "[", "]", ",", ":", `"`, `"a"`, `"\u0061"`, `\`, `\ud83d`, `\ude00`,
		"0", "1", "-", "+", ".", "e", " ", "\n", "null", "t", "\x00", "\xff", "\u00e9", "\ufeff") {
		checkProperties(t, []byte(doc))
	}
}

// TestPrefixes cuts valid documents everywhere. The beginning of a valid document must be valid itself or
// json_truncated, so that a reader of a stream can tell an unfinished document from an invalid one.
func TestPrefixes(t *testing.T) {
	for _, tt := range valid {
		for n := range tt.doc {
			f := Check([]byte(tt.doc[:n]), Limits{})
			if f != nil && f.Code != CodeTruncated && f.Code != CodeEmpty {
				t.Errorf("%q: %+v", tt.doc[:n], f)
			}
		}
	}
}

func FuzzCheck(f *testing.F) {
	for _, tt := range faults {
		f.Add([]byte(tt.doc))
	}
	for _, tt := range valid {
		f.Add([]byte(tt.doc))
	}
	f.Add([]byte(answer))
	f.Add(manyKeys(40))
	f.Fuzz(checkProperties)
}

func TestCheckAllocatesNothing(t *testing.T) {
	for _, doc := range []string{answer, strings.Repeat("[", 32) + strings.Repeat("]", 32), string(manyKeys(64)),
		`{"a":"\uD83D\uDE00 é","\u0062":[1.5e3,true,null]}`} {
		doc := []byte(doc)
		if n := testing.AllocsPerRun(10, func() {
			if Check(doc, Limits{}) != nil {
				t.Fatal("refused")
			}
		}); n != 0 {
			t.Errorf("%.40q: %v allocations", doc, n)
		}
	}
}
