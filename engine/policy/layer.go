package policy

import (
	"github.com/elicit-engine/elicit/engine/internal/order"
)

// Layer is the source of a policy. Lower values apply first, and higher values cannot undo them.
type Layer uint8

// These are the layers, from the one that no other can loosen to the one that applies when no other does.
const (
	Managed Layer = iota // the administrator
	User                 // the person whose machine this is
	// An author of the project can write this file, and an agent can change it.
	Project // a file checked in with the work; not the user's word
	Session // the host, for this session only
	Builtin // approval policy on-request, access sandboxed, reviewer user
)

// Layers lists the layers that a policy can be parsed for, in order.
func Layers() []Layer { return []Layer{Managed, User, Project, Session} }

// String returns the layer's name in reasons and JSON.
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

// mayAccept reports whether the layer may accept. A checked-in file and a host do not speak for the user. A project
// file comes with a clone of a repository, so its author may be anyone. The session layer is what a host says, and a
// host may serve several people.
func (l Layer) mayAccept() bool { return l == Managed || l == User }

// Stack holds the layers of one session, ready to decide. It is immutable and safe to share. The zero Stack has only
// the built-in layer. Fields besides layers are joined once in NewStack, by the strictest value of all layers. settles
// lets Decide share texts between the decisions that look for silent layers (mattered.go).
type Stack struct {
	layers  []ranked
	builtin settings
	// decline and declineLayer belong together: the layer is named in the reason.
	decline      int // lowest Severity.Rank that declines; 0 is the default, critical
	declineLayer Layer
	grants       Grants
	suggestions  Suggestions
	secrets      Secrets
	ownSurface   int // lowest Severity.Rank that the host shows itself; 0 for none
	withhold     []withheld
	// hasty and labels let a host leave out the work for facts that no rule looks at.
	hasty           bool // some rule looks at haste
	labels          bool // some rule looks at labels
	unknown         unknownFacts
	unknownLayer    Layer // the first layer that says so
	asFormat2       bool  // see AsFormat2
	guardianFailure GuardianFailure
	assumeLate      bool     // some layer assumes that servers ask late
	reviewer        reviewer // the strictest setting of all layers: user before auto_review
	settles         bool     // some layer sets access or reviewer
	reviewBarred    bool     // a managed policy sets the user as reviewer, so no request may choose a reviewer itself
}

// ranked is a policy with its settings. Its approval policies are read twice, and the stricter reading holds. The first
// reading uses access and reviewer of the managed and user policies down to this one. The second uses those of every
// layer, which may only tighten. For example, a user layer with "access": "full" and a project layer with "access":
// "sandboxed" give never two meanings in the project layer: "above" accepts a confirmation, "all" declines it. The
// decline holds.
type ranked struct {
	*Policy
	settings
}

// settings are the two readings of access and reviewer for one layer; see ranked.
type settings struct{ above, all setting }

func (s settings) columns(m approvalPolicy, r row) columns {
	return columns{m.column(s.above, r), m.column(s.all, r)}
}

// columns are the two readings of one approval policy; opinion joins them.
type columns struct{ above, all column }

// NewStack orders policies by layer. Policies of one layer keep the given order, and nil is skipped. The Stack keeps
// the policies. It costs one pass over the layers. Two policies of one layer both count: the first has its say first,
// and the second can only tighten, as a lower layer can.
func NewStack(policies ...*Policy) Stack {
	var s Stack
	for _, p := range policies {
		if p != nil {
			// The settings of ranked follow below, when all layers are known.
			s.layers = append(s.layers, ranked{Policy: p})
		}
	}
	order.Stable(s.layers, func(a, b ranked) int { return int(a.layer) - int(b.layer) })
	var above, all setting
	for i := range s.layers {
		own := s.layers[i].setting()
		s.settles, all = s.settles || own != (setting{}), all.strictest(own)
	}
	for i := range s.layers {
		p := &s.layers[i]
		if p.layer.mayAccept() {
			above = above.strictest(p.setting())
		}
		// all starts from above, so a layer below can tighten the settings of this one and never add one.
		p.above, p.all = above, above.tightenedBy(all)
		s.add(p.Policy)
	}
	s.reviewer = all.reviewer
	// If the built-in layer had full access, a file with that one setting would accept commands without a rule.
	above.access = accessUnsaid // the built-in layer accepts nothing
	s.builtin = settings{above, above.tightenedBy(all)}
	return s
}

// add adds the settings of a policy that hold for the whole stack. A policy that cannot be read takes the strictest
// value of each setting, also of those that it may not have set.
func (s *Stack) add(p *Policy) {
	s.addLimits(p)
	s.addOwnSurface(p)
	s.addWithheld(p)
	if u := stricter(s.unknown, p.limitUnknown()); u != s.unknown {
		s.unknown, s.unknownLayer = u, p.layer
	}
	s.hasty = s.hasty || p.looksAt(onHasty)
	s.labels = s.labels || p.looksAt(onLabel, onFetchedFrom)
	s.assumeLate = s.assumeLate || p.assumeLate || p.unreadable
	// An administrator who wants persons to answer does not let a request choose a reviewer for itself (strict review).
	if p.layer == Managed && p.reviewer == reviewerUser {
		s.reviewBarred = true
	}
	// A project or session layer may lower the threshold below the default. It may not raise it above.
	if p.findings == 0 || !p.layer.mayAccept() && p.findings > defaultDecline {
		return
	}
	if s.decline == 0 || p.findings < s.decline {
		s.decline, s.declineLayer = p.findings, p.layer
	}
}

// stricter returns the stricter setting of two layers, which is the lower one. Zero is a layer that does not set it.
func stricter[T ~uint8](a, b T) T {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// setting holds the settings that give the approval policies never and on-request their meaning.
type setting struct {
	access   access
	reviewer reviewer
}

// setting returns the layer's settings. A project or session layer may set the stricter value but not the looser one.
// Otherwise a checked-in file could give a question to a reviewer, or take tools out of the sandbox.
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

// mayReview reports whether a rule of the layer may give a question to a reviewer. r is the strictest setting of all
// layers. A managed or user policy may, unless some layer sets the user as reviewer. Another layer may only if a
// managed or user policy set auto_review.
func (l Layer) mayReview(r reviewer) bool {
	return r != reviewerUser && (l.mayAccept() || r == reviewerAuto)
}

// strictest joins the settings of two layers. Unset is the loosest, and finally counts as the built-in layer's setting.
func (s setting) strictest(t setting) setting {
	return setting{max(s.access, t.access), max(s.reviewer, t.reviewer)}
}

// tightenedBy joins the settings of other layers. Where s is unset, the built-in setting already is the strictest. An
// unset access accepts nothing and an unset reviewer reviews nothing, so no other layer can tighten them.
func (s setting) tightenedBy(t setting) setting {
	if s.access != accessUnsaid {
		s.access = max(s.access, t.access)
	}
	if s.reviewer != reviewerUnsaid {
		s.reviewer = max(s.reviewer, t.reviewer)
	}
	return s
}
