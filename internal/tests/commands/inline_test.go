package commands

import (
	"os"
	"strings"
	"testing"
)

// TestHostileCode holds the preset daily to stop programs in the line that do harm, or that reach for what can, in many
// spellings. Programs stand in testdata/hostile.txt with empty lines between them.
func TestHostileCode(t *testing.T) {
	text, err := os.ReadFile("testdata/hostile.txt")
	must(t, err)
	stack := daily(t)
	for program := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
		lines := []string{
			"python3 - <<'EOF'\n" + program + "\nEOF",
			"cat > x.py <<'EOF'\n" + program + "\nEOF\npython x.py",
			"python -c '" + strings.ReplaceAll(program, "'", `'\''`) + "'",
		}
		for _, l := range lines {
			one := line{Text: l, Cwd: "/srv/app"}
			if facts, _ := one.facts(); stopped(stack, &facts) == "" {
				t.Errorf("the preset accepts %q: %+v", l, facts.Impacts.Impacts)
				break
			}
		}
	}
}
