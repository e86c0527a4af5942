package clientconfig

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// HookEntry is what a host's list of an event gets.
type HookEntry struct {
	Event string
	Entry any // as encoding/json writes it
}

// ownLine is a command that install writes: a program in quotes, and `hook HOST` with flags.
var ownLine = regexp.MustCompile(`^(?:& )?(?:'(?:[^']|'\\'')*'|"[^"]*") hook ([a-z-]+)(?: --[a-z-]+ [A-Za-z0-9]+)*$`)

// ownCommand returns the command of an entry that runs only `elicit hook` for a host, else "".
func ownCommand(host string, entry *hujson.Value) string {
	in, ok := plainJSON(entry).(map[string]any)
	if !ok {
		return ""
	}
	if list, nested := in["hooks"].([]any); nested {
		if len(list) != 1 {
			return ""
		}
		if in, ok = list[0].(map[string]any); !ok {
			return ""
		}
	}
	for _, member := range []string{"command", "bash"} {
		line, _ := in[member].(string)
		if ownLineOf(host, line) != "" {
			return line
		}
	}
	return ""
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
	if next.root.Value == nil {
		return next.begun(d, entries, version)
	}
	for _, e := range entries {
		if next, err = next.added(e); err != nil {
			return nil, err
		}
	}
	return next.checked(d, entries)
}

// has reports whether our entries are exactly these.
func (d *HookDoc) has(entries []HookEntry) bool {
	if len(d.Hooks) != len(entries) {
		return false
	}
	for _, e := range entries {
		i := slices.IndexFunc(d.Hooks, func(h Hook) bool { return h.Event == e.Event })
		if i < 0 || !reflect.DeepEqual(plainJSON(d.element(d.Hooks[i])), plainOf(e.Entry)) {
			return false
		}
	}
	return true
}

func plainOf(entry any) (out any) {
	text, err := json.Marshal(entry)
	if err != nil || json.Unmarshal(text, &out) != nil {
		return nil
	}
	return out
}

// element is the entry of a hook of ours.
func (d *HookDoc) element(h Hook) *hujson.Value {
	hooks, _ := objectAt(d.root.Value.(*hujson.Object), "hooks")
	return &memberAt(hooks, h.Event).Value.Value.(*hujson.Array).Elements[h.index]
}

// begun is a new file with the entries.
func (d *HookDoc) begun(before *HookDoc, entries []HookEntry, version int) (*HookDoc, error) {
	hooks := map[string]any{}
	for _, e := range entries {
		hooks[e.Event] = []any{e.Entry}
	}
	root := map[string]any{"hooks": hooks}
	if version > 0 {
		root["version"] = version
	}
	next, err := parseHooks(d.File, append(indented(root, "", "  "), '\n'))
	if err != nil {
		return nil, err
	}
	next.target, next.info = before.target, before.info
	return next, nil
}

// indented is a value with a line for each member.
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
	root := d.root.Value.(*hujson.Object)
	hooks, err := objectAt(root, "hooks")
	if err != nil {
		return nil, wrapped(d.File, d.text, err)
	}
	if hooks == nil {
		return d.edited(d.inserted(&d.root, len(root.Members), "hooks", map[string]any{e.Event: []any{e.Entry}}))
	}
	whole := &memberAt(root, "hooks").Value
	event := memberAt(hooks, e.Event)
	if event == nil {
		return d.edited(d.inserted(whole, len(hooks.Members), e.Event, []any{e.Entry}))
	}
	list, ok := event.Value.Value.(*hujson.Array)
	if !ok {
		return nil, wrapped(d.File, d.text, misplaced{event.Value.StartOffset, e.Event + " is not a list"})
	}
	return d.edited(d.inserted(&event.Value, len(list.Elements), "", e.Entry))
}

// inserted puts a value at the end of a table or list of n elements. key is "" in a list.
func (d *HookDoc) inserted(in *hujson.Value, n int, key string, value any) edit {
	name := ""
	if key != "" {
		name = jsonFormat{}.quote(key) + ": "
	}
	outer := d.indentOf(in.StartOffset)
	if n == 0 {
		inner := outer + d.unit()
		open := in.StartOffset + 1
		text := "\n" + inner + name + string(indented(value, inner, d.unit()))
		if rest := d.text[open : in.EndOffset-1]; len(bytes.TrimSpace(rest)) == 0 {
			return edit{span{open, in.EndOffset - 1}, text + "\n" + outer}
		}
		return edit{span{open, open}, text + ","} // a comment follows, and with it a line end
	}
	var last *hujson.Value
	first := 0
	switch v := in.Value.(type) {
	case *hujson.Object:
		last, first = &v.Members[n-1].Value, v.Members[n-1].Name.StartOffset
	case *hujson.Array:
		last, first = &v.Elements[n-1], v.Elements[n-1].StartOffset
	}
	if line := d.text[lineStart(d.text, first):first]; len(bytes.TrimSpace(line)) > 0 { // all in one line
		return edit{span{last.EndOffset, last.EndOffset}, ", " + name + oneLineJSON(value)}
	}
	inner := d.indentOf(first)
	return edit{span{last.EndOffset, last.EndOffset},
		",\n" + inner + name + string(indented(value, inner, d.unit()))}
}

