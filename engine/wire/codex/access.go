package codex

import (
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// permission is one permission of a profile.
//
// The same profile is kept twice: whole in Question.asked, for the plain yes, and in these parts, for a person who
// chooses. member and whole say how profileOf puts parts together again.
type permission struct {
	line   string // for people
	file   bool   // it is of fileSystem
	member string // in which it stands
	raw    []byte
	whole  bool // it is all that the member has
	fixed  bool // it narrows the others, so it stays with them
	later  bool // it is of a later version, so it is never granted by itself
}

// permissionsOf lists the permissions of a profile in the order of the wire. It reports whether all of them are known:
// otherwise a person must see the question.
//
// Example: {"network":{"enabled":true},"fileSystem":{"write":["/w"]}} gives "Network: every host" and "write /w".
func permissionsOf(profile wire.Object) (list []permission, known bool) {
	known = true
	for _, m := range profile.Members {
		switch value := wire.Given(profile.Raw(m)); {
		case value == nil:
		case m.Name == "network":
			list = append(list, permission{line: networkLine(value), member: m.Name, raw: value, whole: true})
		case m.Name == "fileSystem":
			files, _ := wire.ReadObject(value)
			more, all := permissionsOfFiles(files)
			list, known = append(list, more...), known && all
		default:
			// A later version may open something here that nobody has described. It is never granted.
			known = false
			line := memberLine(m.Name, value)
			list = append(list, permission{line: line, member: m.Name, raw: value, whole: true, later: true})
		}
	}
	return list, known
}

// permissionsOfFiles lists the permissions of the member fileSystem, by its members:
//
//	read, write     a list of paths, each a permission
//	entries         a list of {path, access}; one with access deny is fixed
//	any other       shown as one line, and kept with the others; also a list in another shape
func permissionsOfFiles(files wire.Object) (list []permission, known bool) {
	known = true
	for _, m := range files.Members {
		value := wire.Given(files.Raw(m))
		p := permission{file: true, member: m.Name}
		listed := m.Name == "read" || m.Name == "write" || m.Name == "entries"
		if !listed || wire.TypeOf(value) != wire.Array {
			if value != nil {
				p.line, p.raw, p.whole, p.fixed = memberLine(m.Name, value), value, true, true
				list, known = append(list, p), known && !listed
			}
			continue
		}
		items, count := wire.Elements(value, maxPaths)
		known = known && count <= maxPaths
		for _, p.raw = range items {
			if path, ok := wire.Text(p.raw); m.Name == "entries" {
				p.line, p.fixed = entryLine(p.raw), denies(p.raw)
			} else {
				p.line, known = m.Name+" "+wire.InLine(path), known && ok
			}
			list = append(list, p)
		}
	}
	return list, known
}

// describeAccess describes permissions, one a line.
func describeAccess(text *wire.Parts, list []permission) {
	if len(list) == 0 {
		text.Add(elicit.PartText, "No permissions", maxTitle)
		return
	}
	var lines []string
	for i := range list { // Codex may name a place twice: in entries, and in read or write
		if !slices.Contains(lines, list[i].line) {
			lines = append(lines, list[i].line)
		}
	}
	text.Add(elicit.PartAccess, strings.Join(lines, "\n"), maxDiff)
}

// networkLine describes {enabled}.
//
// Only {"enabled":true} is known to mean every host. Any other shape is shown as it is.
func networkLine(value []byte) string {
	if o, _ := wire.ReadObject(value); len(o.Members) == 1 && wire.True(o.Get("enabled")) {
		return "Network: every host"
	}
	return "Network: " + string(jsontext.AppendValue(nil, value))
}

// entryLine describes {path:{type,path|pattern|value}, access}.
//
// A path that is a special place, {type,value}, is shown as the JSON of the entry.
func entryLine(raw []byte) string {
	entry, _ := wire.ReadObject(raw)
	access, _ := wire.Text(entry.Get("access"))
	path, _ := entry.Child("path")
	for _, name := range [...]string{"path", "pattern"} {
		if text, ok := wire.Text(path.Get(name)); ok {
			return wire.InLine(access) + " " + wire.InLine(text)
		}
	}
	return memberLine("entry", raw)
}

// denies reports whether an entry closes a place that another one opens.
func denies(raw []byte) bool {
	entry, _ := wire.ReadObject(raw)
	access, _ := wire.Text(entry.Get("access"))
	return access == "deny"
}

// memberLine describes a member that no other line describes.
func memberLine(name string, value []byte) string {
	return wire.InLine(name) + " " + string(jsontext.AppendValue(nil, value))
}
