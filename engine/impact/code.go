//go:build !browser

package impact

import "strings"

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
			n := strings.IndexByte(text[i+1:], b)
			if n < 0 || strings.ContainsAny(text[i+1:i+1+n], "{\\`") {
				return false
			}
			i += n + 1
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
