//go:build !browser

package impact

import "strings"

// filter reads a program of sed or awk. The languages of these programs can write files and start commands, so a filter
// that is not understood is Unknown. The readers below skip all that only computes; they do not check that the filter
// is right.
func (c *run) filter(w Text) {
	if holed(w.Text) {
		c.unknown(Code, c.program, span{w.At, w.End})
		return
	}
	if strings.Contains(c.program, "sed") {
		s := sed{c, w, w.Text}
		for strings.TrimSpace(s.text) != "" {
			if !s.command() {
				c.unknown(Code, c.program, span{w.At, w.End})
				return
			}
		}
		return
	}
	if c.program == "jq" || c.program == "yq" {
		c.jq(w)
		return
	}
	c.awk(w)
}

// jq looks for the environment, and for modules, in a filter of jq. env and $ENV give all variables of the environment.
// A key such as .env is no name of the language. An import or include reads a file of the search path. "\(…)" in a text
// holds code, so a filter with it has no texts that hide names.
func (c *run) jq(w Text) {
	last := ""
	for i := 0; i < len(w.Text); i++ {
		if b := w.Text[i]; b == '"' && !strings.Contains(w.Text, `\(`) {
			i += quotedLength(w.Text[i:]) - 1
		} else if letter(b) {
			end := i + 1
			for end < len(w.Text) && (letter(w.Text[end]) || w.Text[end] >= '0' && w.Text[end] <= '9') {
				end++
			}
			name, before := w.Text[i:end], i == 0 || w.Text[i-1] != '.'
			switch {
			case before && (name == "env" || name == "ENV" || name == "strenv" || name == "envsubst") && last != "as":
				c.effect("reads=env:*")
			case before && (name == "import" || name == "include" || name == "load"):
				c.unknown(Code, c.program, span{w.At, w.End})
			}
			last, i = name, end-1
		}
	}
}

// sed reads the program of sed. text is what is left of it. sed has few commands that reach beyond its input: w and W
// write, r and R read, the flag w of s writes, and e executes. An editor of lines is often used for "sed -n 1,5p", so
// each other command is skipped by its grammar (POSIX, sed).
type sed struct {
	*run
	word Text
	text string
}

