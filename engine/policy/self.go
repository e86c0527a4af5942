package policy

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/guarded"
)

// Self-protection is a built-in rule, in force as soon as any layer has a policy: a deed that touches what Elicit rests
// on is asked. No rule of a lower layer accepts it, no reviewer and no grant. Only a rule of a managed policy that
// accepts the deed does, because the administrator's word is above Elicit's own. A stricter outcome stands. A command
// that is not known, or a patch whose files are not, may be such a deed.

// SelfProtection is the name of the built-in rule.
const SelfProtection = "self-protection"

func (t *tally) applySelfProtection(s *Stack) {
	if len(s.layers) == 0 || t.fromManaged || t.facts.deed() == elicit.DeedNone || t.byRule && t.outcome == Decline {
		return
	}
	touch := guarded.Of(t.impacts(), guarded.Work{Cwd: t.facts.Cwd, Opens: t.facts.deed() == elicit.DeedPermissions})
	if touch.What == "" && t.facts.uninspected() {
		touch = guarded.Touch{What: unread, Name: string(t.facts.deed())}
	}
	if touch.What == "" {
		return
	}
	// That nobody can read a deed is said only where it is why a person is asked. It is no ground to speak at a gate.
	silent := touch.What == unread && t.outcome >= Ask && (t.outcome > Ask || t.named || t.facts.Granted == "")
	if t.asFormat2 {
		t.since3 = t.since3 || !silent
		return
	}
	before, asked := t.outcome, t.asked
	t.named, t.askedByRule, t.asked = true, max(t.askedByRule, Ask), max(t.asked, Ask)
	if !silent {
		at := t.say(elicit.Reason{Code: codeSelfProtection, Layer: Builtin.String(), Rule: SelfProtection,
			Args: []elicit.Arg{elicit.Str("what", touch.What), elicit.Str("name", touch.Name)}})
		if !t.tighten(Ask, at) && t.outcome == Ask {
			t.by = append(t.by, at)
		}
	}
	t.barAsking()
	t.since3 = t.since3 || !silent || t.outcome != before || t.asked != asked
}

// unread is the touch of a deed that nobody can read.
const unread = "unread"

// protects reports whether a reason is that of the built-in rule, about a deed that was read.
func protects(r *elicit.Reason) bool {
	return r.Code == codeSelfProtection && !slices.Contains(r.Args, elicit.Str("what", unread))
}
