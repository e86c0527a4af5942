//go:build !browser

package impact

import (
	"slices"
	"strings"
)

// run is one command that runs.
type run struct {
	*reader
	cmd     int // in the report
	in      flow
	program string
	depth   int // commands that run commands

	row     row
	sub     row    // of the subcommand, before row
	key     string // the name of that row
	aliases []Text // of git, in this line

	operands []Text
	odd      int // where an option ends that the row does not have: the next word may be its value
	dashed   int // one more than how many of them stand before "--", 0 without one
	values   []given
	swaps    [][2]string
	drops    []string
	effects  []string
	base     string // a directory that an option names
	tree     bool
	harmless bool
	wraps    bool // it runs another command
	apart    bool // a program with work of its own runs it, such as find
	name     Text
	out      flow
}

// given is a value with its role.
type given struct {
	role   string
	word   Text
	option bool // of an option
	kept   bool // the role stays, whatever options say
}

// maxDepth bounds wrappers in wrappers: "env env env … rm x".
const maxDepth = 16

// words runs a command: its program and its words.
func (c *run) words(words []Text) flow {
	if len(words) == 0 {
		return flow{known: true}
	}
	r, name := c.reader, words[0]
	at := span{name.At, name.End}
	if !r.spend(64+8*len(words)) || c.depth > maxDepth {
		r.unknown(Limit, "", at)
		return flow{built: true}
	}
	if c.depth == 0 {
		if f := r.funcs[name.Text]; f != nil {
			out := r.invoke(f, words[1:], c.in, c.cmd, true)
			if _, _, known := rowOf(nameOf(name.Text)); !known {
				return out
			}
			// A condition, unset or a shell of its own may leave the program in its place.
			inner := run{reader: r, cmd: c.cmd, in: c.in, depth: 1}
			return out.and(inner.words(words))
		}
	}
	c.program = nameOf(name.Text)
	c.name = name
	if c.depth > 0 {
		c.also(words)
	}
	if holed(name.Text) || name.Glob || c.program == "" {
		r.unknown(Word, "", at)
		r.report.Plain = false
		return flow{built: true}
	}
	row, key, known := rowOf(c.program)
	r.add(Impact{Kind: Runs, Target: c.program, At: at.at, End: at.end})
	if strings.Contains(name.Text, "/") && !inSystem(name.Text) {
		c.executes(name)
		if !known {
			return c.passed()
		}
	}
	if !known {
		r.unknown(Word, c.program, at)
		for _, w := range words[1:] {
			r.names(w)
		}
		return c.passed()
	}
	c.row, c.key = row, key
	from := len(r.noted)
	c.read(words[1:])
	return c.done(from)
}

// also notes what the command runs in other words.
func (c *run) also(words []Text) {
	command := &c.report.Commands[c.cmd]
	if len(command.Runs) >= maxFields {
		c.unknown(Limit, c.program, span{c.name.At, c.name.End}) // a rule that declines may be about it
		return
	}
	command.Runs = append(command.Runs, words)
}

// passed is the output of a program: made of its input.
func (c *run) passed() flow { return flow{built: true, fetched: c.in.fetched, decoded: c.in.decoded} }

// done is what the output of the program holds, after its impacts.
func (c *run) done(from int) flow {
	r := c.reader
	for _, e := range c.effects {
		switch e {
		case "decodes":
			c.in.decoded = true
		case "plain":
			c.in = flow{}
		case "passes":
			if c.plainInput(from) {
				c.out = c.in
			}
		}
	}
	out := c.out
	if !out.known {
		out = c.output(from)
		out.found = c.out.found
	}
	keeps := c.current().says("mode*") // chmod -R writes into no file, although its impact is Tree
	for i := from; i < len(r.noted) && !keeps; i++ {
		if in := r.report.Impacts[r.noted[i]]; in.Kind == Writes && !in.Open && in.How != Mode && in.Program == c.program {
			r.holds(Text{Text: in.Target}, c.edited(in.Target, from, out))
			for name := range r.files { // in that directory
				if r.files[name].known && (in.Target == "." || strings.HasPrefix(name, in.Target+"/")) {
					r.files[name] = flow{built: true}
				}
			}
		}
	}
	return out
}

// plainInput reports whether the program reads its input and no file.
func (c *run) plainInput(from int) bool {
	for _, at := range c.noted[from:] {
		if in := c.report.Impacts[at]; in.Kind == Reads {
			return false
		}
	}
	return c.in != (flow{})
}

