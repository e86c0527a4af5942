//go:build !browser

package impact

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/internal/shell"
)

// param expands $NAME and ${NAME…}. The text takes its place if the line tells it, and a hole if not. Every word inside
// an expansion is read in any case, because commands in it run: "${x:-$(rm a)}" deletes a.
//
// An index, a slice, a replacement and an indirection are not computed: their result is a hole. ${#NAME} is a number,
// so its hole cannot become two words. ${!x} may show any variable, so it counts as one that shows a secret.
func (e *expander) param(p *shell.ParamExp, quoted bool) {
	r := e.r
	e.word.Variables++
	r.arithm(p.Index)
	if p.Slice != nil {
		r.arithm(p.Slice.Offset)
		r.arithm(p.Slice.Length)
	}
	if p.Repl != nil {
		r.touch(p.Repl.Orig)
		r.touch(p.Repl.With)
	}
	// Only an expansion of the whole value can be followed: ${x:1}, ${x/a/b}, ${x[0]}, ${!x} and ${!x*} are holes.
	whole := !p.Excl && p.Index == nil && p.Slice == nil && p.Repl == nil && p.Names == 0
	switch {
	case p.Length:
		e.hole(true)
	case whole && p.Exp == nil:
		e.variable(p.Param.Value, quoted)
	case whole:
		e.expansion(p, quoted)
	default:
		if p.Exp != nil {
			r.touch(p.Exp.Word)
		}
		e.hole(quoted)
		switch {
		case p.Names != 0:
		case p.Excl:
			r.wakes(index)
			e.word.secret = "*"
		case namesSecret(p.Param.Value):
			if _, set := r.vars.get(r, p.Param.Value); !set {
				e.word.secret = p.Param.Value
			}
		}
	}
}

// variable adds the value of a variable or a parameter. Parameters are known only inside of a function or of
// "sh -c TEXT NAME A B". For the line itself the host may have set some, so $1 is a hole. Behind set or shift nothing
// is known (reader.inside).
func (e *expander) variable(name string, quoted bool) {
	r := e.r
	switch {
	case name == "@" || name == "*":
		joined := e.whole || quoted && name == "*"
		// "$*" joins the parameters with the first byte of IFS (POSIX XCU 2.5.2). The reader only joins them with a
		// blank.
		if blanks, known := e.blanks(); !r.inside || joined && !(known && strings.HasPrefix(blanks, " ")) {
			e.hole(false) // also in quotes: "$@" is several words
			return
		}
		for i, p := range r.params {
			if i > 0 && joined {
				e.cur = append(e.cur, ' ')
			} else if i > 0 {
				e.end()
			}
			e.word.Glob = e.word.Glob || p.Glob
			e.add(p.Text, quoted)
		}
		return
	// A parameter beyond those of the call is empty, so nothing is added. ${10} comes to the last case, as an unknown
	// one.
	case len(name) == 1 && name[0] >= '1' && name[0] <= '9':
		if i := int(name[0] - '1'); r.inside && i < len(r.params) {
			e.word.Glob = e.word.Glob || r.params[i].Glob
			e.add(r.params[i].Text, quoted)
		} else if !r.inside {
			e.hole(quoted)
		}
		return
	case strings.Contains("?$!#-", name):
		e.hole(true)
		return
	}
	v, set := r.vars.get(r, name)
	switch {
	// "" stands for the directory in which the line begins, if the host has not told it.
	case v.known && name == "PWD" && v.text == "":
		e.add(".", true)
	case v.known:
		e.word.Glob = e.word.Glob || v.glob
		e.add(v.text, quoted)
	case set:
		e.hole(quoted)
	// The home directory is "~" in all impacts, whatever its path is on this machine.
	case name == "HOME":
		e.add("~", true)
	// Lines use ${IFS} to write a blank that a filter of blanks does not see: "rm${IFS}-rf${IFS}/".
	case name == "IFS":
		e.add(" ", quoted)
	default:
		e.hole(quoted)
		if namesSecret(name) {
			e.word.secret = name
		}
	}
}

// namesSecret reports whether a variable is named like a secret. The parts with "_" at the front must end the name:
// DEPLOY_KEY names a secret, and GPG_KEY_SERVER does not. A name that the line itself sets shows no secret of the
// environment, so callers ask vars first.
func namesSecret(name string) bool {
	name = lowered(name)
	for _, part := range [...]string{"token", "secret", "passw", "passphrase", "apikey", "api_key", "credential",
		"private_key", "access_key", "database_url", "_pat", "_dsn", "_key"} {
		if at := strings.Index(name, part); at >= 0 && (part[0] != '_' || strings.HasSuffix(name, part)) {
			return true
		}
	}
	return false
}

