package guarded

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/impact"
)

// runsUnseen reports whether code in the line runs Elicit, so that no command of the line has its verb. Example:
// python3 -c 'import subprocess; subprocess.run(["elicit","uninstall"])'. The impact Runs tells that elicit starts, and
// no command of the line has its verb. A command that is elicit itself is for Command to judge.
func runsUnseen(r *impact.Report) bool {
	runs := 0
	for i := range r.Impacts {
		if in := &r.Impacts[i]; in.Kind == impact.Runs && in.Target == "elicit" {
			runs++
		}
	}
	for i := 0; i < len(r.Commands) && runs > 0; i++ {
		c := &r.Commands[i]
		if _, program, _ := read(c); program == "elicit" {
			return false
		}
		for _, words := range c.Runs {
			if len(words) > 0 && base(words[0].Text) == "elicit" && harmlessVerb(texts(words[1:])) {
				return false
			}
		}
	}
	return runs > 0
}

// answersItself reports whether a line sends an answer to an agent on this machine that waits for its person, by the
// interface of opencode. curl -X POST http://localhost:4096/session/1/permissions/2 is the yes of a person to the
// agent, spoken by the agent. The same path at another host is somebody else's.
func answersItself(r *impact.Report) bool {
	for i := range r.Addresses {
		text := r.Addresses[i].Text
		if _, rest, is := strings.Cut(text, "://"); is {
			text = rest
		}
		host, path, _ := strings.Cut(text, "/")
		if strings.HasPrefix(path, "permission/") || strings.Contains(path, "/permissions/") ||
			strings.HasPrefix(path, "question/") {
			host, _, _ = strings.Cut(strings.TrimPrefix(host, "["), ":")
			switch {
			case host == "localhost", host == "", strings.HasPrefix(host, "127."), host == "0.0.0.0":
				return true
			}
		}
	}
	return false
}

// copiesFound reports whether the line gets the place of Elicit's program from a command, and reads what is there: cat
// $(which elicit) > x. The reader knows the name of that place, and takes it for one in the directory. looks are
// programs that copy nothing. ls $(which elicit) is therefore fine.
func copiesFound(r *impact.Report) bool {
	for i := range r.Impacts {
		in := &r.Impacts[i]
		if in.Kind != impact.Reads || base(in.Target) != "elicit" && !in.Free || looks.Has(in.Program) {
			continue
		}
		for j := range r.Commands {
			_, program, _ := read(&r.Commands[j])
			if tellsPlace(&r.Commands[j]) && (!in.Free || hasWord([]string{program}, "which", "type", "command", "whereis")) {
				return true
			}
		}
	}
	return false
}

// SetEnd returns where the set ends that a shell's pattern begins with, or 0, and whether it surely stands for one
// character. The pattern has lost its quotes and backslashes. So in "[b]a]" the first bracket may have been plain.
func SetEnd(pattern string) (end int, one bool) {
	segment, _, _ := strings.Cut(pattern, "/")
	first := strings.IndexByte(segment, ']')
	if first < 0 {
		return 0, true
	}
	at := 1
	if at < len(segment) && (segment[at] == '!' || segment[at] == '^') {
		at++
	}
	at += len(segment[at:]) - len(strings.TrimPrefix(segment[at:], "]")) // a plain bracket, as in "[]a]"
	for marks := ":.="; at < len(segment) && segment[at] != ']'; at++ {
		if segment[at] != '[' || at+2 >= len(segment) || strings.IndexByte(marks, segment[at+1]) < 0 {
			continue
		}
		mark := segment[at+1 : at+2]
		if class := strings.Index(segment[at+2:], mark+"]"); class >= 0 { // "[[:alpha:]]"
			at += class + 3
		} else {
			marks = strings.Replace(marks, mark, "", 1) // no later one ends either, and each search reads the rest
		}
	}
	if at >= len(segment) { // nothing closes it in that reading
		return first + 1, true
	}
	rest, _, _ := strings.Cut(segment[at+1:], "[")
	more := strings.LastIndexByte(rest, ']') + 1
	return at + 1 + more, more == 0
}
