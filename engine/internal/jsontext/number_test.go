package jsontext

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

func num(s string) Number { return Number{Raw: []byte(s)} }

func TestCompare(t *testing.T) {
	nines := strings.Repeat("9", 400)
	tests := []struct {
		a, b string
		want int
	}{
		{"0", "-0", 0}, {"0e999999999999", "-0.000", 0}, {"0.1", "0.10", 0}, {"1", "1.0", 0}, {"100", "1e2", 0},
		{"1E+2", "1e02", 0}, {"0.001", "1e-3", 0}, {"12.50e1", "125", 0}, {"-1", "1", -1}, {"-2", "-1", -1},
		{"0", "1e-400", -1},
		{"-1e-400", "0", -1}, {"9007199254740993", "9007199254740992", 1}, {"9007199254740993.0", "9007199254740993", 0},
		{"1e400", "1e401", -1}, {"1e400", "9e399", 1}, {"1e-400", "1e-401", 1}, {"-1e400", "1", -1},
		{"1e999999999999", "1e999999999998", 1}, {"1e999999999999", "10e999999999998", 0}, {"1e-999999999999", "1", -1},
		{"1e" + nines, "0.1e1" + strings.Repeat("0", 400), 0}, {"1e" + nines, "1e1" + strings.Repeat("0", 400), -1},
		{"1e-" + nines, "1e" + nines, -1}, {"1e-" + nines, "10e-1" + strings.Repeat("0", 400), 0},
		{"-1e" + nines, "1e-" + nines, -1},
		{"1e9223372036854775808", "1e9223372036854775807", 1}, {"1e-9223372036854775808", "1e-9223372036854775809", 1},
		{"10", "9", 1}, {"1.23", "1.2299999", 1}, {"1.2", "1.25", -1}, {"105", "10.5e1", 0}, {"0.05", "0.5", -1},
	}
	for _, tt := range tests {
		if got := num(tt.a).Compare(num(tt.b)); got != tt.want {
			t.Errorf("%.40s ? %.40s: got %d want %d", tt.a, tt.b, got, tt.want)
		}
		if got := num(tt.b).Compare(num(tt.a)); got != -tt.want {
			t.Errorf("%.40s ? %.40s: got %d want %d", tt.b, tt.a, got, -tt.want)
		}
	}
}

func TestIntegers(t *testing.T) {
	far := strings.Repeat("9", 50)
	tests := []struct {
		raw     string
		integer bool
		value   int64
		fits    bool
	}{
		{"0", true, 0, true}, {"-0", true, 0, true}, {"0.0", true, 0, true}, {"0e-" + far, true, 0, true},
		{"3", true, 3, true},
		{"3.0", true, 3, true}, {"3.000e0", true, 3, true}, {"1e2", true, 100, true}, {"0.5e1", true, 5, true},
		{"1.5", false, 0, false}, {"15e-1", false, 0, false}, {"150e-1", true, 15, true}, {"1e-400", false, 0, false},
		{"1e400", true, 0, false}, {"1e" + far, true, 0, false}, {"1e-" + far, false, 0, false}, {"-12.30e2", true, -1230,
			true},
		{"9223372036854775807", true, math.MaxInt64, true}, {"-9223372036854775808", true, math.MinInt64, true},
		{"9223372036854775808", true, 0, false}, {"-9223372036854775809", true, 0, false}, {"1e18", true, 1e18, true},
		{"1e19", true, 0, false}, {"92233720368547758070", true, 0, false}, {"-9.223372036854775808e18", true, math.MinInt64,
			true},
	}
	for _, tt := range tests {
		if got := num(tt.raw).IsInteger(); got != tt.integer {
			t.Errorf("%.30s: integer %v want %v", tt.raw, got, tt.integer)
		}
		got, ok := num(tt.raw).Int()
		if ok != tt.fits || ok && got != tt.value {
			t.Errorf("%.30s: got %d, %v want %d, %v", tt.raw, got, ok, tt.value, tt.fits)
		}
	}
}

