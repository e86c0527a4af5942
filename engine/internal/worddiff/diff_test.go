package worddiff_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/internal/worddiff"
)

const plenty = 1 << 30

// spelled writes pieces as a form without colour does.
func spelled(pieces []worddiff.Piece) string {
	var b strings.Builder
	for _, p := range pieces {
		fmt.Fprintf(&b, [...]string{"%s", "[-%s-]", "[+%s+]"}[p.Is], p.Text)
	}
	return b.String()
}

func Example() {
	steps := 1 << 20
	fmt.Println(spelled(worddiff.Compare("Delete /tmp/build/cache?", "Delete /home/me/cache?", &steps)))
	// Output:
	// Delete /[-tmp/build-][+home/me+]/cache?
}

func TestCompare(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"equal", "Go on?", "Go on?", ""},
		{"one word", "Delete a.txt now?", "Delete b.txt now?", "Delete [-a-][+b+].txt now?"},
		{"at the end", "Run make", "Run make install", "Run make[+ install+]"},
		{"at the beginning", "Delete it", "Please delete it", ""}, // one word of three
		{"half of the longer", "a b", "a b c d", "a b[+ c d+]"},
		{"less than half of the longer", "a b", "a b c d e", ""},
		{"less than half of the older", "a b c d e", "a b", ""},
		{"other order", "copy left right top", "copy right left top", "copy [-left -]right[+ left+] top"},
		{"nothing in common", "one two", "three four", ""},
		{"nothing before", "", "Go", ""},
		{"nothing now", "Go", "", ""},
		{"only white space", " ", "  ", ""},
		{"white space", "rm -rf ./tmp", "rm -rf . /tmp", "rm -rf .[+ +]/tmp"},
		{"another line", "a b c\nd", "a b c\ne", "a b c\n[-d-][+e+]"},
		{"lines change apart", "x y a\nb\nz z z", "x y c\nd\nz z z", "x y [-a-][+c+]\n[-b-][+d+]\nz z z"},
		{"look-alike letter", "visit paypal.com now", "visit pаypal.com now", "visit [-paypal-][+pаypal+].com now"},
		{"no spaces between words", "删除文件甲", "删除文件乙", "删除文件[-甲-][+乙+]"},
		{"invisible character", "run the tests", "run the\u200b tests", "run the[+\u200b+] tests"},
	} {
		steps := plenty
		if got := spelled(worddiff.Compare(c.old, c.new, &steps)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestPiecesMakeUpTheTexts compares texts at random distances: what stays and what is new is the new text, what stays
// and what is gone the old one, and no two neighbours are of one kind.
func TestPiecesMakeUpTheTexts(t *testing.T) {
	alphabet := []string{"a", "b", "rm", " ", " ", "\n", "/", "-", ".", "é", "删", "\u200b", "\U0001f600", "word_9", "\xff"}
	alike := 0
	for seed := range int64(20_000) {
		r := rand.New(rand.NewSource(seed))
		list := make([]string, r.Intn(60))
		for i := range list {
			list[i] = alphabet[r.Intn(len(alphabet))]
		}
		old := strings.Join(list, "")
		for range r.Intn(8) {
			i := r.Intn(len(list) + 1)
			switch {
			case r.Intn(2) == 0 || i == len(list):
				list = append(list[:i:i], append([]string{alphabet[r.Intn(len(alphabet))]}, list[i:]...)...)
			default:
				list = append(list[:i:i], list[i+1:]...)
			}
		}
		new, steps := strings.Join(list, ""), plenty
		pieces := worddiff.Compare(old, new, &steps)
		if pieces == nil {
			continue
		}
		alike++
		var was, is strings.Builder
		for i, p := range pieces {
			if i > 0 && (pieces[i-1].Is == p.Is || pieces[i-1].Is == worddiff.New && p.Is == worddiff.Gone) || p.Text == "" {
				t.Fatalf("seed %d: %q", seed, pieces)
			}
			if p.Is != worddiff.New {
				was.WriteString(p.Text)
			}
			if p.Is != worddiff.Gone {
				is.WriteString(p.Text)
			}
		}
		if was.String() != old || is.String() != new {
			t.Fatalf("seed %d: %q for %q and %q", seed, pieces, old, new)
		}
	}
	if alike < 10_000 {
		t.Errorf("only %d pairs were almost the same", alike)
	}
}

// TestWorkIsBounded gives texts that take the most work: it ends when the steps are spent, whatever is compared.
func TestWorkIsBounded(t *testing.T) {
	long := func(seed int64) string {
		r, b := rand.New(rand.NewSource(seed)), strings.Builder{}
		for range 8 << 10 {
			b.WriteString([]string{"a", "b", "-", " "}[r.Intn(4)])
		}
		return b.String()
	}
	steps := 100_000
	if pieces := worddiff.Compare(long(1), long(2), &steps); pieces != nil || steps > 0 {
		t.Errorf("%d pieces, %d steps left", len(pieces), steps)
	}
	if worddiff.Compare("Run a now", "Run b now", &steps) != nil {
		t.Error("a comparison without steps")
	}
	steps = plenty
	same := strings.Repeat("same ", 2000)
	if worddiff.Compare(same, same+strings.Repeat("-", worddiff.MaxEdits), &steps) == nil {
		t.Error("no pieces for the most edits")
	}
	if worddiff.Compare(same, same+strings.Repeat("-", worddiff.MaxEdits+1), &steps) != nil {
		t.Error("pieces for too many edits")
	}
}
