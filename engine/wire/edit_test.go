package wire

import (
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
