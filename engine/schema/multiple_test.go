package schema

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestMultipleAgainstRationals compares with exact rational arithmetic.
func TestMultipleAgainstRationals(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	yes := 0
	for range 10_000 {
		value, of := decimalText(r), decimalText(r)
		if !usableStep([]byte(of)) {
			t.Fatalf("%s refused as a step", of)
		}
		v, _ := new(big.Rat).SetString(value)
		m, _ := new(big.Rat).SetString(of)
		if m.Sign() == 0 {
			continue
		}
		want := new(big.Rat).Quo(v, m).IsInt()
		if got := isMultiple([]byte(value), []byte(of)); got != want {
			t.Fatalf("isMultiple(%s, %s): got %v, want %v", value, of, got, want)
		}
		if want {
			yes++
		}
	}
	if yes < 500 {
		t.Fatalf("only %d multiples were tried", yes)
	}
}

func decimalText(r *rand.Rand) string {
	text := fmt.Sprint(r.IntN(40))
	if r.IntN(2) == 0 {
		text += fmt.Sprintf(".%0*d", 1+r.IntN(4), r.IntN(10))
	}
	if r.IntN(3) == 0 {
		text += fmt.Sprintf("e%+d", r.IntN(24)-12)
	}
	if r.IntN(4) == 0 {
		text = "-" + text
	}
	return text
}

func TestMultipleOfHugeExponents(t *testing.T) {
	for _, tc := range []struct {
		value, of string
		want      bool
	}{
		{"1e1000000", "5", true},
		{"1e1000000", "7", false},
		{"1e99999999999999999999", "5", false},
		{"1e-99999999999999999999", "5", false},
		{"0e99999999999999999999", "5", true},
		{"0", "0.1", true},
		{"123456789012345678901234567890", "10", true},
		{"999999999999999999999", "999999999999999999", false},
		{"999999999999999999000", "999999999999999999", true},
	} {
		if got := isMultiple([]byte(tc.value), []byte(tc.of)); got != tc.want {
			t.Errorf("isMultiple(%s, %s): got %v, want %v", tc.value, tc.of, got, tc.want)
		}
	}
	if usableStep([]byte("1234567890.123456789")) || !usableStep([]byte("0.000000000000000000000000001")) {
		t.Error("a step is bounded by its digits, not by its places")
	}
}
