package clientconfig

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/each"
)

// edit replaces bytes of a document.
type edit struct {
	span
	text string
}

// apply makes all edits, which do not overlap.
func apply(doc []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.start - b.start })
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, doc[at:e.start]...), e.text...)
		at = e.end
	}
	return append(out, doc[at:]...)
}

// Wrap returns the document with a proxy around the servers: their command becomes elicit, the path of this program,
// and the old command becomes an argument. A server that is wrapped by another path of this program gets this one.
func (d *Doc) Wrap(servers []*Server, elicit string) (*Doc, error) {
	return d.change(servers, func(s *Server) ([]edit, change) {
		edits := []edit{{s.command.value.span, d.format.quote(elicit)}}
		if s.Wrapped {
			return edits, change{s.path, elicit, nil, 0}
		}
		args := proxyArgs(s.Key, s.Command)
		return append(edits, d.addArgs(s, args)), change{s.path, elicit, args, 0}
	})
}

// Unwrap returns the document without the proxy around the servers, which must be Ours. The document before, if there
// is one, says whether a server without arguments had an empty list of them.
func (d *Doc) Unwrap(servers []*Server, before *Doc) (*Doc, error) {
	return d.change(servers, func(s *Server) ([]edit, change) {
		n := len(proxyArgs("", ""))
		edits := []edit{{s.command.value.span, d.format.quote(s.Inner)}}
		if was := before.server(s.path); was != nil && was.Command == s.Inner {
			// The same spelling, for example a YAML text in quotes that needs none.
			edits[0].text = string(before.text[was.command.value.start:was.command.value.end])
			if gone := d.argsMember(s); was.args == nil && len(s.args.value.items) == n && gone != nil {
				return append(edits, *gone), change{s.path, s.Inner, nil, -1}
			}
		}
		return append(edits, d.removeArgs(s, n)), change{s.path, s.Inner, nil, n}
	})
}

// change is what a document must say after an edit: another command, and arguments added in front or taken away there.
// With -1 for gone there is no list of arguments any more.
type change struct {
	path    []string
	command string
	added   []string
	gone    int
}

func (d *Doc) change(servers []*Server, how func(*Server) ([]edit, change)) (*Doc, error) {
	var edits []edit
	var changes []change
	for _, s := range servers {
		e, c := how(s)
		edits, changes = append(edits, e...), append(changes, c)
	}
	next, err := parse(d.File, apply(d.text, edits))
	if err != nil {
		return nil, fmt.Errorf("%s: the change would spoil the file, so nothing was written (%w)", d.File.Path, err)
	}
	want := d.root
	for _, c := range changes {
		want = c.onto(want, c.path)
	}
	if !same(want, next.root) {
		return nil, fmt.Errorf("%s: %w", d.File.Path, errMore)
	}
	next.edits = edits
	return next, nil
}

// onto returns a tree with the change. The tree n stays as it is, and the parts that do not change belong to both.
func (c change) onto(n *node, path []string) *node {
	next := *n
	next.members = slices.Clone(n.members)
	if len(path) > 0 {
		m := next.get(path[0])
		m.value = c.onto(m.value, path[1:])
		return &next
	}
	command := next.get("command")
	if command == nil {
		command = next.get("cmd")
	}
	if command.value.kind == table {
		command.value = c.inner(command.value, "path")
		return &next
	}
	return c.inner(n, command.key)
}

// inner makes the change in the table that holds the command and its arguments.
func (c change) inner(n *node, key string) *node {
	next := *n
	next.members = slices.Clone(n.members)
	next.get(key).value = &node{kind: text, text: c.command}
	if c.gone < 0 {
		next.members = slices.DeleteFunc(next.members, func(m member) bool { return m.key == "args" })
		return &next
	}
	items := each.Of(c.added, func(word string) *node { return &node{kind: text, text: word} })
	if args := next.get("args"); args != nil {
		args.value = &node{kind: list, items: append(items, args.value.items[c.gone:]...)}
	} else if items != nil {
		next.members = append(next.members, member{key: "args", value: &node{kind: list, items: items}})
	}
	return &next
}

