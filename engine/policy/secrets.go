package policy

import "github.com/tidwall/gjson"

// Secrets says what becomes of an answer in which a field that is not marked as sensitive holds what is a secret by its
// form. Lower is stricter.
type Secrets uint8

// What may be said, from the strictest. The zero value is a layer that does not say.
const (
	secretsUnsaid  Secrets = iota
	SecretsRefuse          // it is not sent
	SecretsConfirm         // it is sent once the person has been told and answers again; what holds when no layer says
	SecretsNote            // it is sent, and the reply says so
)

// Secrets is the strictest say of all layers.
func (s Stack) Secrets() Secrets {
	if s.secrets == secretsUnsaid {
		return SecretsConfirm
	}
	return s.secrets
}

// secret is what a layer says of secrets. A layer that is not the user's word cannot let them pass unasked.
func (p *Policy) secret() Secrets {
	if p.unreadable {
		return SecretsRefuse
	}
	if !p.layer.mayAccept() && p.secrets == SecretsNote {
		return secretsUnsaid
	}
	return p.secrets
}

func (p *parser) secrets(v gjson.Result) {
	p.policy.secrets = SecretsRefuse
	switch word, _ := p.word(v, secretWords...); word {
	case "confirm":
		p.policy.secrets = SecretsConfirm
	case "note":
		p.policy.secrets = SecretsNote
	}
}
