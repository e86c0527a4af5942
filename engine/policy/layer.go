package policy

import (
	"github.com/elicit-engine/elicit/engine/internal/order"
)

// Layer says whose word a policy is. Lower values are heard first and cannot be undone by higher ones.
type Layer uint8

// The layers from the one nobody can loosen to the one that speaks when nobody else does.
const (
	Managed Layer = iota // the administrator
	User                 // the person whose machine this is
	Project              // a file checked in with the work; not the user's word
	Session              // the host, for this session only
	Builtin              // mode on-request, access sandboxed, reviewer user
)

// Layers lists the layers a policy can be parsed for, in order.
func Layers() []Layer { return []Layer{Managed, User, Project, Session} }

// String is the layer's name in reasons and JSON.
func (l Layer) String() string {
	switch l {
	case Managed:
		return "managed"
	case User:
		return "user"
	case Project:
		return "project"
	case Session:
		return "session"
	}
	return "builtin"
}

// mayAccept reports whether the layer's accept counts: a checked-in file and a host are not the user's word.
func (l Layer) mayAccept() bool { return l == Managed || l == User }

// Stack is the layers of one session, ready to decide. It is immutable and safe to share. The zero Stack holds the
// built-in layer alone.
type Stack struct {
	layers          []ranked
	builtin         columns
	decline         int // lowest Severity.Rank that declines; 0 is the default, critical
	declineLayer    Layer
	grants          Grants
	suggestions     Suggestions
	secrets         Secrets
	withhold        []withheld
	guardianFailure GuardianFailure
	reviewer        reviewer // the strictest say of all layers: user before auto_review
	reviewBarred    bool     // a managed policy names the user as reviewer, so no request may pick a reviewer itself
}

// ranked is a policy in its place. Its modes are read twice, and the stricter reading holds: once with access and
// reviewer of the managed and user policies down to it, which give modes their meaning, and once with what every layer
// says, which may only tighten that meaning.
type ranked struct {
	*Policy
	above, all setting
}

func (p *ranked) columns(m mode) columns { return columns{m.column(p.above), m.column(p.all)} }

type columns struct{ above, all column }

// NewStack orders policies by layer; policies of one layer keep the given order, and nil is skipped. It retains the
// policies.
func NewStack(policies ...*Policy) Stack {
	var s Stack
	for _, p := range policies {
		if p != nil {
			s.layers = append(s.layers, ranked{Policy: p})
		}
	}
	order.Stable(s.layers, func(a, b ranked) int { return int(a.layer) - int(b.layer) })
	var above, all setting
	for i := range s.layers {
		all = all.strictest(s.layers[i].setting())
	}
	for i := range s.layers {
		p := &s.layers[i]
		if p.layer.mayAccept() {
			above = above.strictest(p.setting())
		}
		p.above, p.all = above, above.tightenedBy(all)
		s.hear(p.Policy)
	}
	s.reviewer = all.reviewer
	s.builtin = columns{modeOnRequest.column(above), modeOnRequest.column(above.tightenedBy(all))}
	return s
}

// hear takes what a policy says about the stack as a whole.
func (s *Stack) hear(p *Policy) {
	s.grants = stricter(s.grants, p.limit())
	s.suggestions = stricter(s.suggestions, p.suggests())
	s.secrets = stricter(s.secrets, p.secret())
	s.hearWithheld(p)
	s.guardianFailure = stricter(s.guardianFailure, p.failure())
	if p.layer == Managed && p.reviewer == reviewerUser {
		s.reviewBarred = true
	}
	// A layer that is not the user's word may lower the threshold below the default, never lift it above.
	if p.findings == 0 || !p.layer.mayAccept() && p.findings > defaultDecline {
		return
	}
	if s.decline == 0 || p.findings < s.decline {
		s.decline, s.declineLayer = p.findings, p.layer
	}
}

// stricter is the stricter of what two layers say, lower being stricter. Zero is a layer that does not say.
func stricter[T ~uint8](a, b T) T {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// setting is what decides how the modes never and on-request read.
type setting struct {
	access   access
	reviewer reviewer
}

// setting is what a layer says. A layer that is not the user's word may name the stricter value, never the looser one:
// otherwise a checked-in file could hand a question to a reviewer, or tools to no sandbox.
func (p *Policy) setting() setting {
	s := setting{p.access, p.reviewer}
	if p.layer.mayAccept() {
		return s
	}
	if s.access == accessFull {
		s.access = accessUnsaid
	}
	if s.reviewer == reviewerAuto {
		s.reviewer = reviewerUnsaid
	}
	return s
}

// mayReview reports whether a layer's rule may give a question to a reviewer, where r is the strictest say of all
// layers. A managed or user policy may unless any layer names the user as reviewer; another layer may only where a managed
// or user policy chose auto_review.
func (l Layer) mayReview(r reviewer) bool {
	return r != reviewerUser && (l.mayAccept() || r == reviewerAuto)
}

// strictest joins what two layers say; unsaid is the loosest, and reads as the built-in layer's say in the end.
func (s setting) strictest(t setting) setting {
	return setting{max(s.access, t.access), max(s.reviewer, t.reviewer)}
}

// tightenedBy joins what other layers say. Where s is unsaid the built-in, strictest say stands already.
func (s setting) tightenedBy(t setting) setting {
	if s.access != accessUnsaid {
		s.access = max(s.access, t.access)
	}
	if s.reviewer != reviewerUnsaid {
		s.reviewer = max(s.reviewer, t.reviewer)
	}
	return s
}
