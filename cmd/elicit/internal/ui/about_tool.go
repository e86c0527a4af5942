package ui

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// aboutTool returns what the server says of the tool whose call waits for the answer. All of it is the server's text.
func aboutTool(q *effect.Show, width int, bar string) string {
	var marks []string
	said := q.Annotations
	for _, m := range said.Members() {
		word := strings.ReplaceAll(m.Name, "_", " ")
		switch *m.Said {
		case elicit.SaidYes:
			marks = append(marks, word+": yes")
		case elicit.SaidNo:
			marks = append(marks, word+": no")
		}
	}
	text := strings.Join(nonEmpty(strings.TrimSpace(Plain(q.Description)), strings.Join(marks, ", ")), "\n")
	if text == "" {
		return ""
	}
	return ours(bold, "The server says of the tool:", width) + "\n" + peer(text, width, bar)
}
