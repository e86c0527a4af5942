//go:build !browser

package impact_test

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// words are the impacts of a line in short: kind, target and how.
func words(line string) string {
	var out []string
	for _, in := range impact.Read(line, impact.Options{}).Impacts {
		one := string(in.Kind) + " " + in.Target
		if in.How != "" {
			one += " (" + string(in.How) + ")"
		}
		out = append(out, one)
	}
	return strings.Join(out, ", ")
}

// TestDoors has many spellings of one deed.
func TestDoors(t *testing.T) {
	for _, line := range []string{"rm -rf /", "X=rm; $X -rf /", "f() { rm -rf \"$1\"; }; f /",
		"case x in x) rm -rf /;; esac",
		"coproc rm -rf /", "echo $(( $(rm -rf /) ))", "cat <<EOF\n$(rm -rf /)\nEOF",
		"echo \"${x:-$(rm -rf /)}\"", "${x%\"}\"}; rm -rf /", "bash -c 'rm -rf /'", "bash -lxc 'rm -rf /'",
		"eval rm -rf /",
		"echo 'rm -rf /' | sh", "sh <<< 'rm -rf /'", "bash <<'E'\nrm -rf /\nE", "sudo -u root env A=b nohup rm -rf /",
		"xargs -I{} rm -rf {} <<< /", "echo / | xargs rm -rf", "r''m -r\"f\" /", "\\rm -rf /", "$'\\x72m' -rf /",
		"{rm,-rf,/}", "rm${IFS}-rf${IFS}/", "$(echo rm) -rf /", "trap 'rm -rf /' EXIT", "alias x='rm -rf /'",
		"f() { rm -rf /; }", "cat > s <<E\nrm -rf /\nE\nsh s", "echo 'rm -rf /' > s; . ./s", "/bin/rm -rf /",
		"rm --rec /",
		"cd /; rm -rf .", "for d in /; do rm -rf $d; done", "while :; do $X -rf /; X=rm; done", "[[ -n $(rm -rf /) ]]",
		"select x in a; do rm -rf /; done", "if true; then rm -rf /; fi", "(rm -rf /)", "{ rm -rf /; }", "! rm -rf /",
		"time rm -rf /", "rm -rf / &", "a=`rm -rf /`", "cat <(rm -rf /)", "find . -exec rm -rf / ;", "RM -rf /",
		"find . -exec rm -rf / \\;", "git -c alias.x='!rm -rf /' x", "git -c core.pager='rm -rf /' log", "rm -rf /\n)",
		"env -S 'rm -rf /'", "PROMPT_COMMAND='rm -rf /' bash", "rm -rf / #", "bash -c 'rm -rf $1' x /", "rm -rf //"} {
		if got := words(line); !strings.Contains(got, "deletes / (tree)") {
			t.Errorf("%s: %s", line, got)
		}
	}
}

// TestLimits has lines that nest or grow without end. Each must be answered with Unknown, and soon.
func TestLimits(t *testing.T) {
	for _, s := range []string{"(", "$(", "`", "if ", "{ ", "a | ", "a && ", "f() { f; f; }; f; ", "eval '",
		"bash -c \"", "a=$a$a; ",
		"{a,b}", "$a", "<<a ", "for i in 1 2; do a=$i; ", "while a; do b=1;", "x() { x$a; };", "echo `", "sed -e ",
		"git -c a=b "} {
		line := strings.Repeat(s, 130<<10/len(s))
		if r := impact.Read(line, impact.Options{}); !r.Unknown || r.Impacts[0].At != 0 || r.Impacts[0].End != len(line) {
			t.Errorf("%q many times is not unknown as a whole: %v", s, r.Impacts)
		}
		impact.Read(line[:100<<10], impact.Options{})
	}
}

