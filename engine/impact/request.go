package impact

import (
	"cmp"
	"path"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// Of returns what a request would do if it is accepted: the impacts of its command, of the files that a patch changes,
// of the places and hosts that a permission opens, of a tool that names files. So one deed has the same impacts by
// whatever way it comes. A tool that names nothing has none. A command that is only a candidate is Unknown besides,
// and so is one for PowerShell or cmd.
func Of(r *elicit.Request) Report {
	command := cmp.Or(r.Command, r.CommandCandidate)
	report := Report{}
	if command != "" {
		report = Read(command, Options{Cwd: r.Cwd})
	}
	add := func(in Impact) {
		report.Impacts = append(report.Impacts, in)
		report.Unknown = report.Unknown || in.Kind == Unknown
	}
	switch r.Tool {
	case "PowerShell", "powershell", "pwsh", "cmd": // a POSIX shell would run other commands
		if command != "" {
			report.Plain = false
			add(Impact{Kind: Unknown, How: Syntax, End: len(command)})
		}
	}
	if r.Command == "" && command != "" {
		add(Impact{Kind: Unknown, How: Word})
	}
	how, kinds := How(""), []Kind{Reads, Writes}
	switch r.Does {
	case elicit.DeedPatch:
		kinds = kinds[1:]
	case elicit.DeedPermissions:
		how = Tree
	case elicit.DeedTool:
		if r.Annotations.ReadOnly == elicit.SaidYes {
			kinds = kinds[:1]
		}
	default:
		return report // the peer's word about a command
	}
	for _, place := range r.Paths {
		if r.Does == elicit.DeedTool && strings.HasSuffix(place, "/") { // all below
			how = Tree
		} else if r.Does == elicit.DeedTool {
			how = ""
		}
		for _, kind := range kinds {
			add(Impact{Kind: kind, Target: placed(place, r.Cwd), How: how})
		}
	}
	for _, host := range r.Hosts {
		add(Impact{Kind: Sends, Target: host, Open: host == elicit.AnyHost})
		add(Impact{Kind: Fetches, Target: host, Open: host == elicit.AnyHost})
	}
	if r.ReachCut {
		add(Impact{Kind: Unknown, How: Limit})
	}
	return report
}

// placed is a clean path, in a directory if that is known.
func placed(text, dir string) string {
	if text == "" {
		return ""
	}
	if dir != "" && text[0] != '/' && text[0] != '~' && text[0] != '*' && !drive(text) {
		text = strings.TrimSuffix(dir, "/") + "/" + text
	}
	// What is above a directory of a person, or above one that is not known, is not known either.
	if at := strings.IndexByte(text, '/'); at > 0 && (text[0] == '~' || text[:at] == "*") {
		return path.Clean("./"+text[:at]) + strings.TrimSuffix("/"+path.Clean("./"+text[at+1:]), "/.")
	}
	return path.Clean(text)
}

// drive reports whether a path begins with a drive of Windows.
func drive(s string) bool { return len(s) > 1 && s[1] == ':' && s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z' }

// ModeOf reads a mode of chmod, such as 4755 or u+s,o=w. setsUser reports that it lets a program run as its owner or
// its group, and allWrite that it lets everybody write. A text with holes may set the user.
func ModeOf(mode string) (setsUser, allWrite bool) {
	if mode != "" && strings.Trim(mode, "01234567") == "" {
		return len(mode) > 3 && strings.ContainsAny(mode[:len(mode)-3], "234567"),
			strings.ContainsAny(mode[len(mode)-1:], "2367")
	}
	for part := range strings.SplitSeq(mode, ",") {
		if at := strings.IndexAny(part, "+="); at >= 0 {
			setsUser = setsUser || strings.Contains(part[at:], "s")
			allWrite = allWrite || strings.ContainsAny(part[:at], "ao") && strings.Contains(part[at:], "w")
		}
	}
	return setsUser || holed(mode), allWrite
}

func holed(s string) bool {
	return strings.IndexByte(s, AnyText) >= 0 || strings.IndexByte(s, AnyWord) >= 0
}
