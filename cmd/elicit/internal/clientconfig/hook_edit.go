package clientconfig

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// HookEntry is what a host's list of an event gets.
type HookEntry struct {
	Event string
	Entry any // as encoding/json writes it
}

// ownLine is a command that install writes: a program in quotes, and `hook HOST` with flags.
var ownLine = regexp.MustCompile(`^(?:& )?(?:'(?:[^']|'\\'')*'|"[^"]*") hook ([a-z-]+)(?: --[a-z-]+ [A-Za-z0-9]+)*$`)

// ownCommand returns the command of an entry that runs only `elicit hook` for a host, else "".
func ownCommand(host string, entry *node) string {
	if in := entry.get("hooks"); in != nil && in.value.kind == list {
		if len(in.value.items) != 1 {
			return ""
		}
		entry = in.value.items[0]
	}
	return cmp.Or(ownLineOf(host, entry.textOf("command")), ownLineOf(host, entry.textOf("bash")))
}

// ownLineOf returns a command if it runs only `elicit hook` for a host, else "".
func ownLineOf(host, line string) string {
	if found := ownLine.FindStringSubmatch(line); found != nil && found[1] == host {
		return line
	}
	return ""
}

// With returns the document with these entries, in place of all entries of ours. version is written into a new file;
// 0 writes none. A document that has them already is returned as it is.
func (d *HookDoc) With(entries []HookEntry, version int) (*HookDoc, error) {
	if d.File.isPlugin() {
		return d.withPlugin(entries)
	}
	if d.has(entries) {
		return d, nil
	}
	next, err := d.Without()
	if err != nil {
		return nil, err
	}
	if next.root == nil {
		return parseHooks(d.File, HookText(entries, version))
	}
	for _, e := range entries {
		if next, err = next.added(e); err != nil {
			return nil, err
		}
	}
	if !same(d.others(), next.others()) || !next.has(entries) {
		return nil, fmt.Errorf("%s: %w", d.File.Path, errMore)
	}
	return next, nil
}

// has reports whether our entries are exactly these.
func (d *HookDoc) has(entries []HookEntry) bool {
	if len(d.Hooks) != len(entries) {
		return false
	}
	for _, e := range entries {
		i := slices.IndexFunc(d.Hooks, func(h Hook) bool { return h.Event == e.Event })
		if i < 0 {
			return false
		}
		hooks, _ := d.hooks() // there are some
		is := hooks.get(e.Event).value.items[d.Hooks[i].index]
		if wanted, err := readJSON(indented(e.Entry, "", ""), true); err != nil || !same(is, wanted) {
			return false
		}
	}
	return true
}

// HookText is a new file with the entries. version is written into it; 0 writes none.
func HookText(entries []HookEntry, version int) []byte {
	hooks := map[string]any{}
	for _, e := range entries {
		hooks[e.Event] = []any{e.Entry}
	}
	root := map[string]any{"hooks": hooks}
	if version > 0 {
		root["version"] = version
	}
	return append(indented(root, "", "  "), '\n')
}

// indented is a value with a line for each member, or on one line without prefix and unit.
func indented(v any, prefix, unit string) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent(prefix, unit)
	if e.Encode(v) != nil {
		return nil
	}
	return bytes.TrimRight(out.Bytes(), "\n")
}

// added is the document with one more entry, at the end of its list.
func (d *HookDoc) added(e HookEntry) (*HookDoc, error) {
	hooks, err := d.hooks()
	if err != nil {
		return nil, err
	}
	if hooks == nil {
		return d.edited(d.inserted(d.root, "hooks", map[string]any{e.Event: []any{e.Entry}}))
	}
	event := hooks.get(e.Event)
	if event == nil {
		return d.edited(d.inserted(hooks, e.Event, []any{e.Entry}))
	}
	if event.value.kind != list {
		return nil, d.problem(event.value.start, "%s is not a list", e.Event)
	}
	return d.edited(d.inserted(event.value, "", e.Entry))
}

