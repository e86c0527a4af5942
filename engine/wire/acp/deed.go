package acp

import (
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire"
)

// does fills in what a permission would let the agent do, so that the rules of commands and files decide it. All of it
// is in the message too. It reports whether the command and its directory say all that the input says.
//
//	execute              a command, in rawInput.command with args and a directory
//	edit, delete, move   a patch, in the diffs, the locations and the paths of the input
//	any other            a tool; its locations and input paths are places that it may read
//
// The kind is the agent's word. So a call of another kind that has a command keeps it as a candidate: rules that
// decline see it, and rules that accept do not.
func (p *Permission) does(kind, title string, input, locations, content []byte) (whole bool) {
	switch kind {
	case "execute":
		return p.runs(title, input)
	case "edit", "delete", "move":
		p.changes(kind, input, locations, content)
	default:
		p.Request.Does = elicit.DeedTool
		p.addPlaces(locations)
		p.addPath(input, inputPaths...)
	}
	p.mayRun(title, input)
	return false
}

// mayRun keeps what may be the command of a tool call that is not called one. Agents call a shell command "read" or
// "other" too, and some give no kind and only a title. It may as well be the verb of an editor or of a remote program,
// so no rule accepts by it.
func (p *Permission) mayRun(title string, raw []byte) {
	q := &p.Request
	input, _ := wire.ReadObject(raw)
	for _, name := range [...]string{"command", "cmd"} {
		if line, known := commandLine(input.Get(name)); known {
			q.CommandCandidate = candidate(line, wire.Object{})
			return
		}
	}
	// Nothing but a title is left, and some agents write the command there.
	if len(input.Members)+len(q.Paths) == 0 && q.Annotations == (elicit.Annotations{}) {
		q.CommandCandidate = candidate(title, input)
	}
}

// inputPaths are the members of an input that agents use for files. The protocol says nothing about them.
var inputPaths = []string{"file_path", "path", "abs_path", "notebook_path", "source", "destination"}

// addPath adds the paths that the named members of an object have. It returns false if there is none.
//
// Example: {"file_path":"/w/../etc/passwd"} adds /etc/passwd.
func (p *Permission) addPath(raw []byte, names ...string) (found bool) {
	o, _ := wire.ReadObject(raw)
	for _, name := range names {
		place, ok := wire.Text(o.Get(name))
		if !ok || place == "" {
			continue
		}
		found = true
		if place = wire.PlainPath(place); !slices.Contains(p.Request.Paths, place) {
			p.Request.AddPath(place)
		}
	}
	return found
}

// addPlaces adds the paths of all locations and counts the locations. One without a path sets ReachCut.
func (p *Permission) addPlaces(locations []byte) (count int) {
	places, count := wire.Elements(locations, len(locations))
	for _, one := range places {
		named := p.addPath(one, "path")
		p.Request.ReachCut = p.Request.ReachCut || !named
	}
	return count
}

// context are members of an input that change what its command does. A yes to the command is no yes to them.
var context = []string{"env", "environment", "stdin", "input"}

// runs reads the command of an input: a text for a shell, or a list of arguments. An input without a command is about
// something that the agent's words tell only a person; they are a candidate of the command. It reports whether the
// command and its directory say all that the input says.
//
// Examples of inputs:
//
//	{"command":"git push","cwd":"/w"}            command and directory; nothing else need be shown
//	{"command":["bash","-lc","git push"]}        the script, and the input is shown too
//	{"command":"git","args":["push"]}            git push
//	{"command":"ls","env":{"LD_PRELOAD":"x"}}    a person must choose
//	{"description":"push"}                       no command; the texts are candidates
func (p *Permission) runs(title string, raw []byte) (whole bool) {
	input, _ := wire.ReadObject(raw)
	q := &p.Request
	q.Does = elicit.DeedCommand
	line, known := commandLine(input.Get("command"))
	if !known {
		q.CommandCandidate = candidate(title, input)
		return false
	}
	q.Command = line
	said := 1 // members that the command and its directory say
	if more := wire.Given(input.Get("args")); more != nil {
		args, fits := wire.Texts(more, maxWords)
		if fits {
			said++
		}
		if len(args) > 0 {
			q.Command += " " + wire.CommandLine(args)
		}
		p.Choice = p.Choice || !fits
	}
	full := q.Command
	q.Command = wire.Script(full)
	// If two members name a directory, the last one counts here, and whole is false, so a person sees both.
	directories := 0
	for _, name := range [...]string{"directory", "workdir", "cwd"} {
		if cwd, ok := wire.Text(input.Get(name)); ok && cwd != "" {
			q.Cwd = wire.PlainPath(cwd)
			directories++
		}
	}
	isGiven := func(name string) bool { return wire.Given(input.Get(name)) != nil }
	p.Choice = p.Choice || slices.ContainsFunc(context, isGiven)
	if len(q.Command) > maxInput || len(q.Cwd) > maxTitle { // the message is cut too, so a person must choose
		q.Command, q.Cwd, p.Choice = "", "", true
		return false
	}
	return q.Command == full && directories <= 1 && len(input.Members) == said+directories
}

// candidate returns what may be the command of a tool call whose input does not say it, one reading a line. Gemini
// gives the command as the title, with its directory in brackets and its purpose in parentheses behind. Another agent
// may have it in a member of the input that is not known here.
//
// Example of a title: git push [/w] (publishes). The candidates are the whole title and git push.
func candidate(title string, input wire.Object) string {
	lines := []string{title}
	if at := strings.IndexAny(title, "[("); at > 0 {
		lines = append(lines, strings.TrimSpace(title[:at]))
	}
	for _, m := range input.Members {
		if text, ok := wire.Text(input.Get(m.Name)); ok {
			lines = append(lines, text)
		}
	}
	all := strings.TrimSpace(strings.Join(lines, "\n"))
	return strings.ToValidUTF8(all[:min(len(all), maxInput)], "")
}

// commandLine is a command as a shell reads it.
func commandLine(raw []byte) (line string, known bool) {
	if text, ok := wire.Text(raw); ok {
		return text, text != ""
	}
	list, ok := wire.Texts(raw, maxWords)
	return wire.CommandLine(list), ok && len(list) > 0
}

// maxWords is the most arguments of a command.
const maxWords = 1000

// changes reads the files that a tool call changes. Only the changes of an edit that are shown in full, and the places
// of a deletion, are known to be all of them.
//
// ReachCut says that more files are possible. It stays false only if all diffs of an edit name their files, in version
// 2 also those of another change, and for a deletion with locations.
func (p *Permission) changes(kind string, input, locations, content []byte) {
	q := &p.Request
	q.Does = elicit.DeedPatch
	parts, _ := wire.Elements(content, len(content))
	diffs, whole := 0, true
	for _, one := range parts {
		o, _ := wire.ReadObject(one)
		if what, _ := wire.Text(o.Get("type")); what == "diff" {
			diffs++
			whole = p.addDiff(one, o) && whole
		}
	}
	places := p.addPlaces(locations)
	p.addPath(input, inputPaths...)
	isAll := diffs > 0 && (kind == "edit" || p.patches) || kind == "delete" && places > 0
	q.ReachCut = q.ReachCut || !whole || !isAll
}
