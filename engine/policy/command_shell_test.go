package policy

import (
	"math/rand"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// pieces of command lines, with all that a shell treats in a special way.
var pieces = strings.Split("git|git |git a|rm|rm x|;|&&|&|'|\"|\\|$(|`|(|)|{ |}|<|>|>>|#|!|=|~|*|-|x=1| | |if|then|[["+
	"|%|^|,|$x|${y}|<<E|\v|\f|::|time |!1|]|\t|\r|\n", "|")

// TestAcceptedCommandsRunNothingElse draws lines, and runs in a shell those that a rule for git accepts. Git is a
// function there, and no other program can be found, so a shell that would run another one says so.
func TestAcceptedCommandsRunNothingElse(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh")
	}
	p, _ := Parse(User, []byte(`{"version":1,"rules":[{"when":{"command":["git *","git"]},"then":"accept"}]}`))
	stack, r, dir := NewStack(p), rand.New(rand.NewSource(1)), t.TempDir()
	for accepted := 0; accepted < 400; {
		line := "git "
		for range 2 + r.Intn(8) {
			line += pick(r, append(pieces, "||", "|", "|&")...)
		}
		f := Facts{Mode: "form", Kind: "approval", Claim: "approval", Command: line}
		if stack.Decide(&f).Outcome != Accept {
			continue
		}
		accepted++
		cmd := exec.Command(shell, "-c", "git() { :; }\n"+line)
		cmd.Env, cmd.Dir = []string{"PATH=/nonexistent", "LC_ALL=C"}, dir
		out, _ := cmd.CombinedOutput() // a wrong line fails, and that is fine
		if strings.Contains(string(out), "not found") {
			t.Errorf("%q runs another program: %s", line, out)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("accepted commands made files: %v %v", left, err)
	}
}
