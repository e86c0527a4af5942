//go:build unix

package rivals

import (
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/internal/must"
)

// TestLines gives lines to Bash, which parses them and runs nothing. What Bash prints from its own tree has the same
// impacts as the line, so both see the same commands, words and redirections.
func TestLines(t *testing.T) {
	shell := newBash(t)
	rows := []*difference{
		{rival: "Bash", why: "an extended glob"}, // extglob is off, where nobody turns it on; then "!(a)" is "! (a)"
		{rival: "Bash", why: "a coprocess"},      // it prints a name before a simple command, which it does not read
		{rival: "Bash", why: "reads less"},       // it stops at the line; the reader looks at what is there
		{rival: "Bash", why: "reads more"},       // such as an array before a command; the line is Unknown then
	}
	compared := 0
	lines := corpus(t)
	batches(*runs/40, func(r []*rand.Rand) {
		for _, r := range r {
			lines = append(lines, someLine(r, lines))
		}
	})
	for _, line := range lines {
		ours, syntax := impacts(line)
		printed, ok := shell.prints(line)
		again, _ := impacts(printed)
		switch {
		case !ok || syntax:
			if ok == syntax {
				allow(rows, "Bash", map[bool]string{true: "reads more", false: "reads less"}[ok])
			}
		case slices.Equal(ours, again):
			compared++
		case !allow(rows, "Bash", bashDiffers(line)):
			t.Errorf("%q:\n%q\n%q\nas Bash prints it, %q", line, ours, again, printed)
		}
	}
	if compared < len(lines)/3 {
		t.Errorf("only %d lines were compared", compared)
	}
	t.Logf("%d of %d lines compared", compared, len(lines))
	shown(t, rows)
}

// impacts lists what a line does, and reports that a part of it has no syntax.
func impacts(line string) (list []string, syntax bool) {
	for _, in := range impact.Read(line, impact.Options{}).Impacts {
		in.At, in.End = 0, 0
		syntax = syntax || in.Kind == impact.Unknown && in.How == impact.Syntax
		list = append(list, fmt.Sprint(in))
	}
	slices.Sort(list)
	return list, syntax
}

func bashDiffers(line string) string {
	switch {
	case extendedGlob.MatchString(line):
		return "an extended glob"
	case strings.Contains(line, "coproc"):
		return "a coprocess"
	}
	return ""
}

var extendedGlob = regexp.MustCompile(`[?*+@!]\(`)

// bash parses lines, in an empty directory and as nobody.
type bash struct {
	t    *testing.T
	path string
	dir  string
}

func newBash(t *testing.T) bash {
	path, err := exec.LookPath("bash")
	must.OK(t, err)
	dir, err := os.MkdirTemp("", "empty")
	must.OK(t, err)
	t.Cleanup(func() {
		if err := os.Remove(dir); err != nil {
			t.Error("Bash ran something:", err)
		}
	})
	must.OK(t, os.Chmod(dir, 0o755))
	return bash{t, path, dir}
}