// TestBounds has the largest line of a kind that is read, and the next larger one.
func TestBounds(t *testing.T) {
	names := func(n int) (list string) {
		for i := range n {
			list += fmt.Sprint(" ", i)
		}
		return list
	}
	functions := func(n int) (line string) {
		for i := range n {
			line += fmt.Sprintf("f%d() { f%d; }; ", i, i+1)
		}
		return line + fmt.Sprintf("f%d() { rm x; }; f0", n)
	}
	for about, c := range map[string]struct {
		line  func(n int) string
		bound int
	}{
		"bytes":     {func(n int) string { return strings.Repeat(" ", n-2) + "ls" }, 128 << 10},
		"a path":    {func(n int) string { return "rm " + strings.Repeat("a", n) }, 4 << 10},
		"commands":  {func(n int) string { return strings.Repeat("sudo :;", n) }, 512},
		"impacts":   {func(n int) string { return "rm" + names(n-1) }, 256},
		"functions": {functions, 10},
		"hosts":     {func(n int) string { return strings.Repeat("git push a.example:x;", n) }, 256},
		"programs":  {func(n int) string { return strings.Repeat("sudo ", n) + "rm x" }, 16},
		"found":     {func(n int) string { return "find . -exec " + strings.Repeat("sudo ", n) + "rm x ;" }, 15},
		"started": {func(n int) string {
			return "python3 -c 'import subprocess; subprocess.run([" + strings.Repeat(`"sudo", `, n) + `"rm", "x"])'`
		}, 15},
		"packages": {func(n int) string { return "pip install" + names(n) }, 256},
		"a URL":    {func(n int) string { return "curl https://a.example/" + strings.Repeat("a", n-18) }, 4 << 10},
		"Python":   {func(n int) string { return "python3 -c '1" + strings.Repeat(" ", n-1) + "'" }, 32 << 10},
		"fields":   {func(n int) string { return "x='" + strings.Repeat("a ", n) + "'; : $x" }, 256},
		"texts":    {func(n int) string { return strings.Repeat("eval ", n) + "rm x" }, 11},
		"links":    {func(n int) string { return strings.Repeat("ln -s a b/;", n) }, 64},
		"traps":    {func(n int) string { return strings.Repeat("trap ls EXIT;", n) }, 64},
		"hidden":   {func(n int) string { return "sudo() { ls; }; " + strings.Repeat("sudo ", n) + "rm x" }, 15},
		"several":  {func(n int) string { return "find ." + strings.Repeat(" -exec ls \\;", n) }, 64},
	} {
		if r := impact.Read(c.line(c.bound), impact.Options{}); r.Unknown {
			t.Errorf("%s: %d is unknown: %v", about, c.bound, r.Impacts[len(r.Impacts)-1])
		}
		if r := impact.Read(c.line(c.bound+1), impact.Options{}); !r.Unknown {
			t.Errorf("%s: %d is read", about, c.bound+1)
		}
	}
}

// TestWork has bodies of functions with much text that are short to read once. A reader that did not count the text
// would read all calls.
func TestWork(t *testing.T) {
	long := strings.Repeat("a", 100<<10)
	for about, body := range map[string]string{
		"a word":                      ": " + long,
		"a word that nothing splits":  ": <<< " + long,
		"quotes":                      ": <<< '" + long + "'",
		"double quotes":               ": <<< \"" + long + "\"",
		"a here-document":             ": <<E\n" + long + "\nE\n",
		"values":                      "x=" + long[:4<<10] + "; : <<< \"" + strings.Repeat("$x", 100) + "\"",
		"variables that are searched": strings.Repeat("a= ", 30<<10) + "b=; :" + strings.Repeat(" $c", 1000),
	} {
		line := func(calls int) impact.Report {
			return impact.Read("f() { "+body+"\n}"+strings.Repeat("; f", calls), impact.Options{})
		}
		whole := func(in impact.Impact) bool { return in.How == impact.Limit && in.At == 0 && in.End > len(body) }
		if line(1).Unknown != (about == "variables that are searched") ||
			!slices.ContainsFunc(line(30).Impacts, whole) {
			t.Errorf("%s: one call is unknown or thirty are read", about)
		}
	}
	searched := func(n int) bool {
		return impact.Read(strings.Repeat("a= ", 5000)+"b=; :"+strings.Repeat(" $c", n), impact.Options{}).Unknown
	}
	if searched(1500) || !searched(1800) {
		t.Error("1500 searches through 5000 variables are too much, or 1800 are not")
	}
	body := "f() { : " + long[:50<<10] + "\n}"
	unknown := func(calls, blanks int) bool {
		return impact.Read(body+strings.Repeat("; f", calls)+strings.Repeat(" ", blanks), impact.Options{}).Unknown
	}
	calls := sort.Search(100, func(n int) bool { return unknown(n, 0) }) - 1
	blanks := sort.Search(len(body), func(n int) bool { return unknown(calls, n) })
	for n := range 200 {
		if !unknown(calls, blanks+n) {
			t.Fatalf("%d calls and %d blanks are too much, and %d more are not", calls, blanks, n)
		}
	}
}

