//go:build !browser

package impact

import (
	"cmp"
	"slices"
	"strings"
)

// option reads one word with a hyphen. It returns how many of the next words are its value, and whether options end.
func (c *run) option(w Text, rest []Text) (used int, stop bool) {
	text := w.Text
	if text[0] == '-' && holed(text[:min(len(text), 2)]) {
		c.unknown(Option, c.program, span{w.At, w.End})
		return 0, false
	}
	if o, ok := c.find("+", false); text[0] == '+' && ok {
		return c.take(o, w, text[1:], true, rest)
	}
	name, value, glued := strings.Cut(text, "=")
	if o, ok := c.find(name, false); ok { // the whole word
		return c.take(o, w, value, glued, rest)
	}
	if before, value, is := strings.Cut(text, ":"); is { // -javaagent:FILE
		if o, ok := c.find(before, false); ok && o.glued {
			return c.take(o, w, value, true, rest)
		}
	}
	if text[0] == '+' {
		c.unknown(Option, c.program+" "+brief(text), span{w.At, w.End})
		return 0, false
	}
	if strings.HasPrefix(text, "--") {
		switch {
		case name == "--help" || name == "--version":
			c.harmless = true
			return 0, false
		case len(name) > 2:
			if o, ok := c.find(name, true); ok {
				used, stop = c.take(o, w, value, glued, rest)
				if c.any() { // "rsync --partial" is no short form of --partial-dir, so the next word may be an operand too
					used = 0
				}
				return used, stop
			}
		}
		c.strange(w)
		return 0, false
	}
	foreign := c.foreign(text)
	for i := 1; i < len(text); i++ { // letters that stand together
		o, ok := c.find("-"+text[i:i+1], false)
		if !ok {
			if i == 1 && c.any() && c.wordy() {
				return 0, false
			}
			c.strange(w)
			if !c.any() {
				return 0, false
			}
			continue
		}
		if foreign && o.does == "harmless" {
			continue
		}
		if o.value == "number" { // what stands behind its digits are letters again: "perl -0777ne CODE"
			i = len(text) - len(strings.TrimLeft(text[i+1:], "0123456789")) - 1
			continue
		}
		if o.value != "" {
			value := text[i+1:]
			n, end := c.take(o, w, strings.TrimPrefix(value, "="), value != "", rest)
			return n, end
		}
		if used, stop = c.take(o, w, "", false, nil); stop {
			return used, stop
		}
	}
	return 0, false
}

// foreign reports whether a letter is not in the row: in "kill -KILL" and "nft -f/etc/c" no letter may be harmless.
func (c *run) foreign(text string) bool {
	for i := 1; i < len(text); i++ {
		if o, ok := c.find("-"+text[i:i+1], false); !ok || o.value != "" {
			return !ok
		}
	}
	return false
}

// strange notes an option that the row does not have.
func (c *run) strange(w Text) {
	if strings.HasPrefix(w.Text, "--") && !strings.Contains(w.Text, "=") || len(w.Text) == 2 {
		c.odd = w.End
	}
	if !c.any() {
		c.unknown(Option, c.program+" "+brief(w.Text), span{w.At, w.End})
	}
}

// doubtful reports whether a word may be the value of the option before it, because the row does not have that one.
func (c *run) doubtful(words []Text, i int) bool {
	return i > 0 && c.odd > 0 && c.odd == words[i-1].End
}

// entered looks at the words behind a doubtful subcommand: "npm --tag ls publish" publishes.
func (c *run) entered(key string, rest []Text) {
	for _, w := range rest {
		if _, _, ok := lookup(key + " " + w.Text); ok {
			c.unknown(Option, c.program, span{w.At, w.End})
		}
	}
}

// lone reports whether a hyphen by itself is an option, as that of su.
func (c *run) lone() bool {
	_, ok := c.find("-", false)
	return ok
}

// any reports whether the row takes other options for harmless.
func (c *run) any() bool { return c.current().says("-*") || c.sub != nil && c.row.says("-*") }

// take notes an option and its value. value is the text behind "=" or behind the letter, and counts only with glued.
func (c *run) take(o option, w Text, value string, glued bool, rest []Text) (used int, stop bool) {
	c.does(o.does)
	switch {
	case o.value == "" || o.glued && !glued:
		return 0, o.stops()
	case glued:
		w.Text = value
	case o.value == "pair":
		return min(2, len(rest)), false
	case len(rest) > 0:
		w, used = rest[0], 1
	default:
		return 0, false
	}
	switch o.value {
	case "sub":
		c.subcommand(w, nil)
		return used, false
	case "method":
		if m := lowered(w.Text); m != "get" && m != "head" && m != "options" {
			c.does("fetch=host")
			// "curl -X DELETE URL" removes something at the server.
			if m == "delete" { // nobody can tell what that throws away
				c.does("unknown")
			}
		}
		return used, false
	case "header": // curl -H @FILE sends what the file holds
		if strings.HasPrefix(w.Text, "@") {
			c.does("fetch=host")
		}
	case "cwd":
		c.moves(w)
		return used, false
	case "config":
		c.config(w)
		return used, false
	}
	c.values = append(c.values, given{role: o.value, word: w, option: true,
		kept: strings.Contains(","+o.does, ","+o.value+"=")})
	return used, o.stops()
}

// does performs what an option has in its braces.
func (c *run) does(list string) {
	for list != "" {
		var one string
		one, list, _ = strings.Cut(list, ",")
		from, to, swaps := strings.Cut(one, "=")
		switch {
		case one == "tree":
			c.tree = true
		case one == "harmless":
			c.harmless = true
		case one == "unknown":
			c.effects = append(c.effects, "unknown")
		case one == "stop":
		case one[0] == '-':
			c.drops = append(c.drops, one[1:])
		case one[0] == '!':
			c.effects = append(c.effects, one[1:])
		case swaps:
			c.swaps = append(c.swaps, [2]string{from, to})
		}
	}
}

