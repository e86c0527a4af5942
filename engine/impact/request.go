package impact

import (
	"cmp"
	"path"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// Of returns what a request would do if it is accepted: the impacts of its command, of the files that a patch changes,
// of the places and hosts that a permission opens, of a tool that names files. So one deed has the same impacts by
// whatever way it comes. A tool that names nothing has none. A command that is only a candidate is Unknown besides, and
// so is one for PowerShell or cmd. These examples show deeds without a command:
//
//	a patch of a.go                 writes a.go
//	a permission for /srv           reads and writes /srv with all that is below
//	a permission for any host       sends to and fetches from "*", open
//	a tool that names a.go, read-only by its annotation    reads a.go
//
// The annotation of a tool is the word of its server. A rule that accepts by it trusts that server, as MCP says about
// tool annotations (MCP 2025-11-25, Tools).
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
	// The report of Read stays besides, because it is mostly right for simple commands. Plain is false, so no rule may
	// take the words for those that the program gets.
	switch r.Tool {
	case "PowerShell", "powershell", "pwsh", "cmd": // a POSIX shell would run other commands
		if command != "" {
			report.Plain = false
			add(Impact{Kind: Unknown, How: Syntax, End: len(command)})
		}
	}
	// A candidate only may be the command: the peer's words for people, or a command in a call of a tool. It may also
	// be none, so the report must not look complete.
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
	// The request names more paths or hosts than the engine keeps.
	if r.ReachCut {
		add(Impact{Kind: Unknown, How: Limit})
	}
	return report
}

// placed is a clean path, in a directory if that is known. These are results for the directory /w:
//
//	a/../b     /w/b
//	/etc//x    /etc/x
//	~/a        ~/a
//	~/../a     ~/../a, because nobody knows which directory is above a home
//	*/../a     */../a, for the same reason
//
// A path that ends in a slash loses it. A name with two letters such as "c:a" counts as one of a drive, and stays.
func placed(text, dir string) string {
	if text == "" {
		return ""
	}
	windows, share := Drive(dir) || strings.HasPrefix(dir, `\\`), strings.HasPrefix(text, `\\`)
	if dir != "" && text[0] != '/' && text[0] != '~' && text[0] != '*' && !Drive(text) && !(windows && share) {
		// On Windows a backslash separates too, and one at the front is the root of the drive.
		if windows {
			dir, text = strings.ReplaceAll(dir, `\`, "/"), strings.ReplaceAll(text, `\`, "/")
			if text[0] == '/' {
				dir = dir[:2]
			}
		}
		text = strings.TrimSuffix(dir, "/") + "/" + text
	}
	// Nobody knows the directory above a person's own, or above an unknown one. A ".." that leads there stays.
	if at := strings.IndexByte(text, '/'); at > 0 && (text[0] == '~' || text[:at] == "*") {
		return path.Clean("./"+text[:at]) + strings.TrimSuffix("/"+path.Clean("./"+text[at+1:]), "/.")
	}
	if Drive(text) && len(text) > 2 && text[2] == '/' {
		return text[:2] + path.Clean(text[2:]) // nothing is above the root of a drive
	}
	return path.Clean(text)
}

// Connection is the host of a path for which Bash opens a connection.
func Connection(path string) (host string, is bool) {
	for _, kind := range [...]string{"/dev/tcp/", "/dev/udp/"} {
		if rest, ok := strings.CutPrefix(path, kind); ok {
			host, _, _ = strings.Cut(rest, "/")
			return host, true
		}
	}
	return "", false
}

// Remote reports whether scp and rsync of Unix take a place for one on another host. "host:dir" and "h:x" are, and
// "./a:b" and "dir/a:b" are files.
func Remote(place string) bool {
	at := strings.IndexByte(place, ':')
	return at > 0 && !strings.Contains(place[:at], "/")
}

// Drive reports whether a path begins with a drive of Windows. Unix has no drives, so "h:x" is also a host there.
func Drive(s string) bool { return len(s) > 1 && s[1] == ':' && s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z' }

// ModeOf reads a mode of chmod, such as 4755 or u+s,o=w. setsUser reports that it lets a program run as its owner or
// its group, and allWrite that it lets everybody write. A text with holes may set the user.
func ModeOf(mode string) (setsUser, allWrite bool) {
	// In octal, the fourth digit from the end has 4 for the user, 2 for the group and 1 for the sticky bit. In the last
	// digit, 2 is the right to write. "u+s" and "g+s" say the same as letters, and so does "o+w" or "a=rw".
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

// holed reports whether a text has a hole, so that the line does not tell all of it.
func holed(s string) bool {
	return strings.IndexByte(s, AnyText) >= 0 || strings.IndexByte(s, AnyWord) >= 0
}