// output is the output of a program, as far as its impacts tell.
func (c *run) output(from int) flow {
	out := c.passed()
	r := c.reader
	out.fetched, out.decoded = firstOf(c.out.fetched, out.fetched), out.decoded || c.out.decoded
	for _, at := range r.noted[from:] {
		switch in := r.report.Impacts[at]; in.Kind {
		case Fetches:
			out.fetched = firstOf(out.fetched, in.Target)
		case Reads:
			if held, is := r.files[in.Target]; is {
				out.fetched, out.decoded = firstOf(out.fetched, held.fetched), out.decoded || held.decoded
			}
		}
	}
	return out
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// rowOf finds a program, also one with a version behind its name. "python3.11", "gcc-12" and "python3" share the row of
// the bare name. A name with its own row, such as 7z, is found first.
func rowOf(program string) (found row, key string, ok bool) {
	if program == ":" {
		program = "true"
	}
	if strings.Contains(program, " ") {
		return nil, "", false
	}
	if found, key, ok = lookup(program); ok {
		return found, key, true
	}
	bare := strings.TrimRight(program, "0123456789.")
	return lookup(strings.TrimRight(bare, "-"))
}

// nameOf is a program without its directory, in small letters.
func nameOf(word string) string {
	if at := strings.LastIndexAny(word, `/\`); at >= 0 {
		word = word[at+1:]
	}
	return strings.TrimSuffix(lowered(word), ".exe")
}

// lowered is a text in small letters of ASCII.
func lowered(s string) string {
	for i := range len(s) {
		if s[i] != lower(s[i]) {
			out := []byte(s)
			for i := range out {
				out[i] = lower(out[i])
			}
			return string(out)
		}
	}
	return s
}

// read reads the words behind a program.
func (c *run) read(words []Text) {
	if c.row.says("bare") && len(words) > 0 && !strings.HasPrefix(words[0].Text, "-") {
		words = c.bare(words)
	}
	if special := c.special(); special != nil {
		special(c, words)
		return
	}
	if c.options(words) {
		c.apply()
	}
}

// special is the function that a row names.
func (c *run) special() func(*run, []Text) {
	for _, item := range c.row {
		if item[0] == '@' {
			return specials[item[1:]]
		}
	}
	return nil
}

// operandRole is the role of the next operand as far as the options are read: one that ends them must be known at once.
func (c *run) operandRole(row row) string {
	n, last := len(c.operands), ""
	for _, item := range row {
		switch item[0] {
		case '-', '!', '@':
			continue
		}
		if item == "assign" || item == "assigns" || item == "bare" {
			continue
		}
		role, many := strings.CutSuffix(item, "*")
		if last = c.swapped(role); many || n == 0 {
			return last
		}
		n--
	}
	return ""
}

func (c *run) swapped(role string) string {
	for _, s := range c.swaps {
		if s[0] == role {
			return s[1]
		}
	}
	return role
}

// options reads options and operands. It returns false if a command among the words has been read.
func (c *run) options(words []Text) bool {
	ended := false
	for i := 0; i < len(words); i++ {
		w := words[i]
		text := w.Text
		switch {
		case !ended && text == "--":
			ended = true
			c.dashed = len(c.operands) + 1
			continue
		case !ended && len(text) > 1 && (text[0] == '-' || text[0] == '+' && c.current().pluses()),
			!ended && text == "-" && c.lone():
			n, stop := c.option(w, words[i+1:])
			i, ended = i+n, stop
			continue
		}
		row := c.current()
		if assigns(text) && row.says("assigns") ||
			strings.Contains(text, "=") && row.says("assign") && len(c.operands) == 0 {
			if !assigns(text) { // a function for Bash
				c.unknown(Option, c.program, span{w.At, w.End})
			}
			c.hijacks([]Text{w})
			c.expands(w)
			continue
		}
		switch role := c.operandRole(row); role {
		case "sub":
			if i > 0 && c.sub == nil {
				c.also(append([]Text{c.name}, words[i:]...))
			}
			if c.doubtful(words, i) {
				c.entered(c.key, words[i+1:])
			}
			if !c.subcommand(w, words[i+1:]) {
				return false
			}
			continue
		case "command":
			if c.harmless {
				break
			}
			if slices.ContainsFunc(c.values, func(v given) bool { return v.role == "shell" }) { // env -S, which has it as words
				c.unknown(Option, c.program, span{w.At, w.End})
			}
			c.wraps = true
			c.apply()
			inner := c.inner(words[i:])
			c.out = inner.words(words[i:])
			return false
		case "script":
			if c.doubtful(words, i) && i+1 < len(words) {
				c.values = append(c.values, given{role: role, word: w, kept: true})
				continue
			}
			ended = !row.says("!shell") // su finds its options behind a script too
		case "code", "shell", "source", "last", "image":
			ended = true
		}
		c.operands = append(c.operands, w)
	}
	return true
}

// inner makes the run of a command that this one only runs.
func (c *run) inner(words []Text) run {
	if !c.apart {
		c.report.Commands[c.cmd].Inner = words
	}
	return run{reader: c.reader, cmd: c.cmd, in: c.in, depth: c.depth + 1, apart: c.apart}
}

// current is the row that the operands belong to.
func (c *run) current() row {
	if c.sub != nil {
		return c.sub
	}
	return c.row
}

// subcommand enters a subcommand. It returns false if the command is read by another way.
func (c *run) subcommand(w Text, rest []Text) bool {
	if holed(w.Text) || w.Glob {
		c.unknown(Option, c.program, span{w.At, w.End})
		return false
	}
	for i := range c.aliases {
		if name, to, _ := strings.Cut(c.aliases[i].Text, "="); name == w.Text {
			c.alias(c.aliases[i], to, rest)
			return false
		}
	}
	ends := func(word Text) bool { return strings.HasSuffix(word.Text, ";") } // another command of tmux follows
	if c.key == "tmux" && slices.ContainsFunc(rest, ends) {
		c.unknown(Option, c.program, span{w.At, w.End})
	}
	sub, key, ok := lookup(c.key + " " + w.Text)
	if !ok {
		sub, key, ok = lookup(c.key + " *")
	}
	if !ok {
		c.unknown(Option, c.program+" "+w.Text, span{w.At, w.End})
		return false
	}
	c.sub, c.key = sub, key
	return true
}

// bare reads a first word without a hyphen whose letters are options, as tar does. Values follow in their order.
func (c *run) bare(words []Text) []Text {
	letters, rest := words[0], words[1:]
	for i := range len(letters.Text) {
		o, ok := c.row.find("-"+letters.Text[i:i+1], false)
		if !ok {
			if !c.row.says("-*") {
				c.unknown(Option, c.program, span{letters.At, letters.End})
			}
			continue
		}
		used, _ := c.take(o, letters, "", false, rest)
		rest = rest[used:]
	}
	return rest
}
