package policy

import (
	"math/rand"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func caseOf(fold bool) letters {
	if fold {
		return anyCase
	}
	return exactCase
}

func TestGlob(t *testing.T) {
	tests := []struct {
		pattern, text string
		fold, want    bool
	}{
		{"", "", false, true},
		{"", "a", false, false},
		{"*", "", false, true},
		{"**", "anything", false, true},
		{"build", "build", false, true},
		{"build", "builds", false, false},
		{"build", "Build", false, false},
		{"BUILD", "build", true, true},
		{"build*", "build-2", false, true},
		{"*-2", "build-2", false, true},
		{"*uil*", "build", false, true},
		{"b*d", "bd", false, true},
		{"b*d", "build", false, true},
		{"b*d", "builds", false, false},
		{"*.example.com", "a.b.example.com", true, true},
		{"*.example.com", "example.com", true, false},
		{"?", "é", false, true},
		{"?", "", false, false},
		{"?", "ab", false, false},
		{"[abc]x", "bx", false, true},
		{"[a-c]", "d", false, false},
		{"[!a-c]", "d", false, true},
		{"[!a-c]", "", false, false},
		{"[-a]", "-", false, true},
		{"[a-]", "-", false, true},
		{`[\]]`, "]", false, true},
		{`\*`, "*", false, true},
		{`\*`, "x", false, false},
		{`a\[b`, "a[b", false, true},
		{"[A-C]z", "bz", true, true},
		{"[!A-C]z", "bz", true, false},
		{"[α-ω]*", "λx", false, true},
		{"*[0-9][0-9]", "room 42", false, true},
		{"*ab*cd?", "xxabyycdz", false, true},
		{"*ab*cd?", "xxabyycd", false, false},
		{"ПАРОЛЬ?", "парольь", true, true},
	}
	for _, tt := range tests {
		g, fault := compileGlob(tt.pattern, caseOf(tt.fold))
		if fault != "" {
			t.Errorf("%q: %s", tt.pattern, fault)
			continue
		}
		if got := g.match(tt.text); got != tt.want {
			t.Errorf("%q on %q: got %v, want %v", tt.pattern, tt.text, got, tt.want)
		}
	}
}

func TestGlobFaults(t *testing.T) {
	for pattern, want := range map[string]string{
		"[": "a set is not closed", "[a": "a set is not closed", "[]": "a set is empty", "[!]": "a set is empty",
		"[z-a]": "a range runs backwards", `a\`: "nothing after the last backslash", `[\`: "a set is not closed",
		"[a-": "a set is not closed", strings.Repeat("?", maxGlob+1): "too long",
	} {
		if _, fault := compileGlob(pattern, exactCase); fault != want {
			t.Errorf("%q: got %q, want %q", pattern, fault, want)
		}
	}
}

// slowMatch is the meaning of a pattern, in code that is obviously right.
func slowMatch(p []rune, s []rune) bool {
	switch {
	case len(p) == 0:
		return len(s) == 0
	case p[0] == '*':
		return slowMatch(p[1:], s) || len(s) > 0 && slowMatch(p, s[1:])
	case len(s) == 0:
		return false
	case p[0] == '[': // always [x-y] here
		return p[1] <= s[0] && s[0] <= p[3] && slowMatch(p[5:], s[1:])
	}
	return (p[0] == '?' || p[0] == s[0]) && slowMatch(p[1:], s[1:])
}

func TestGlobAgreesWithItsMeaning(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	hits := 0
	for range 40_000 {
		var p, s string
		for range r.Intn(7) {
			p += pick(r, "*", "?", "a", "b", "é", "[a-b]", "[b-é]")
		}
		for range r.Intn(8) {
			s += pick(r, "a", "b", "c", "é")
		}
		g, fault := compileGlob(p, exactCase)
		if fault != "" {
			t.Fatalf("%q: %s", p, fault)
		}
		want := slowMatch([]rune(p), []rune(s))
		if got := g.match(s); got != want {
			t.Fatalf("%q on %q: got %v, want %v", p, s, got, want)
		}
		if want {
			hits++
		}
	}
	if hits < 3_000 {
		t.Errorf("only %d matches", hits)
	}
}

// TestGlobLongProgram checks a program whose states need several words.
func TestGlobLongProgram(t *testing.T) {
	p := "?" + strings.Repeat("a?", 100) + "*z"
	g, _ := compileGlob(p, exactCase)
	if s := "x" + strings.Repeat("ab", 100); g.match(s) || !g.match(s+"z") || !g.match(s+"yyz") || g.match(s[1:]+"z") {
		t.Error("a program of 202 elements matches wrongly")
	}
}

func FuzzGlob(f *testing.F) {
	f.Add("*a[b-d]?", "xxacq")
	f.Add(`\`, "")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		for _, folds := range []bool{false, true} {
			g, fault := compileGlob(pattern, caseOf(folds))
			if fault != "" {
				continue
			}
			if folds {
				text = fold(text)
			}
			g.match(text)
		}
		// A text with every rune escaped matches itself and nothing longer.
		if !utf8.ValidString(text) || utf8.RuneCountInString(text) > maxGlob {
			return
		}
		var escaped strings.Builder
		for _, r := range text {
			if !unicode.IsLetter(r) {
				escaped.WriteByte('\\')
			}
			escaped.WriteRune(r)
		}
		if utf8.RuneCountInString(escaped.String()) > maxGlob {
			return
		}
		g, fault := compileGlob(escaped.String(), exactCase)
		if fault != "" || !g.match(text) || g.match(text+"x") {
			t.Errorf("%q escaped as %q: fault %q", text, escaped.String(), fault)
		}
	})
}

func TestOverlaps(t *testing.T) {
	for _, c := range []struct {
		pattern, open string
		free, want    bool
	}{
		{"*/.env", "./*.go", false, false},
		{"*/.env", "./*", false, false}, // a shell's star matches no dot where a name begins
		{"*/.env", "./.*", false, true},
		{"*/.env", "./*", true, true},
		{"/etc/*", "/e*/hosts", false, true},
		{"/etc/*", "/e*hosts", false, false}, // nor a slash
		{"/etc/*", "/e*hosts", true, true},
		{"~/.ssh/*", "~/.s??/id", false, true},
		{"~/.ssh/*", "~/.s?/id", false, false},
		{"~/.ssh/*", "~/.[st]sh/id", false, true},
		{`a\*`, "a?", false, true},
		{`a\*`, "ab", false, false},
		{"", "*", true, true},
		{"x", "", true, false},
	} {
		if got := new(tally).overlaps(stepsOf(c.pattern, true), stepsOf(c.open, false), c.free); got != c.want {
			t.Errorf("%q and %q, free %v: %v", c.pattern, c.open, c.free, got)
		}
	}
}

// TestOverlapsSeesEveryCommonText draws a text that both match: the two then overlap.
func TestOverlapsSeesEveryCommonText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[ab/.]{0,8}`).Draw(t, "text")
		wild := func(name string, some string) string {
			var out strings.Builder
			for i := 0; i < len(text); i++ {
				switch rapid.IntRange(0, 4).Draw(t, name) {
				case 0:
					out.WriteByte('?')
				case 1:
					out.WriteByte('*')
					i += rapid.IntRange(0, len(text)-i-1).Draw(t, "skip")
				default:
					out.WriteByte(text[i])
				}
			}
			return out.String() + some
		}
		pattern, open := wild("pattern", ""), wild("open", "*")
		if !new(tally).overlaps(stepsOf(pattern, true), stepsOf(open, false), true) {
			t.Fatalf("%q matches %q and %q", text, pattern, open)
		}
	})
}