// apply notes the impacts of what was read.
func (c *run) apply() {
	current := c.current()
	if c.harmless {
		for _, v := range c.values { // it may still show a file
			if v.option && (v.role == "read" || v.role == "edit") {
				c.act("read", v.word)
			}
		}
		c.operands, c.values, c.effects = nil, nil, []string{"plain"}
		return
	}
	for _, from := range [...]row{c.row, c.sub} {
		for _, item := range from {
			c.tree = c.tree || item == "!tree"
			if kind, _, _ := strings.Cut(item[1:], "="); item[0] == '!' && !slices.Contains(c.drops, kind) {
				c.effects = append(c.effects, item[1:])
			}
		}
	}
	c.assignRoles(current)
	for _, v := range c.values {
		if c.left < 0 {
			break
		}
		c.value(v)
	}
	for _, e := range c.effects {
		c.effect(e)
	}
	c.shells(current)
	if c.program == "ln" {
		c.linked()
	}
}

// value notes what a word means in its role. A directory that an option names is not that of an archive.
func (c *run) value(v given) {
	tree, base := c.tree, c.base
	if v.option {
		c.tree = false
	}
	if v.role == "archive" {
		c.base = ""
	}
	if v.role = v.orElse(c.swapped(v.role)); v.role == "archive" {
		v.role = "read"
	}
	if v.role != "shell" {
		c.act(v.role, v.word)
	}
	c.tree, c.base = tree, base
}

// orElse is the role of a value that may have another one by now.
func (v given) orElse(swapped string) string {
	if v.kept {
		return v.role
	}
	return swapped
}

// assignRoles gives each operand its role. One role takes what the others leave.
func (c *run) assignRoles(row row) {
	var before, after []string
	many, dropped := "", false
	for _, item := range row {
		if strings.IndexByte("-!@", item[0]) >= 0 || item == "assign" || item == "assigns" || item == "bare" {
			continue
		}
		role, star := strings.CutSuffix(item, "*")
		if c.dropped(role) {
			dropped = dropped || role == "script"
			continue
		}
		role = c.swapped(role)
		switch {
		case star:
			many = role
		case many == "":
			before = append(before, role)
		default:
			after = append(after, role)
		}
	}
	n := len(c.operands)
	if many == "object" && c.dashed > 0 { // paths stand behind "--"
		for _, w := range c.operands[c.dashed-1:] {
			c.values = append(c.values, given{role: "read", word: w, kept: true})
		}
		n = c.dashed - 1
		c.operands = c.operands[:n]
	}
	if n == 0 && row.says("script") && !row.says("!shell") && !dropped && !slices.Contains(c.drops, "stdin") {
		c.effects = append(c.effects, "stdin")
	}
	last := max(n-len(after), min(len(before), n))
	for i, w := range c.operands {
		role := cmp.Or(many, "text")
		switch {
		case i < len(before):
			role = before[i]
		case i >= last: // none is without one behind the star
			role = after[min(i-last, len(after)-1)]
		}
		c.values = append(c.values, given{role: role, word: w, kept: true})
	}
	c.operands = nil
}

func (c *run) dropped(role string) bool {
	for i, d := range c.drops {
		if d == role {
			c.drops = append(c.drops[:i:i], c.drops[i+1:]...)
			return true
		}
	}
	return false
}

// shells reads what the command gives to a shell: one text, or all words of the role. "ssh h rm x" joins the words of
// shell*, as ssh does. "sh -c TEXT a b" has one text, and a and b are its parameters.
func (c *run) shells(row row) {
	var text strings.Builder
	var first Text
	joined := row.says("shell*")
	for i := range c.values {
		v := &c.values[i]
		if v.role != "shell" {
			continue
		}
		if joined {
			if text.Len() == 0 {
				first = v.word
			}
			text.WriteString(v.word.Text + " ")
			continue
		}
		var params []Text
		if !v.option { // there is one, with its parameters behind it
			params = c.after(i)
		}
		c.shell(v.word, v.word.Text, params)
	}
	if text.Len() > 0 {
		c.shell(first, text.String(), nil)
	}
}

// after lists the words behind a value: the parameters of its text.
func (c *run) after(i int) (words []Text) {
	for _, v := range c.values[i+1:] {
		if v.role == "text" {
			words = append(words, v.word)
		}
	}
	return words
}

// shell reads a text as a shell does.
func (c *run) shell(w Text, text string, params []Text) {
	r := c.reader
	if w.Holds && holed(text) { // the output of another command
		given := r.report.Commands[c.cmd].given
		given.known = false
		c.executesFlow(given, span{w.At, w.End})
		if strings.Trim(text, " \x00\x01") == "" {
			return
		}
	}
	if c.program == "eval" {
		c.out = r.within(w, text, c.in, c.cmd)
		return
	}
	c.out = r.child(params, func() flow { return r.within(w, text, c.in, c.cmd) })
}

// brief is a word for the eyes of a person.
func brief(word string) string { return shown(word[:min(len(word), 80)]) }

// shown is a word as an impact names it. It is whole: a rule could take the beginning of a path for another path.
func shown(word string) string {
	if !holed(word) {
		return word
	}
	out := []byte(word)
	for i, b := range out {
		if b == AnyText || b == AnyWord {
			out[i] = '*'
		}
	}
	return string(out)
}
