//go:build !browser

package impact

import "strings"

// goals are words in the names of what make and its relatives make. They tell that the rules of the project install or
// publish something. A release may be no more than a fast build, so make may make one.
var goals = map[string]string{"install": "changes=package", "uninstall": "changes=package",
	"deploy": "publishes=release", "publish": "publishes=release", "upload": "publishes=release",
	"push": "publishes=release", "release": "publishes=release"}

// goal looks at what make shall make. Only the first and the last part count: "docker-push" and "release.linux"
// publish, and "push-button-test" does too, while "no-push-here" does not. A guess that is wrong costs a question, and
// the Executes Project of make stays.
func (c *run) goal(w Text) {
	c.expands(w)
	parts := strings.FieldsFunc(w.Text, func(r rune) bool { return strings.ContainsRune("-_:.", r) })
	if len(parts) == 0 {
		return
	}
	for _, part := range [...]string{parts[0], parts[len(parts)-1]} {
		if does := goals[lowered(part)]; does != "" && (c.key != "make" || part != "release") {
			c.effect(does)
		}
	}
}

// expands notes that make runs the commands in a word: $(shell …), NAME!=… In "make X='$(shell rm x)'" make itself runs
// rm (GNU make, "The shell Function"). A dollar with a plain name is open as well, because the Makefile may give that
// name a command.
func (c *run) expands(w Text) {
	if c.key == "make" && strings.ContainsAny(w.Text, "$`!") {
		c.unknown(Option, c.program, span{w.At, w.End})
	}
}

// ps shows the variables of programs for the letter "e" among letters without a hyphen. "ps auxe" shows the environment
// of each process, and with it secrets. "ps -e" lists all processes and shows none of it. A value such as the format
// behind -o may have an "e" too, so letters with a value end the word.
func (c *run) ps(words []Text) {
	for i := 0; i < len(words); i++ {
		text := words[i].Text
		valued := "opqtUkO"
		switch {
		case strings.HasPrefix(text, "--"):
			continue
		case strings.HasPrefix(text, "-"):
			valued = "opqtUCgGsNOu"
		case strings.Trim(text, "abcdefghijklmnopqrstuvwxyzACEFGHLMNOSTUVXZ") != "":
			continue
		case strings.Contains(text, "e"):
			c.effect("reads=env:*")
		}
		if at := strings.IndexAny(text, valued); at > 0 && at == len(text)-1 { // a value follows
			i++
		}
	}
}
