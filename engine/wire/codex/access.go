package codex

import (
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// permission is one permission of a profile.
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
func permissionsOf(profile wire.Object) (list []permission, known bool) {
	known = true
	for _, m := range profile.Members {
		switch value := given(profile.Raw(m)); {
		case value == nil:
		case m.Name == "network":
			list = append(list, permission{line: networkLine(value), member: m.Name, raw: value, whole: true})
		case m.Name == "fileSystem":
			files, _ := wire.ReadObject(value)
			more, all := permissionsOfFiles(files)
			list, known = append(list, more...), known && all
		default:
			known = false
			line := memberLine(m.Name, value)
			list = append(list, permission{line: line, member: m.Name, raw: value, whole: true, later: true})
		}
	}
	return list, known
}

func permissionsOfFiles(files wire.Object) (list []permission, known bool) {
	known = true
	for _, m := range files.Members {
		value := given(files.Raw(m))
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
func networkLine(value []byte) string {
	if o, _ := wire.ReadObject(value); len(o.Members) == 1 && wire.True(o.Get("enabled")) {
		return "Network: every host"
	}
	return "Network: " + string(jsontext.AppendValue(nil, value))
}

// entryLine describes {path:{type,path|pattern|value}, access}.
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
