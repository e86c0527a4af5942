package wire

import "strings"

// Script returns what a shell runs if command starts a shell with a script, and otherwise the command as it is. So a
// rule for commands decides both spellings.
func Script(command string) string {
	words, ok := split(command)
	if inner, is := inShell(words); ok && is {
		return inner
	}
	return command
}

// ScriptOf is Script for a list of arguments.
func ScriptOf(words []string) string {
	if inner, is := inShell(words); is {
		return inner
	}
	return CommandLine(words)
}

// inShell returns the script of `bash -lc SCRIPT`. Only shells in the usual places count: a model may name any program
// as its shell.
func inShell(words []string) (string, bool) {
	if len(words) != 3 || words[1] != "-lc" && words[1] != "-c" || strings.TrimSpace(words[2]) == "" {
		return "", false
	}
	shell := words[0]
	for _, dir := range [...]string{"/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"} {
		if rest, ok := strings.CutPrefix(words[0], dir); ok {
			shell = rest
		}
	}
	switch shell {
	case "sh", "bash", "zsh", "dash", "ksh":
		return words[2], true
	}
	return "", false
}

// split reads the words of a command line that has only words and quotes. It returns false for any other line.
func split(line string) (words []string, ok bool) {
	word, begun := []byte(nil), false
	for i := 0; i < len(line) && len(words) < 4; i++ {
		switch c := line[i]; c {
		case ' ':
			if begun {
				words, word, begun = append(words, string(word)), word[:0], false
			}
		case '\'', '"':
			begun = true
			for i++; i < len(line) && line[i] != c; i++ {
				if c == '"' && line[i] == '\\' && i+1 < len(line) && strings.IndexByte("\"\\$`", line[i+1]) >= 0 {
					i++
				} else if c == '"' && strings.IndexByte("\\$`", line[i]) >= 0 {
					return nil, false
				}
				word = append(word, line[i])
			}
			if i >= len(line) {
				return nil, false
			}
		case '\\':
			if i++; i >= len(line) {
				return nil, false
			}
			word, begun = append(word, line[i]), true
		default:
			if strings.IndexByte(";|&<>(){}$`*?[]!#~\n\t", c) >= 0 {
				return nil, false
			}
			word, begun = append(word, c), true
		}
	}
	if begun {
		words = append(words, string(word))
	}
	return words, true
}
