//go:build !browser

package impact

import (
	"slices"
	"strings"
)

// finds reads the places and the expression of find. The grammar is: options, places, expression (POSIX, find). Places
// end at the first word that begins the expression. Tests such as -name only choose files, so most of the expression
// needs no reading. Each action counts for each place:
//
//	find src -name '*.c'             reads src with all below
//	find src -delete                 deletes src with all below
//	find src -fprint o               writes o
//	find src -name '*.c' -exec cat {} +    reads src/*.c besides
func (c *run) finds(words []Text) {
	var places []Text
	i := 0
	for ; i < len(words); i++ {
		text := words[i].Text
		if text == "-H" || text == "-L" || text == "-P" || strings.HasPrefix(text, "-O") && len(text) == 3 {
			continue
		}
		if strings.HasPrefix(text, "-") || text == "(" || text == "!" || text == "," {
			break
		}
		places = append(places, words[i])
	}
	// GNU find searches the directory itself if it gets no place.
	if len(places) == 0 {
		places = []Text{{Text: ".", At: c.name.At, End: c.name.End}}
	}
	// The places stand in a file, so nobody knows them.
	if at := slices.IndexFunc(words, func(w Text) bool { return w.Text == "-files0-from" }); at >= 0 && at+1 < len(words) {
		c.file(Reads, words[at+1])
		places = []Text{{Text: string(AnyText), At: words[at].At, End: words[at].End}}
	}
	c.tree = true
	for _, p := range places {
		c.file(Reads, p)
	}
	// find evaluates from left to right. So only the tests before an action choose for what it runs:
	// "find src -print -name '*.c'" prints all files. each gives what has passed the tests in front of one place in the
	// expression.
	from, first := i, printed(words[i:])
	each := func(to int) (f found) { // what reaches the test at a place
		if len(places) == 1 && !holed(places[0].Text) && !places[0].Glob {
			f = found{places[0].Text, namesOf(words[from:to])}
		}
		return f
	}
	if first >= 0 {
		c.out = flow{built: true, found: each(from + first)}
	}
	for ; i < len(words); i++ {
		switch text := words[i].Text; text {
		case "-delete":
			for _, p := range places {
				c.path(Deletes, p, Tree, c.program, "")
			}
		case "-fprint", "-fprint0", "-fls", "-fprintf":
			if i+1 < len(words) {
				c.tree = false
				c.file(Writes, words[i+1])
				i++
			}
		case "-exec", "-execdir", "-ok", "-okdir":
			i = c.perFile(words, i+1, places, each(i))
		// A word that begins with a hole may be an action, also -delete.
		default:
			if holed(text) && text[0] <= AnyWord {
				c.unknown(Option, c.program, span{words[i].At, words[i].End})
			}
		}
	}
}

// printed is the place of the first -print, or the end: only the tests before it choose what is printed. It is below 0
// if find may print something else than the paths that it finds.
func printed(words []Text) int {
	first := len(words)
	for i, w := range words {
		switch text := w.Text; {
		case text == "-printf", text == "-fprintf", text == "-ls", text == "-fls", text == "-exec", text == "-execdir",
			text == "-ok", text == "-okdir", w.Holds, holed(text): // it may be an action
			return -1
		case first == len(words) && (text == "-print" || text == "-print0"):
			first = i
		}
	}
	return first
}

// namesOf is the pattern of all names that pass these tests of find, if they have one -name. A second -name, "-o", a
// negation or a bracket would make another set than the pattern says. Then there is no pattern, and the files may have
// any name. A set of letters such as [a-z] is not taken, because it may hide a name from a rule.
func namesOf(words []Text) (pattern string) {
	for i := range words {
		switch text := words[i].Text; text {
		// A slash cannot be in a name, and a backslash takes the next character literally, which patterns of rules do
		// as well but names do not.
		case "-name":
			if pattern != "" || i+1 == len(words) || strings.ContainsAny(words[i+1].Text, "[\\/\x00\x01") {
				return ""
			}
			pattern = words[i+1].Text
		case "-o", "-or", "!", "-not", ",", "(", "-iname":
			return ""
		}
	}
	return pattern
}

// perFile reads a command that find runs for each file. It returns where the command ends. "{}" becomes the place and a
// hole behind it: for "find src -exec rm {} ;" the words are "rm src/*". The inner command runs apart: its words are
// not those that a prefix rule about find may take for the program's own. Beyond four places, a hole stands for the
// others, so that a long list of places does not multiply the work.
func (c *run) perFile(words []Text, from int, places []Text, each found) int {
	end := from
	for end < len(words) && words[end].Text != ";" {
		if end++; end < len(words) && words[end].Text == "+" && words[end-1].Text == "{}" {
			break
		}
	}
	if len(places) > 4 { // the others may lie anywhere
		places = append(places[:4:4], Text{Text: string(AnyText), At: places[4].At, End: places[4].End})
	}
	for _, p := range places {
		inner := run{reader: c.reader, cmd: c.cmd, depth: c.depth + 1, in: c.in, apart: true}
		var list []Text
		for _, w := range words[from:end] {
			if strings.Contains(w.Text, "{}") {
				// Only a word that is the file and nothing else has the names that the tests before it allow.
				if w.Text == "{}" {
					w.found = each
				}
				w.Text = strings.ReplaceAll(w.Text, "{}", p.Text+"/"+string(AnyText))
			}
			list = append(list, w)
		}
		inner.words(list)
	}
	return end
}
