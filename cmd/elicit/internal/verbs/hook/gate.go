package hook

import (
	"slices"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/desk"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/wire/hooks"
	"github.com/elicit-engine/elicit/internal/managed"
)

// A gate is an event that a host sends before each call, also where it would not ask. So the hook speaks at a gate only
// when a rule decides, and where the host's own word for asking is not safe, it asks here or denies. Package hooks has
// the table of what hosts do.

// nobodyAsked ends the reason of a call that is denied because a person should be asked and none can be.
const nobodyAsked = ". You must be asked, and this agent cannot ask you safely at this event. " +
	"Keep `elicit answer` open to be asked there"

// saysNothing reports whether no rule speaks of the call, so that the host goes on by its own rules. Approval policies
// say what happens to a question, and at a gate there is none yet: it follows at an event of its own, if the host asks.
func (r *hookRun) saysNothing(hook hooks.Hook, reasons []elicit.Reason) bool {
	switch {
	case hook.Asks == hooks.AboutNothing:
		return true
	case hook.Asks == hooks.AboutOwnQuestion:
		return !r.ruled && r.reply != nil && r.reply.Cause == elicit.ByInvalidRequest
	case hook.Asks != hooks.AboutCall || !hooks.IsGate(r.host, hook.Event) || policy.Ruled(reasons):
		return false
	}
	switch {
	case r.reply == nil || r.reply.Cause == elicit.ByLeftOpen:
		return true
	case r.reply.Cause == elicit.ByInvalidRequest: // too long to be decided, and there is no rule that it could break
		return !r.ruled
	}
	return r.reply.Cause == elicit.ByPolicy && r.reply.Outcome != elicit.Accepted &&
		slices.Contains(hooks.Events(r.host), "PermissionRequest")
}

// leastDesk is the desk at which a question of this hook may appear. Without any policy only a person who has started a
// desk for such questions wants to see them there; anybody else would lose the host's own prompt. The same holds for
// the agent's own question, unless a rule asks about it.
func (r *hookRun) leastDesk(hook hooks.Hook) desk.Rank {
	if r.ruled && (hook.Asks != hooks.AboutOwnQuestion || policy.Ruled(r.shown.Reasons)) {
		return desk.Beside
	}
	return desk.Dedicated
}

// giveUp ends a question that no desk has answered: the host asks, or if it cannot, the answer is no.
func (r *hookRun) giveUp(hook hooks.Hook) error {
	switch {
	case r.saysNothing(hook, r.shown.Reasons):
		return r.leave(hook, elicit.ByLeftOpen)
	case hook.Asks != hooks.AboutCall || hook.Later || r.hostAsks(hook):
		return r.leave(hook, elicit.ByHandedOver)
	}
	return r.step(event.Answered{Session: r.session, ID: r.shown.ID, Principal: r.principal, Action: elicit.Cancel,
		Via: event.ViaNoUI})
}

// hostAsks reports whether the host can be told to ask. With --ui host the person says that somebody is at the host.
func (r *hookRun) hostAsks(hook hooks.Hook) bool {
	return hooks.CanAsk(r.host, hook.Event) || r.within == 0 && hooks.AsksAttended(r.host, hook.Event)
}

// openVerdict is the answer to a question that was left to the host.
func (r *hookRun) openVerdict(hook hooks.Hook) hooks.Verdict {
	if hook.Later || hook.Asks == hooks.AboutOwnQuestion || r.reply.Cause == elicit.ByLeftOpen {
		return hooks.Verdict{Decision: hooks.Silent}
	}
	return hooks.Verdict{Decision: hooks.Ask, Reason: sayReasons(r.shown.Reasons, r.shown.Findings)}
}

// unfitVerdict is the answer of --on-failure to a call that could not be decided: never one that lets it run.
func (v *hookVerb) unfitVerdict(host hooks.Host, event, why string) hooks.Verdict {
	verdict := hooks.Verdict{Decision: hooks.Decision(v.onFailure), Reason: "Elicit could not decide: " + why}
	if !hooks.CanAsk(host, event) || managed.Read().Path != "" {
		verdict.Decision = hooks.Deny // a person's yes to a call that policy did not see would get around a managed one
	}
	return verdict
}
