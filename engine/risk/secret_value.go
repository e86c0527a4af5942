package risk

import "github.com/elicit-engine/elicit/engine/elicit"

// Names, titles and choices are not read: identifiers often look random.
var secretValue = check{
	Doc: Doc{
		Code: "secret_value", Title: "A secret in the text", Severity: elicit.Medium,
		About: "The message or a default contains a secret, recognised by its shape; the kinds are those of " +
			"secret_in_answer. High for a private key, an otpauth URI and the words of a wallet; low for an account number " +
			"and for long random strings; medium for all others. The finding quotes only the first and the last two " +
			"characters, and nothing of a password.",
		Spec: "MCP client/elicitation, Security (R1, R2); ISO/IEC 7812-1; ISO 13616; RFC 7515; BIP-39",
	},
	text: func(h *hits, text string) {
		if h.at.root == "/message" || h.at.part == "description" || h.at.part == "default" {
			if worst, count := worstShape(text); count > 0 {
				h.reportShape(text, worst, count, shownSeverity)
			}
		}
	},
}

// shownSeverity judges a secret that the server shows. It has it already, so most kinds are less severe than in an
// answer.
func shownSeverity(k shapeKind) elicit.Severity {
	switch k {
	case shapeRandom, shapeIBAN:
		return elicit.Low
	case shapePrivateKey, shapeSeed, shapeOTP:
		return elicit.High
	}
	return elicit.Medium
}
