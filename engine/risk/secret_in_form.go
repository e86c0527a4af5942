package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/secret"
)

// MCP forbids forms for secrets: servers must not ask for passwords, keys, tokens or payment data in form mode (MCP
// 2025-11-25, Elicitation, security). Package internal/secret knows the words; this file says which texts of a form
// belong together.
var secretInForm = check{
	Doc: Doc{
		Code: "secret_in_form", Title: "A form asks for a secret", Severity: elicit.High,
		About: "A name, title or description of a text field, or of the form, or the message, names or describes a " +
			"password, key, token, one-time code, card or identity number, or the words of a wallet, and asks for it. The " +
			"typed text passes through the client, its logs and possibly the model.",
		Spec: "MCP client/elicitation, Security (R1): not in form mode; R2: use URL mode",
	},
}

// asked says what the open fields of a form ask for together. An open field is one that a person can type into. A
// message can complete a form: "Your bank sent you six digits" above a field "value" asks for a one-time code, and
// neither text does so alone.
type asked struct {
	open    bool        // there is an open field
	generic bool        // an open field does not say what to type
	clues   secret.Clue // what all open fields say about a secret, if none names or describes one
	weak    []weakMatch // words that the message may give a harmless meaning
}

type weakMatch struct {
	secret.Match
	at   place
	text string
	asks bool // the text asks by itself, so only a question in the message is about it
}

// findSecrets reports the secrets that the open fields ask for.
func findSecrets(h *hits, fields []Field) (all asked) {
	for i := range fields {
		f := &fields[i]
		if f.Closed {
			continue
		}
		all.open = true
		said := findSecret(h, f, &all)
		all.clues |= said
		all.generic = all.generic || secret.Generic(f.Name, f.Title)
	}
	return all
}

// findSecretAbove inspects the message above open fields. A weak word of a field is harmless if the message gives it
// another meaning, so it waited for the message.
func findSecretAbove(h *hits, message string, below *asked) {
	// By the word: a form of many fields named "code" above one long message would cost their product.
	elsewhere := map[string]bool{}
	for i := range below.weak {
		w := &below.weak[i]
		key, told := w.Word, message
		// "See the map of pins." is not about a field that asks for a PIN. "Which pin of the board?" is.
		if w.asks {
			key, told = key+"?", message[:max(0, strings.LastIndexAny(message, "?？؟"))]
		}
		harmless, known := elsewhere[key]
		if !known {
			harmless = secret.Elsewhere(w.Match, told)
			elsewhere[key] = harmless
		}
		if !harmless {
			h.at = w.at
			h.add(w.text, w.Start, w.End, elicit.Str("word", w.Word))
		}
	}
	secretAbove(h, "/message", message, below)
}

// secretAbove inspects a text above open fields. Each stretch of it is judged alone. If a field does not say what to
// type, the text asks. Otherwise it may complete what the fields leave out.
func secretAbove(h *hits, root, message string, below *asked) {
	// The first try is a text that asks by itself. The second one joins its clues with those of the fields.
	m, ok := secret.Request(message, below.generic)
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
	} else {
		findSecretFile(h, place{root: root}, message)
	}
}

// findSecret reports what a field asks for, at most one finding a field. Each text of it is judged alone: what one
// names or describes, no other takes away. Only if none does, what they say counts together. If that is not enough,
// findSecret returns their clues. Nobody sees a name beside a title, so a weak word in a name must agree with the
// title. The name "pin" with the title "Message to pin" asks for no secret, and "password" does with any title.
func findSecret(h *hits, f *Field, all *asked) (said secret.Clue) {
	texts := [...]struct{ part, text string }{{"", f.Name}, {"title", f.Title}, {"description", f.Description}}
	var clues [len(texts)]secret.Clues
	var weak weakMatch
	for i, t := range texts {
		m, ok, c := secret.Study(t.text, t.part == "description")
		if t.part != "" || f.Title == "" { // nobody sees the name beside a title
			clues[i], said = c, said|c.Clue
		}
		at := place{field: f, part: t.part}
		switch {
		case !ok || t.part == "" && m.Weak && !secret.Agrees(m, f.Title):
		case !m.Weak:
			h.at = at
			h.add(t.text, m.Start, m.End, elicit.Str("word", m.Word))
			return 0
		case weak.Word == "" && !secret.Elsewhere(m, f.Name, f.Title, f.Description):
			weak = weakMatch{m, at, t.text, secret.Requested(t.text, m)}
		}
	}
	for i, t := range texts {
		// A name is no sentence, so it cannot ask for a file.
		if i > 0 && findSecretFile(h, place{field: f, part: t.part}, t.text) {
			return 0
		}
	}
	word, described := said.Described()
	for i := len(texts) - 1; i >= 0 && described; i-- {
		if c := clues[i]; c.Clue != 0 {
			h.at = place{field: f, part: texts[i].part}
			h.add(texts[i].text, c.Start, c.End, elicit.Str("word", word))
			return 0
		}
	}
	if weak.Word != "" {
		all.weak = append(all.weak, weak)
	} else if word, length := split(f); word != "" {
		h.at = place{field: f, part: "description"}
		h.add(f.Description, 0, length, elicit.Str("word", word))
		return 0
	}
	return said
}

// longestSplit is the most bytes of a request that begins in a title and goes on in the description.
const longestSplit = 200

// split finds what the title of a field and the first sentence of its description ask for as one text. It returns the
// word, and the length of that sentence.
func split(f *Field) (word string, length int) {
	if f.Title == "" || f.Description == "" {
		return "", 0
	}
	for _, to := range secret.Stretches(f.Description) {
		if len(f.Title)+to < longestSplit {
			m, ok, c := secret.Study(f.Title+" "+f.Description[:to], true)
			if word, described := c.Described(); described {
				return word, to
			}
			if ok && !m.Weak && m.Start < len(f.Title) && m.End > len(f.Title) {
				return m.Word, to
			}
		}
		break
	}
	return "", 0
}