func oneLineJSON(value any) string {
	var out bytes.Buffer
	if json.Compact(&out, indented(value, "", "")) != nil {
		return ""
	}
	return out.String()
}

// indentOf is the white space at the beginning of the line of an offset.
func (d *HookDoc) indentOf(offset int) string {
	line := d.text[lineStart(d.text, offset):]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// unit is the white space of one level: that before the first member.
func (d *HookDoc) unit() string {
	if root, ok := d.root.Value.(*hujson.Object); ok && len(root.Members) > 0 {
		if unit := d.indentOf(root.Members[0].Name.StartOffset); unit != "" {
			return unit
		}
	}
	return "  "
}

// Without returns the document without the entries of ours, and without the lists and the table that this leaves empty.
func (d *HookDoc) Without() (*HookDoc, error) {
	if d.File.isPlugin() {
		return &HookDoc{File: d.File, target: d.target, info: d.info}, nil
	}
	next := d
	for len(next.Hooks) > 0 {
		h := next.Hooks[len(next.Hooks)-1]
		root := next.root.Value.(*hujson.Object)
		hooks, err := objectAt(root, "hooks")
		if err != nil {
			return nil, err
		}
		list := memberAt(hooks, h.Event).Value.Value.(*hujson.Array)
		var gone edit
		switch {
		case len(list.Elements) > 1:
			gone = next.removed(h.index, len(list.Elements), func(i int) span {
				return span{list.Elements[i].StartOffset, list.Elements[i].EndOffset}
			})
		case len(hooks.Members) > 1:
			gone = next.removedMember(hooks, h.Event)
		default:
			gone = next.removedMember(root, "hooks")
		}
		if next, err = next.edited(gone); err != nil {
			return nil, err
		}
	}
	return next, nil
}

func (d *HookDoc) removedMember(o *hujson.Object, name string) edit {
	index := slices.IndexFunc(o.Members, func(m hujson.ObjectMember) bool {
		key, ok := m.Name.Value.(hujson.Literal)
		return ok && key.String() == name
	})
	return d.removed(index, len(o.Members), func(i int) span {
		return span{o.Members[i].Name.StartOffset, o.Members[i].Value.EndOffset}
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
	if rest := bytes.TrimLeft(d.text[at.end:], " \t\r\n"); len(rest) > 0 && rest[0] == ',' {
		at.end = len(d.text) - len(rest) + 1
	}
	return edit{span: at}
}

// edited makes one edit and reads the result.
func (d *HookDoc) edited(e edit) (*HookDoc, error) {
	if bytes.Contains(d.text, []byte("\r\n")) {
		e.text = strings.ReplaceAll(e.text, "\n", "\r\n")
	}
	next, err := parseHooks(d.File, apply(d.text, []edit{e}))
	if err != nil {
		return nil, fmt.Errorf("%s: the change would spoil the file, so nothing was written (%w)", d.File.Path, err)
	}
	next.target, next.info = d.target, d.info
	return next, nil
}

var errMore = errors.New("the change would change more than it should, so nothing was written; " +
	"change this file by hand")

// checked returns the document if it says what before says, without our entries there and with these.
func (d *HookDoc) checked(before *HookDoc, entries []HookEntry) (*HookDoc, error) {
	was, is := others(before), others(d)
	if !reflect.DeepEqual(was, is) || !d.has(entries) {
		return nil, fmt.Errorf("%s: %w", d.File.Path, errMore)
	}
	return d, nil
}

// others is everything in a document but our entries, without empty lists of events and without an empty table of them.
func others(d *HookDoc) any {
	root, ok := plainJSON(&d.root).(map[string]any)
	if !ok {
		return nil
	}
	hooks, ok := root["hooks"].(map[string]any)
	if !ok {
		return root
	}
	for _, h := range slices.Backward(d.Hooks) {
		list := hooks[h.Event].([]any)
		hooks[h.Event] = slices.Delete(list, h.index, h.index+1)
	}
	for event, list := range hooks {
		if entries, is := list.([]any); is && len(entries) == 0 {
			delete(hooks, event)
		}
	}
	if len(hooks) == 0 {
		delete(root, "hooks")
	}
	return root
}