// TestReport has what a report tells besides the impacts.
func TestReport(t *testing.T) {
	read := func(line string) impact.Report { return impact.Read(line, impact.Options{}) }
	if !read("nosuchprogram x").Plain || read("rm "+strings.Repeat("a", 5<<10)).Plain || read("rm (").Plain {
		t.Error("a line is plain unless it is beyond a bound or no line of a shell")
	}
	for plain, lines := range map[bool][]string{
		true: {"a b~c -d=e", `a "b c" 'd*' && e`, "X=b a", `a " " ""`, "a\tb\n c"},
		false: {"a $x", "a `b`", "a $((1))", "a *", "a b[", "a b{", "a {b,c}", "a ~", "a !b", "a #b", "a \\b", "a $'b'", `""`,
			`a "!"`, `a "b\c"`, `a "b\$c"`, `a "$x"`, "a '\x1f'", "a '\x7f'", "X+=b a", "X[1]=b a", "export X", "a < b"},
	} {
		for _, line := range lines {
			if read(line).Plain != plain {
				t.Errorf("that a shell takes the words as they stand is %v: %s", plain, line)
			}
		}
	}
	if c := read("export PATH=b").Commands[0]; len(c.Assigns) > 0 || len(c.Words) != 2 {
		t.Errorf("what export sets is not only a word: %v", c)
	}
	a, b := read("echo https://a.example").Addresses, read("algolia https://a.example").Addresses
	if len(a) > 0 || len(b) != 1 {
		t.Errorf("a text is an address only for what sends: %v, %v", a, b)
	}
	line := "[[ $x -eq 1 ]]; x='a[$(y)]'; rm"
	for n := range 300 {
		line += fmt.Sprint(" ", n)
	}
	if !impact.Of(&elicit.Request{CommandCandidate: "ls"}).Unknown {
		t.Error("what only may be the command is the command")
	}
	full := read(line + "; ls")
	last := full.Impacts[len(full.Impacts)-1]
	if last.How != impact.Limit || line[last.At:last.End] != "255" || len(full.Commands) != 2 {
		t.Errorf("a list is full at its last place, and reading ends there: %+v, %d commands", last, len(full.Commands))
	}
	for n, known := range map[int]bool{4<<10 - 1: true, 4 << 10: false} { // bytes, with the end of the line
		if got := words("xargs rm <<E\n" + strings.Repeat("a", n-1) + "\nE"); strings.Contains(got, "deletes a") != known {
			t.Errorf("xargs with %d bytes: %.60s", n, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"ls", "a | b && c; d", "cat <<E\n$(x)\nE", "f() { g \"$@\"; }; f 1",
		"git -c a.b=c push", "tar xzf a",
		"find . -exec a {} +",
		`$'\200' x; $'\303'; ./$'\200'`, "\x00()>()",
		"${a:-b} $((1+$(c)))", "$\u0659", "PIP_INDEX_URL=https://a.b/", "sed 's/a/b/w c'", "awk '{print > \"x\"}'"} {
		f.Add(s)
	}
	f.Fuzz(readsSoundly)
}

// TestEveryShortLine reads every line of a few symbols. The reader has the line in windows of 1,024 bytes, so shorter
// lines also begin at the end of a window.
func TestEveryShortLine(t *testing.T) {
	symbols := []string{"a", "$", "{", "}", "(", ")", `"`, "'", "`", `\`, "\n", " ", "#", ";", "&", "|", "<", ">", "=",
		"[", "]", "!", "\u0659", "~", "*", "?", ":", "-", "+", "/", "@", "0", "\x00", "\r", "\t", "\xff", "%", "^", ",",
		"<<E\n", "if ", "fi", "\xe2\x82", "\U0001f600"}
	for line := range vectors.Short(t, 3, 4, symbols...) {
		readsSoundly(t, line)
	}
	n := 0
	for line := range vectors.Short(t, 2, 3, symbols...) {
		n++
		readsSoundly(t, strings.Repeat("a", 1023-n%4)+line)
	}
}

// FuzzInline reads programs of Python in a line.
func FuzzInline(f *testing.F) {
	for _, s := range []string{"import os\nos.remove('a')", "open(f'{x}', 'w').write('''a''')",
		"print(rb'\\x00', 0x1f, 1e5j)", "as P", "import a, import b",
		"from pathlib import Path as P\n(P('a') / 'b').write_text('c')", "with open('a') as f, b() as c:\n  f.read()",
		"import subprocess as s\ns.run(['rm', '-rf', '/'], check=True)", "exec(__import__('base64').b64decode('YQ=='))",
		"def f(a, *b, **c):\n\treturn lambda d: [e for e in d if e]", "import requests\nrequests.get('https://a.example/b')",
		"class A(B):\n  @c\n  async def d(self): await e()", "import json, sys; json.load(sys.stdin)['a'][0:1]",
		"try: pass\nexcept (A, B) as e: raise\nfinally: del x.y", "match x:\n  case {'a': [b, *_]}: c = 1 \\\n + 2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, program string) {
		readsSoundly(t, "python3 -c '"+strings.ReplaceAll(program, "'", `'\''`)+"'")
	})
}

// readsSoundly checks what holds for the impacts of any line.
func readsSoundly(t *testing.T, line string) {
	r := impact.Read(line, impact.Options{Cwd: "/w"})
	unknown, has := false, map[impact.Kind]bool{}
	for _, in := range r.Impacts {
		unknown, has[in.Kind] = unknown || in.Kind == impact.Unknown, true
		if in.At < 0 || in.End < in.At || in.End > len(line) {
			t.Errorf("%q: %+v lies outside", line, in)
		}
		if utf8.ValidString(line) && !utf8.ValidString(in.Target+in.Program) {
			t.Errorf("%q: %+v is not UTF-8", line, in)
		}
		if strings.ContainsAny(in.Target, "\x00\x01") {
			t.Errorf("%q: %+v has a hole", line, in)
		}
	}
	if unknown != r.Unknown {
		t.Errorf("%q: Unknown is %v", line, r.Unknown)
	}
	if !unknown && !has[impact.Runs] && (has[impact.Deletes] || has[impact.Changes] || has[impact.Publishes] ||
		has[impact.Sends] && !has[impact.Fetches]) {
		t.Errorf("%q does what only a program does, and runs none: %+v", line, r.Impacts) // package compare relies on it
	}
}

func BenchmarkRead(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		impact.Read("cd /src && git -C /x push origin main 2>&1 | tail -5", impact.Options{})
	}
}