// shows notes that the value of a variable reaches the output.
func (r *reader) shows(w Text, program string) {
	if w.secret != "" {
		r.add(Impact{Kind: Reads, Target: "env:" + w.secret, Open: w.secret == "*", Program: program, At: w.At, End: w.End})
	}
}

// expansion adds ${NAME:-WORD} and its relatives. For a variable that the line does not set, ${X:-rm} has two readings:
// the unknown value, and rm. The first one goes into the word, and the second one into other, so call reads the command
// twice. A value that the line knows decides, except that := assigns and the reader does not follow that.
func (e *expander) expansion(p *shell.ParamExp, quoted bool) {
	r, name, op := e.r, p.Param.Value, p.Exp.Op
	v, _ := r.vars.get(r, name)
	switch op {
	case shell.DefaultUnset, shell.DefaultUnsetOrNull, shell.AssignUnset, shell.AssignUnsetOrNull:
		orNull := op == shell.DefaultUnsetOrNull || op == shell.AssignUnsetOrNull
		switch {
		case v.known && v.text != "":
			e.instead(p, quoted, e.whole)
			e.add(v.text, quoted)
		// With the colon, an empty value counts as none: x=; ${x:-rm} is rm, and ${x-rm} is empty.
		case v.known && orNull:
			e.replace(p, quoted)
		default:
			e.variable(name, quoted)
			e.other = e.instead(p, quoted, e.whole)
		}
		if op == shell.AssignUnset || op == shell.AssignUnsetOrNull {
			r.vars.set(r, name, value{})
		}
	// Without the colon, an empty value counts too: x=; ${x+rm} is rm, and ${x:+rm} is empty.
	case shell.AlternateUnset, shell.AlternateUnsetOrNull:
		if v.known && (v.text != "" || op == shell.AlternateUnset) {
			e.replace(p, quoted)
		} else if words := e.instead(p, quoted, e.whole); !v.known {
			e.hole(quoted)
			e.other = words
		}
	// ${x?text} ends the script if x is not set, so what follows sees a value.
	case shell.ErrorUnset, shell.ErrorUnsetOrNull:
		e.instead(p, quoted, e.whole)
		e.variable(name, quoted)
	case shell.RemSmallSuffix, shell.RemSmallPrefix, shell.RemLargeSuffix, shell.RemLargePrefix:
		cut := ""
		for _, w := range e.instead(p, false, true) {
			cut = w.Text
		}
		e.trimmed(v, op, cut, quoted)
	default:
		e.instead(p, false, e.whole)
		r.wakes(prompt) // one of them is @P
		e.hole(quoted)
	}
}

// instead reads WORD of ${NAME:-WORD} by itself. In "${U:-'$(rm x)'}" the inner quotes are text, and the command runs.
// The parser takes them for quotes, so parts gets them with quoted.
func (e *expander) instead(p *shell.ParamExp, quoted, whole bool) []Text {
	if p.Exp.Word == nil {
		return nil
	}
	at := e.r.span(p.Exp.Word)
	word := expander{r: e.r, into: e.into, whole: whole, begun: whole, word: Text{At: at.at, End: at.end}}
	if blanks, known := e.blanks(); known && !whole {
		word.splits = blanks
	}
	word.parts(p.Exp.Word.Parts, quoted)
	word.end()
	return word.out
}

// replace adds WORD of ${NAME:-WORD}. Its quotes hold: ${X:-"a b" c} is two words.
func (e *expander) replace(p *shell.ParamExp, quoted bool) {
	blanks, known := e.blanks()
	switch {
	case p.Exp.Word == nil:
	case quoted || e.whole:
		e.parts(p.Exp.Word.Parts, quoted)
	case !known:
		e.instead(p, quoted, false)
		e.hole(false)
	default:
		was := e.splits
		e.splits = blanks
		e.parts(p.Exp.Word.Parts, false)
		e.splits = was
	}
}

