package wire

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

func TestSet(t *testing.T) {
	tests := []struct {
		name, in string
		replace  bool
		path     []string
		want     string
		ok       bool
	}{
		{"into an empty object", `{}`, false, []string{"a"}, `{"a":1}`, true},
		{"behind the last member", `{ "b" : 2 }`, false, []string{"a"}, `{ "b" : 2,"a":1 }`, true},
		{"makes the way", `{"b":2}`, false, []string{"x", "y", "a"}, `{"b":2,"x":{"y":{"a":1}}}`, true},
		{"goes the way", `{"x":{"y":{ },"k":3}}`, false, []string{"x", "y", "a"}, `{"x":{"y":{"a":1 },"k":3}}`, true},
		{"keeps what is there", `{"a":{"q":2}}`, false, []string{"a"}, `{"a":{"q":2}}`, true},
		{"replaces on request", `{"a" : {"q":2} ,"z":0}`, true, []string{"a"}, `{"a" : 1 ,"z":0}`, true},
		{"finds an escaped key", `{"\u0061":5}`, true, []string{"a"}, `{"\u0061":1}`, true},
		{"no object on the way", `{"x":null}`, true, []string{"x", "a"}, `{"x":null}`, false},
		{"no object at all", `[]`, true, []string{"a"}, `[]`, false},
		{"a key with dots is no path", `{"a.b":{}}`, false, []string{"a.b", "a"}, `{"a.b":{"a":1}}`, true},
	}
	for _, tt := range tests {
		got, ok := Set(nil, []byte(tt.in), []byte(`1`), tt.replace, tt.path...)
		if string(got) != tt.want || ok != tt.ok {
			t.Errorf("%s: got %s %v, want %s %v", tt.name, got, ok, tt.want, tt.ok)
		}
	}
}

