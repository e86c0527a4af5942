package policy

import "github.com/tidwall/gjson"

// Secrets says what to do with an answer that has a secret, recognised by its form, in a field that is not marked as
// sensitive. Lower is stricter.
type Secrets uint8

// These are the settings from the strictest to the loosest. The zero value means that a layer does not set it.
const (
	secretsUnsaid  Secrets = iota
	SecretsRefuse          // do not send it
	SecretsConfirm         // send it after the person was warned and answered again; the default
	SecretsNote            // send it, and say so in the reply
)

// Secrets returns the strictest setting of all layers.
func (s Stack) Secrets() Secrets {
	if s.secrets == secretsUnsaid {
		return SecretsConfirm
	}
	return s.secrets
}

// secret returns the layer's setting. A project or session layer cannot let secrets pass without asking.
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
