package jsontext

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// object spells an object with these keys. A key is put between quotes unchanged.
func object(keys []string) []byte {
	return []byte(`{"` + strings.Join(keys, `":0,"`) + `":0}`)
}

// hostile returns orders of n distinct keys for which a careless sort or hash takes quadratic time.
func hostile(n int) map[string][]string {
	orders := map[string][]string{}
	for i := range n {
		up, down := fmt.Sprintf("%06d", i), fmt.Sprintf("%06d", n-i)
		orders["rising"] = append(orders["rising"], up)
		orders["falling"] = append(orders["falling"], down)
		orders["organ pipe"] = append(orders["organ pipe"], fmt.Sprintf("%06d", min(2*i, 2*(n-i)+1)))
		orders["alternating"] = append(orders["alternating"], map[bool]string{true: up, false: "9" + down}[i%2 == 0])
		orders["one length, one shape"] = append(orders["one length, one shape"], "k"+up+"k")
		orders["escaped"] = append(orders["escaped"], fmt.Sprintf(`\u00e9%06d`, i))
		orders["all lengths"] = append(orders["all lengths"], strings.Repeat("a", i%1000)+up)
	}
	shuffled := append([]string(nil), orders["rising"]...)
	rand.New(rand.NewPCG(1, 2)).Shuffle(n, func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	orders["shuffled"] = shuffled
	return orders
}

// TestHostileObjects counts comparisons instead of measuring time: n keys may need 2 n log2 n, never n².
func TestHostileObjects(t *testing.T) {
	for _, n := range []int{17, 1_000, 100_000} {
		if n > 1000 && testing.Short() {
			continue
		}
		bound := 17 * 8
		for m := n; m > 0; m /= 2 {
			bound += 2 * n
		}
		for name, keys := range hostile(n) {
			doc := object(keys)
			var s Scanner
			s.Reset(doc, Limits{Bytes: len(doc), Members: n})
			s.Skip()
			if !s.End() {
				t.Fatalf("%d %s: %v", n, name, s.Fault())
			}
			if s.compared == 0 || s.compared > bound {
				t.Errorf("%d keys, %s: %d comparisons, want 1 to %d", n, name, s.compared, bound)
			}
		}
	}
}

// TestFewKeys counts the comparisons of many small objects whose keys all have one shape: at most 16·15/2 for each.
func TestFewKeys(t *testing.T) {
	const objects = 1000
	var keys []string
	for i := range few {
		keys = append(keys, fmt.Sprintf("k%02dk", i))
	}
	one := string(object(keys))
	doc := []byte("[" + strings.Repeat(one+",", objects-1) + one + "]")
	var s Scanner
	s.Reset(doc, Limits{})
	s.Skip()
	if want := objects * few * (few - 1) / 2; !s.End() || s.compared != want {
		t.Errorf("%d comparisons, fault %v; want %d", s.compared, s.Fault(), want)
	}
}

// TestRepeatedKey puts one repetition at every kind of place among few and many keys. The fault must be at the later
// spelling.
func TestRepeatedKey(t *testing.T) {
	for _, n := range []int{2, few, few + 1, 64, 65, 500} {
		for _, first := range []int{0, (n - 1) / 2, n - 2} {
			for _, spelling := range []string{"key %d", `k\u0065y %d`} {
				var keys []string
				for i := range n {
					keys = append(keys, fmt.Sprintf("key %d", i))
				}
				keys[n-1] = fmt.Sprintf(spelling, first)
				doc := append([]byte(`{"in":`), object(keys)...)
				doc = append(doc, '}')
				end := len(doc) - len(":0}}")
				want := Fault{Code: CodeDuplicateKey, Start: end - len(keys[n-1]) - 2, End: end,
					Pointer: fmt.Sprintf("/in/key %d", first)}
				if got := Check(doc, Limits{}); got == nil || *got != want {
					t.Errorf("%d keys, %q again: got %+v want %+v", n, keys[n-1], got, want)
				}
			}
		}
	}
}

// TestEarliestRepetition uses several repeated keys in one large object. The fault is at the first second occurrence.
func TestEarliestRepetition(t *testing.T) {
	doc := []byte(`{"z":0,"y":0,"x":0,"w":0,` + strings.Trim(string(manyKeys(20)), "{}") +
		`,"w":1,"z":2,"w":3,"y":4,"z":5}`)
	got := Check(doc, Limits{})
	if at := strings.Index(string(doc), `"w":1`); got == nil || got.Start != at || got.Pointer != "/w" {
		t.Errorf("got %+v, want the w at %d", got, at)
	}
}

// TestKeysAgainstMap compares the result with that of a map, on objects of a few confusable keys.
func TestKeysAgainstMap(t *testing.T) {
	spellings := []string{"", "a", `\u0061`, "b", "ab", `\u0061b`, `a\u0062`, "aa", "é", `\u00e9`, `\u00E9`, "e\u0301",
		"😀", `\ud83d\ude00`, "/", `\/`, "~1", `\n`, `\u000a`, `\u000A`, `\"`, `\u0022`, `\\`, `\u005c`, "u005c"}
	random := rand.New(rand.NewPCG(3, 4))
	repeated := 0
	for range 20_000 {
		var keys []string
		decoded := map[string]bool{}
		want := false
		for range random.IntN(24) + 1 {
			k := spellings[random.IntN(len(spellings))]
			if random.IntN(4) > 0 {
				k += fmt.Sprint(random.IntN(1000))
			}
			keys = append(keys, k)
			text := Text{Raw: []byte(k), Escaped: strings.Contains(k, `\`)}.String()
			want = want || decoded[text]
			decoded[text] = true
		}
		if want {
			repeated++
		}
		doc := object(keys)
		if f := Check(doc, Limits{}); (f != nil) != want || f != nil && f.Code != CodeDuplicateKey {
			t.Fatalf("%s: fault %v, want repeated %v", doc, f, want)
		}
	}
	if repeated < 1000 || repeated > 19_000 {
		t.Errorf("%d of 20000 objects repeat a key: the test has lost its balance", repeated)
	}
}
