package schema

import "strings"

// humanise makes a label from a property name: "max_retries", "max-retries" and "maxRetries" become "Max retries". Runs
// of capitals stay as they are ("apiURL" becomes "Api URL"). A name without a letter or digit does not change.
func humanise(name string) string {
	words := splitName(name)
	if len(words) == 0 {
		return name
	}
	for i, word := range words {
		if !isCapitals(word) {
			words[i] = strings.ToLower(word)
		}
	}
	words[0] = upperFirst(words[0])
	return strings.Join(words, " ")
}

// splitName cuts at _ - . and space, and where a capital begins a new word: after a small letter, and before
// one at the end of a run of capitals. HTTPServer is HTTP and Server. Other bytes, such as those of an umlaut,
// are never cut apart.
func splitName(name string) (words []string) {
	start := 0
	cut := func(end int) {
		if end > start {
			words = append(words, name[start:end])
		}
		start = end
	}
	for i := range len(name) {
		switch c := name[i]; {
		case c == '_' || c == '-' || c == '.' || c == ' ':
			cut(i)
			start = i + 1
		case i > 0 && isUpper(c) && (isLower(name[i-1]) || isUpper(name[i-1]) && i+1 < len(name) && isLower(name[i+1])):
			cut(i)
		}
	}
	cut(len(name))
	return words
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isLower(c byte) bool { return c >= 'a' && c <= 'z' }

// isCapitals reports a word to keep as it is, such as URL or a word of digits. A single capital is none: aB is
// the words a and B, and becomes "A b".
func isCapitals(word string) bool {
	for i := range len(word) {
		if isLower(word[i]) {
			return false
		}
	}
	return len(word) > 1
}

func upperFirst(word string) string {
	if isLower(word[0]) {
		return string(word[0]-'a'+'A') + word[1:]
	}
	return word
}

// withNote adds a format that is not enforced, in words of no particular language. A schema that AppendSchema wrote has
// them already.
func withNote(help, note string) string {
	note = "(" + note + ")"
	switch {
	case help == "" || help == note:
		return note
	case strings.HasSuffix(help, " "+note):
		return help
	}
	return help + " " + note
}