// command reads one command. It returns false for one that it does not know.
func (s *sed) command() bool {
	s.text = strings.TrimLeft(s.text, " \t\n;}")
	// An address may be a pair, "1,/x/", and may have blanks around the comma.
	for s.address() {
		s.text = strings.TrimLeft(s.text, " \t,")
	}
	s.text = strings.TrimLeft(s.text, " \t!")
	if s.text == "" {
		return true
	}
	b := s.text[0]
	s.text = s.text[1:]
	switch {
	// q and Q may have an exit status, and l a width.
	case strings.IndexByte("{}=dDgGhHnNpPxzFlqQ", b) >= 0:
		s.text = strings.TrimLeft(s.text, " 0123456789")
	case b == 's' || b == 'y':
		if !s.pair() {
			return false
		}
		for s.text != "" && strings.IndexByte(" \t\n;}", s.text[0]) < 0 {
			flag := s.text[0]
			s.text = s.text[1:]
			switch {
			case flag == 'w':
				s.file(Writes, s.named(strings.TrimSpace(s.line())))
				return true
			case strings.IndexByte("gpiImM0123456789", flag) < 0:
				return false // e executes the result
			}
		}
	// The name goes to the end of the line, also over ";" and "}".
	case b == 'r' || b == 'R':
		s.file(Reads, s.named(strings.TrimSpace(s.line())))
	case b == 'w' || b == 'W':
		s.file(Writes, s.named(strings.TrimSpace(s.line())))
	// The text of a, i and c goes on with each line that ends in a backslash. Nothing in it is a command.
	case b == 'a' || b == 'i' || b == 'c' || b == '#':
		for strings.HasSuffix(s.line(), `\`) {
		}
	// A label ends at a line end, and for GNU sed at a semicolon too. For POSIX the label would have all that follows,
	// so more is read as commands than one of them runs.
	case b == 'b' || b == 't' || b == 'T' || b == ':':
		_, s.text, _ = strings.Cut(strings.ReplaceAll(s.text, "\n", ";"), ";")
	default:
		return false
	}
	return true
}

// named makes a word of a file name in the program. Its place is that of the whole program.
func (s *sed) named(path string) Text { return Text{Text: path, At: s.word.At, End: s.word.End} }

// line takes the rest of the line.
func (s *sed) line() (line string) {
	line, s.text, _ = strings.Cut(s.text, "\n")
	return line
}

// address takes one address, if there is one.
func (s *sed) address() bool {
	switch {
	case s.text == "":
		return false
	case strings.IndexByte("0123456789$+~", s.text[0]) >= 0:
		s.text = strings.TrimLeft(s.text, "0123456789$+~")
		return true
	case s.text[0] == '/':
		return s.until('/')
	// \%x% is an address with another delimiter than the slash.
	case s.text[0] == '\\' && len(s.text) > 1:
		s.text = s.text[1:]
		return s.until(s.text[0])
	}
	return false
}

// until skips a text between two delimiters, and the letters I and M after an address.
func (s *sed) until(delimiter byte) bool {
	for i := 1; i < len(s.text); i++ {
		switch s.text[i] {
		case '\\':
			i++
		case delimiter:
			s.text = strings.TrimLeft(s.text[i+1:], "IM")
			return true
		}
	}
	s.text = ""
	return false
}

// pair skips the two texts of s/…/…/ and y/…/…/. Any byte may be the delimiter. An escaped delimiter does not end the
// text; a bracket expression in POSIX does not hide one either.
func (s *sed) pair() bool {
	if s.text == "" {
		return false
	}
	delimiter, left := s.text[0], 2
	for i := 1; i < len(s.text); i++ {
		switch s.text[i] {
		case '\\':
			i++
		case delimiter:
			if left--; left == 0 {
				s.text = s.text[i+1:]
				return true
			}
		}
	}
	return false
}

// awk looks for what awk does beyond its input: print into files and commands, system and getline. This is no parser of
// awk. It looks at each place where a statement could leave the program: ">" behind print, "|", system, getline, "@" of
// gawk (@load, @include, an indirect call), ARGV, which names further files, and ENVIRON. In "{ if ($1 > 2) print }"
// the ">" stands before print and compares. Examples:
//
//	{print > "o"}         writes o
//	{print > $1}          is Unknown
//	{print > "o" $1}      is Unknown
//	{print | "sh"}        is Unknown
//	/"/ { system("rm x") }    is Unknown, although a quote in the pattern seems to begin a text
func (c *run) awk(w Text) {
	text := w.Text
	prints, depth := false, 0 // the statement has print, and brackets are open
	// A quote in a pattern between slashes hides what follows from the loop below.
	if bare := strings.ReplaceAll(text, " ", ""); strings.Contains(bare, "system(") || strings.Contains(bare, `|"`) {
		c.unknown(Code, c.program, span{w.At, w.End})
	}
	// A comment may hold anything, and its words are read all the same: a quote in it must not hide the lines below.
	for i := 0; i < len(text); i++ {
		rest := text[i:]
		switch b := text[i]; {
		case b == '"':
			i += quotedLength(rest) - 1
		// A statement ends here, and with it the reach of print: in "print a; b > c" the ">" compares.
		case b == '{' || b == ';' || b == '\n':
			prints, depth = false, 0
		case b == '(':
			depth++
		case b == ')':
			depth--
		case strings.HasPrefix(rest, "print"):
			prints = true
		// This is "or", and no pipe.
		case strings.HasPrefix(rest, "||"):
			i++
		case strings.HasPrefix(rest, "system") || strings.HasPrefix(rest, "getline") ||
			strings.HasPrefix(rest, "ARGV") || b == '|' || b == '@':
			c.unknown(Code, c.program, span{w.At, w.End})
		case strings.HasPrefix(rest, "ENVIRON"):
			c.effect("reads=env:*")
		case b == '>' && prints:
			target := strings.TrimLeft(rest, "> ")
			n := quotedLength(target)
			switch behind := strings.TrimLeft(target[min(n, len(target)):], " \t"); {
			case n > 1 && !strings.Contains(target[:n], `\`) && (behind == "" || strings.IndexByte("};\n)", behind[0]) >= 0):
				c.file(Writes, Text{Text: target[1 : n-1], At: w.At, End: w.End})
			case strings.HasPrefix(target, "="): // of ">="
			// A number behind ">" is a comparison in brackets, unless a pattern has the bracket. awk joins texts that
			// stand together to one name: print > "a" "b" writes ab.
			case target == "" || target[0] < '0' || target[0] > '9' || depth <= 0 || strings.Contains(text, "/"):
				c.unknown(Code, c.program, span{w.At, w.End})
			}
		}
	}
}

// quotedLength is the length of a text in double quotes at the beginning, or 1 if it does not end.
func quotedLength(s string) int {
	if s == "" || s[0] != '"' {
		return 1
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 1
}

// harmlessCode reports whether a text for an interpreter has only names that compute or print. Texts in quotes do not
// count, unless something in them may be replaced. The rule is one of words, and not a parser: it serves Node, Perl,
// Ruby and others alike. A text passes only if each name outside of quotes is on the list, so "console.log(1)" passes
// and "fs.rm(1)" does not. That a quote of one language is an operator of another one is no danger, because ` and | and
// bytes outside ASCII end the reading.
func harmlessCode(text string) bool {
	last := ""
	for i := 0; i < len(text); i++ {
		b := text[i]
		switch {
		case b == '\'' || b == '"':
			// A backslash could move the end of the text, and "{" and "`" could begin code in it: "#{…}" of Ruby,
			// f"{…}" of Python.
			inside, _, ends := strings.Cut(text[i+1:], text[i:i+1])
			if !ends || strings.ContainsAny(inside, "{\\`") {
				return false
			}
			i += len(inside) + 1
		case b == '`' || b == '|' || b >= 0x80:
			return false
		case letter(b):
			end := i + 1
			for end < len(text) && (letter(text[end]) || text[end] >= '0' && text[end] <= '9') {
				end++
			}
			name := text[i:end]
			if !harmlessNames[name] || (last == "import" || last == "from") && !harmlessModules[name] {
				return false
			}
			last, i = name, end-1
		}
	}
	return true
}

// letter reports a byte that may begin a name in most languages. A byte beyond ASCII is none: callers refuse it before.
func letter(b byte) bool { return b == '_' || lower(b) >= 'a' && lower(b) <= 'z' }

// harmlessModules may stand behind import and from. A module whose name is only on the other list is refused there.
var harmlessModules = map[string]bool{"json": true, "math": true, "sys": true}

// harmlessNames are words that compute, print, or read what the program gets, in any of the languages. A word belongs
// here only if no language gives it a meaning that reaches beyond the program.
var harmlessNames = func() map[string]bool {
	names := map[string]bool{}
	for _, n := range strings.Fields("and as console def e elif else enumerate exit f False float for format from " +
		"hex i if import in int is items j join json k keys lambda len let list log loads math max min n not None or print " +
		"process puts range repr return round s set sorted split str strip sum sys stdin True tuple type v values version " +
		"version_info versions while x y zip const var true false null undefined JSON parse stringify Math floor") {
		names[n] = true
	}
	return names
}()