// TestOverlapsHasABound: beyond the work of one decision, the answer is that they may overlap.
func TestOverlapsHasABound(t *testing.T) {
	r, one := rand.New(rand.NewSource(1)), new(tally)
	for range 1 << 20 {
		open := stepsOf("~"+strings.Repeat("b?", 1+r.Intn(60)), false)
		if one.overlaps(stepsOf("/"+strings.Repeat("a*", 100), true), open, true) {
			return
		}
	}
	t.Error("there is no bound")
}

func TestCommandRules(t *testing.T) {
	for _, tt := range []struct {
		pattern, command  string
		accepts, tightens bool
	}{
		{"git *", "git status", true, true},
		{"git *", "  git status ", true, true},
		{"git *", "git add . && git status", true, true},
		{"git *", "git add .; git status | git x\ngit y &", true, true},
		{"git *", `git commit -m "a; b"`, true, true},
		{"git *", "git commit -m 'a && rm x'", true, true},
		{"git *", "git show HEAD~1 --format=%H", true, true},
		{"git *", "git status && rm -rf /", false, true},
		{"git *", "git log $(rm x)", false, true},
		{"git *", "git log `rm x`", false, true},
		{"git *", `git log "$(rm x)"`, false, true},
		{"git *", "git log > /etc/passwd", false, true},
		{"git *", "git log < x", false, true},
		{"git *", "git log *", false, true},
		{"git *", "git log # x", false, true},
		{"git *", "git log ~", false, true},
		{"git *", `git log \; x`, false, true},
		{"git *", "git log 'x", false, true},
		{"git *", "git log \x00", false, true},
		{"git *", "git log \r\nrm x", false, true},
		{"git *", "git log \u2028rm x", false, true},
		{"git *", "sudo git push", false, true},
		{"git *", "FOO=1 git push", false, true},
		{"git *", "sh -c 'git push'", false, true},
		{"git *", "echo $(git push)", false, true},
		{"git *", "( git push )", false, true},
		{"git *", "/usr/bin/git push", false, true},
		{"git *", `g"it" push`, false, true},
		{"git *", `g\it push`, false, true},
		{"git  push", "git   'push'", false, false},
		{"git push", "git   'push'", false, true},
		{"git *", "gitx push", false, false},
		{"git *", "legit push", false, false},
		{"git *", "", false, false},
		{"git *", " ; ", false, false},
		{"*", "rm -rf $DIR", true, true},
		{"*", "", false, false},
		{"make test 2>&1", "make test 2>&1", true, true},
		{"make test 2>&1", "make test 2>&1 ", false, true},
		{"*rm -rf*", "find . -exec rm -rf {} +", false, true},
		{"[gh]it *", "hit x", true, true},
	} {
		decided := func(then string) Outcome {
			rule := `{"when":{"command":"` + tt.pattern + `"},"then":"` + then + `"}`
			p, problems := Parse(User, []byte(`{"version":1,"rules":[`+rule+`]}`))
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			return NewStack(p).Decide(&Facts{Mode: "form", Kind: "approval", Claim: "approval", Command: tt.command}).Outcome
		}
		if got := decided("accept") == Accept; got != tt.accepts {
			t.Errorf("%q accepts %q: %v", tt.pattern, tt.command, got)
		}
		if got := decided("decline") == Decline; got != tt.tightens {
			t.Errorf("%q declines %q: %v", tt.pattern, tt.command, got)
		}
	}
}

