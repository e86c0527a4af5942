package commands

import (
	"os"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
)

// TestHostileCode holds the preset daily to stop programs in the line that do harm, or that reach for what can, in many
// spellings. Programs stand in testdata/hostile.txt with empty lines between them.
func TestHostileCode(t *testing.T) {
	text, err := os.ReadFile("testdata/hostile.txt")
	must.OK(t, err)
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

// TestHostileLines holds the preset to stop lines that run a program of Python in other ways, or that write a module,
// which Python takes instead of one of its library.
func TestHostileLines(t *testing.T) {
	stack := daily(t)
	evil := "<<'EOF'\nimport os; os.system('rm -rf ~')\nEOF\n"
	for _, l := range []string{
		"cat > json.py " + evil + "python -c 'import json'",
		"cat > enum.py " + evil + "python -c 'import re'",
		"mkdir json; cat > json/__init__.py " + evil + "python -c 'import json'",
		"cat > numpy.py " + evil + "python -c 'import pandas'",
		"mkdir p; cat > p/random.py " + evil + "cd p && python -c 'import random'",
		"cat > p/random.py " + evil + "echo 'import random' > p/x.py; python p/x.py",
		"cat > p/random.py " + evil + "PYTHONPATH=p python -c 'import random'",
		"bash <(echo 'rm -rf ~')", "python <(echo 'import os; os.system(\"id\")')", ". <(printf 'rm -rf %s' '~')",
		"bash <(echo \"$(cat x)\" y)", "python -m zipfile -e x.zip /home/u", "python -m tarfile --extract x.tar /home/u",
		"python -m code <<< 'import os'", "python -m asyncio <<< 'import os'", "python -m sqlite3 /home/u/x 'drop table x'",
		"PYTHONPLATLIBDIR=/home/u/x python -c 'import x'",
		"cp evil.txt json.py; python -c 'import json'",
		"python -c 'import unittest; unittest.main(None, argv=[\"x\", \"timeit.main\"])' \"__import__('os')\"",
	} {
		one := line{Text: l, Cwd: "/srv/app"}
		if facts, _ := one.facts(); stopped(stack, &facts) == "" {
			t.Errorf("the preset accepts %q: %+v", l, facts.Impacts.Impacts)
		}
	}
}
