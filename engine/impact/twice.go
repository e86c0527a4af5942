//go:build !browser

package impact

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/internal/shell"
)

// Bash reads some texts a second time, and then runs the commands in them: the index in the name of a variable, also
// where a number names one, and a value with ${NAME@P}. Such a text is in quotes and looks harmless. The reader does
// not follow it: if a word of the line holds commands, and a part of the line reads texts again, the line is Unknown.

// again says what of a text runs when it is read again. In Bash, the line
//
//	x='a[$(rm y)]'; [[ $x -eq 1 ]]
//
// runs rm: the value of x is an expression of arithmetic, and its index is expanded again. Quotes around the assignment
// do not hold that off. Neither part is a danger alone, so both are collected over the whole line, in any order: a
// function or a loop may bring them together later.
type again uint8

// index is for "a[$(x)]" where a name or a number is expected, and prompt for ${NAME@P}, which expands all of a text.
const (
	index  again = 1 << iota // commands in brackets
	prompt                   // any commands
)

// sleeps notes what a word holds that would run if it were read again. The last such word has the place that a report
// names. Words with a hole are not looked at: what the line does not tell is Unknown where it matters.
func (r *reader) sleeps(w *Text) {
	if strings.IndexByte(w.Text, '`') < 0 && !strings.Contains(w.Text, "$(") {
		return
	}
	r.asleep |= prompt
	if asleep(w.Text) {
		r.asleep |= index
	}
	r.asleepAt = span{w.At, w.End}
}

// asleep reports whether a text has commands in an index.
func asleep(text string) bool {
	_, inside, is := strings.Cut(text, "[")
	return is && (strings.IndexByte(inside, '`') >= 0 || strings.Contains(inside, "$("))
}

// indexed looks at the name of a variable. Here a command gets the word as a name, so no second part is needed:
// "unset 'a[$(rm x)]'", "test -v" and "printf -v" run what stands in the brackets.
func (c *run) indexed(w Text) {
	if asleep(w.Text) {
		c.unknown(Built, c.program, span{w.At, w.End})
	}
}

// wakes notes that the line reads texts again.
func (r *reader) wakes(what again) { r.woken |= what }

// woke makes the line Unknown if a text in it may run.
func (r *reader) woke() {
	if r.asleep&r.woken != 0 {
		r.unknown(Built, "", r.asleepAt)
	}
}

// compares reports whether an operator of [[ … ]] takes numbers, or -v the name of a variable. -eq and its relatives
// take arithmetic on both sides. -v and -R take a name that may have an index.
func compares(x shell.TestExpr) bool {
	switch x := x.(type) {
	case *shell.BinaryTest:
		switch x.Op {
		case shell.TsEql, shell.TsNeq, shell.TsLeq, shell.TsGeq, shell.TsLss, shell.TsGtr:
			return true
		}
	case *shell.UnaryTest:
		return x.Op == shell.TsVarSet || x.Op == shell.TsRefVar
	}
	return false
}
