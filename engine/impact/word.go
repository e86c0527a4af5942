//go:build !browser

package impact

import (
	"strings"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/internal/shell"
)

// expander makes the words that one word of a script becomes. It follows POSIX XCU 2.6: braces first (an extension of
// Bash), then tildes, parameters, commands and arithmetic, then splitting. Patterns are never matched, because the
// reader looks at no disk; Glob says that a shell would.
//
// cur is the word that is under way, and out has those that are complete. quotes and raw count parts of the current
// word with and without quotes. Together they show a word such as r”m, whose quotes only hide its name.
type expander struct {
	r           *reader
	into        int // the command that gets them
	cur         []byte
	begun       bool   // there is a word, though it may be empty
	whole       bool   // nothing is split: the value of a variable, a here-document
	splits      string // bytes outside quotes that end a word: within ${NAME:-WORD}
	word        Text
	quotes, raw int
	out         []Text
	other       []Text // what the word is if a variable is not set
}

// plainWord has the bytes that a shell takes as they are.
var plainWord = func() (plain [256]bool) {
	for _, b := range []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:@%+,^") {
		plain[b] = true
	}
	return plain
}()

// fields expands a word, as far as the line tells. into is the command that gets the words.
func (r *reader) fields(w *shell.Word, into int) []Text {
	list, _ := r.fieldsOr(w, into)
	return list
}

func (r *reader) fieldsOr(w *shell.Word, into int) (list, other []Text) {
	at := r.span(w)
	if len(w.Parts) == 1 {
		if lit, is := w.Parts[0].(*shell.Lit); is && isPlain(lit.Value) {
			r.spend(len(lit.Value) + wordWork)
			return []Text{{Text: lit.Value, At: at.at, End: at.end}}, nil
		}
	}
	e := expander{r: r, into: into, word: Text{At: at.at, End: at.end}}
	for _, parts := range r.braces(w) {
		e.parts(parts, false)
		e.end()
	}
	return e.out, e.other
}

func isPlain(s string) bool {
	for i := range len(s) {
		if !plainWord[s[i]] {
			return false
		}
	}
	return true
}

// touch reads the commands in a word that no command gets.
func (r *reader) touch(w *shell.Word) {
	if w != nil {
		r.fields(w, nowhere)
	}
}

// one expands a word that is not split: the value of a variable, the file of a redirection. POSIX splits neither an
// assignment nor the file of a redirection (XCU 2.6.5), so the result is always one word.
func (r *reader) one(w *shell.Word, into int) Text {
	at := r.span(w)
	e := expander{r: r, into: into, whole: true, word: Text{At: at.at, End: at.end}}
	e.parts(w.Parts, false)
	e.word.Text = string(e.cur)
	r.sleeps(&e.word)
	return e.word
}

func (e *expander) parts(list []shell.WordPart, quoted bool) {
	for _, part := range list {
		if !e.r.spend(4) {
			e.hole(quoted)
			return
		}
		switch p := part.(type) {
		case *shell.Lit:
			if quoted {
				e.inQuotes(p.Value)
			} else {
				e.literal(p.Value)
			}
		case *shell.SglQuoted:
			e.begun, e.word.Quoted = true, true
			e.quotes++
			e.r.unticked(p.Value, p)
			if quoted { // within "${NAME:-…}" these are no quotes
				if p.Dollar || strings.ContainsAny(p.Value, "$`\"}\\") {
					e.r.unknown(Syntax, "", e.r.span(p))
				}
				e.cur = append(append(append(e.cur, '\''), p.Value...), '\'')
			} else if p.Dollar {
				// dash has no $'…' of its own. It reads the dollar as text and the quotes as plain ones, which end at
				// the first "'".
				if strings.Contains(p.Value, `\'`) { // there it ends for dash
					e.r.unknown(Syntax, "", e.r.span(p))
				}
				e.ansi(p.Value)
			} else {
				e.cur = append(e.cur, p.Value...)
			}
			e.r.spend(len(p.Value))
		case *shell.DblQuoted:
			e.begun, e.word.Quoted = true, true
			e.quotes++
			e.parts(p.Parts, true)
		case *shell.ParamExp:
			e.r.report.Plain = false
			if !quoted {
				e.raw++
			}
			e.param(p, quoted)
		case *shell.CmdSubst:
			was := e.r.ticked
			e.r.ticked = was || p.Backquotes
			e.substitution(p.Stmts, flow{}, quoted)
			e.r.ticked = was
		// A program gets <(…) as the name of a file with the output. Pipe tells it from a word of text. >(…) is the
		// other way round: the inner commands read what the program writes, so their input is built.
		case *shell.ProcSubst:
			e.word.Pipe = len(p.Stmts) > 0
			e.substitution(p.Stmts, flow{built: p.Op == shell.CmdOut}, true)
		case *shell.ArithmExp:
			e.r.report.Plain = false
			e.r.arithm(p.X)
			e.hole(true)
		default: // a pattern of Bash; the parser makes no other part
			e.r.report.Plain = false
			e.hole(true)
		}
	}
}