func (b bash) parse(option, line string) (string, bool) {
	c := exec.Command(b.path, option)
	c.Dir, c.Env, c.Stdin = b.dir, []string{}, strings.NewReader(line+"\n")
	if os.Geteuid() == 0 {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	var out, fault bytes.Buffer
	c.Stdout, c.Stderr = &out, &fault
	err := c.Run()
	if _, ended := err.(*exec.ExitError); err != nil && !ended {
		b.t.Fatal(err)
	}
	return out.String(), err == nil && !strings.Contains(fault.String(), "syntax error")
}

// prints returns the line as Bash prints its tree.
func (b bash) prints(line string) (string, bool) {
	if _, ok := b.parse("-n", line); !ok {
		return "", false
	}
	return b.parse("--pretty-print", line)
}

// corpus are the lines of package commands.
func corpus(t *testing.T) (lines []string) {
	for line := range strings.Lines(must.Text(t, "..", "commands", "testdata", "lines.txt")) {
		switch line = strings.TrimSuffix(line, "\n"); {
		case strings.HasPrefix(line, " "):
			lines[len(lines)-1] += "\n" + line[1:]
		case line != "" && line[0] != '#':
			lines = append(lines, line)
		}
	}
	return lines
}

// someLine draws a line, or one made of two others.
func someLine(r *rand.Rand, lines []string) string {
	switch r.Intn(6) {
	case 0:
	case 1:
		return someList(r, 0) + pick(r, " << X\nbody $x\nX",
			" << 'X'\nbody $(rm q)\nX", " <<-X\n\tbody `rm q`\n\tX", " <<\\X\n$x\nX")
	default:
		return someList(r, 0)
	}
	a, b := pick(r, lines...), pick(r, lines...)
	return a[:r.Intn(len(a)+1)] + b[r.Intn(len(b)+1):]
}

func someList(r *rand.Rand, depth int) string {
	text := someCommand(r, depth)
	for range r.Intn(3) {
		text += pick(r, "; ", " && ", " || ", " | ", " & ", "\n", " |& ") + pick(r, "", "", "", "! ", "time ") +
			someCommand(r, depth)
	}
	return text
}

func someCommand(r *rand.Rand, depth int) string {
	if depth > 2 || r.Intn(3) > 0 {
		return someCall(r, depth)
	}
	inner := someList(r, depth+1)
	return pick(r, "( "+inner+" )", "{ "+inner+"; }", "if "+someCall(r, depth)+"; then "+inner+"; else rm c; fi",
		"while read l; do "+inner+"; done", "for i in a b; do "+inner+"; done",
		"for ((i=0; i<2; i++)); do "+inner+"; done",
		"until "+inner+"; do ls; done", "case $x in a|b*) "+inner+";; (c) rm d ;& *) ls ;; esac", "f() { "+inner+"; }; f",
		"function g { "+inner+"; }; g", "[[ -f a && $x == b* ]] && "+inner, "(( x > 1 )) || "+inner, "coproc "+inner,
		"select x in a b; do "+inner+"; done", "x=$("+inner+")") + someRedirection(r)
}

func someCall(r *rand.Rand, depth int) string {
	text := pick(r, "", "", "", "a=1 ", "b=(1 2) ", "c+=x ", "D=b/c ", "LC_ALL=C ") +
		pick(r, "rm", "cat", "cp -r", "echo", "tee", "curl -s", "ls", "mv", "touch", "grep -r", "chmod 755",
			`\rm`, "'rm'", "r''m", "$c")
	for range r.Intn(3) {
		text += " " + someWord(r, depth)
	}
	return text + someRedirection(r)
}

func someWord(r *rand.Rand, depth int) string {
	text := ""
	for range 1 + r.Intn(3) {
		text += pick(r, "a", "b/c", "-f", "'d e'", `"g h"`, `"$x y"`, "$x", "${x}", "${x:-z}",
			"${x#*/}", "${x//a/b}", "${#x}", "${!x}",
			`\ `, `\"`, `$'\n\x41'`, `$'\z\'\0b'`, `$'\cB\t'`, `$"t"`, "*", "?", "[ab]",
			"{a,b}", "{1..3}", "~", "~u", "#", "#", "#", "=", "é", "$(( 1 + 2 ))",
			"$1", "$@", "\"$@\"", "#a\\\n", "\r", "\\\r\n", "http://h/p?q=1", "--", "!", "a\\\nb")
		if depth < 2 && r.Intn(10) == 0 {
			text += pick(r, "$("+someCall(r, depth+1)+")", "`ls a`", "<("+someCall(r, depth+1)+")",
				"\"$("+someCall(r, depth+1)+")\"", "\"`rm \\\"x\\\"`\"", ">(tee z)")
		}
	}
	return text
}

func someRedirection(r *rand.Rand) string {
	return pick(r, "", "", "", "", "", "", " > o", " >> o", " 2> e", " 2>&1", " < i", " &> o", " <<< w", " {fd}> o",
		" >| o", " 3<> p", " >&2", " >& o", " &>> o", " > $x", " > \"o p\"")
}

// grammar has the alternatives of each rule, as often as their weights say. testdata/runs.txt explains its notation.
type grammar map[string][]string

func readGrammar(t *testing.T) grammar {
	t.Helper()
	rules, name, alternative := grammar{}, "", ""
	for line := range strings.Lines(must.Text(t, "testdata", "runs.txt")) {
		line = strings.TrimSuffix(line, "\n")
		rule, begins := strings.CutPrefix(line, "= ")
		switch {
		case begins && alternative == "":
			name = rule
			continue
		case alternative == "" && (line == "" || line[0] == '#'):
			continue
		}
		if alternative += line; strings.HasSuffix(line, "¦") {
			continue
		}
		weight, text, _ := strings.Cut(alternative, " ")
		times, err := strconv.Atoi(weight)
		must.OK(t, err)
		text = strings.NewReplacer("⏎", "\n", "⇥", "\t").Replace(text)
		for range times {
			rules[name] = append(rules[name], text)
		}
		alternative = ""
	}
	return rules
}

// drawer draws one line.
type drawer struct {
	*rand.Rand
	rules     grammar
	depth     int
	documents []string // the bodies of here-documents that begin behind the statement
}

func (rules grammar) line(r *rand.Rand) string {
	d := &drawer{Rand: r, rules: rules}
	return strings.ReplaceAll(d.list(1+r.Intn(5), r.Intn(5) > 0), "E\n; ", "E\n")
}

// list draws statements, and the here-documents behind each. The last may be one that runs what the others set.
func (d *drawer) list(n int, runs bool) string {
	var b strings.Builder
	outer := d.documents
	for i := range n {
		if i > 0 && !strings.HasSuffix(b.String(), "\n") {
			b.WriteString(d.rule("between"))
		}
		d.documents = nil
		b.WriteString(d.rule(map[bool]string{true: "exec", false: "stmt"}[runs && i == n-1]))
		for _, body := range d.documents {
			b.WriteString("\n" + body)
		}
		if d.documents != nil {
			b.WriteString("\n")
		}
	}
	d.documents = outer
	return b.String()
}

func (d *drawer) rule(name string) string {
	switch name {
	case "spell":
		return d.spell(d.rule("text"))
	case "doc":
		return d.document()
	case "stmts":
		return d.list(1+d.Intn(3), false)
	}
	if brief := "deep " + name; d.rules[brief] != nil {
		if d.depth > 4 {
			name = brief
		}
		d.depth++
		defer func() { d.depth-- }()
	}
	return d.expand(pick(d.Rand, d.rules[name]...), pick(d.Rand, "a", "b", "c"))
}

// expand draws what the marks of an alternative stand for. The bars between its parts may be its own.
func (d *drawer) expand(text, variable string) string {
	parts, depth, from := []string(nil), 0, 0
	for i, mark := range text {
		switch {
		case mark == '‹':
			depth++
		case mark == '›':
			depth--
		case mark == '¦' && depth == 0:
			parts, from = append(parts, text[from:i]), i+len("¦")
		}
	}
	text = pick(d.Rand, append(parts, text[from:])...)
	var b strings.Builder
	for text != "" {
		mark, size := utf8.DecodeRuneInString(text)
		end := size
		switch mark {
		case '‹', '⟦':
			closing := map[rune]rune{'‹': '›', '⟦': '⟧'}[mark]
			for depth := 1; depth > 0; {
				next, size := utf8.DecodeRuneInString(text[end:])
				switch end += size; next {
				case mark:
					depth++
				case closing:
					depth--
				}
			}
			inner := d.expand(text[size:end-utf8.RuneLen(closing)], variable)
			if mark == '⟦' {
				inner = quoted(inner)
			}
			b.WriteString(inner)
		case '«':
			end = strings.Index(text, "»") + len("»")
			if name := text[size : end-len("»")]; name == "n" {
				b.WriteString(variable)
			} else {
				b.WriteString(d.rule(name))
			}
		default:
			b.WriteString(text[:size])
		}
		text = text[end:]
	}
	return b.String()
}

func (d *drawer) document() string {
	word := pick(d.Rand, "E", "E", "E", "'E'", `\E`, `"E"`, "E''", "$E")
	end, dash := "E", pick(d.Rand, "", "", "-")
	if word == "$E" {
		end = word
	}
	if dash != "" && d.Intn(2) == 0 {
		end = "\t" + end
	}
	d.documents = append(d.documents, d.rule("body")+"\n"+end)
	return "<<" + dash + word
}

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// spell writes a text in one of the ways in which a shell reads it, or something else.
func (d *drawer) spell(text string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-/_."
	if text != "" && strings.Trim(text, plain) == "" && d.Intn(2) == 0 {
		return text
	}
	if len(text) > 1 && d.Intn(12) == 0 {
		at := 1 + d.Intn(len(text)-1)
		if d.Intn(2) == 0 {
			return d.spell(text[:at]) + d.spell(text[at:])
		}
		return quoted(text[:at]) + pick(d.Rand, "\\\n", `""`, "''", "$U", "${U}", `"$U"`, "$(true)", "${U%x}",
			`$'\0ab'`) + quoted(text[at:])
	}
	q, escaped := quoted(text), strings.NewReplacer("$", `\$`, "`", "\\`", `"`, `\"`, `\`, `\\`).Replace(text)
	switch d.Intn(12) {
	case 0, 1, 2:
		return q
	case 3:
		return `"` + escaped + `"`
	case 4:
		return `"` + text + `"`
	case 5:
		var b strings.Builder
		for _, c := range text {
			b.WriteString(strings.Replace(`\`+string(c), "\\\n", "'\n'", 1))
		}
		return b.String()
	case 6:
		return d.ansi(text)
	}
	return pick(d.Rand, text, `$"`+text+`"`, "$(printf %s "+q+")", `"$(echo `+q+`)"`, "\"`echo "+q+"`\"",
		"$(echo "+q+")", "\"$(cat <<'E'\n"+text+"\nE\n)\"", "\"$(cat <<E\n"+text+"\nE\n)\"", `"${b-`+text+`}"`,
		"${U-"+pick(d.Rand, q, text, `"`+text+`"`)+"}", `"${U:-`+pick(d.Rand, q, text)+`}"`,
		"${a+"+pick(d.Rand, q, text)+"}")
}

// ansi writes a text as $'…' with escapes.
func (d *drawer) ansi(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		form := pick(d.Rand, `\x%x`, `\%03o`, `\u%04x`, "%c", "%c", "%c", "%c")
		if form == "%c" && (c == '\\' || c == '\'') {
			form = `\%c`
		}
		fmt.Fprintf(&b, form, c)
	}
	return "$'" + b.String() + "'"
}