func TestCwdRules(t *testing.T) {
	for _, tt := range []struct {
		cwd                        string
		accepts, tightens, unknown bool
	}{
		{"/srv/app", true, true, false},
		{"/home/me", false, false, false},
		{"", false, true, true},
		{"/srv/../etc", false, true, false},
		{"/home/../srv/app", false, true, false},
		{"/home/../etc", false, true, true},
	} {
		decided := func(then, unknown string) Outcome {
			p := parse(t, User, `{"version":1,"unknown":"`+unknown+`","rules":[{"when":{"cwd":"/srv/*"},"then":"`+then+`"}]}`)
			f := Facts{Mode: "form", Kind: "approval", Claim: "approval", Command: "ls", Cwd: tt.cwd}
			return NewStack(p).Decide(&f).Outcome
		}
		if got := decided("accept", "ask") == Accept; got != tt.accepts {
			t.Errorf("accepts %q: %v", tt.cwd, got)
		}
		if got := decided("decline", "decline") == Decline; got != tt.tightens {
			t.Errorf("declines %q: %v", tt.cwd, got)
		}
		if got := decided("decline", "ask") == Decline; got != (tt.tightens && !tt.unknown) {
			t.Errorf("declines %q where an unknown fact asks: %v", tt.cwd, got)
		}
	}
}

// BenchmarkCommand decides a command by a policy of fifty rules. A long hostile line must stay cheap, too.
func BenchmarkCommand(b *testing.B) {
	rules := `{"when":{"command":["rm *","curl*|*sh*","git push*"]},"then":"decline"}`
	for range 49 {
		rules += `,{"when":{"command":["sudo *","mkfs*"],"cwd":"/srv/*"},"then":"ask"}`
	}
	p, _ := Parse(User, []byte(`{"version":1,"rules":[`+rules+`]}`))
	stack := NewStack(p)
	for _, bb := range []struct{ name, command string }{
		{"short", "git add . && git commit -m 'x' && go test ./..."},
		{"long", strings.Repeat("rm ", 20_000)},
	} {
		b.Run(bb.name, func(b *testing.B) {
			for b.Loop() {
				stack.Decide(&Facts{Mode: "form", Kind: "approval", Claim: "approval", Command: bb.command, Cwd: "/srv/app"})
			}
		})
	}
}

// TestMayMatchIsBounded: a text that takes as many steps as are left is read to its end. One that takes more may match.
func TestMayMatchIsBounded(t *testing.T) {
	g, fault := compileGlob("*z", exactCase)
	if fault != "" {
		t.Fatal(fault)
	}
	for steps, want := range map[int]bool{8: false, 7: true, 9: false, 1: true} {
		if left := steps; g.mayMatch("aaaa", &left) != want {
			t.Errorf("with %d steps: %v", steps, !want)
		}
	}
}