// TestAgainstBig compares every result with exact rationals, on random numbers that are often nearly equal.
func TestAgainstBig(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	equal := 0
	for range 50_000 {
		a := spell(random)
		b := spell(random)
		if random.IntN(2) == 0 {
			b = respell(random, a)
		}
		x, y := rational(t, a), rational(t, b)
		if got, want := num(a).Compare(num(b)), x.Cmp(y); got != want {
			t.Fatalf("%s ? %s: got %d want %d", a, b, got, want)
		} else if want == 0 {
			equal++
		}
		if got, want := num(a).IsInteger(), x.IsInt(); got != want {
			t.Fatalf("%s: integer %v want %v", a, got, want)
		}
		got, ok := num(a).Int()
		if fits := x.IsInt() && x.Num().IsInt64(); ok != fits || ok && x.Num().Int64() != got {
			t.Fatalf("%s: got %d, %v want %s", a, got, ok, x)
		}
		if got, want := num(a).Sign(), x.Sign(); got != want {
			t.Fatalf("%s: sign %d want %d", a, got, want)
		}
	}
	if equal < 5000 {
		t.Errorf("only %d of 50000 pairs were equal: the test has lost its balance", equal)
	}
}

// TestShift checks, for exponents of any length, that moving the point and adjusting the exponent changes nothing.
func TestShift(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		exp := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(random.IntN(60))), nil)
		exp.Add(exp, big.NewInt(int64(random.IntN(5)-2)))
		if random.IntN(2) == 0 {
			exp.Neg(exp)
		}
		zeros := random.IntN(30)
		less := new(big.Int).Sub(exp, big.NewInt(int64(zeros)))
		a := "7e" + exp.String()
		b := "7" + strings.Repeat("0", zeros) + "e" + less.String()
		if num(a).Compare(num(b)) != 0 || num("7.1e"+exp.String()).Compare(num(b)) != 1 ||
			num("6.9e"+exp.String()).Compare(num(b)) != -1 {
			t.Fatalf("%s ? %s", a, b)
		}
	}
}

func spell(random *rand.Rand) string {
	s := strconv.Itoa(random.IntN([]int{2, 10, 1000, math.MaxInt}[random.IntN(4)]))
	if random.IntN(2) == 0 {
		s += fmt.Sprintf(".%0*d", random.IntN(5)+1, random.IntN([]int{1, 10, 100000}[random.IntN(3)]))
	}
	if random.IntN(2) == 0 {
		s += fmt.Sprintf("e%d", random.IntN(50)-25)
	}
	return []string{"", "-"}[random.IntN(2)] + s
}

// respell writes the same value in another way, sometimes with one digit more.
func respell(random *rand.Rand, s string) string {
	mantissa, exp, _ := strings.Cut(s, "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	e, _ := strconv.Atoi(exp)
	digits := whole + fraction + strings.Repeat("0", random.IntN(3))
	if random.IntN(3) == 0 {
		digits += "1"
	}
	e += len(whole) - len(digits)
	digits, minus := strings.CutPrefix(digits, "-")
	digits = strings.TrimLeft(digits[:len(digits)-1], "0") + digits[len(digits)-1:]
	if len(digits) > 1 && digits[0] == '0' {
		digits = digits[1:]
	}
	return map[bool]string{true: "-"}[minus] + digits + "E" + fmt.Sprintf("%+d", e)
}

func rational(t *testing.T, s string) *big.Rat {
	t.Helper()
	if Check([]byte(s), Limits{}) != nil {
		t.Fatalf("%q is no JSON number", s)
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		t.Fatalf("%q is no number", s)
	}
	return r
}

func BenchmarkCompare(b *testing.B) {
	for _, pair := range [][2]string{{"3", "100"}, {"1234.5", "0.01"}, {"1e400", "1e401"}} {
		b.Run(pair[0], func(b *testing.B) {
			x, y := num(pair[0]), num(pair[1])
			b.ReportAllocs()
			for b.Loop() {
				x.Compare(y)
			}
		})
	}
}
