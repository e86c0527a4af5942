package schema

import (
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// TestWholeBeside compares the whole numbers beside a fraction with those of math/big.
func TestWholeBeside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.StringMatching(`-?(0|[1-9][0-9]{0,24})(\.[0-9]{1,24})?([eE][+-]?[0-9]{1,2})?`).Draw(t, "number")
		if (jsontext.Number{Raw: []byte(raw)}).IsInteger() {
			return
		}
		exact, ok := new(big.Rat).SetString(raw)
		if !ok {
			t.Fatal(raw)
		}
		floor := new(big.Int).Div(exact.Num(), exact.Denom()) // the denominator is positive, so this rounds down
		ceiling := new(big.Int).Add(floor, big.NewInt(1))
		if got, want := string(wholeBeside([]byte(raw), true)), ceiling.String(); got != want {
			t.Errorf("above %s: %s, want %s", raw, got, want)
		}
		if got, want := string(wholeBeside([]byte(raw), false)), floor.String(); got != want {
			t.Errorf("below %s: %s, want %s", raw, got, want)
		}
	})
}

// TestRoundedBoundsFitTheSame checks that a whole number meets a rounded bound exactly when it meets the original
// bound.
func TestRoundedBoundsFitTheSame(t *testing.T) {
	fits := map[string]func(order int) bool{
		"minimum": func(order int) bool { return order >= 0 }, "exclusiveMinimum": func(order int) bool { return order > 0 },
		"maximum": func(order int) bool { return order <= 0 }, "exclusiveMaximum": func(order int) bool { return order < 0 },
	}
	rapid.Check(t, func(t *rapid.T) {
		keyword := rapid.SampledFrom([]string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}).Draw(t,
			"keyword")
		bound := rapid.StringMatching(`-?[0-9]\.[0-9]{1,3}(e[0-9])?`).Draw(t, "bound")
		form, problems := Compile(fmt.Appendf(nil, `{"type":"object","properties":{"n":{"type":"integer",%q:%s}}}`, keyword,
			bound), Options{})
		if form == nil {
			t.Fatal(problems)
		}
		near := new(big.Rat)
		near.SetString(bound)
		whole := new(big.Int).Div(near.Num(), near.Denom())
		whole.Add(whole, big.NewInt(int64(rapid.IntRange(-3, 3).Draw(t, "away"))))
		want := fits[keyword](new(big.Rat).SetInt(whole).Cmp(near))
		if got := form.Check(fmt.Appendf(nil, `{"n":%s}`, whole)) == nil; got != want {
			t.Errorf("%s %s with %s: fits %v, want %v", whole, keyword, bound, got, want)
		}
	})
}
