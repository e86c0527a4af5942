package engine

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

const (
	maxLabel   = 1024     // bytes of a name or handle that travels with an event
	maxCleared = 64 << 10 // bytes of all names of cleared fields
	maxRefused = 4096     // bytes that say why a configuration was refused
	maxSaid    = 4096     // bytes of what a server says of a tool
)

// cancelCauses are the causes that a Cancelled may give; see there.
var cancelCauses = []elicit.Cause{"", elicit.ByCallEnded, elicit.ByTimeout, elicit.BySuperseded, elicit.ByUnsupported,
	elicit.ByAttemptsUsed, elicit.ByPeerError, elicit.ByHandedOver,
	elicit.ByLeftOpen, elicit.ByCarried}

// recordProblem is the code of the problem with an event that a journal record could not hold, or could hold only in an
// altered form; "" when there is none. Texts that a person reads have limits of their own, and are cut at those limits,
// so that a replay can repeat the refusal. Labels and documents over their limit are refused here. It is asked before
// anything else looks at an event. So no later code has to think of a name of a megabyte, or of a text that is no
// UTF-8.
func recordProblem(what recordedEvent) string {
	switch ev := what.(type) {
	// The reason of a refusal is kept in the journal as it is, so it has a bound of its own.
	case event.Configured:
		if len(ev.Refused) > maxRefused {
			return "too_large_to_keep"
		}
		if !utf8.ValidString(ev.Refused) {
			return "json_utf8"
		}
		return documentProblem(ev.Config)
	case event.Resumed:
		return documentProblem(ev.State)
	case event.Opened:
		return labelProblem(ev.Session, ev.Server, ev.Principal, ev.Identity, string(ev.Side))
	case event.Asked:
		if !utf8.ValidString(ev.Message) || !utf8.ValidString(ev.URL) || !utf8.Valid(ev.Schema) ||
			!utf8.ValidString(ev.Command) || !utf8.ValidString(ev.CommandCandidate) || !utf8.Valid(ev.Arguments) ||
			!utf8.Valid(ev.ArgumentsSchema) || !utf8.ValidString(ev.Description) {
			return "json_utf8"
		}
		// A description is what a server says of a tool, and never cut: a cut one would have another digest than the
		// definition that a grant is bound to.
		if len(ev.Description) > maxSaid {
			return "too_large_to_keep"
		}
		if code := cmp.Or(candidateProblem(&ev.Request), reachProblem(&ev.Request)); code != "" {
			return code
		}
		// Parts count lines of the message. With wrong ones, a surface could draw a command as plain text.
		if _, wrong := ev.WrongPart(); wrong {
			return "bad_input"
		}
		return labelProblem(ev.Session, ev.Ref, ev.Parent, ev.Tool, ev.Link, ev.Cwd, ev.For, ev.CommandAt,
			ev.Definition, string(ev.Mode), string(ev.Claim), string(ev.Does))
	case event.Answered:
		if !utf8.ValidString(ev.Note) || !utf8.Valid(ev.Arguments) {
			return "json_utf8"
		}
		cleared := 0
		for _, name := range ev.Cleared {
			// Two quotes and a comma.
			cleared += len(name) + 3
		}
		if cleared > maxCleared {
			return "too_large_to_keep"
		}
		if code := labelProblem(ev.Cleared...); code != "" {
			return code
		}
		return labelProblem(ev.Session, string(ev.ID), ev.Principal, string(ev.Action), string(ev.Via),
			string(ev.Remember.Scope))
	case event.Completed:
		return labelProblem(ev.Session, ev.Link)
	case event.Called:
		return labelProblem(ev.Session, ev.Ref, ev.Tool, ev.Digest)
	case event.Cancelled:
		if !slices.Contains(cancelCauses, ev.Cause) {
			return "unknown_cause"
		}
		return labelProblem(ev.Session, ev.Ref, ev.Parent)
	case event.Closed:
		return labelProblem(ev.Session, string(ev.Cause))
	case refusedEvent:
		return labelProblem(ev.code)
	case floodedEvent:
		return labelProblem(ev.digest)
	case event.Noted:
		return labelProblem(ev.Session, string(ev.ID), string(ev.Receipt))
	case event.Drafted:
		return labelProblem(ev.Session, string(ev.ID))
	case event.Extended:
		return labelProblem(ev.Session, string(ev.ID))
	case event.Preferred:
		return labelProblem(ev.Session, ev.Ref)
	case event.Revoked:
		return labelProblem(string(ev.Grant))
	case event.Unmuted:
		return labelProblem(ev.Session, ev.Server)
	case event.Forgotten:
		return labelProblem(ev.Session, ev.Field)
	case event.Consulted:
		return labelProblem(ev.Session, string(ev.ID), string(ev.Fault), ev.Principal)
	// A new kind of event must be added here. Until then it is refused, and that is the safe mistake.
	case event.Ticked, begunEvent:
		return ""
	}
	return "unknown_event"
}

// labelProblem is the code of the problem with names and handles. They are never cut: a part of a handle would name
// something else.
func labelProblem(labels ...string) string {
	for _, l := range labels {
		if len(l) > maxLabel {
			return "too_large_to_keep"
		}
		if !utf8.ValidString(l) {
			return "json_utf8"
		}
	}
	return ""
}

// documentProblem judges a document by the room it takes in a record, where one that is not canonical JSON is a string
// with escapes. Example: 4 MiB of text with white space between its tokens is no canonical JSON. In a record it is a
// string, in which each quote takes two bytes. Below a sixth of maxState no escapes can make it too long.
func documentProblem(doc []byte) string {
	switch {
	case len(doc) > maxState:
		return "too_large_to_keep"
	case !utf8.Valid(doc):
		return "json_utf8"
	case len(doc) > maxState/6 && !jsontext.FitsInline(doc) && len(jsontext.AppendString(nil, doc)) > maxState:
		return "too_large_to_keep"
	}
	return ""
}

// reachProblem is the code of the problem with the paths and hosts of a question.
func reachProblem(r *elicit.Request) string {
	if n, bytes := r.ReachSize(); n > elicit.MaxReach || bytes > elicit.MaxReachBytes {
		return "too_large_to_keep"
	}
	invalid := func(text string) bool { return !utf8.ValidString(text) }
	if slices.ContainsFunc(r.Paths, invalid) || slices.ContainsFunc(r.Hosts, invalid) {
		return "json_utf8"
	}
	return ""
}

// candidateProblem is the code of the problem with the calls that a question may belong to. A tool beside them would be
// shown to the person as if it were certain.
func candidateProblem(r *elicit.Request) string {
	// What a held call says beside its arguments may name another tool, so it has its own and may be any.
	if (r.Ambiguous() || r.CandidatesCut && !r.HeldCall) && (r.Tool != "" || r.Annotations != elicit.Annotations{}) {
		return "candidates_and_tool"
	}
	if len(r.Candidates) > elicit.MaxCandidates {
		return "too_many_candidates"
	}
	for i := range r.Candidates {
		if code := labelProblem(r.Candidates[i].Tool); code != "" {
			return code
		}
	}
	return ""
}
