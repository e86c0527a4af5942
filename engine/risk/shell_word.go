package risk

import "strings"

// word reads one word of command c that begins at i, and returns the place behind it.
func (r *shellReader) word(i, c, level int) (shellWord, int) {
	w := shellWord{start: i}
	plain := i
	for plain < len(r.text) && !shellSpecial[r.text[plain]] {
		plain++
	}
	if plain == len(r.text) || strings.IndexByte(" \t\n;|&)", r.text[plain]) >= 0 {
		return w.done(r.text[i:plain], plain, 0, plain-i), plain
	}
	text := append(make([]byte, 0, 32), r.text[i:plain]...)
	quotes, bare := 0, plain-i
	i = plain
	for i < len(r.text) {
		b := r.text[i]
		switch {
		case strings.IndexByte(" \t\r\n;|&", b) >= 0, b == ')', b == '`' && r.ticks > 0,
			(b == '<' || b == '>') && !(i+1 < len(r.text) && r.text[i+1] == '('):
			return w.done(string(text), i, quotes, bare), i
		case b == '\'':
			end := i + 1 + indexAny(r.text[i+1:], "'")
			text = append(text, r.text[i+1:end]...)
			i, quotes = min(end+1, len(r.text)), quotes+1
		case b == '"':
			i = r.doubled(i+1, c, level, &w, &text)
			quotes++
		case b == '$' && i+1 < len(r.text) && r.text[i+1] == '\'':
			i = r.ansi(i+2, &w, &text)
			quotes++
		case b == '\\':
			i++
			if i < len(r.text) && r.text[i] != '\n' {
				if len(text)+quotes > 0 && isLetter(r.text[i]) {
					w.broken = true
				}
				text, bare = append(text, r.text[i]), bare+1
			}
			i++
		case b == '$' || b == '`' || b == '<' || b == '>':
			i = r.expansion(i, c, level, &w, &text)
			bare++
		default:
			text, bare = append(text, b), bare+1
			i++
		}
	}
	return w.done(string(text), min(i, len(r.text)), quotes, bare), min(i, len(r.text))
}

// shellSpecial has the bytes at which a plain word ends.
var shellSpecial = func() (special [256]bool) {
	for _, b := range []byte(" \t\r\n;|&)<>'\"\\$`") {
		special[b] = true
	}
	return special
}()

func (w shellWord) done(text string, end, quotes, bare int) shellWord {
	w.text, w.end = text, end
	w.broken = w.broken || quotes > 0 && bare > 0 && !strings.ContainsAny(text, " \t=")
	return w
}

// doubled reads the rest of a text in double quotes.
func (r *shellReader) doubled(i, c, level int, w *shellWord, text *[]byte) int {
	for i < len(r.text) && r.text[i] != '"' {
		switch b := r.text[i]; {
		case b == '\\' && i+1 < len(r.text):
			*text = append(*text, r.text[i+1])
			i += 2
		case b == '$' || b == '`':
			i = r.expansion(i, c, level, w, text)
		default:
			*text = append(*text, b)
			i++
		}
	}
	return min(i+1, len(r.text))
}

// ansi reads the rest of $'…'. Its escapes stay as they are spelled.
func (r *shellReader) ansi(i int, w *shellWord, text *[]byte) int {
	for i < len(r.text) && r.text[i] != '\'' {
		if r.text[i] == '\\' && i+1 < len(r.text) {
			if next := r.text[i+1]; next == 'x' || next == 'u' || next >= '0' && next <= '7' {
				w.escapes++
			}
			*text = append(*text, r.text[i])
			i++
		}
		*text = append(*text, r.text[i])
		i++
	}
	return min(i+1, len(r.text))
}