func TestExchange(t *testing.T) {
	tests := []struct{ name, in, add, want string }{
		{"nothing to cut, nothing to add", `{ "a":1 }`, ``, `{ "a":1 }`},
		{"the only member", `{ "x":1 }`, ``, `{  }`},
		{"the first", `{"x":1 , "a":2}`, ``, `{"a":2}`},
		{"the last", `{"a":2 , "x":1}`, ``, `{"a":2}`},
		{"one between", `{"a":2, "x":1, "b":3}`, ``, `{"a":2, "b":3}`},
		{"both, side by side, first", `{"x":1,"y":2,"a":3}`, ``, `{"a":3}`},
		{"both, side by side, last", `{"a":3,"x":1,"y":2}`, ``, `{"a":3}`},
		{"both, apart", `{"x":1,"a":3,"y":2}`, ``, `{"a":3}`},
		{"both and nothing else", `{"x":1,"y":2}`, ``, `{}`},
		{"exchange the last", `{"a":3, "x":1}`, `"x":9`, `{"a":3,"x":9}`},
		{"exchange the only", `{"x":1}`, `"x":9`, `{"x":9}`},
		{"exchange the first", `{"x":1,"a":3}`, `"x":9`, `{"a":3,"x":9}`},
	}
	for _, tt := range tests {
		o, _ := ReadObject([]byte(tt.in))
		got := Apply(nil, []byte(tt.in), o.Exchange(nil, []byte(tt.add), "x", "y"))
		if string(got) != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestReading: members that are absent, of another type, empty or too long are told with their pointers.
func TestReading(t *testing.T) {
	doc := `{"a":"x","e":"","n":null,"l":"` + strings.Repeat("l", 8) + `","m":{"b":1},"é/~":7}`
	for name, want := range map[string]string{
		"a":   "x | x | wrong_type /at/a",
		"e":   " | empty_value /at/e  | wrong_type /at/e",
		"n":   "wrong_type /at/n  | wrong_type /at/n  | wrong_type /at/n",
		"l":   "llllllll | text_too_large /at/l llllllll | wrong_type /at/l",
		"m":   `wrong_type /at/m  | wrong_type /at/m  | {"b":1}`,
		"é/~": "wrong_type /at/é~1~0  | wrong_type /at/é~1~0  | wrong_type /at/é~1~0",
		"z":   "missing /at/z  | missing /at/z  | missing /at/z",
	} {
		var got []string
		for _, read := range []func(r *Reading) string{
			func(r *Reading) string { return r.Str(name) },
			func(r *Reading) string { return r.Filled(name, 7) },
			func(r *Reading) string { return string(r.Map(name)) },
		} {
			r := Read([]byte(doc), "/at")
			value := read(&r)
			for _, p := range r.Problems {
				value = p.Code + " " + p.Pointer + " " + value
			}
			got = append(got, value)
		}
		if s := strings.TrimSpace(strings.Join(got, " | ")); s != strings.TrimSpace(want) {
			t.Errorf("%s:\n got %s\nwant %s", name, s, want)
		}
	}
	for _, limit := range []int{0, 8, 9} { // 0 is no limit
		if r := Read([]byte(doc), ""); r.Filled("l", limit) != "llllllll" || r.Problems != nil {
			t.Errorf("8 bytes of at most %d: %v", limit, r.Problems)
		}
	}
	if r := Read([]byte(doc), ""); r.Filled("a", 1) != "x" || r.Problems != nil || r.Filled("l", 1) == "" ||
		len(r.Problems) != 1 {
		t.Errorf("1 byte and 8 bytes of at most 1: %v", r.Problems)
	}
	for _, text := range []string{`[{"a":"x"}]`, `"a"`, `7`, ``} {
		r := Read([]byte(text), "/at")
		if len(r.Problems) != 1 || r.Problems[0].Code+r.Problems[0].Pointer != "wrong_type/at" || r.Get("a") != nil {
			t.Errorf("%s: %v", text, r.Problems)
		}
	}
	for size, want := range map[int]string{maxShown: "", maxShown + 1: "…"} {
		text := strings.Repeat("s", size)
		if got := Shown(text); got != strings.Repeat("s", maxShown)+want {
			t.Errorf("of %d bytes are shown: %s", size, got)
		}
	}
}

// TestElements reads lists, and nothing else as a list.
func TestElements(t *testing.T) {
	for text, want := range map[string]string{`[]`: "0:", ` [ 1 , "a,b" ] `: `2:1|"a,b"`,
		`[[1,2],{"a":3},null]`: `3:[1,2]|{"a":3}`,
		`{"a":1}`:              "0:", `{}`: "0:", `"[1]"`: "0:", `7`: "0:", ``: "0:"} {
		list, count := Elements([]byte(text), 2)
		if got := strconv.Itoa(count) + ":" + string(bytes.Join(list, []byte("|"))); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// FuzzExchange checks that an exchange keeps the order and spelling of all members that it was not asked to change.
func FuzzExchange(f *testing.F) {
	f.Add([]byte(`{"x":1, "a": 2.0 ,"\u0079":[], "b":{"x":1}}`), true)
	f.Add([]byte(` { "x":1 } `), false)
	f.Fuzz(func(t *testing.T, doc []byte, add bool) {
		if jsontext.Check(doc, jsontext.Limits{}) != nil {
			return
		}
		o, ok := ReadObject(doc)
		if !ok {
			return
		}
		var members []byte
		if add {
			members = []byte(`"x":0`)
		}
		out := Apply(nil, doc, o.Exchange(nil, members, "x", "y"))
		if fault := jsontext.Check(out, jsontext.Limits{Bytes: len(doc) + 16}); fault != nil {
			t.Fatalf("%s became %s: %v", doc, out, fault)
		}
		after, _ := ReadObject(out)
		i := 0
		for _, m := range o.Members {
			if m.Name == "x" || m.Name == "y" {
				continue
			}
			if i >= len(after.Members) || after.Members[i].Name != m.Name ||
				string(after.Raw(after.Members[i])) != string(o.Raw(m)) {
				t.Fatalf("%s became %s: lost %q", doc, out, m.Name)
			}
			i++
		}
		if got := len(after.Members) - i; got != 0 && !(add && got == 1 && after.Members[i].Name == "x") {
			t.Fatalf("%s became %s: %d members too many", doc, out, got)
		}
	})
}
