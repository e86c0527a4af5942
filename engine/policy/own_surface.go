package policy

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// OwnSurface returns the highest severity among the findings if some layer wants the host to show such a question
// itself, although the client could draw it. Else it returns "". A client may show a question without its findings. The
// surface of the host shows both.
func (s Stack) OwnSurface(findings []elicit.Finding) (severity elicit.Severity) {
	reached := s.ownSurface
	for i := range findings {
		if rank := findings[i].Severity.Rank(); reached != 0 && rank >= reached {
			severity, reached = findings[i].Severity, rank+1
		}
	}
	return severity
}

// addOwnSurface takes the lowest threshold: a layer can only ask for more questions on the host's surface.
func (s *Stack) addOwnSurface(p *Policy) {
	if p.ownSurface != 0 && (s.ownSurface == 0 || p.ownSurface < s.ownSurface) {
		s.ownSurface = p.ownSurface
	}
}

// A word that cannot be read is medium, the strictest of the words.
func (p *parser) ownSurface(v gjson.Result) {
	p.policy.ownSurface = elicit.Medium.Rank()
	switch word, _ := p.word(v, thresholdWords...); word {
	case "never":
		p.policy.ownSurface = 0
	case "critical", "high":
		p.policy.ownSurface = elicit.Severity(word).Rank()
	}
}
