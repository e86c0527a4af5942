//go:build !browser

package impact

import (
	"slices"
	"strings"
)

// config reads a setting that an option of git gives. Some settings are commands. git runs the value of these keys by a
// shell (git-config, "core.pager", "credential.helper", "alias.*"). So "git -c core.pager='rm x' log" runs rm. Values
// that only turn a feature on or off, such as true, are no commands.
func (c *run) config(w Text) {
	name, text, _ := strings.Cut(w.Text, "=")
	name = lowered(name)
	value := w
	value.Text = text
	switch {
	case holed(name):
		c.unknown(Option, c.program, span{w.At, w.End})
	case strings.HasPrefix(name, "alias."):
		value.Text = name[len("alias."):] + "=" + text
		c.aliases = append(c.aliases, value)
	// A directory of hooks is executed, and a file of settings may hold a command. So both count as executed files.
	case name == "core.hookspath" || name == "include.path" || strings.HasPrefix(name, "includeif."):
		c.executes(value)
	// All paths of the command would belong to another directory than the reader takes for it.
	case name == "core.worktree":
		c.unknown(Option, c.program, span{w.At, w.End})
	case gitCommands[name], strings.HasPrefix(name, "pager."), strings.HasSuffix(name, ".textconv"),
		strings.HasSuffix(name, ".helper"),
		strings.HasSuffix(name, ".clean"), strings.HasSuffix(name, ".smudge"), strings.HasSuffix(name, ".driver"),
		strings.HasSuffix(name, ".cmd"), strings.HasSuffix(name, ".command"), strings.HasSuffix(name, ".uploadpack"),
		strings.HasSuffix(name, ".receivepack"), strings.HasSuffix(name, ".vcs"), strings.HasSuffix(name, ".program"):
		if text != "" && text != "cat" && text != "true" && text != "false" {
			c.shell(value, strings.TrimPrefix(text, "!"), nil)
		}
	}
}

// gitCommands are the settings of git that are commands. An alias is one too.
var gitCommands = map[string]bool{"core.pager": true, "core.editor": true, "core.sshcommand": true,
	"core.askpass": true, "core.fsmonitor": true, "sequence.editor": true, "diff.external": true,
	"core.gitproxy": true, "gpg.program": true, "core.alternaterefscommand": true, "uploadpack.packobjectshook": true,
	"interactive.difffilter": true}

// alias reads a subcommand that a setting in the line defines. An alias of a file of settings is not seen: git ignores
// one with the name of its own command, and another name has no row in the table, so the line is Unknown. Only
// "git -c alias.x=…" reaches this place. git splits the text at blanks, and "!" hands it to a shell (git-config,
// "alias.*").
func (c *run) alias(w Text, to string, rest []Text) {
	if script, is := strings.CutPrefix(to, "!"); is {
		c.shell(w, script, nil)
		return
	}
	words := []Text{{Text: "git", At: w.At, End: w.End}}
	for _, field := range strings.Fields(to) {
		words = append(words, Text{Text: field, At: w.At, End: w.End})
	}
	words = append(words, rest...)
	inner := c.inner(words)
	inner.base = c.base
	c.out = inner.words(words)
}

// repository notes the place that git sends to or fetches from. A name stands for any place. "git push origin" goes to
// a place that only the settings know, so it sends to "*". A URL or HOST:PATH, as in "git push a.example:r", names the
// host. Then the general impact of the row falls away.
func (c *run) repository(role string, w Text) {
	kind, effect := Sends, "sends=*"
	if role == "pull" {
		kind, effect = Fetches, "fetches=*"
	}
	colon, slash := strings.IndexByte(w.Text, ':'), strings.IndexByte(w.Text, '/')
	if colon > 0 && (slash < 0 || colon < slash) {
		c.effects = slices.DeleteFunc(c.effects, func(e string) bool { return e == effect })
		c.host(kind, w)
	}
}