// expansion reads $NAME, ${…}, $((…)), $(…), `…` and <(…), and notes what the word holds.
func (r *shellReader) expansion(i, c, level int, w *shellWord, text *[]byte) int {
	from, next := i, byte(0)
	if i+1 < len(r.text) {
		next = r.text[i+1]
	}
	switch b := r.text[i]; {
	case b == '`' && r.ticks > 0:
		i++
	case b == '$' && next == '(' && i+2 < len(r.text) && r.text[i+2] == '(':
		end := strings.Index(r.text[i:], "))")
		if end < 0 {
			return len(r.text)
		}
		i += end + 2
	case (b == '`' || next == '(') && level >= maxShellDepth:
		*text = append(*text, b)
		return i + 1
	case b == '`':
		w.holds = true
		r.ticks++
		i = r.list(i+1, '`', c, level+1)
		r.ticks--
	case next == '(':
		w.holds = true
		i = r.list(i+2, ')', c, level+1)
	case b == '$' && next == '{':
		w.variables++
		i += indexAny(r.text[i:], "}")
		i = min(i+1, len(r.text))
	case b == '$' && (isLetter(next) || next == '_' || next == '@' || next == '*'):
		w.variables++
		for i += 2; i < len(r.text) && wordByte(r.text[i]); {
			i++
		}
	default:
		i++
	}
	*text = append(*text, r.text[from:i]...)
	return i
}

// unwrap finds the program of a command behind assignments, keywords and programs that run another one.
func (c *shellCommand) unwrap() {
	words := c.words
	for len(words) > 0 {
		w := &words[0]
		name := programName(w.text)
		flags, wraps := wrappers[name]
		switch {
		case isAssignment(w.text), shellKeywords[w.text]:
			words = words[1:]
			continue
		case wraps:
			words = skipFlags(words[1:], flags, name)
			if len(words) > 0 {
				continue
			}
			return
		}
		c.program, c.name, c.args = name, *w, words[1:]
		return
	}
}

// skipFlags skips the flags of a wrapper. withValue has the letters of flags that take the next word.
func skipFlags(words []shellWord, withValue, name string) []shellWord {
	for len(words) > 0 {
		text := words[0].text
		switch {
		case text == "--":
			return words[1:]
		case len(text) == 2 && text[0] == '-' && strings.IndexByte(withValue, text[1]) >= 0 && len(words) > 1:
			words = words[2:]
		case len(text) > 1 && text[0] == '-', isAssignment(text),
			name == "timeout" && text != "" && text[0] >= '0' && text[0] <= '9':
			words = words[1:]
		default:
			return words
		}
	}
	return nil
}

func isAssignment(word string) bool {
	at := strings.IndexByte(word, '=')
	if at <= 0 || word[0] >= '0' && word[0] <= '9' {
		return false
	}
	for i := range at {
		if !wordByte(word[i]) && word[i] != '+' {
			return false
		}
	}
	return true
}

// programName is a program without its directory, in small letters.
func programName(word string) string {
	if at := strings.LastIndexAny(word, `/\`); at >= 0 && at+1 < len(word) {
		word = word[at+1:]
	}
	return strings.TrimSuffix(lowerASCII(word), ".exe")
}

// These are words that stand before a program: those that run it, with the letters of their flags that take a value,
// and those of the shell's grammar.
var (
	wrappers = map[string]string{"sudo": "ugpChrtT", "doas": "uC", "env": "uCS", "nohup": "", "time": "of",
		"command": "", "builtin": "", "exec": "a", "nice": "n", "ionice": "cnp", "timeout": "ks", "stdbuf": "ioe",
		"xargs": "InPLdEas", "setsid": "", "busybox": "", "chronic": "", "unbuffer": ""}
	shellKeywords = map[string]bool{"if": true, "then": true, "else": true, "elif": true, "do": true, "while": true,
		"until": true, "!": true, "{": true, "}": true, "fi": true, "done": true}
	shells = map[string]bool{"sh": true, "bash": true, "zsh": true, "dash": true, "ksh": true, "fish": true, "ash": true,
		"mksh": true, "csh": true, "tcsh": true}
)
