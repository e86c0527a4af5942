package hooks

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// patchHeader begins the lines of a patch of Codex that are no text of a file. Text is behind a plus, a minus or a
// blank.
const patchHeader = "*** "

// patchFiles are the headers that name a file.
var patchFiles = [...]string{"Add File: ", "Update File: ", "Delete File: ", "Move to: "}

// setPatch says which files a patch of Codex would change. If it names none in the words that are known here, the files
// are not known.
//
// The message has only the headers. The lines of the patch itself are for the host's own view.
func setPatch(q *elicit.Request, tool, patch string) {
	q.Does = elicit.DeedPatch
	headers := addPatch(q, patch)
	if headers == nil {
		headers, q.ReachCut = []string{patch}, true
	}
	setMessage(q, tool, strings.Join(headers, "\n"))
}

// setShellPatch adds the files of a patch that a command gives to apply_patch in a here-document. Codex applies it
// itself, in the directory that the command has changed to.
//
// A command such as cd sub && apply_patch <<EOF … applies the patch in a directory that is not known here.
func setShellPatch(q *elicit.Request) {
	before, _, calls := strings.Cut(q.Command, "apply")
	if calls && addPatch(q, q.Command) != nil && strings.TrimSpace(before) != "" {
		q.ReachCut = true
	}
}

// addPatch adds the files that a patch names, and returns the headers that do. Codex takes no blank around a header for
// a part of it, so a line of text behind a blank may count as a header here. That only adds files to those that policy
// looks at.
//
// Example of a header: *** Update File: src/a.go.
func addPatch(q *elicit.Request, patch string) (headers []string) {
	for line := range strings.Lines(patch) {
		header, is := strings.CutPrefix(strings.TrimSpace(line), patchHeader)
		if !is {
			continue
		}
		for _, word := range patchFiles {
			place, names := strings.CutPrefix(header, word)
			if !names {
				continue
			}
			headers = append(headers, header)
			q.AddPath(pathIn(q.Cwd, place))
			if bare := strings.TrimSpace(place); bare != place { // a version of Codex may drop the blanks
				q.AddPath(pathIn(q.Cwd, bare))
			}
		}
	}
	return headers
}

// addDiff adds the files that the headers of a diff name. A line of text may count as a header here.
func addDiff(q *elicit.Request, diff string) {
	for line := range strings.Lines(diff) {
		line = strings.TrimRight(line, "\r\n")
		for _, word := range [...]string{"Index: ", "--- ", "+++ ", "rename from ", "rename to ", "copy to "} {
			place, names := strings.CutPrefix(line, word)
			if place, _, _ = strings.Cut(place, "\t"); names && place != "" && place != "/dev/null" {
				q.AddPath(pathIn(q.Cwd, place))
			}
		}
	}
}