// inserted puts a value at the end of a table or a list. key is "" in a list.
func (d *HookDoc) inserted(in *node, key string, value any) edit {
	name := ""
	if key != "" {
		name = jsonFormat{}.quote(key) + ": "
	}
	outer := d.indentOf(in.start)
	var first, end int // of the last element
	switch {
	case len(in.members) > 0:
		last := in.members[len(in.members)-1]
		first, end = last.at, last.value.end
	case len(in.items) > 0:
		last := in.items[len(in.items)-1]
		first, end = last.start, last.end
	default:
		inner := outer + d.unit()
		open := in.start + 1
		text := "\n" + inner + name + string(indented(value, inner, d.unit()))
		if rest := d.text[open : in.end-1]; len(bytes.TrimSpace(rest)) == 0 {
			return edit{span{open, in.end - 1}, text + "\n" + outer}
		}
		return edit{span{open, open}, text + ","} // a comment follows, and with it a line end
	}
	if line := d.text[lineStart(d.text, first):first]; len(bytes.TrimSpace(line)) > 0 { // all in one line
		return edit{span{end, end}, ", " + name + oneLineJSON(value)}
	}
	inner := d.indentOf(first)
	return edit{span{end, end}, ",\n" + inner + name + string(indented(value, inner, d.unit()))}
}

func oneLineJSON(value any) string { return string(indented(value, "", "")) }

// indentOf is the white space at the beginning of the line of an offset.
func (d *HookDoc) indentOf(offset int) string {
	line := d.text[lineStart(d.text, offset):]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// unit is the white space of one level: that before the first member.
func (d *HookDoc) unit() string {
	if len(d.root.members) > 0 {
		if unit := d.indentOf(d.root.members[0].at); unit != "" {
			return unit
		}
	}
	return "  "
}

// Without returns the document without the entries of ours, and without the lists and the table that this leaves empty.
func (d *HookDoc) Without() (*HookDoc, error) {
	if d.File.isPlugin() {
		return &HookDoc{File: d.File}, nil
	}
	next := d
	for len(next.Hooks) > 0 {
		h := next.Hooks[len(next.Hooks)-1]
		hooks, err := next.hooks()
		if err != nil {
			return nil, err
		}
		var gone edit
		switch entries := hooks.get(h.Event).value.items; {
		case len(entries) > 1:
			gone = next.removed(h.index, len(entries), func(i int) span { return entries[i].span })
		case len(hooks.members) > 1:
			gone = next.removedMember(hooks, h.Event)
		default:
			gone = next.removedMember(next.root, "hooks")
		}
		if next, err = next.edited(gone); err != nil {
			return nil, err
		}
	}
	return next, nil
}

func (d *HookDoc) removedMember(of *node, name string) edit {
	return d.removed(of.index(name), len(of.members), func(i int) span {
		return span{of.members[i].at, of.members[i].value.end}
	})
}

// removed takes one element of n away, with the comma that it needs no longer.
func (d *HookDoc) removed(i, n int, place func(int) span) edit {
	at := place(i)
	switch {
	case i > 0:
		return edit{span: span{place(i - 1).end, at.end}}
	case n > 1:
		return edit{span: span{at.start, place(1).start}}
	}
	return edit{span: span{at.start, d.pastComma(at.end)}}
}

// edited makes one edit and reads the result.
func (d *HookDoc) edited(e edit) (*HookDoc, error) {
	e.text = strings.ReplaceAll(e.text, "\n", d.newline())
	next, err := parseHooks(d.File, apply(d.text, []edit{e}))
	if err != nil {
		return nil, fmt.Errorf("%s: the change would spoil the file, so nothing was written (%w)", d.File.Path, err)
	}
	return next, nil
}

// errMore is why a change does not count: read again, the document has other values than those that were meant.
var errMore = errors.New("the change would change more than it should, so nothing was written; " +
	"change this file by hand")

// others is everything in a document but our entries, without empty lists of events and without an empty table of them.
func (d *HookDoc) others() *node {
	root := *d.root
	root.members = slices.Clone(root.members)
	at := root.index("hooks")
	if at < 0 || root.members[at].value.kind != table {
		return &root
	}
	hooks := *root.members[at].value
	hooks.members = slices.Clone(hooks.members)
	for _, h := range slices.Backward(d.Hooks) {
		event := hooks.get(h.Event)
		rest := *event.value
		rest.items = slices.Delete(slices.Clone(rest.items), h.index, h.index+1)
		event.value = &rest
	}
	hooks.members = slices.DeleteFunc(hooks.members, func(m member) bool {
		return m.value.kind == list && len(m.value.items) == 0
	})
	if root.members[at].value = &hooks; len(hooks.members) == 0 {
		root.members = slices.Delete(root.members, at, at+1)
	}
	return &root
}
