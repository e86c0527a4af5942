package risk

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/secret"
)

var secretInForm = check{
	Doc: Doc{
		Code: "secret_in_form", Title: "A form asks for a secret", Severity: elicit.High,
		About: "A name, title or description of a field that can be typed into, or the message above such fields, asks for a password, key, token, " +
			"one-time code, card or identity number. What is typed passes through the client, its logs and possibly the model. High and not " +
			"critical, because it is read from words.",
		Spec: "MCP client/elicitation, Security (R1): not in form mode; R2: use URL mode",
	},
}

// findSecrets looks at what the fields that can be typed into ask for, and reports whether there are any.
func findSecrets(h *hits, fields []Field) (open bool) {
	for i := range fields {
		if f := &fields[i]; !f.Closed {
			open = true
			findSecret(h, f)
		}
	}
	return open
}

// findSecretAbove looks at the message above fields that can be typed into.
func findSecretAbove(h *hits, message string) {
	if m, ok := secret.Prose(message); ok {
		h.at = place{root: "/message"}
		h.add(message, m.Start, m.End, elicit.Str("word", m.Word))
	}
}

// findSecret reports the first of a field's texts that asks; one finding a field is enough.
func findSecret(h *hits, f *Field) {
	texts := [...]struct{ part, text string }{{"", f.Name}, {"title", f.Title}, {"description", f.Description}}
	for _, t := range texts {
		find := secret.Label
		if t.part == "description" {
			find = secret.Prose
		}
		if m, ok := find(t.text); ok {
			h.at = place{field: f, part: t.part}
			h.add(t.text, m.Start, m.End, elicit.Str("word", m.Word))
			return
		}
	}
}