// unticked looks for a backquote in a text that nothing expands. Within backquotes a shell looks for the closing one
// first, and for quotes and documents later. The parser of this engine does not.
func (r *reader) unticked(text string, at shell.Node) {
	if r.ticked && strings.IndexByte(text, '`') >= 0 { // it ends the substitution
		r.unknown(Syntax, "", r.span(at))
	}
}

// In quotes the hole stays one word, as "$x" does. Without quotes a shell splits it and matches patterns in it.
func (e *expander) hole(quoted bool) {
	e.begun = true
	if quoted {
		e.cur = append(e.cur, AnyWord)
	} else {
		e.cur = append(e.cur, AnyText)
	}
}

// end ends a word.
func (e *expander) end() {
	if e.begun {
		w := e.word
		if w.Text = string(e.cur); e.r.holed {
			w.Text = strings.ReplaceAll(w.Text, string(AnyWord), string(AnyText))
		}
		e.r.sleeps(&w)
		w.Broken = w.Broken || e.quotes > 0 && e.raw > 0 && !strings.ContainsAny(w.Text, " \t=")
		if len(e.out) >= maxFields*4 {
			e.r.unknown(Limit, "", span{w.At, w.End})
		} else if e.r.spend(len(w.Text) + wordWork) {
			e.out = append(e.out, w)
		}
	}
	e.cur, e.begun, e.quotes, e.raw = e.cur[:0], false, 0, 0
	e.word = Text{At: e.word.At, End: e.word.End}
}

// literal adds text that is not in quotes.
func (e *expander) literal(s string) {
	e.r.spend(len(s))
	if strings.HasPrefix(s, "~") && !e.begun {
		s = e.tilde(s)
	}
	closes := strings.LastIndexByte(s, ']')
	for i := 0; i < len(s); i++ {
		b := s[i]
		e.raw++
		switch {
		case b == '\\':
			e.r.report.Plain = false
			if i++; i < len(s) && s[i] != '\n' {
				letter := s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z'
				e.word.Broken = e.word.Broken || letter && len(e.cur)+e.quotes > 0
				e.cur, e.begun = append(e.cur, s[i]), true
			}
			continue
		case strings.IndexByte(e.splits, b) >= 0:
			e.end()
			continue
		// A bracket that nothing closes is a plain character.
		case b == '*' || b == '?' || b == '[' && closes > i:
			e.word.Glob, e.r.report.Plain = true, false
		case !plainWord[b] && (!e.begun || strings.IndexByte("[]{}", b) >= 0):
			e.r.report.Plain = false
		}
		e.cur, e.begun = append(e.cur, b), true
	}
}

// tilde replaces a home directory. What is left is read as it stands. "~" alone stays as it is: rules have paths such
// as ~/.ssh, and no host needs to tell where that is. "~root/a" stays too.
func (e *expander) tilde(s string) string {
	e.r.report.Plain = false
	rest := s[1:]
	switch {
	case rest == "+" || strings.HasPrefix(rest, "+/"):
		e.variable("PWD", true)
		return rest[1:]
	case rest != "" && strings.IndexByte("-0123456789", rest[0]) >= 0: // ~- and ~1
		e.hole(true)
		return strings.TrimLeft(rest, "-0123456789")
	case rest != "" && rest[0] != '/':
		return s
	}
	e.begun = true
	switch home, set := e.r.vars.get(e.r, "HOME"); {
	case !set:
		e.cur = append(e.cur, '~')
	case home.known:
		e.cur = append(e.cur, home.text...)
	default:
		e.hole(true)
	}
	return rest
}

