package schema

import (
	"math/rand/v2"
	"testing"

	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// TestFixedAgainstText checks that comparing fixed numbers agrees with comparing their text.
func TestFixedAgainstText(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	texts := []string{"0", "-0", "0.0", "999999999999", "9999999999999", "-999999.999999", "0.0000001", "1e3", "1000",
		"999999999999.9",
		"9999999999.99", "0.000001", "-0.000001"}
	for range 300 {
		texts = append(texts, decimalText(r))
	}
	quick := 0
	for _, x := range texts {
		for _, y := range texts {
			a, b := jsontext.Number{Raw: []byte(x)}, jsontext.Number{Raw: []byte(y)}
			fa, fb := fixedOf(a.Raw), fixedOf(b.Raw)
			if fa.ok && fb.ok {
				quick++
			}
			if got, want := compare(a, fa, b, fb), a.Compare(b); got != want {
				t.Fatalf("compare(%s, %s): got %d, want %d", x, y, got, want)
			}
		}
	}
	if quick < 1000 {
		t.Fatalf("only %d pairs went the short way", quick)
	}
}