// addArgs puts arguments before those of a server.
func (d *Doc) addArgs(s *Server, words []string) edit {
	quoted := each.Of(words, d.format.quote)
	if s.args == nil {
		return d.addList(s, quoted)
	}
	l := s.args.value
	if len(l.items) == 0 {
		return edit{span{l.start + 1, l.start + 1}, strings.Join(quoted, ", ")}
	}
	at := l.items[0].start
	if !l.block {
		return edit{span{at, at}, strings.Join(quoted, ", ") + "," + d.gap(at)}
	}
	at, indent := d.dash(l.items[0])
	lines := ""
	for _, word := range quoted {
		lines += "- " + word + indent
	}
	return edit{span{at, at}, lines}
}

// addList adds a list of arguments behind the command of a server.
func (d *Doc) addList(s *Server, quoted []string) edit {
	c := s.command
	flow := "[" + strings.Join(quoted, ", ") + "]"
	if !c.line {
		name, colon := "args", " = "
		if _, toml := d.format.(tomlFormat); !toml {
			name, colon = string(d.text[c.at:c.at+1])+"args"+string(d.text[c.at:c.at+1]), ": "
			if d.text[c.at] != '"' && d.text[c.at] != '\'' {
				name = "args"
			}
		}
		return edit{span{c.value.end, c.value.end}, "," + d.gap(c.at) + name + colon + flow}
	}
	end, indent := d.lineEnd(c.value.end), d.gap(c.at)
	if _, toml := d.format.(tomlFormat); toml {
		if !strings.HasPrefix(indent, "\n") && !strings.HasPrefix(indent, "\r") {
			indent = d.newline()
		}
		return edit{span{end, end}, indent + c.prefix + "args = " + flow}
	}
	lines := indent + "args:"
	for _, word := range quoted {
		lines += indent + "- " + word
	}
	return edit{span{end, end}, lines}
}

// argsMember returns the edit that takes the whole list of arguments away, when it stands where addList puts it; else
// nil.
func (d *Doc) argsMember(s *Server) *edit {
	after, end := s.command.value.end, s.args.value.end
	if s.command.line {
		after = d.lineEnd(after)
	}
	if end == 0 || s.args.at < after || len(bytes.Trim(d.text[after:s.args.at], ", \t\r\n")) > 0 {
		return nil
	}
	return &edit{span: span{after, end}}
}

// removeArgs takes the first n arguments of a server away.
func (d *Doc) removeArgs(s *Server, n int) edit {
	l := s.args.value
	switch {
	case l.block && len(l.items) == n: // a list without an item is written in brackets
		colon := s.args.at + bytes.IndexByte(d.text[s.args.at:], ':') + 1
		return edit{span{colon, l.items[n-1].end}, " []"}
	case l.block:
		from, _ := d.dash(l.items[0])
		to, _ := d.dash(l.items[n])
		return edit{span: span{from, to}}
	case len(l.items) > n:
		return edit{span: span{l.items[0].start, l.items[n].start}}
	}
	return edit{span: span{l.items[0].start, d.pastComma(l.items[n-1].end)}}
}

// pastComma returns the offset behind the comma that follows, or the offset itself if none does.
func (f *onDisk) pastComma(at int) int {
	if rest := bytes.TrimLeft(f.text[at:], " \t\r\n"); len(rest) > 0 && rest[0] == ',' {
		return len(f.text) - len(rest) + 1
	}
	return at
}

// gap returns the line end and the indentation before an offset, or a space when something else stands before it.
func (d *Doc) gap(at int) string {
	line := bytes.TrimRight(d.text[:at], " \t")
	if !bytes.HasSuffix(line, []byte("\n")) {
		return " "
	}
	return d.newline() + string(d.text[len(line):at])
}

// newline is the line end that the document uses.
func (f *onDisk) newline() string {
	if bytes.Contains(f.text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// lineEnd returns the offset at which the line of an offset ends.
func (f *onDisk) lineEnd(at int) int {
	end := bytes.IndexByte(f.text[at:], '\n')
	if end < 0 {
		return len(f.text)
	}
	return at + len(bytes.TrimRight(f.text[at:at+end], "\r"))
}

// dash returns the offset of the dash before an item of a block list, and the line end and indentation before it.
func (d *Doc) dash(item *node) (at int, indent string) {
	before := bytes.TrimRight(d.text[:item.start], " \t")
	at = max(len(before)-1, 0)
	return at, d.gap(at)
}
