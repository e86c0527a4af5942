//go:build !browser

package impact

import "strings"

// specials read the words of programs that have a language of their own. Rows name them with "@".
var specials map[string]func(*run, []Text)

func init() {
	specials = map[string]func(*run, []Text){
		"alias": (*run).aliased, "cd": (*run).cd, "dd": (*run).dd, "echo": (*run).echo, "find": (*run).finds,
		"jump": (*run).jump, "parameters": (*run).parameters, "printf": (*run).printf, "ps": (*run).ps,
		"read": (*run).readsInput, "trap": (*run).trap, "which": (*run).which,
		"xargs": (*run).xargs,
	}
}

// aliased reads alias NAME=TEXT. A shell replaces an alias in later lines only, and Bash does so only in an interactive
// shell. Its text is read at once with unknown words behind it, so "alias x='rm -rf'" deletes "*" with all below.
func (c *run) aliased(words []Text) {
	for _, w := range words {
		if _, text, is := strings.Cut(w.Text, "="); is {
			inside := c.inside
			mark := c.vars.mark()
			c.inside = false
			c.within(w, text+` "$@"`, flow{}, c.cmd)
			c.inside = inside
			c.vars.undo(mark)
		}
	}
}

// CDPATH makes cd search other directories, zsh takes two words, and "+N" of pushd names a place in its list. In each
// of these cases the directory is unknown afterwards. "cd -" goes back to a directory that the reader has not kept.
func (c *run) cd(words []Text) {
	for last := false; !last && len(words) > 0 && len(words[0].Text) > 1 && words[0].Text[0] == '-'; words = words[1:] {
		last = words[0].Text == "--"
	}
	if len(words) == 1 && words[0].Text == "" {
		return // it stays
	}
	to := value{text: "~", known: true}
	if home, set := c.vars.get(c.reader, "HOME"); set {
		to = home
	}
	if _, set := c.vars.get(c.reader, "CDPATH"); len(words) > 1 || set ||
		c.program == "pushd" && (len(words) == 0 || words[0].Text[0] == '+') {
		to = value{} // another shell, or a place that the line does not tell
	} else if len(words) > 0 {
		dir, open := c.reader.place(words[0], "")
		to = value{text: dir, known: !open && words[0].Text != "-"}
	}
	c.vars.move(c.reader, to)
	c.out = flow{known: true}
}

// dd reads if=PATH and of=PATH.
func (c *run) dd(words []Text) {
	for _, w := range words {
		name, file, _ := strings.Cut(w.Text, "=")
		path := w
		path.Text = file
		switch name {
		case "if":
			c.file(Reads, path)
		case "of":
			c.file(Writes, path)
		case "--help", "--version", "bs", "count", "skip", "seek", "conv", "status", "iflag", "oflag", "ibs", "obs", "cbs":
		default:
			c.unknown(Option, c.program, span{w.At, w.End})
		}
	}
}

// echo tells what it writes. Options are those of Bash. dash writes "-e" as text and reads escapes in any word, so a
// text with a backslash is not known. The values of secrets in words reach the output: they are reads of the
// environment.
func (c *run) echo(words []Text) {
	var out strings.Builder
	end, known := "\n", true
	for len(words) > 0 && len(words[0].Text) > 1 && strings.Trim(words[0].Text, "neE") == "-" {
		if strings.Contains(words[0].Text, "n") {
			end = ""
		}
		known = known && !strings.Contains(words[0].Text, "e")
		words = words[1:]
	}
	for i, w := range words {
		if i > 0 {
			out.WriteByte(' ')
		}
		out.WriteString(w.Text)
		c.shows(w, c.program)
		known = known && !holed(w.Text) && !w.Glob && strings.IndexByte(w.Text, '\\') < 0 // some shells read \n
	}
	c.tells(out.String()+end, known)
}

// tells notes what the command writes to its output, if the line tells it. The history of the words goes on with the
// text: in "echo $(curl a.example)" the output is fetched.
func (c *run) tells(text string, known bool) {
	// The words of the command may come from another one, and its history goes into this output.
	given := c.report.Commands[c.cmd].given
	c.out = flow{text: text, known: known && len(text) <= maxValue, fetched: given.fetched, decoded: given.decoded,
		built: !known}
}

