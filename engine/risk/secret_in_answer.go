package risk

import (
	"slices"
	"strconv"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

var secretInAnswer = check{
	Doc: Doc{
		Code: "secret_in_answer", Title: "A secret in the answer", Severity: elicit.High,
		About: "The answer about to be sent contains what is a secret by its form, whatever the form asked for; the argument kind says which. High for " +
			"a payment card number (Luhn), a JSON Web Token, a key with a known prefix, a private key and the words of a wallet (BIP-39, English); " +
			"medium for an account number (IBAN) and for long random strings. Fields whose answers are chosen are not read. Only the first and the " +
			"last two characters are quoted.",
		Spec: "MCP client/elicitation, Security (R1, R2); ISO/IEC 7812-1; ISO 13616; RFC 7515; BIP-39",
	},
}

// InspectAnswer looks for secrets in the content of an answer before it is sent. Pointers begin with /content, spans are
// bytes of the decoded string or of the number as spelled. It yields at most MaxFindings, worst first; nil when nothing.
// Content that is not a JSON object yields nothing, since no check would let it be sent; what follows a fault is not read.
func InspectAnswer(fields []Field, content []byte) []elicit.Finding {
	h := hits{doc: &secretInAnswer.Doc}
	var s jsontext.Scanner
	s.Reset(content, jsontext.Limits{})
	if s.Peek() != jsontext.KindObject || !s.Enter() {
		return nil
	}
	for s.More() {
		name := s.Key().String()
		if slices.ContainsFunc(fields, func(f Field) bool { return f.Name == name && f.Closed }) {
			s.Skip()
			continue
		}
		h.value(&s, string(jsontext.AppendToken([]byte("/content"), name)))
	}
	return h.list
}

// value inspects what the scanner stands before: a text, a number, or the members of an array.
func (h *hits) value(s *jsontext.Scanner, pointer string) {
	h.at = place{root: pointer}
	switch s.Peek() {
	case jsontext.KindString:
		reportShape(h, s.Text().String(), sentSeverity)
	case jsontext.KindNumber:
		reportShape(h, string(s.Number().Raw), sentSeverity)
	case jsontext.KindArray:
		s.Enter()
		for i := 0; s.More(); i++ {
			if s.Peek() == jsontext.KindString {
				h.at = place{root: string(jsontext.AppendToken([]byte(pointer), strconv.Itoa(i)))}
				reportShape(h, s.Text().String(), sentSeverity)
				continue
			}
			s.Skip()
		}
	default:
		s.Skip()
	}
}

func sentSeverity(k shapeKind) elicit.Severity {
	if k == shapeRandom || k == shapeIBAN {
		return elicit.Medium
	}
	return elicit.High
}
