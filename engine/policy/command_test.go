package policy

import (
	"strings"
	"testing"
)

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
