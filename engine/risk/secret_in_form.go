package risk

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/secret"
)

var secretInForm = check{
	Doc: Doc{
		Code: "secret_in_form", Title: "A form asks for a secret", Severity: elicit.High,
		About: "A name, title or description of a text field, or of the form, or the message, names or describes a " +
			"password, key, token, one-time code, card or identity number, or the words of a wallet, and asks for it. The " +
			"typed text passes through the client, its logs and possibly the model. High and not critical, because the check " +
			"reads only words.",
		Spec: "MCP client/elicitation, Security (R1): not in form mode; R2: use URL mode",
	},
}

// asked says what the open fields of a form ask for together. An open field is one that a person can type into.
type asked struct {
	open    bool        // there is an open field
	generic bool        // no open field says what to type
	clues   secret.Clue // what all open fields say about a secret, if none names or describes one
	weak    []weakMatch // words that the message may give a harmless meaning
}

type weakMatch struct {
	secret.Match
	at   place
	text string
}

// findSecrets reports the secrets that the open fields ask for.
func findSecrets(h *hits, fields []Field) (all asked) {
	all.generic = true
	for i := range fields {
		f := &fields[i]
		if f.Closed {
			continue
		}
		all.open = true
		all.clues |= findSecret(h, f, &all)
		all.generic = all.generic && secret.Generic(f.Name, f.Title)
	}
	all.generic = all.generic && all.open
	return all
}

// findSecretAbove inspects the message above open fields.
func findSecretAbove(h *hits, message string, below *asked) {
	if len(below.weak) > 0 && !secret.Elsewhere(message) {
		for i := range below.weak {
			w := &below.weak[i]
			h.at = w.at
			h.add(w.text, w.Start, w.End, elicit.Str("word", w.Word))
		}
	}
	secretAbove(h, "/message", message, below)
}

// secretAbove inspects a text above open fields. If no field says what to type, the text asks. Otherwise it may
// complete what the fields leave out.
func secretAbove(h *hits, root, message string, below *asked) {
	m, ok := secret.Prose(message)
	if ok && (m.Weak && secret.Elsewhere(message) || !below.generic && !secret.Requested(message, m)) {
		ok = false // a heading above fields that say themselves what to type
	}
	if !ok {
		m, ok = secret.Asked(message)
	}
	if !ok && below.generic {
		m, ok = secret.Mentioned(message)
	}
	if ok && below.generic && m.Weak && secret.Elsewhere(message) {
		ok = false
	}
	if !ok && (below.generic || below.clues.Typed()) {
		c := secret.Read(message)
		if m.Word, ok = (c.Clue | below.clues).Described(); ok {
			ok = c.End > c.Start
			m.Start, m.End = c.Start, c.End
		}
	}
	if ok {
		h.at = place{root: root}
		h.add(message, m.Start, m.End, elicit.Str("word", m.Word))
	}
}

// findSecret reports the first text of a field that asks for a secret, at most one finding a field. A field that names
// no secret may still describe one, and then all its texts count together. If they do not, findSecret returns their
// clues.
func findSecret(h *hits, f *Field, all *asked) secret.Clue {
	texts := [...]struct{ part, text string }{{"", f.Name}, {"title", f.Title}, {"description", f.Description}}
	var clues [len(texts)]secret.Clues
	for i, t := range texts {
		m, ok, c := secret.Study(t.text, t.part == "description")
		clues[i] = c
		if !ok || t.part == "" && m.Weak && !secret.Agrees(m, f.Title) {
			continue
		}
		h.at = place{field: f, part: t.part}
		switch {
		case !m.Weak:
			h.add(t.text, m.Start, m.End, elicit.Str("word", m.Word))
		case !secret.Elsewhere(f.Name, f.Title, f.Description):
			all.weak = append(all.weak, weakMatch{m, h.at, t.text})
		}
		return 0
	}
	said := clues[0].Clue | clues[1].Clue | clues[2].Clue
	word, ok := said.Described()
	if !ok {
		return said
	}
	if (secret.Whole(f.Name) | secret.Whole(f.Title) | secret.Whole(f.Description)).Harmless() {
		return 0
	}
	for i := len(texts) - 1; i >= 0; i-- {
		if c := clues[i]; c.Clue != 0 {
			h.at = place{field: f, part: texts[i].part}
			h.add(texts[i].text, c.Start, c.End, elicit.Str("word", word))
			break
		}
	}
	return 0
}