// trimmed adds ${NAME%TEXT} and ${NAME#TEXT}, for a text without a pattern. With x=a.c, ${x%.c}.o is a.o. A pattern
// such as ${x%.*} is not matched: its result is a hole.
func (e *expander) trimmed(v value, op shell.ParExpOperator, cut string, quoted bool) {
	if !v.known || holed(cut) || strings.ContainsAny(cut, `*?[\`) {
		e.hole(quoted)
		return
	}
	if op == shell.RemSmallSuffix || op == shell.RemLargeSuffix {
		e.add(strings.TrimSuffix(v.text, cut), quoted)
	} else {
		e.add(strings.TrimPrefix(v.text, cut), quoted)
	}
}

// braces makes the words of {a,b} and {1..3}. More than the limit are one word that the line does not tell. Braces come
// before all other expansions in Bash, so each word that they give is expanded alone: "{rm,-rf,/}" is a command with
// two arguments. dash has no braces and takes the word as it is. The reader reports what Bash runs, because dash would
// look for a program with that odd name.
func (r *reader) braces(w *shell.Word) [][]shell.WordPart {
	n := 0
	for _, part := range w.Parts {
		if lit, is := part.(*shell.Lit); is {
			n += strings.Count(lit.Value, "{")
		}
	}
	copied := *w // the parser's word stays, because a loop reads it again
	if n == 0 || n <= maxBraces && !shell.SplitBraces(&copied) {
		return [][]shell.WordPart{w.Parts}
	}
	r.report.Plain = false
	if n <= maxBraces {
		if list := r.product([][]shell.WordPart{nil}, copied.Parts, 0); list != nil {
			return list
		}
	}
	return [][]shell.WordPart{{&shell.ProcSubst{}}} // nothing is read in it, and it is a hole
}

// maxBraces bounds the braces of a word: the work for those that do not end grows with their square.
const maxBraces = 32

// product adds parts to each of the words. It returns nil if there are too many. The lists share parts of the tree but
// never a backing array: the three-index slices force a copy at each append. {a,b}{c,d} gives ac, ad, bc and bd, as in
// Bash. Sequences such as {1..3} are not spelled out: they are one hole.
func (r *reader) product(words [][]shell.WordPart, parts []shell.WordPart, depth int) [][]shell.WordPart {
	for _, part := range parts {
		b, is := part.(*shell.BraceExp)
		if !is {
			for i := range words {
				words[i] = append(words[i][:len(words[i]):len(words[i])], part)
			}
			continue
		}
		// {1..1000000} would be as many words.
		if b.Sequence || depth > 8 {
			return nil
		}
		var all [][]shell.WordPart
		for _, elem := range b.Elems {
			list := r.product([][]shell.WordPart{nil}, elem.Parts, depth+1)
			if list == nil || len(words)*len(list)+len(all) > maxFields || !r.spend(len(words)*len(list)*8) {
				return nil
			}
			for _, w := range words {
				for _, l := range list {
					all = append(all, append(w[:len(w):len(w)], l...))
				}
			}
		}
		words = all
	}
	return words
}

// arithm reads the commands in an arithmetic expression, and notes the variables that it sets. It returns the first
// word, if the expression begins with one. All of it counts as read twice by the shell: a variable in it may hold an
// expression with an index, and Bash runs the command in that index (see twice.go).
func (r *reader) arithm(x shell.ArithmExpr) (first Text) {
	if x != nil {
		r.wakes(index)
	}
	switch x := x.(type) {
	case *shell.BinaryArithm:
		r.sets(x.X)
		first = r.arithm(x.X)
		r.arithm(x.Y)
	case *shell.UnaryArithm:
		r.sets(x.X)
		r.arithm(x.X)
	case *shell.ParenArithm:
		r.arithm(x.X)
	// In dash and Bash a substitution runs within arithmetic, and quotes around it do not hold it off.
	case *shell.Word:
		list := r.fields(x, -1)
		for _, w := range list {
			if strings.IndexByte(w.Text, '`') >= 0 || strings.Contains(w.Text, "$(") { // quotes do not hold it off
				r.unknown(Built, "", span{w.At, w.End})
			}
		}
		if len(list) > 0 {
			first = list[0]
		}
	}
	return first
}

// arithmCommand reads ((…)). For dash, that is a command in two shells. "((rm > 9))" starts rm in dash. "((size > 9))"
// is open only because "size" is a program with a row; "((i > 9))" is not, and Bash has computed a comparison.
func (r *reader) arithmCommand(x shell.ArithmExpr) {
	if first := r.arithm(x); len(first.Text) > 1 {
		if _, _, known := rowOf(nameOf(first.Text)); known {
			r.unknown(Syntax, "", span{first.At, first.End})
		}
	}
}

// sets notes that a variable may change. Comparisons are taken for it too. "((x = 1))" and "((x++))" set x. Its value
// is not computed, so "rm $x" deletes an unknown path afterwards.
func (r *reader) sets(x shell.ArithmExpr) {
	if w, is := x.(*shell.Word); is && w.Lit() != "" {
		r.vars.set(r, w.Lit(), value{})
	}
}

// test reads the commands in [[ … ]].
func (r *reader) test(x shell.TestExpr) {
	if compares(x) {
		r.wakes(index)
	}
	switch x := x.(type) {
	case *shell.BinaryTest:
		r.test(x.X)
		r.test(x.Y)
	case *shell.UnaryTest:
		r.test(x.X)
	case *shell.ParenTest:
		r.test(x.X)
	case *shell.Word:
		r.touch(x)
	}
}
