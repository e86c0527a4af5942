//go:build !browser

package impact

import (
	_ "embed"
	"slices"
	"strings"
)

// programs is the table of programs. Package documentation says how a row looks. It is searched as it is, because a
// process that reads one command must not parse all of it.
//
//go:embed programs.txt
var programs string

// row is the description of a program or of a subcommand, without its name: its items.
type row []string

// readRow splits the text of a row, which may go on over several lines.
func readRow(text string) row {
	list := make(row, 0, 16)
	for text != "" {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		if strings.HasPrefix(line, "#") {
			continue
		}
		for line != "" {
			var item string
			if item, line, _ = strings.Cut(line, " "); item == "#" {
				break
			}
			if item != "" {
				list = append(list, item)
			}
		}
	}
	return list
}

// lookup finds the row of a program, or of a program with a subcommand behind a space. key is the name of the row. key
// is the name behind all "=": for "sh" it is "bash". Functions that care for a program compare key, and reports have
// the name that the line has. Four steps are enough for the table, and end a table whose rows name each other.
func lookup(name string) (found row, key string, ok bool) {
	for range 4 { // an alias of an alias
		text, ok := table(programs).search(name)
		other, is := strings.CutPrefix(text, "= ")
		if !ok {
			return nil, "", false
		} else if !is {
			return readRow(text), name, true
		}
		name, _, _ = strings.Cut(other, "\n")
	}
	return nil, "", false
}

// table is rows that are sorted by their names, byte by byte. The search is binary and takes about 12 steps over the
// text, each of which looks for the begin of a row. It makes no index, because a process of a hook reads one command
// and ends. Nothing is allocated but the row that is found.
type table string

// search finds the text of a row behind its name and the sign after it. Invariant: the row, if there is one, begins at
// or behind low and before high.
func (t table) search(name string) (text string, ok bool) {
	low, high := 0, len(t)
	for low < high {
		at := t.rowAt(low, (low+high)/2)
		if at >= high {
			break
		}
		key := t.keyAt(at)
		switch {
		case key == name:
			return strings.TrimLeft(string(t[at+len(key)+1:t.nextRow(at)]), " "), true
		case key < name:
			low = t.nextRow(at)
		default:
			high = at
		}
	}
	return "", false
}

// rowAt is the place of the last row that begins at or before a place, not before low; or of the next one. A place in
// the middle of the text may lie in a continued row or in a comment. So the search goes back line by line, and from low
// forward if no row begins there. low is always the beginning of a row, or of what stands before the first one.
func (t table) rowAt(low, at int) int {
	for {
		start := low + strings.LastIndexByte(string(t[low:at]), '\n') + 1
		if t.begins(start) {
			return start
		}
		if start == low {
			return t.nextRow(low)
		}
		at = start - 1
	}
}

// nextRow is the place of the row behind a place.
func (t table) nextRow(at int) int {
	for {
		end := strings.IndexByte(string(t[at:]), '\n')
		if end < 0 {
			return len(t)
		}
		if at += end + 1; t.begins(at) {
			return at
		}
	}
}

// begins reports whether a row begins with the line at a place.
func (t table) begins(at int) bool {
	return at < len(t) && t[at] != ' ' && t[at] != '#' && t[at] != '\n'
}

// keyAt is the name of the row at a place.
func (t table) keyAt(at int) string {
	line := string(t[at:])
	return strings.TrimRight(line[:strings.IndexAny(line, ":=\n")], " ")
}

// option is what a row says about an option.
type option struct {
	names string // with commas between them
	value string // the role of its value, "" if it takes none
	glued bool   // a value is only in the same word
	does  string // what is in the braces
}

// readOption splits an item that begins with a hyphen.
func readOption(item string) (o option) {
	o.names, o.does, _ = strings.Cut(strings.TrimSuffix(item, "}"), "{")
	if at := strings.IndexAny(o.names, "=?"); at >= 0 {
		o.value, o.glued, o.names = o.names[at+1:], o.names[at] == '?', o.names[:at]
	}
	return o
}

// stops reports whether options end behind it.
func (o *option) stops() bool {
	for rest := o.does; rest != ""; {
		var one string
		if one, rest, _ = strings.Cut(rest, ","); one == "stop" {
			return true
		}
	}
	return false
}

// named reports whether an option has a name. With short, a longer name that begins with it is enough. GNU getopt_long
// takes a prefix of a long option that is unique. Here the first row item that fits wins, so an ambiguous prefix, which
// the program refuses, is read as one of its options.
func (o *option) named(name string, short bool) bool {
	for rest := o.names; rest != ""; {
		var one string
		one, rest, _ = strings.Cut(rest, ",")
		if one == name || short && strings.HasPrefix(one, name) {
			return true
		}
	}
	return false
}

// find looks an option up. The search for the text of the name in the whole item only skips most items fast; named
// decides.
func (w row) find(name string, short bool) (found option, ok bool) {
	for _, item := range w {
		if item[0] != '-' || !strings.Contains(item, name) {
			continue
		}
		if o := readOption(item); o.named(name, short) {
			return o, true
		}
	}
	return option{}, false
}

// pluses reports whether an option begins with a plus. Few programs have such options: "bash +x", "vim +CMD" and
// "cargo +nightly". For all others "+x" is an operand.
func (w row) pluses() bool {
	for _, item := range w {
		if item[0] == '-' && strings.Contains(item, ",+") {
			return true
		}
	}
	return false
}

// says reports whether a row has an item.
func (w row) says(word string) bool {
	return slices.Contains(w, word)
}

// find looks an option up in the row of the subcommand, and then in that of the program.
func (c *run) find(name string, short bool) (option, bool) {
	if c.sub != nil {
		// git has no letters of its own behind the subcommand: "git grep -c" counts.
		if o, ok := c.sub.find(name, short); ok || c.program == "git" && !strings.HasPrefix(name, "--") {
			return o, ok
		}
	}
	return c.row.find(name, short)
}

// wordy reports whether the program has options of one hyphen and several letters: one that the row lacks is no
// cluster.
func (c *run) wordy() bool {
	for _, list := range [...]row{c.row, c.sub} {
		for _, item := range list {
			if item[0] != '-' || item == "-*" {
				continue
			}
			for name := range strings.SplitSeq(readOption(item).names, ",") {
				if len(name) > 2 && name[1] != '-' {
					return true
				}
			}
		}
	}
	return false
}
