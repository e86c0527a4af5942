package wire_test

import (
	"testing"

	"github.com/elicit-engine/elicit/engine/wire"
)

// TestScript checks which lines count as a shell with a script.
func TestScript(t *testing.T) {
	for line, want := range map[string]string{
		`bash -lc ls`:                       "ls",
		`/bin/zsh -lc 'a "b" c'`:            `a "b" c`,
		`sh -c "it's"`:                      "it's",
		`bash -lc 'it'\''s'`:                "it's",
		`bash -lc "a \"b\" \$c"`:            `a "b" $c`,
		`bash -lc "$(x)"`:                   `bash -lc "$(x)"`,
		`bash -lc "ls $X"`:                  `bash -lc "ls $X"`,
		`bash -lc "$HOME/x"`:                `bash -lc "$HOME/x"`,
		`X=1 bash -lc ls`:                   `X=1 bash -lc ls`,
		`bash -lc ls > x`:                   `bash -lc ls > x`,
		`bash -lc ls < x`:                   `bash -lc ls < x`,
		` ksh -c ls `:                       "ls",
		`/usr/local/bin/dash -c ls`:         "ls",
		`/opt/homebrew/bin/sh -c ls`:        "ls",
		`/usr/bin/bash -c ls`:               "ls",
		`fish -c ls`:                        `fish -c ls`,
		`bash -x ls`:                        `bash -x ls`,
		`bash -lc ls*`:                      `bash -lc ls*`,
		`bash -lc ls more`:                  `bash -lc ls more`,
		`bash -lc 'open`:                    `bash -lc 'open`,
		`./bash -lc ls`:                     `./bash -lc ls`,
		`/usr/bin/../../tmp/bash -lc ls`:    `/usr/bin/../../tmp/bash -lc ls`,
		`bash -lc ''`:                       `bash -lc ''`,
		"bash -lc ls\nrm x":                 "bash -lc ls\nrm x",
		`bash -lc 'ls' '' '' '' '' && evil`: `bash -lc 'ls' '' '' '' '' && evil`,
	} {
		if got := wire.Script(line); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}
