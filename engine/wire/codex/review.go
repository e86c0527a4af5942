package codex

import (
	"cmp"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// The requests of version 1 of the app-server have words of their own: approved, approved_for_session, denied, abort.
// They propose no amendments, so none can be chosen.

// reviewOptions are the two decisions of version 1 that accept. Both have the names of the newer words, so that the
// rest of the package knows them. raw is in the older words.
func reviewOptions() []Option {
	return []Option{{Name: nameAccept, Scope: elicit.Once, Action: elicit.Accept, raw: []byte(`"approved"`)},
		{Name: nameSession, Scope: elicit.ForTheSession, Action: elicit.Accept, raw: []byte(`"approved_for_session"`)}}
}

// reviewed reads a decision of version 1: a word, or {"denied":{"rejection"}} since 0.169.
//
// timed_out is a cancel: nobody has decided.
func reviewed(raw []byte) (a Answer, known bool) {
	name, _ := wire.Text(raw)
	if o, _ := wire.ReadObject(raw); len(o.Members) == 1 && o.Members[0].Name == "denied" {
		denied, _ := o.Child("denied")
		note, ok := wire.Text(denied.Get("rejection"))
		return Answer{Action: elicit.Decline, Note: note}, ok
	}
	switch name {
	case "approved":
		return Answer{Action: elicit.Accept, Scope: elicit.Once}, true
	case "approved_for_session":
		return Answer{Action: elicit.Accept, Scope: elicit.ForTheSession}, true
	case "denied":
		return Answer{Action: elicit.Decline}, true
	case "abort", "timed_out":
		return Answer{Action: elicit.Cancel}, true
	}
	return a, false
}

// readReview reads {decision} of a client in the words of version 1. The client names no choice, so the content of the
// form is the plain one.
func readReview(q *Question, result []byte) (Answer, []elicit.Problem) {
	r, _, a := readMember(result, reviewed)
	if r.Problems == nil && a.Action == elicit.Accept {
		option, _ := q.find(nameAccept)
		a.Content = q.contentFor(option)
	}
	return a, r.Problems
}

// appendReview appends {decision}. Since 0.169 a refusal has words for the agent. Version 0.130 reads them as a refusal
// too, because it does not know the shape.
func appendReview(_ *Question, dst []byte, a Answer) []byte {
	return append(append(append(dst, `{"decision":`...), appendReviewed(nil, a)...), '}')
}

func appendReviewed(dst []byte, a Answer) []byte {
	switch {
	case a.Action == elicit.Accept && a.Scope != elicit.Once && a.Scope != "":
		return append(dst, `"approved_for_session"`...)
	case a.Action == elicit.Accept:
		return append(dst, `"approved"`...)
	case a.Action == elicit.Cancel:
		return append(dst, `"abort"`...)
	}
	why := cmp.Or(a.Note, a.Reason, "rejected by user")
	return append(jsontext.AppendString(append(dst, `{"denied":{"rejection":`...), why), '}', '}')
}
