package codex

import (
	"slices"
	"strings"
)

// maxPrefixes is the most prefixes that the alternatives of one pattern may make.
const maxPrefixes = 128

// tokensOf reads a pattern: a list of words, each one text or a list of alternatives. fault says what is wrong.
func tokensOf(value any) (tokens [][]string, fault string) {
	list, ok := value.([]any)
	if !ok || len(list) == 0 {
		return nil, "pattern must be a list of words"
	}
	count := 1
	for _, v := range list {
		var words []string
		switch v := v.(type) {
		case string:
			words = []string{v}
		case []any:
			for _, w := range v {
				word, ok := w.(string)
				if !ok {
					return nil, "an alternative must be a text"
				}
				words = append(words, word)
			}
		default:
			return nil, "a word of the pattern must be a text or a list of texts"
		}
		if len(words) == 0 || slices.Contains(words, "") {
			return nil, "the pattern has an empty word"
		}
		if count *= len(words); count > maxPrefixes {
			return nil, "the pattern has too many alternatives"
		}
		tokens = append(tokens, words)
	}
	for _, prefix := range prefixes(tokens, same) {
		if len([]rune(literal(prefix))) > 250 {
			return nil, "the pattern is too long"
		}
	}
	return tokens, ""
}

// prefixes returns every choice of alternatives, joined by spaces.
func prefixes(tokens [][]string, spell func(string) string) []string {
	list := []string{""}
	for i, words := range tokens {
		var next []string
		for _, before := range list {
			for _, w := range words {
				if i > 0 {
					w = before + " " + spell(w)
				} else {
					w = spell(w)
				}
				next = append(next, w)
			}
		}
		list = next
	}
	return list
}

// tightening returns the patterns of a rule that asks or declines, which compares words without their quotes.
func tightening(tokens [][]string) (patterns []string) {
	for _, p := range prefixes(tokens, same) {
		patterns = append(patterns, literal(p), literal(p)+" *")
	}
	return patterns
}

// accepting returns the patterns of a rule that accepts, which compares a command as it is spelled. A word that needs
// quotes matches with either kind.
func accepting(tokens [][]string) (patterns []string) {
	spellings := []func(string) string{func(w string) string { return inQuotes(w, "'") }}
	if slices.ContainsFunc(tokens, func(words []string) bool { return slices.ContainsFunc(words, needsQuotes) }) {
		spellings = append(spellings, func(w string) string { return inQuotes(w, `"`) })
	}
	for _, spell := range spellings {
		for _, p := range prefixes(tokens, spell) {
			patterns = append(patterns, literal(p), literal(p)+" *")
		}
	}
	return patterns
}

func needsQuotes(word string) bool {
	return strings.ContainsFunc(word, func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
			strings.ContainsRune("-_./:=,+@%", c))
	})
}

func inQuotes(word, quote string) string {
	if needsQuotes(word) {
		return quote + word + quote
	}
	return word
}

// wrongExample compares the examples of a rule with its pattern. It says which one is wrong, "" if none is. Codex
// refuses the whole file then, because the rule is not what its author meant.
func wrongExample(c *call, tokens [][]string) string {
	for name, want := range map[string]bool{"match": true, "not_match": false} {
		list, _ := c.get(name, -1).([]any)
		for _, one := range list {
			if words := exampleWords(one); words != nil && hasPrefix(words, tokens) != want {
				return "an example of " + name + " does not fit the pattern"
			}
		}
	}
	return ""
}

// exampleWords returns the words of an example, nil for one whose quotes are not read here.
func exampleWords(one any) (words []string) {
	switch one := one.(type) {
	case string:
		if !strings.ContainsAny(one, `'"\`) {
			return strings.Fields(one)
		}
	case []any:
		for _, w := range one {
			word, ok := w.(string)
			if !ok {
				return nil
			}
			words = append(words, word)
		}
	}
	return words
}

func hasPrefix(words []string, tokens [][]string) bool {
	for i, alternatives := range tokens {
		if i >= len(words) || !slices.Contains(alternatives, words[i]) {
			return false
		}
	}
	return true
}

// spellTokens writes a pattern for a report. Prefixes of commands are no secrets.
func spellTokens(tokens [][]string) string {
	return quoted(joined(tokens, " ", func(alternatives []string) string { return strings.Join(alternatives, "|") }))
}

// broadPrograms run whatever their arguments say. With a flag of scripts they run a text.
var (
	broadPrograms = strings.Fields("sh bash zsh dash ksh fish csh tcsh ash cmd pwsh powershell python python2 python3 " +
		"perl ruby node deno bun php lua osascript env sudo doas su xargs exec eval rm git npx uvx make ssh docker")
	scriptFlags = []string{"-c", "-lc", "-e", "-r", "-", "--eval", "-Command", "-command", "-E", "-u"}
)

// tooBroad reports whether a prefix that is allowed lets nearly everything run.
func tooBroad(tokens [][]string) bool {
	program := func(word string) bool {
		return slices.Contains(broadPrograms, strings.TrimSuffix(word[strings.LastIndexAny(word, `/\`)+1:], ".exe"))
	}
	if !slices.ContainsFunc(tokens[0], program) {
		return false
	}
	return len(tokens) == 1 || len(tokens) == 2 && (slices.ContainsFunc(tokens[1], func(word string) bool {
		return slices.Contains(scriptFlags, word) ||
			slices.ContainsFunc(tokens[0], isRemove) && strings.HasPrefix(word, "-")
	}))
}

func isRemove(word string) bool { return strings.HasSuffix(word, "rm") }