// printf tells what it writes, for formats that only have %s and line ends. With -v it sets a variable. A format is
// used again for words that are left over (POSIX, printf), so the text is known only if none are. %b, %d and escapes
// other than \n make it unknown.
func (c *run) printf(words []Text) {
	if len(words) > 1 && strings.HasPrefix(words[0].Text, "-v") {
		// "-vx" and "-v x" are the same.
		if words[0].Text = words[0].Text[2:]; words[0].Text == "" {
			words = words[1:]
		}
		c.changes(words[0])
		return
	}
	if len(words) > 0 && words[0].Text == "--" {
		words = words[1:]
	}
	if len(words) == 0 {
		return
	}
	for _, w := range words {
		c.shows(w, c.program)
	}
	format, rest := words[0].Text, words[1:]
	var out strings.Builder
	known := !holed(format)
	for i := 0; i < len(format); i++ {
		switch {
		// A %s without a word left gives nothing (POSIX, printf).
		case strings.HasPrefix(format[i:], "%s"):
			if len(rest) > 0 {
				out.WriteString(rest[0].Text)
				known = known && !holed(rest[0].Text) && !rest[0].Glob
				rest = rest[1:]
			}
			i++
		case strings.HasPrefix(format[i:], `\n`):
			out.WriteByte('\n')
			i++
		case format[i] == '%' || format[i] == '\\':
			known = false
		default:
			out.WriteByte(format[i])
		}
	}
	c.tells(out.String(), known && len(rest) == 0)
}

// jump notes that the rest of a function may not run.
func (c *run) jump([]Text) { c.jumped = true }

// parameters reads shift, and set, which changes options too. Without any words it shows all variables. "set -e"
// changes options and leaves the parameters. "set -- a" replaces them. The reader forgets them in that case.
func (c *run) parameters(words []Text) {
	shows := len(words) == 0 && c.program == "set"
	if shows {
		c.effect("reads=env:*")
	}
	for i, w := range words {
		// "set -o pipefail" has the name of an option as its next word.
		option := len(w.Text) > 1 && (w.Text[0] == '-' || w.Text[0] == '+') && w.Text != "--"
		if option || i > 0 && (words[i-1].Text == "-o" || words[i-1].Text == "+o") && w.Text != "--" {
			continue
		}
		c.inside = false
	}
	if c.program == "shift" {
		c.inside = false
	}
	c.out = flow{known: !shows}
}

// readsInput notes the variables that read and mapfile set. A value can stand glued behind the letters of the options,
// as in "read -n1x". Then the letters are cut off and a name that is wrong becomes unknown, which does no harm.
// "read x <<< rm" sets x to a text that the reader does not follow.
func (c *run) readsInput(words []Text) {
	for _, w := range words {
		if strings.HasPrefix(w.Text, "-") {
			w.Text = strings.TrimLeft(w.Text, "-adeinprstuNO")
		}
		c.changes(w)
	}
	c.out = flow{known: true}
}

// The command is read now, with the variables of now, and again at the end of the line, with those of the end. A trap
// of a signal may run between any two commands, so one that sets variables makes the line Unknown. DEBUG runs before
// each command and can look at it or replace it.
func (c *run) trap(words []Text) {
	for len(words) > 0 && strings.HasPrefix(words[0].Text, "-") {
		words = words[1:]
	}
	if len(words) < 2 || words[0].Text == "" {
		return
	}
	at := c.vars.mark()
	c.inside = false
	c.within(words[0], words[0].Text, flow{}, c.cmd)
	for _, w := range words[1:] {
		// It may change variables between any two commands, or look at all that are run. A trap for EXIT runs once,
		// when all else has run, so it can change nothing before.
		if w.Text != "EXIT" && w.Text != "0" && c.vars.mark() > at || w.Text == "DEBUG" {
			c.unknown(Option, c.program, span{w.At, w.End})
		}
	}
	c.vars.undo(at)
	c.out = flow{known: true}
	if len(c.exits) >= maxFields {
		c.unknown(Limit, c.program, span{c.name.At, c.name.End})
		return
	}
	c.exits = append(c.exits, words[0])
}

