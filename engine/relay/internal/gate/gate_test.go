package gate

import (
	"bytes"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// words are those of a small protocol.
var words = Vocabulary{
	Methods:   []string{1: "ask", 2: "tell"},
	Params:    [][]string{OtherMethod: {"_meta"}, 1: {"_meta", "message"}, 2: {"_meta", "inputRequests"}},
	Questions: []Method{1},
	Listing:   []Method{2},
	Client:    []string{"ping"},
	Slow:      []string{"wait"},
	Meta:      []string{"progressToken"},
}

// TestRead reads messages, and refuses those that another reader could read in another way.
func TestRead(t *testing.T) {
	g := New(&words)
	for text, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"ask","params":{"message":"m"}}`:                  "",
		`{"jsonrpc":"2.0","id":1,"method":"ask","params":{"message":"m","more":{"a":[1]}}}`: "",
		`{"jsonrpc":"2.0","id":1,"result":{"a":1,"a":2}}`:                                   "",
		`{"jsonrpc":"2.0","id":1,"method":"ask","params":{"message":"m","Message":"n"}}`:    "key_lookalike",
		`{"jsonrpc":"2.0","id":1,"method":"ask","params":{"message":"m","message":"n"}}`:    "json_duplicate_key",
		`{"jsonrpc":"2.0","id":1,"id":2,"method":"ask"}`:                                    "json_duplicate_key",
		`{"jsonrpc":"2.0","id":1,"method":"ask","METHOD":"tell"}`:                           "key_lookalike",
		`{"jsonrpc":"1.0","id":1,"method":"ask"}`:                                           "envelope_version",
		`{"jsonrpc":"2.0","id":1,"method":"ask","a\/b":1,"a/b":2}`:                          "json_duplicate_key",
		`[`:   "json_truncated",
		`{`:   "json_truncated",
		`7`:   "envelope_not_object",
		`{} `: "envelope_version",
	} {
		var m Message
		got := ""
		if problem := g.Read(&m, []byte(text)); problem != nil {
			got = problem.Code
		}
		if got != want {
			t.Errorf("%s is read with the problem %q, want %q", text, got, want)
		}
	}
}

func TestPlaces(t *testing.T) {
	g := New(&words)
	for text, want := range map[string][3]bool{ // misplaced, for the client, slow
		`{"jsonrpc":"2.0","method":"tell","params":{"inputRequests":{}}}`:        {},
		`{"jsonrpc":"2.0","id":1,"method":"tell","params":{"inputRequests":{}}}`: {0: true},
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`:                               {1: true},
		`{"jsonrpc":"2.0","id":1,"method":"wait"}`:                               {2: true},
		`{"jsonrpc":"2.0","id":1,"method":"pin"}`:                                {},
	} {
		var m Message
		if problem := g.Read(&m, []byte(text)); problem != nil {
			t.Fatal(text, problem)
		}
		known, slow := g.ForClient(&m)
		if got := [3]bool{g.Misplaced(&m), known, slow}; got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// TestIDs finds an id in each of its spellings, and nothing else.
func TestIDs(t *testing.T) {
	open := map[Key]int{KeyOf([]byte(`5`)): 1, KeyOf([]byte(`"a"`)): 2, KeyOf([]byte(`"7"`)): 3, KeyOf([]byte(`7`)): 4}
	for id, want := range map[string]int{`5`: 1, `5.0`: 1, `"5"`: 1, `50e-1`: 1, `"a"`: 2, `"\u0061"`: 2, `"7"`: 3, `7`: 4,
		`6`: 0, `"A"`: 0, `5.5`: 0, `"05"`: 0} {
		key, found := Find(open, []byte(id))
		if found != (want != 0) || open[key] != want {
			t.Errorf("%s finds %d, want %d", id, open[key], want)
		}
	}
	long := `"` + strings.Repeat("a", 60)
	if one := KeyOf([]byte(long + `b"`)); one == KeyOf([]byte(long+`c"`)) || string(one.Raw()) != long+`b"` {
		t.Errorf("a long id is read as %s", one.Raw())
	}
	if got := CanonicalID([]byte(`5.0`)); got != "5" {
		t.Errorf("5.0 is %s", got)
	}
}

// TestInteger reads an integer in each of its spellings, and no other text.
func TestInteger(t *testing.T) {
	zeros := strings.Repeat("0", 1e5)
	for text, want := range map[string]int64{`5`: 5, `-15`: -15, `5.0`: 5, `50e-1`: 5, `5E+1`: 50, `0`: 0, `-0.0`: 0,
		`0.00000000000000000005e20`: 5, `9007199254740992`: 1 << 53, `1e15`: 1e15} {
		digits, n, ok := Integer([]byte(text))
		if again, _, _ := Integer(digits); !ok || n != want || !bytes.Equal(again, digits) || len(digits) > 16 {
			t.Errorf("%s is read as %s, %d, %v", text, digits, n, ok)
		}
	}
	for _, text := range []string{``, `-`, `abc`, `05`, `5.`, `.5`, `5e`, `5D0`, `5.5`, `5x`, `1e16`, `9007199254740993`,
		`1e1000000`, `1` + zeros + `e-100000`} {
		if digits, n, ok := Integer([]byte(text)); digits != nil || n != 0 || ok {
			t.Errorf("%.20s is read as %s, %d, %v", text, digits, n, ok)
		}
	}
}

// TestClipped quotes a text up to 80 bytes, and cuts a longer one between characters.
func TestClipped(t *testing.T) {
	most := strings.Repeat("a", 80)
	for text, want := range map[string]string{most: most, most + "b": most + "…", most[:79] + "é": most[:79] + "…"} {
		if got := Clipped(text); got != want {
			t.Errorf("%q is quoted as %q", text, got)
		}
	}
}

// TestUnreadable looks for ids and brackets in text that no reader could read.
func TestUnreadable(t *testing.T) {
	for text, want := range map[string]string{`{"id"`: "", `{"id":5`: "", `"id":5,"id" : "a"}`: `5 "a"`, `"id":tru,`: "",
		`"id":5x `: "", `"id":"a\q" `: ""} {
		if got := string(bytes.Join(IDsIn([]byte(text)), []byte(" "))); got != want {
			t.Errorf("%s has the ids %s", text, got)
		}
	}
	for text, want := range map[string]int{`{"":[`: 2, `]}`: -2, `["[`: 1} {
		if got := Nesting([]byte(text)); got != want {
			t.Errorf("%s nests %d deep", text, got)
		}
	}
}

// TestDepth lets each part of a message be nested as deep as any other, counted from its outermost bracket.
func TestDepth(t *testing.T) {
	g := New(&words)
	for before, after := range map[string]string{`{"jsonrpc":"2.0","id":1,"result":`: `}`,
		`{"jsonrpc":"2.0","id":1,"result":{"a":`:                         `}}`,
		`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"","data":`: `}}`} {
		inside := jsontext.LooseDepth - len(after)
		for _, depth := range []int{inside, inside + 1} {
			var m Message
			text := before + strings.Repeat("[", depth) + strings.Repeat("]", depth) + after
			if problem := g.Read(&m, []byte(text)); (problem == nil) != (depth == inside) {
				t.Errorf("%s, and %d lists: %v", before, depth, problem)
			}
			if len(after) == 1 {
				head := `{"result":` + strings.Repeat("[", depth) + strings.Repeat("]", depth) + `,"id":1,`
				if got := Glance([]byte(head)); (got.ID != nil) != (depth == inside) {
					t.Errorf("a part with %d lists before an id lets it be read as %s", depth, got.ID)
				}
			}
		}
	}
}

// TestProblems reports the first problem of a question, and no place for what is inside a message.
func TestProblems(t *testing.T) {
	for text, want := range map[string]string{`{"jsonrpc":"2.0","id":1,"method":7}`: "envelope_method",
		`{"jsonrpc":"1.0","id":[],"method":7}`: "envelope_version"} {
		if problem := Askable([]byte(text)); problem == nil || problem.Code != want {
			t.Errorf("%s has the problem %+v", text, problem)
		}
	}
	problem := Distinct([]byte(`{"a":1,"a":2}`), "/params")
	if problem == nil || problem.Start != 0 || problem.End != 0 || problem.Pointer != "/params/a" {
		t.Errorf("a repeated key has the problem %+v", problem)
	}
}
