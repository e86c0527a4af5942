package codex

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// describeAccess describes a profile, one permission a line. Members of a later version are there as JSON if later is
// true.
func (q *Question) describeAccess(text *wire.Parts, profile wire.Object, later bool) {
	var lines []string
	for _, m := range profile.Members {
		switch value := given(profile.Raw(m)); {
		case value == nil:
		case m.Name == "fileSystem":
			files, _ := wire.ReadObject(value)
			lines = append(lines, q.fileLines(files)...)
		case m.Name == "network":
			lines = append(lines, networkLine(value))
		case later:
			lines = append(lines, memberLine(m.Name, value))
		}
	}
	if lines == nil {
		text.Add(elicit.PartText, "No permissions", maxTitle)
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

// fileLines describes the paths of a profile.
func (q *Question) fileLines(files wire.Object) (lines []string) {
	for _, m := range files.Members {
		value := given(files.Raw(m))
		list, count := wire.Elements(value, maxPaths)
		q.Choice = q.Choice || count > maxPaths
		switch {
		case value == nil:
		case m.Name == "read", m.Name == "write":
			for _, one := range list {
				path, ok := wire.Text(one)
				q.Choice = q.Choice || !ok
				lines = append(lines, m.Name+" "+wire.InLine(path))
			}
		case m.Name == "entries":
			for _, one := range list {
				lines = append(lines, entryLine(one))
			}
		default:
			lines = append(lines, memberLine(m.Name, value))
		}
	}
	return lines
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

// memberLine describes a member that no other line describes.
func memberLine(name string, value []byte) string {
	return wire.InLine(name) + " " + string(jsontext.AppendValue(nil, value))
}
