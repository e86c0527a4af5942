package risk

import (
	"strconv"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// The host asks before it sends such an answer (policy: secrets). MCP forbids servers to ask for secrets in a form, and
// a person may paste one all the same.
var secretInAnswer = check{
	Doc: Doc{
		Code: "secret_in_answer", Title: "A secret in the answer", Severity: elicit.High,
		About: "The answer contains a secret, recognised by its shape. High for a payment card number (Luhn), " +
			"whatever separates its digits and in whatever alphabet, a US social security number, a password in an " +
			"address, an assignment (DB_PASSWORD=…) or a .netrc line, a JSON Web Token, a key with a known prefix, " +
			"an otpauth URI, a private key and the words of a wallet (BIP-39, English); medium for an account number " +
			"(IBAN) and for long random strings. Fields with choices are not read. The finding quotes only the first " +
			"and the last two characters, and nothing of a password.",
		Spec: "MCP client/elicitation, Security (R1, R2); ISO/IEC 7812-1; ISO 13616; RFC 7515; BIP-39",
	},
}

// InspectAnswer looks for secrets in the content of an answer before it is sent. Pointers begin with /content. Spans
// are bytes of the decoded string, or of the number as spelled. It returns at most MaxFindings, worst first, and nil
// when there are none. Content that is not a JSON object has no findings, because no check lets it be sent.
// InspectAnswer stops reading at the first syntax error. A field that is closed offers choices of the server, so
// nothing in it comes from the person. A member that no field has is read all the same, because a host may send it.
func InspectAnswer(fields []Field, content []byte) []elicit.Finding {
	h := hits{doc: &secretInAnswer.Doc}
	var s jsontext.Scanner
	s.Reset(content, jsontext.Limits{})
	if s.Peek() != jsontext.KindObject || !s.Enter() {
		return nil
	}
	for at := -1; s.More(); {
		name := s.Key()
		if at = fieldAt(fields, name, at+1); at < len(fields) && fields[at].Closed {
			s.Skip()
			continue
		}
		h.value(&s, name)
	}
	return h.list
}

// fieldAt returns where the field stands, or the number of fields. Answers have the order of the form, so it looks from
// the field behind the last one on. An answer in the order of the form costs one comparison for each member. Another
// order costs at most the number of fields for each, which is bounded by the form.
func fieldAt(fields []Field, name jsontext.Text, from int) int {
	for i := range fields {
		if at := (from + i) % len(fields); name.Equal(fields[at].Name) {
			return at
		}
	}
	return len(fields)
}

// value inspects the next value of the scanner: a text, a number, or the members of an array.
func (h *hits) value(s *jsontext.Scanner, name jsontext.Text) {
	if s.Peek() != jsontext.KindArray {
		h.sent(s, name, -1)
		return
	}
	s.Enter()
	for i := 0; s.More(); i++ {
		h.sent(s, name, i)
	}
}

// sent inspects one text or number. item is its index in an array, or negative outside one. Its pointer is built only
// when something is found. A number is read as it is spelled, since 4539148803436467 is a card number without quotes.
// The cheap test on the raw bytes spares a copy of nearly every value; escapes could hide a shape from it, so an
// escaped text is always unescaped.
func (h *hits) sent(s *jsontext.Scanner, name jsontext.Text, item int) {
	var value jsontext.Text
	switch k := s.Peek(); {
	case k == jsontext.KindString:
		value = s.Text()
	case k == jsontext.KindNumber && item < 0:
		value.Raw = s.Number().Raw
	default:
		s.Skip()
		return
	}
	if !value.Escaped && !mayHoldShape(value.Raw) {
		return
	}
	text := value.String()
	worst, count := worstShape(text)
	if count == 0 {
		return
	}
	pointer := jsontext.AppendToken([]byte("/content"), name.String())
	if item >= 0 {
		pointer = jsontext.AppendToken(pointer, strconv.Itoa(item))
	}
	h.at = place{root: string(pointer)}
	h.reportShape(text, worst, count, sentSeverity)
}

// sentSeverity judges a secret that would be sent. Random text and account numbers are often meant to be sent.
func sentSeverity(k shapeKind) elicit.Severity {
	if k == shapeRandom || k == shapeIBAN {
		return elicit.Medium
	}
	return elicit.High
}
