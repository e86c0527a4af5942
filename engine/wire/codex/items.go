package codex

import (
	"bytes"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// List is what the app-server has announced in item/started and not yet completed. Only Codex can announce an item. So
// an approval of a tool call is Codex's own if such a call has been announced, and otherwise a server has forged it. An
// app-server that begins items without end costs no more memory than these bounds: the oldest are forgotten.
//
// The dialogue calls Take for item/started and patchUpdated, Done for item/completed, and Close for the end of a turn
// or a thread. Searches are linear, at most maxItems comparisons for each question.
type List struct {
	items []*Item
	size  int
}

const (
	maxItems     = 1024
	maxItemBytes = 8 << 20
)

// Take keeps an item. A later word about an item replaces an earlier one.
//
// Asked survives the replacement: a server could otherwise reuse the approval of a call that is announced again.
func (l *List) Take(it *Item) {
	if known := l.Item(it.Thread, it.ID); known != nil {
		it.Asked = known.Asked
		l.Done(it.Thread, it.ID)
	}
	l.items = append(l.items, it)
	l.size += it.Size()
	for len(l.items) > maxItems || l.size > maxItemBytes {
		l.Done(l.items[0].Thread, l.items[0].ID)
	}
}

// Done forgets an item.
func (l *List) Done(thread, id string) {
	for i, it := range l.items {
		if it.Thread == thread && it.ID == id {
			l.size -= it.Size()
			l.items = append(l.items[:i:i], l.items[i+1:]...)
			return
		}
	}
}

// Empty reports whether there are no items.
func (l *List) Empty() bool { return len(l.items) == 0 }

// Close forgets every item of a thread.
func (l *List) Close(thread string) {
	for _, it := range l.items {
		if it.Thread == thread {
			l.Done(thread, it.ID)
		}
	}
}

// Item returns the item of a thread with an id, or nil.
func (l *List) Item(thread, id string) *Item {
	for _, it := range l.items {
		if it.Thread == thread && it.ID == id {
			return it
		}
	}
	return nil
}

// Calls lists the tool calls of a thread that go to a server, the oldest first.
func (l *List) Calls(thread, server string) (list []*Item) {
	for _, it := range l.items {
		if it.Thread == thread && it.Server == server {
			list = append(list, it)
		}
	}
	return list
}

// Item is a tool call or a patch that has begun.
//
// It is made by ReadItem and never changes, except Asked.
type Item struct {
	Thread, ID   string
	Server, Tool string   // of a tool call; "" for a patch
	Paths        []string // that a patch changes
	Asked        bool     // an approval of the tool call has been asked for; there is only one

	arguments string // of a tool call: canonical; if they are long, the digest of all takes the place of their end
	long      bool
	diff      wire.Parts
	cut       bool // there are more paths
}

// Size returns the bytes that are kept of an item, roughly.
func (it *Item) Size() int {
	n := len(it.Thread) + len(it.ID) + len(it.Server) + len(it.Tool) + len(it.arguments) + len(it.diff.String()) + 256
	for _, path := range it.Paths {
		n += len(path) + 16
	}
	return n
}

// ReadItem reads the params of item/started, or of item/fileChange/patchUpdated. It returns nil for an item that no
// question is about.
//
// A name that is too long is no item, so an approval of it counts as forged.
func ReadItem(params []byte) *Item {
	o, _ := wire.ReadObject(params)
	item, ok := o.Child("item")
	if !ok {
		item = o // patchUpdated has the members of the item in its params
	}
	it := &Item{}
	it.Thread, _ = wire.Text(o.Get("threadId"))
	kind, _ := wire.Text(item.Get("type"))
	if it.ID, _ = wire.Text(item.Get("id")); !ok {
		it.ID, _ = wire.Text(item.Get("itemId"))
		kind = "fileChange"
	}
	switch {
	case it.Thread == "" || it.ID == "" || len(it.Thread)+len(it.ID) > 2*maxName:
		return nil
	case kind == "mcpToolCall":
		it.Server, _ = wire.Text(item.Get("server"))
		it.Tool, _ = wire.Text(item.Get("tool"))
		if len(it.Server)+len(it.Tool) > 2*maxName || it.Server == "" {
			return nil
		}
		it.arguments, it.long = canonical(item.Get("arguments"))
	case kind == "fileChange":
		it.readChanges(item.Get("changes"))
	default:
		return nil
	}
	return it
}

// ItemOf returns the thread and the id in the params of item/completed.
func ItemOf(params []byte) (thread, id string) { return inThread(params, "item") }

func inThread(params []byte, name string) (thread, id string) {
	o, _ := wire.ReadObject(params)
	inner, _ := o.Child(name)
	thread, _ = wire.Text(o.Get("threadId"))
	id, _ = wire.Text(inner.Get("id"))
	return thread, id
}

// AboutItems reports whether the params of a notification may be about an item that is kept. Most are parts of the
// agent's text, which cost a search only.
//
// \u may hide one of the words, as in "mcpToolC\u0061ll". It is read then, to be sure.
func AboutItems(params []byte) bool {
	return bytes.Contains(params, []byte("mcpToolCall")) || bytes.Contains(params, []byte("fileChange")) ||
		bytes.Contains(params, []byte(`\u`))
}

// canonical returns a value in one spelling, and whether it is too long to be kept whole. No arguments are an empty
// object.
//
// Two long values are equal only if their beginnings, their lengths and their digests are.
func canonical(raw []byte) (text string, long bool) {
	if raw = wire.Given(raw); raw == nil {
		return "{}", false
	}
	text = string(jsontext.AppendValue(nil, raw))
	return wire.Cut(text, maxMore), len(text) > maxMore
}

// own returns the tool call that an approval of Codex itself is about, or nil. Such an approval has an empty form, and
// it comes once for each announced call of the same server, tool and arguments.
//
// Without tool_name, the fixed message of Codex names the tool.
func (q *Question) own(meta wire.Object, items *List) *Item {
	kind, _ := wire.Text(meta.Get("codex_approval_kind"))
	if kind != "mcp_tool_call" || meta.Get("codex_request_type") != nil { // only servers write the other key
		return nil
	}
	params, long := canonical(meta.Get("tool_params"))
	tool, named := wire.Text(meta.Get("tool_name"))
	for _, it := range items.Calls(q.Thread, q.Server) {
		says := !named && q.Request.Message == `Allow the `+q.Server+` MCP server to run tool "`+it.Tool+`"?`
		if !it.Asked && (named && it.Tool == tool || says) && it.long == long && it.arguments == params {
			return it
		}
	}
	return nil
}

// readChanges reads the changes of a patch: [{path, kind:{type, move_path?}, diff}].
//
// A change without a diff or a path sets cut: a person must then see that something is missing.
func (it *Item) readChanges(raw []byte) {
	list, count := wire.Elements(raw, maxPaths)
	it.cut = count > len(list)
	var text []byte
	for _, one := range list {
		change, _ := wire.ReadObject(one)
		path, _ := wire.Text(change.Get("path"))
		kind, _ := change.Child("kind")
		what, _ := wire.Text(kind.Get("type"))
		moved, _ := wire.Text(kind.Get("move_path"))
		diff, ok := wire.Text(change.Get("diff"))
		it.cut = it.cut || !ok || path == ""
		text = it.add(text, what, path, moved, diff)
	}
	it.diff.Add(elicit.PartDiff, string(text), maxDiff)
}

// add adds the change of one file.
func (it *Item) add(text []byte, what, path, moved, diff string) []byte {
	if len(text) > 0 {
		text = append(text, "\n\n"...)
	}
	text = append(append(append(text, wire.InLine(what)...), ' '), wire.InLine(path)...)
	it.Paths = append(it.Paths, path)
	if moved != "" {
		text = append(append(text, " to "...), wire.InLine(moved)...)
		it.Paths = append(it.Paths, moved)
	}
	return appendSigned(text, what, diff)
}

// appendSigned appends the lines of a change. A new or a deleted file comes as its content, which must not pass for the
// name of another file, so its lines get signs.
//
// Example: a new file with the content "delete /etc/passwd" has the line "+delete /etc/passwd", and so is no line of
// the list of files.
func appendSigned(text []byte, what, diff string) []byte {
	sign := map[string]string{"add": "+", "delete": "-"}[what]
	if diff == "" {
		return text
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(diff, "\n"), "\n") {
		text = append(append(append(text, '\n'), sign...), line...)
	}
	return text
}

// annotationsOf reads what Codex passes on of the annotations of a tool.
func annotationsOf(meta wire.Object, read func(wire.Object) elicit.Annotations) (a elicit.Annotations) {
	if hints, ok := meta.Child("tool_annotations"); ok {
		a = read(hints)
	}
	return a
}

// ResolvedID returns the id that serverRequest/resolved names, raw, or nil.
func ResolvedID(params []byte) []byte {
	o, _ := wire.ReadObject(params)
	if id := o.Get("requestId"); wire.ValidID(id) {
		return id
	}
	return nil
}

// AppendResolved appends the notification that a request is settled.
func AppendResolved(dst []byte, thread string, id []byte) []byte {
	params := jsontext.AppendString([]byte(`{"threadId":`), thread)
	params = append(append(append(params, `,"requestId":`...), id...), '}')
	return wire.AppendNotification(dst, MethodResolved, params)
}

// TurnOf returns the thread and the turn in the params of turn/completed.
func TurnOf(params []byte) (thread, turn string) { return inThread(params, "turn") }