// inQuotes adds text that is in double quotes.
func (e *expander) inQuotes(s string) {
	e.r.spend(len(s))
	for i := 0; i < len(s); i++ {
		b := s[i]
		if b == '\\' && i+1 < len(s) && strings.IndexByte("$`\"\\\n", s[i+1]) >= 0 {
			e.r.report.Plain = false
			if i++; s[i] != '\n' {
				e.cur = append(e.cur, s[i])
			}
			continue
		}
		if b < ' ' || b == '\\' || b == '!' {
			e.r.report.Plain = false
		}
		e.cur = append(e.cur, b)
	}
}

// ansi adds the text of $'…'. A rule that looks for "rm" must find it in $'\x72m'. Escapes counts such spellings for a
// finding of package risk.
func (e *expander) ansi(s string) {
	e.r.report.Plain = false
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			e.cur = append(e.cur, s[i])
			continue
		}
		i++
		b := s[i]
		base, digits := 16, map[byte]int{'x': 2, 'u': 4, 'U': 8}[b]
		if b >= '0' && b <= '7' {
			base, digits, i = 8, 3, i-1
		}
		switch at := strings.IndexByte(`abeEfnrtv\'"?`, b); {
		case at >= 0:
			e.cur = append(e.cur, "\a\b\x1b\x1b\f\n\r\t\v\\'\"?"[at])
		case digits > 0:
			n, read := number(s[i+1:], digits, base)
			e.word.Escapes++
			i += read
			switch {
			case read == 0 && strings.HasPrefix(s[i+1:], "{"): // Bash alone reads these
				e.hole(true)
				i += max(strings.IndexByte(s[i:], '}'), 0)
			case read == 0:
				e.cur = append(e.cur, '\\', b)
			case n&0xff == 0 && digits < 4, n == 0:
				return // the text ends at a zero byte
			case digits < 4:
				e.cur = append(e.cur, byte(n))
			default:
				e.cur = utf8.AppendRune(e.cur, rune(n))
			}
		case b == 'c' && i+1 < len(s):
			if i++; s[i] == '\\' && i+1 < len(s) && s[i+1] == '\\' {
				i++
			}
			if s[i]&0x1f == 0 {
				return
			}
			e.cur = append(e.cur, s[i]&0x1f)
		default:
			e.cur = append(e.cur, '\\', b)
		}
	}
}

// number reads digits of a base.
func number(s string, most, base int) (n, read int) {
	for read < len(s) && read < most {
		d := strings.IndexByte("0123456789abcdef", lower(s[read]))
		if d < 0 || d >= base {
			break
		}
		n, read = n*base+d, read+1
	}
	return n, read
}

func lower(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		b += 'a' - 'A'
	}
	return b
}

// substitution reads the commands in $(…), `…`, <(…) and >(…).
func (e *expander) substitution(stmts []*shell.Stmt, in flow, quoted bool) {
	r := e.r
	r.report.Plain = false
	e.word.Holds = true
	if !quoted {
		e.raw++
	}
	out := r.subshell(stmts, in, e.into)
	if e.into >= 0 {
		r.report.Commands[e.into].given = r.report.Commands[e.into].given.and(out)
	}
	if text := strings.TrimRight(out.text, "\n"); out.known {
		e.add(text, quoted)
		return
	}
	e.hole(quoted)
}

// blanks are the bytes at which a shell splits text. They are not known if the line sets others.
func (e *expander) blanks() (blanks string, known bool) {
	ifs, set := e.r.vars.get(e.r, "IFS")
	if !set {
		return " \t\n", true
	}
	return ifs.text, ifs.known && strings.Trim(ifs.text, " \t\n") == ""
}

// add adds what replaces an expansion. Without quotes it is split at blanks.
func (e *expander) add(text string, quoted bool) {
	e.r.spend(len(text))
	if quoted {
		e.cur, e.begun = append(e.cur, text...), true
		return
	}
	blanks, known := e.blanks()
	if !known && !e.whole {
		e.hole(false)
		return
	}
	for len(text) > 0 {
		if at := strings.IndexAny(text, blanks); at >= 0 && !e.whole {
			e.cur = append(e.cur, text[:at]...)
			e.begun, e.word.Glob = e.begun || at > 0, e.word.Glob || strings.ContainsAny(text[:at], "*?[")
			e.end()
			text = text[at+1:]
			continue
		}
		e.cur, e.begun = append(e.cur, text...), true
		break
	}
	if strings.ContainsAny(string(e.cur), "*?[") {
		e.word.Glob = true
	}
}
