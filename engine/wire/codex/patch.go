package codex

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire"
)

// readPatch reads item/fileChange/requestApproval. The changes came before, in item/started.
func readPatch(q *Question, r *wire.Reading, items *List) {
	q.place(r)
	var text wire.Parts
	text.Add(elicit.PartText, strings.TrimSpace(optional(r, "reason")), maxTitle)
	it := items.Item(q.Thread, q.Item)
	if it == nil || it.Server != "" { // nothing says what would change
		it = &Item{cut: true}
		text.Add(elicit.PartText, "Changes of files in item "+q.Item, maxTitle)
	}
	q.Options = patchOptions()
	q.changes(&text, it, optional(r, "grantRoot"))
}

// changes describes a patch. root is the directory that the agent wants to write in from now on, or "".
//
// A cut patch still has the paths that were read. ReachCut tells policy that there may be others.
func (q *Question) changes(text *wire.Parts, it *Item, root string) {
	q.approval(ToolPatch)
	q.Request.Does, q.Request.Annotations.ReadOnly = elicit.DeedPatch, elicit.SaidNo
	q.Request.ReachCut = it.cut
	for _, path := range it.Paths {
		q.Request.AddPath(path)
	}
	if root != "" {
		text.Add(elicit.PartText, "Write in "+root+" for the rest of the session", maxTitle)
		q.Request.AddPath(root)
		q.Choice = true // the yes is about more than this patch
	}
	diff := it.diff.String() // it has been cut
	text.Add(elicit.PartDiff, diff, len(diff))
	text.Cut = text.Cut || it.diff.Cut
	text.Set(&q.Request)
	q.finish(text.Cut || it.cut)
}

// readPatchV1 reads applyPatchApproval, which has its changes with it.
func readPatchV1(q *Question, r *wire.Reading, _ *List) {
	q.Thread, q.Item = r.Filled("conversationId", maxName), r.Filled("callId", maxName)
	var text wire.Parts
	text.Add(elicit.PartText, strings.TrimSpace(optional(r, "reason")), maxTitle)
	q.Options = reviewOptions()
	q.changes(&text, filesOf(r, "fileChanges"), optional(r, "grantRoot"))
}

// filesOf reads changes by path: {path:{type, content|unified_diff, move_path?}}.
//
// The paths are the names of members, in the order of the text. No changes at all count as cut.
func filesOf(r *wire.Reading, name string) *Item {
	it := &Item{}
	files, _ := wire.ReadObject(r.Map(name))
	it.cut = len(files.Members) > maxPaths || len(files.Members) == 0
	var text []byte
	for _, m := range files.Members[:min(len(files.Members), maxPaths)] {
		change, _ := wire.ReadObject(files.Raw(m))
		what, _ := wire.Text(change.Get("type"))
		moved, _ := wire.Text(change.Get("move_path"))
		diff, ok := wire.Text(change.Get("unified_diff"))
		if !ok {
			diff, ok = wire.Text(change.Get("content"))
		}
		it.cut = it.cut || !ok && what != "delete"
		text = it.add(text, what, m.Name, moved, diff)
	}
	it.diff.Add(elicit.PartDiff, string(text), maxDiff)
	return it
}
