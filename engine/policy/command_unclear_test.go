package policy

import (
	"os/exec"
	"strings"
	"testing"
)

// declining is a policy that declines touch, and what it says of a command.
func declining(t *testing.T) func(command string) Outcome {
	p, problems := Parse(User, []byte(`{"version":1,"rules":[{"when":{"command":"touch *"},"then":"decline"},`+
		`{"when":{"does":"command"},"then":"accept"}]}`))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	stack := NewStack(p)
	return func(command string) Outcome {
		return stack.Decide(&Facts{Mode: "form", Kind: "approval", Claim: "approval", Does: "command",
			Command: command}).Outcome
	}
}

// TestUnclearCommands runs each spelling in bash, where touch is a function: it must be called, and a rule that
// declines touch must not let it go.
func TestUnclearCommands(t *testing.T) {
	decide := declining(t)
	bash, err := exec.LookPath("bash")
	for _, command := range []string{
		`touch x`, `$'touch' x`, `$'\x74ouch' x`, `$'\164ouch' x`, `to$'u'ch x`, `$"touch" x`, "tou\\\nch x",
		"\"tou\\\nch\" x", "touch\\\n x", `\touch x`, `t""ouch x`, `'to'uch x`, `"touch" x`,
		`touch$IFS$9x`, `touch${IFS}x`, `{touch,x}`, `to{u,}ch x`, `to{uch,x} x`, `X=touch; $X x`, `X=ouch; t$X x`,
		`X=touch; ${X} x`, `X=touch; eval $X x`, `X=touch; eval "$X x"`, `X=touch; "$X" x`, `X='touch x'; $X`,
		`eval "to""uch x"`, `eval 'to"u"ch x'`, `eval "t\\ouch x"`, `eval eval 't\ouch x'`,
		"$(echo touch) x", "`echo touch` x",
		`$(echo tou)ch x`, `echo $($'touch' x) >&2`, `[ a ] && $'touch' x`, `if $'touch' x; then :; fi`,
		`echo a; $'touch' x`, `a=1 $'touch' x`, `>/dev/null $'touch' x`, `> /dev/null eval $'touch' x`,
		`f() { $'touch' x; }; f`, `! $'touch' x`, `set -- touch; "$@" x`, `set -- touch x; $@`,
		"cat <<E\n$($'touch' x)\nE", "cat <<'E' >/dev/null\nE\n$'touch' x", "eval \"$(cat <<'E'\n$'touch' x\nE\n)\"",
		`while $'touch' x; do break; done`, `command -p $'touch' x; touch y`, `builtin eval $'touch' x`,
		"shopt -s expand_aliases\nalias t=touch\nt x", `time $'touch' x`,
		`touch</dev/null x`, `touch>/dev/stderr x`, `touch 2>&1 x`, `touch &>/dev/stderr x`, `2>&1 touch>/dev/stderr x`,
	} {
		if got := decide(command); got == Accept {
			t.Errorf("%q is accepted", command)
		}
		if err != nil {
			continue
		}
		cmd := exec.Command(bash, "-c", "touch() { echo touched >&2; }\n"+command)
		cmd.Dir = t.TempDir()
		out, _ := cmd.CombinedOutput()
		if !strings.Contains(string(out), "touched") {
			t.Errorf("%q does not run touch: %s", command, out)
		}
	}
	for _, command := range []string{`env $'touch' x`, `sh -c $'touch x'`, `sh -c "$X"`, `find . -exec $'touch' {} \;`,
		`xargs $X`, `command touch x`, `env touch x`, `sudo -u bob $X y`, `/usr/bin/tou?h x`, `/bin/t*ch x`,
		`$X/touch x`, `"$X/touch" x`, `$X`} {
		if got := decide(command); got == Accept {
			t.Errorf("%q is accepted", command)
		}
	}
}

// TestClearCommands are lines with parts that a shell replaces, and none of them can run touch.
func TestClearCommands(t *testing.T) {
	decide := declining(t)
	for _, command := range []string{
		`ls $HOME`, `echo "$X"`, `echo $X`, `cd "$DIR" && make`, `rm *.o`, `ls *.go | wc -l`, `[ -f "$X" ] && ls`,
		`[[ $X == a ]] && ls`, `if [ "$X" ]; then ls; fi`, `for f in *.go; do gofmt -l "$f"; done`, `git commit -m "$X"`,
		`mkdir -p src/{a,b}`, `export A=$B`, `A=$B make`, `PATH=$PATH:/x go test ./...`, `"$VENV/bin/python" x.py`,
		`cat > f <<'E'` + "\n$x = 1;\n`a` b\nE\nls", "cat <<E\n$X is\nE", `sed -i 's/^a$/b/' f`, `awk '{print $1}' f`,
		`go test ./... 2>&1 | tail -n $N`, `env A=$B make`, `sudo chown $USER f`, `echo $((1 + 2))`,
		`grep -E 'a|b' "$F"`, `echo $'a\nb'`, `echo a\` + "\n  b", `printf '%s\n' "${A[@]}"`, `test $? -eq 0`, `xargs rm`,
		`find . -name "$N" -print`, `jq '.a[0] | {b, c}' f`, `./gradlew build -P$X`, `ls {a,b}`,
		`go test 2>&1 | tee log`, `kill %1 $!`,
	} {
		if got := decide(command); got != Accept {
			t.Errorf("%q: %v", command, got)
		}
	}
}

// TestUnclearCommandsEnd keeps the work for a hostile line in bounds. A line that takes more may be any command.
func TestUnclearCommandsEnd(t *testing.T) {
	decide := declining(t)
	for _, piece := range strings.Split("$|${|$(|`|$'a' |{a,|{|*|[|\"$|<<'E'\n|<<E |eval '|eval \\", "|") {
		decide(strings.Repeat(piece, 100000/len(piece)))
	}
	if got := decide(strings.Repeat("$'a' ", 30000)); got != Ask {
		t.Errorf("a line that takes too long: %v", got)
	}
}
