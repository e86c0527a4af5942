package risk

import (
	"cmp"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/order"
)

// Mask stands in a text for a secret that was taken out of it.
const Mask = "[withheld]"

// WithoutSecrets looks for secrets in one text of an answer, such as a note. It returns the text with Mask in the place
// of every secret of severity high, and what InspectAnswer would report: one finding for the worst, or none. A note to
// a person is kept for a long time, and a key in it would stay with it. Shapes may overlap, such as a token in an
// address: the outer one covers both. Text of medium severity stays, because a long random string is often an id.
func WithoutSecrets(pointer, text string) (kept string, found []elicit.Finding) {
	worst, count := worstShape(text)
	if count == 0 {
		return text, nil
	}
	h := hits{doc: &secretInAnswer.Doc, at: place{root: pointer}}
	h.reportShape(text, worst, count, sentSeverity)
	if sentSeverity(worst.kind) != elicit.High {
		return text, h.list
	}
	var secrets []shape
	eachShape(text, func(s shape) {
		if sentSeverity(s.kind) == elicit.High {
			secrets = append(secrets, s)
		}
	})
	order.Stable(secrets, func(a, b shape) int { return cmp.Compare(a.from, b.from) })
	var b strings.Builder
	end := 0
	for i, s := range secrets {
		if i == 0 || s.from >= end { // otherwise it begins inside the one before
			b.WriteString(text[end:s.from])
			b.WriteString(Mask)
		}
		end = max(end, s.to)
	}
	b.WriteString(text[end:])
	return b.String(), h.list
}
