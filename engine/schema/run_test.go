package schema

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// bothWays checks an answer by the fast path and value by value. It fails if the fast path finished with other
// problems.
func bothWays(t *testing.T, f *Form, answer []byte) (ran bool) {
	t.Helper()
	quick, slow := checker{maxText: f.maxText}, checker{maxText: f.maxText}
	if !quick.run(f, answer) {
		return false
	}
	slow.walk(f, answer)
	got, want := elicit.AppendList(nil, sorted(quick.problems)), elicit.AppendList(nil, sorted(slow.problems))
	if !bytes.Equal(got, want) {
		t.Fatalf("%q at a run: %s\nvalue by value: %s", answer, got, want)
	}
	return true
}

// TestRun shows which answers the fast path takes, and that it changes no result. Every byte of a valid answer is left
// out, or replaced by each byte that has a meaning in JSON.
func TestRun(t *testing.T) {
	f := compiled(t, form8)
	for _, tc := range []struct {
		name, answer string
		ran          bool
	}{
		{"right", form8Good, true},
		{"wrong values", form8Bad, true},
		{"empty", ` { } `, true},
		{"white space", " {\t\"due\" :\r\n \"2026-12-24\" , \"teams\" : [ \"storage\" , \"network\" ] } ", true},
		{"another order", `{"count":1,"ticket":"OPS-1"}`, true},
		{"escapes and other letters in a text", `{"ticket":"\u0041BCDé😀\ud83d\ude00"}`, true},
		{"unknown key", `{"ticket":"OPS-1","x":1}`, false},
		{"key with an escape", `{"tick\u0065t":"OPS-1"}`, false},
		{"key twice", `{"count":1,"count":1}`, false},
		{"another type", `{"count":"1"}`, false},
		{"null", `{"count":null}`, false},
		{"no object", `[]`, false},
		{"comma at the end", `{"count":1,}`, false},
		{"comma in a list", `{"teams":["storage",]}`, false},
		{"trailing bytes", `{"count":1}1`, false},
		{"cut off", `{"count":1`, false},
		{"nothing", ``, false},
		{"byte order mark", "\uFEFF{}", false},
		{"lone surrogate", `{"ticket":"\ud800"}`, false},
		{"bad UTF-8", "{\"ticket\":\"\xff\"}", false},
		{"number and a word", `{"count":1x}`, false},
		{"leading zero", `{"count":01}`, false},
		{"literal and a word", `{"urgent":truest}`, false},
	} {
		if got := bothWays(t, f, []byte(tc.answer)); got != tc.ran {
			t.Errorf("%s: judged at a run: got %v, want %v", tc.name, got, tc.ran)
		}
	}
	for i := range form8Good {
		bothWays(t, f, []byte(form8Good[:i]))
		bothWays(t, f, []byte(form8Good[:i]+form8Good[i+1:]))
		for _, c := range "\x00 \"\\{}[],:-+.0e1aut\xC3\xFF" {
			bothWays(t, f, []byte(form8Good[:i]+string(c)+form8Good[i+1:]))
			bothWays(t, f, []byte(form8Good[:i]+string(c)+form8Good[i:]))
		}
	}
}

// TestRunKeepsLimits checks that the fast path keeps the limits of the other path.
func TestRunKeepsLimits(t *testing.T) {
	list := `{"type":"object","properties":{"m":{"type":"array","items":{"type":"string","enum":["a"]}}}}`
	flat, problems := Compile([]byte(list), Options{Limits: Limits{Depth: 5, Text: 8}})
	if problems != nil {
		t.Fatal(problems)
	}
	flat.maxDepth = 1
	many := `{"m":["a"` + strings.Repeat(`,"a"`, 10_000) + `]}`
	for _, tc := range []struct {
		name, answer, code string
		form               *Form
	}{
		{"depth", `{"m":["a"]}`, "json_depth", flat},
		{"items", many, "json_members", compiled(t, list)},
		{"bytes", `{"m":["a"]` + strings.Repeat(" ", 1<<20) + `}`, "json_size", compiled(t, list)},
	} {
		got := tc.form.Check([]byte(tc.answer))
		if len(got) != 1 || got[0].Code != tc.code {
			t.Errorf("%s: got %v, want %s alone", tc.name, got, tc.code)
		}
	}
}

// TestRunsInAnyOrder checks that every field is found wherever its key is.
func TestRunsInAnyOrder(t *testing.T) {
	f := compiled(t, form8)
	members := []string{`"ticket":"OPS-1"`, `"summary":"0123456789"`, `"email":"a@b"`, `"count":1`, `"severity":"low"`}
	for range members {
		members = append(members[1:], members[0])
		for _, list := range [][]string{members, reversed(members)} {
			answer := []byte("{" + strings.Join(list, ",") + "}")
			if !bothWays(t, f, answer) || f.Check(answer) != nil {
				t.Errorf("%s: got %v, want no problem, at a run", answer, f.Check(answer))
			}
		}
	}
}

func reversed(list []string) []string {
	list = slices.Clone(list)
	slices.Reverse(list)
	return list
}
