package schema

import (
	"strconv"
	"strings"
	"testing"
)

func TestFits(t *testing.T) {
	var required []string
	many := `"n":{"type":"integer","maximum":3},"c":{"type":"string","enum":["x","y"]}`
	for i := range 90 { // more missing fields than Check lists problems
		name := strconv.Quote("f" + strconv.Itoa(i))
		many, required = name+`:{"type":"string"},`+many, append(required, name)
	}
	form, problems := Compile([]byte(`{"type":"object","properties":{`+many+`},"required":[`+strings.Join(required,
		",")+`]}`), Options{})
	if problems != nil {
		t.Fatal(problems)
	}
	tests := []struct {
		name, field, value string
		want               bool
	}{
		{"in range", "n", `3`, true},
		{"out of range", "n", `4`, false},
		{"another type", "n", `"3"`, false},
		{"a choice", "c", `"y"`, true},
		{"no choice", "c", `"z"`, false},
		{"no field", "nothing", `"z"`, false},
		{"broken", "n", `{`, false},
	}
	for _, tt := range tests {
		if got := form.Fits(tt.field, []byte(tt.value)); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}
