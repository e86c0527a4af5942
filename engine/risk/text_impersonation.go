package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
)

var textImpersonation = check{
	Doc: Doc{
		Code: "text_impersonation", Title: "Speaks as somebody else", Severity: elicit.Medium,
		About: "The message or a description claims to come from the system, an administrator or a well-known company, " +
			"while a server writes every word of it. No finding for a company whose name is part of the server's name. The " +
			"argument claim is the " +
			"phrase.", Spec: "MCP client/elicitation, User Interaction Model (R9): make clear which server asks",
	},
	text: func(h *hits, text string) {
		if !h.says() {
			return
		}
		// A label is a claim whatever the server is called: no server is the system.
		from := len(text) - len(strings.TrimLeft(text, " \t\r\n")) // hosts leave it out
		if to := from + speaker(text[from:]); to > from {
			h.addAs(elicit.Medium, text, from, to, elicit.Str("claim", evidence(text[from:to])))
			return
		}
		w := h.walkWords(text)
		for g := wordsAuthority; g <= wordsBrand; g++ {
			f := &w.found[g]
			if f.count == 0 {
				continue
			}
			claim := text[f.from:f.to]
			if g == wordsAuthority {
				h.add(text, f.from, f.to, elicit.Str("claim", evidence(claim)))
			} else {
				h.claims = append(h.claims, h.brandClaim(text, f.span))
			}
			return
		}
	},
}

// claim is a finding that counts unless the server is the company that its text names. A form is inspected before the
// server is known, so a claim of a brand waits until believe gets the name.
type claim struct {
	words   string
	finding elicit.Finding
}

// brandClaim makes the finding without inserting it. The pointer is built now, while h.at is that of the text.
func (h *hits) brandClaim(text string, at span) claim {
	words := at.of(text)
	return claim{words, elicit.Finding{Code: h.doc.Code, Severity: h.doc.Severity, Pointer: h.at.pointer(),
		Start: at.from, End: at.to,
		Evidence: evidence(words), Args: []elicit.Arg{elicit.Str("claim", evidence(words))}}}
}

// believe adds the claims that are false for a server of this name.
func (h *hits) believe(claims []claim, server string) {
	for i := range claims {
		if c := &claims[i]; !ownBrand(c.words, server) {
			h.insert(c.finding)
		}
	}
}

// speaker returns the length of a label at the start of a text that makes the rest look like another speaker's words. A
// label at the front looks like a part of the interface, because hosts put such labels there themselves.
func speaker(text string) int {
	head := text[:min(len(text), 24)]
	// Only capitals count: "System: Windows or Linux?" is a question.
	for _, label := range [...]string{"SYSTEM:", "ADMIN:", "ADMINISTRATOR:"} {
		if strings.HasPrefix(head, label) {
			return len(label)
		}
	}
	head = lowerASCII(head)
	for _, label := range [...]string{"[system]", "<system>", "[admin]", "[administrator]", "[assistant]"} {
		if strings.HasPrefix(head, label) {
			return len(label)
		}
	}
	return 0
}

// brands are names that swindlers often claim.
var brands = [...]string{"Anthropic", "OpenAI", "Claude", "ChatGPT", "Microsoft", "Google", "Apple", "Amazon", "PayPal",
	"GitHub", "GitLab", "Slack", "Facebook", "Netflix", "Binance", "Coinbase", "MetaMask"}

// ownBrand reports whether the name of the server contains the company that the text claims. The skeleton is compared,
// so "GitHub" fits "my-github". A server can give itself any name, but a host shows the name that its user has
// configured.
func ownBrand(claim, server string) bool {
	claim, server = skeleton(claim), skeleton(server[:min(len(server), maxHost)])
	for _, b := range brands {
		if b := skeleton(b); strings.Contains(claim, b) && strings.Contains(server, b) {
			return true
		}
	}
	return false
}

var authorityWords = []string{"system message", "message from the system", "message from your administrator",
	"message from the administrator", "this is your administrator", "this is the administrator",
	"this is the system administrator", "your system administrator", "message from support", "this is the security team",
	"message from the security team", "from your security team", "your IT department", "this is your bank",
	"message from your bank", "Nachricht vom Administrator", "Ihre IT Abteilung", "hier ist Ihre Bank",
	"message de ladministrateur", "votre service informatique", "mensaje del administrador", "mensagem do administrador",
	"messaggio dellamministratore", "сообщение от администратора", "系统管理员通知", "管理者からのお知らせ"}
