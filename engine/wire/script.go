package wire

import (
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/impact"
)

// Script returns what a shell runs if command starts a shell with a script, and otherwise the command as it is. So a
// rule for commands decides both spellings.
//
// Examples: bash -lc 'git push' gives git push. bash -lc 'git push' && rm x stays, because it does more. bash -lc "$X"
// stays, because nobody knows the script.
func Script(command string) string {
	if !strings.Contains(command, "sh") {
		return command
	}
	// The first command must be the whole line, and every other one must be inside of it.
	read := impact.Read(command, impact.Options{}).Commands
	if len(read) == 0 || slices.ContainsFunc(read[1:], func(c impact.Command) bool { return !c.Nested }) {
		return command
	}
	outer, words := read[0], []string(nil)
	if command[outer.At:outer.End] != strings.TrimSpace(command) || len(outer.Assigns)+len(outer.To)+len(outer.From) > 0 {
		return command
	}
	for _, w := range outer.Words {
		// The text of such a word is not what the shell gives the program.
		if w.Variables > 0 || w.Holds || w.Glob || strings.ContainsAny(w.Text, "\x00\x01") {
			return command
		}
		words = append(words, w.Text)
	}
	if inner, is := inShell(words); is {
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
//
// -l changes the environment and not the meaning of the script. Another option, such as -o, may change the meaning.
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
