package guests_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
)

// pieces are what twisted texts are made longer with: the beginnings of everything that the guests look for, cut off
// and among letters of several bytes.
var pieces = []string{"é", "密", "😀", "\u200b", "Ａ", "й", " ", "\n", ".", "-", "_", "$", "@", "|", "'", "’", "\x00",
	"\"", "\\", "https://", "http:/", "xn--", "xn--a-é", "xn--99999999",
	"[::", "0x", "@[", "4539 1488", "DE89 ", "X-", "1.2", "12345678", "password", "enter", "never ", "pass\u00adword",
	"rm -", "git push ", "--force", "drop table", "`x`;", "eyJ", "ghp_", "-----BEGIN ",
	"PRIVATE KEY", "{", "}", ":(){", "パスワード", "ｒｍ", "p a s s"}

// TestTwisted puts hostile pieces into the texts of every case: whatever comes of it, a guest answers.
func TestTwisted(t *testing.T) {
	eachGuest(t, func(t *testing.T, name string, g *guest) {
		random := rand.New(rand.NewPCG(1, 2))
		for _, c := range casesOf(t, name) {
			var e struct{ Question map[string]any }
			must.Unmarshal(t, c.Text, &e)
			if e.Question == nil {
				continue
			}
			for range 40 {
				q, err := json.Marshal(twist(e.Question, "", random))
				must.OK(t, err)
				if verdict, _, err := g.call(g.host.Evaluate, g.asked(q)); err != nil {
					t.Errorf("%v: %.600s", err, q)
				} else if !json.Valid([]byte(verdict)) {
					t.Errorf("%s for %.600s", verdict, q)
				}
			}
		}
	})
}

// twist copies a document with pieces in its texts, but for what the contract fixes.
func twist(v any, name string, random *rand.Rand) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, inner := range v {
			if k != "phase" && k != "v" && k != "at" && k != "seed" {
				inner = twist(inner, k, random)
			}
			out[k] = inner
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, inner := range v {
			out[i] = twist(inner, name, random)
		}
		return out
	case string:
		if name == "kind" || len(v) > 4096 {
			return v
		}
		text := []rune(v)
		for range random.IntN(5) {
			at := random.IntN(len(text) + 1)
			piece := []rune(pieces[random.IntN(len(pieces))])
			text = append(append(append([]rune{}, text[:at]...), piece...), text[at:]...)
		}
		return string(text)
	}
	return v
}
