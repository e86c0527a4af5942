package acp

import (
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/wire"
)

// addDiff adds the files of a diff. It returns false if the diff does not name all of them.
//
// In version 1 a diff has one path. In version 2 it has a list of changes and maybe a patch, which must agree.
func (p *Permission) addDiff(raw []byte, o wire.Object) (whole bool) {
	if !p.patches {
		return p.addPath(raw, "path")
	}
	list, _ := wire.Elements(o.Get("changes"), len(raw))
	named, whole := map[string]bool{}, len(list) > 0
	for _, one := range list {
		c, _ := wire.ReadObject(one)
		names := []string{"path"}
		switch operation, _ := wire.Text(c.Get("operation")); operation {
		case "move", "copy":
			names = append(names, "oldPath")
		case "add", "delete", "modify":
		default:
			whole = false
		}
		for _, name := range names {
			place, _ := wire.Text(c.Get(name))
			named[place] = true
			whole = p.addPath(one, name) && whole
		}
	}
	patch, _ := o.Child("patch")
	text, _ := wire.Text(patch.Get("text"))
	return whole && !strays(text, named)
}

// strays reports whether a patch may change a file that its diff does not list. A line of a file may look like a line
// that names one; then the answer is yes.
//
// Example: a diff lists a.txt, and its patch has the lines "--- a.txt" and "+++ b.txt". A person reads both, and a rule
// for a.txt must not accept it.
func strays(patch string, listed map[string]bool) bool {
	for line := range strings.Lines(patch) {
		line = strings.TrimRight(line, "\r\n")
		for _, begin := range [...]string{"--- ", "+++ ", "rename from ", "rename to ", "copy from ", "copy to "} {
			name, is := strings.CutPrefix(line, begin)
			if name, _, _ = strings.Cut(name, "\t"); is && name != "/dev/null" && !listed[name] {
				return true
			}
		}
		if both, is := strings.CutPrefix(line, "diff --git "); is && !pair(both, listed) {
			return true
		}
	}
	return false
}

// pair reports whether a text has two of the listed names.
//
// Names may have spaces, so every space is tried as the end of the first name.
func pair(both string, listed map[string]bool) bool {
	for at, c := range both {
		if c == ' ' && listed[both[:at]] && listed[both[at+1:]] {
			return true
		}
	}
	return false
}

// changeList returns what a diff of version 2 says: one line for each change of a file, and the patch. It returns false
// if it cannot show all of the diff.
//
// Members that are not known would be left out of the text, so they make the diff unreadable here.
func changeList(o wire.Object) (text string, ok bool) {
	if !onlyThese(o, "type", "changes", "patch", "_meta") || wire.TypeOf(o.Get("changes")) != wire.Array {
		return "", false
	}
	list, _ := wire.Elements(o.Get("changes"), len(o.Text))
	var lines []string
	for _, one := range list {
		c, _ := wire.ReadObject(one)
		operation, hasOperation := wire.Text(c.Get("operation"))
		place, hasPath := wire.Text(c.Get("path"))
		if !hasOperation || !hasPath || !onlyThese(c, "operation", "path", "oldPath", "fileType", "mimeType", "_meta") {
			return "", false
		}
		line := wire.InLine(operation) + " " + wire.InLine(place)
		if old, has := wire.Text(c.Get("oldPath")); has {
			line += " from " + wire.InLine(old)
		}
		if kind, has := wire.Text(c.Get("fileType")); has && kind != "text" {
			line += " (" + wire.InLine(kind) + ")"
		}
		lines = append(lines, line)
	}
	if raw := wire.Given(o.Get("patch")); raw != nil {
		patch, _ := wire.ReadObject(raw)
		format, _ := wire.Text(patch.Get("format"))
		text, has := wire.Text(patch.Get("text"))
		if format != "git_patch" || !has || !onlyThese(patch, "format", "text", "_meta") {
			return "", false
		}
		lines = append(lines, strings.TrimRight(text, "\n"))
	}
	return strings.Join(lines, "\n"), len(lines) > 0
}

// onlyThese reports whether an object has no other members.
func onlyThese(o wire.Object, names ...string) bool {
	return !slices.ContainsFunc(o.Members, func(m wire.Member) bool { return !slices.Contains(names, m.Name) })
}
