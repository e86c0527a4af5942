package seal_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/engine/seal"
	"github.com/elicit-engine/elicit/internal/must"
)

// FuzzOpen: no text but a token is opened, and whatever is opened can be sealed again.
func FuzzOpen(f *testing.F) {
	ring, c := newRing(f), someClaims()
	for _, purpose := range []seal.Purpose{seal.State, seal.Page} {
		token, err := ring.Seal(nil, [32]byte{}, purpose, c)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(token)
		f.Add(token[:60])
	}
	for _, text := range []string{"", "e1.", "e1.AQ", "e1.AQJrMQVzdGF0ZQ", "e1.AQA", "e2.AQJr"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, token []byte) {
		before := bytes.Clone(token)
		got, problem := ring.Open(token, seal.State, expecting(c, 1500))
		if !bytes.Equal(before, token) {
			t.Fatal("Open changed the token")
		}
		if problem != nil {
			if !strings.HasPrefix(problem.Code, "seal_") || !reflect.ValueOf(got).IsZero() {
				t.Fatalf("%v %v", problem, got)
			}
			return
		}
		if again, err := ring.Seal(nil, [32]byte{}, seal.State, got); err != nil || !bytes.Equal(again, token) {
			t.Fatalf("%v: %s was opened, and sealed as %s", err, token, again)
		}
	})
}

// TestHostileTextCostsLittle: a text that is refused costs at most its own length in memory, and one over the limit
// nothing.
func TestHostileTextCostsLittle(t *testing.T) {
	ring := newRing(t)
	for name, row := range map[string]struct {
		text string
		most uint64 // bytes
	}{
		"over the limit":  {"e1." + strings.Repeat("A", 50<<20), 500},
		"no token":        {strings.Repeat("x", seal.MaxToken), 500},
		"unknown key":     {"e1." + "AQJrOQVzdGF0ZQ" + strings.Repeat("A", seal.MaxToken-20), 2 * seal.MaxToken},
		"known key":       {"e1." + "AQJrMQVzdGF0ZQ" + strings.Repeat("A", seal.MaxToken-20), 2 * seal.MaxToken},
		"not the letters": {"e1." + "AQJrMQVzdGF0ZQ" + strings.Repeat("%", seal.MaxToken-20), 2 * seal.MaxToken},
	} {
		token := []byte(row.text)
		const calls = 20
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range calls {
			if _, problem := ring.Open(token, seal.State, seal.Expected{}); problem == nil {
				t.Fatal("opened")
			}
		}
		runtime.ReadMemStats(&after)
		if got := (after.TotalAlloc - before.TotalAlloc) / calls; got > row.most {
			t.Errorf("%s: %d bytes, at most %d", name, got, row.most)
		}
	}
}

func TestIDs(t *testing.T) {
	seen := map[string]bool{}
	for _, random := range [][32]byte{{}, {1}} {
		for _, purpose := range []seal.Purpose{seal.State, seal.Page, seal.Fallback} {
			for n := range 300 {
				id := seal.ID(random, purpose, n)
				if len(id) != 32 || seen[id] {
					t.Errorf("%s", id)
				}
				seen[id] = true
			}
		}
	}
	if got := seal.ID([32]byte{}, seal.State, 0); got != "5d6b28db89b19c11f000568bc0b5dc68" {
		t.Error(got)
	}
}

// TestDigest: neither the order of members nor white space nor escapes count; every other change does.
func TestDigest(t *testing.T) {
	sum := func(doc string) [32]byte {
		got, problem := seal.Digest([]byte(doc))
		if problem != nil {
			t.Fatalf("%s: %v", doc, problem)
		}
		return got
	}
	for _, same := range [][2]string{
		{`{"a":1,"b":[{"d":1,"c":2}]}`, "{ \"b\" : [ { \"c\":2, \"d\":1 } ],\n \"a\":1 }"},
		{`{"é":"/"}`, `{"\u00e9":"\/"}`}, {`{}`, ` { } `}, {`[]`, `[ ]`}, {`"a"`, ` "\u0061"`}, {`1`, ` 1`},
	} {
		if sum(same[0]) != sum(same[1]) {
			t.Errorf("%s and %s differ", same[0], same[1])
		}
	}
	for _, other := range [][2]string{
		{`{"a":1}`, `{"a":1.0}`}, {`{"a":1}`, `{"a":"1"}`}, {`[1,2]`, `[2,1]`}, {`{}`, `[]`}, {`{"a":null}`, `{}`},
		{`9007199254740993`, `9007199254740992`}, {`[[1],2]`, `[[1,2]]`}, {`{"a":{"b":1}}`, `{"a":{},"b":1}`},
	} {
		if sum(other[0]) == sum(other[1]) {
			t.Errorf("%s and %s are the same", other[0], other[1])
		}
	}
	for _, bad := range []string{``, `{`, `{"a":1,"a":1}`, `{"a":1,"\u0061":1}`, `1 2`, strings.Repeat("[", 200)} {
		if _, problem := seal.Digest([]byte(bad)); problem == nil {
			t.Errorf("%s has a digest", bad)
		}
	}
}

// TestDigestOfShuffledMembers: objects of any size, also those that the gate and the sort treat as large.
func TestDigestOfShuffledMembers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.String(), 0, 80, rapid.ID).Draw(t, "names")
		shuffled := rapid.Permutation(names).Draw(t, "shuffled")
		write := func(names []string) []byte {
			doc := []byte{'{'}
			for i, name := range names {
				if i > 0 {
					doc = append(doc, ',')
				}
				key, err := json.Marshal(name)
				must.OK(t, err)
				doc = append(append(doc, key...), ":{\"n\":"...)
				doc = append(append(doc, key...), '}')
			}
			return append(doc, '}')
		}
		slices.SortFunc(names, cmp.Compare[string])
		a, problem := seal.Digest(write(names))
		b, other := seal.Digest(write(shuffled))
		if problem != nil || other != nil || a != b {
			t.Fatalf("%v %v", problem, other)
		}
	})
}

func BenchmarkSealOpen(b *testing.B) {
	ring, c := newRing(b), someClaims()
	want := expecting(c, 1500)
	token := make([]byte, 0, 1024)
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if token, err = ring.Seal(token[:0], [32]byte{}, seal.State, c); err != nil {
			b.Fatal(err)
		}
		if _, problem := ring.Open(token, seal.State, want); problem != nil {
			b.Fatal(problem)
		}
	}
}