// which tells the name of a program, near enough to see which one runs. "$(which rm) -rf /" must be read as rm.
func (c *run) which(words []Text) {
	if n := len(words); n > 0 && !holed(words[n-1].Text) {
		c.tells(words[n-1].Text+"\n", true)
	}
}

// xargsValues are the long options of xargs whose value may be the next word.
const xargsValues = "--delimiter --max-args --max-chars --max-procs --process-slot-var"

// xargs reads the command that gets the input as words. Without options, xargs splits its input at blanks and hands all
// words to one command. If the line tells the input and it has no quotes, the words are known: "echo a b | xargs rm"
// deletes a and b. Otherwise one word stands for any number of words. With -I, each line of the input takes the place
// of the text:
//
//	echo 'a b' | xargs -I{} rm x/{}     deletes x/*, because the input is one line and not two words
//
// A word that find prints keeps its pattern: "find src -name '*.c' | xargs rm" deletes files below src.
func (c *run) xargs(words []Text) {
	in := c.in // not what -a reads
	at := Text{Text: string(AnyText), At: c.name.At, End: c.name.End, Holds: true, found: in.found}
	c.report.Commands[c.cmd].given = c.in
	instead := ""
	i := 0
	for ; i < len(words) && strings.HasPrefix(words[i].Text, "-"); i++ {
		text := words[i].Text
		for len(text) > 2 && strings.IndexByte("0oprtx", text[1]) >= 0 { // letters without a value before one with it
			in.known = in.known && (text[1] == 'r' || text[1] == 't')
			text = "-" + text[2:]
		}
		letter := byte(0)
		if len(text) > 1 {
			letter = text[1]
		}
		switch {
		case text == "--help" || text == "--version":
			return
		case letter == 'I' || letter == 'J':
			if instead = text[2:]; instead == "" && i+1 < len(words) {
				i++
				instead = words[i].Text
			}
		// -n, -L and -s split the input over several commands, and -d splits it elsewhere. -P only runs several at a
		// time.
		case strings.IndexByte("nPLdEs", letter) >= 0:
			in.known = in.known && letter == 'P'
			if len(text) == 2 {
				i++
			}
		case strings.HasPrefix(text, "--replace"):
			if _, instead, _ = strings.Cut(text, "="); instead == "" {
				instead = "{}"
			}
		case len(text) > 2 && letter == '-' && strings.Contains(xargsValues, text):
			in.known = false
			i++
		// The words come from a file, so neither the pipe nor the names of find count.
		case letter == 'a' || strings.HasPrefix(text, "--a"): // --arg-file=, which may be shorter
			file := Text{Text: text[2:], At: words[i].At, End: words[i].End}
			if letter == '-' {
				_, file.Text, _ = strings.Cut(text, "=")
			}
			if i+1 < len(words) && file.Text == "" {
				i++
				file = words[i]
			}
			if in, at.found = (flow{}), (found{}); file.Text != "" {
				c.file(Reads, file)
			}
		case text == "-i":
			instead = "{}"
		default: // it splits the input in another way, or into several commands
			in.known = in.known && (text == "-r" || text == "-t")
		}
	}
	if i >= len(words) {
		return
	}
	given := []Text{at}
	if in.known && len(in.text) < maxValue {
		given = nil
		for _, field := range strings.Fields(in.text) {
			given = append(given, Text{Text: field, At: at.At, End: at.End})
		}
		// xargs has quotes of its own, which differ from those of a shell.
		if len(given) > maxFields || strings.ContainsAny(in.text, `'"\`) {
			given = []Text{at}
		}
	}
	var list []Text
	for _, w := range words[i:] {
		if instead != "" && strings.Contains(w.Text, instead) {
			put := string(AnyText)
			if len(given) == 1 {
				put = given[0].Text
			}
			if w.Text == instead && len(given) == 1 {
				w.found = given[0].found
			}
			w.Text = strings.ReplaceAll(w.Text, instead, put)
		}
		list = append(list, w)
	}
	if instead == "" {
		list = append(list, given...)
	}
	inner := c.inner(list)
	c.out = inner.words(list)
}
