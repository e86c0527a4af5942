package gate

import (
	"testing"
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
	if PlainID([]byte(`9007199254740993`)) != nil {
		t.Error("a number that readers round is no plain id")
	}
}
