package engine

import (
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/internal/worddiff"
)

// acceptedMessage is a message that the person has accepted. The next question of the same tool is compared with it.
// tool is "" for a question of no call. A message that is too long is not kept at all, and never cut.
type acceptedMessage struct{ tool, message string }

// A session keeps this much of what the person has accepted, so that it can always be saved. The oldest goes first.
const (
	maxAccepted        = 32       // messages
	maxAcceptedBytes   = 64 << 10 // of JSON, all together
	maxAcceptedMessage = 16 << 10 // bytes of one message
)

// changeSteps bounds the work of one comparison with all kept messages.
const changeSteps = 1 << 20

// mayCompare reports whether a question may be compared with others. One that may belong to several tools has no tool
// whose messages it resembles, and another person has not said yes to what this one did.
func mayCompare(r *elicit.Request) bool {
	return !r.Ambiguous() && r.For == "" && len(r.Tool) <= maxTypedName && r.Message != "" &&
		len(r.Message) <= maxAcceptedMessage
}

// retainMessage keeps the message that the person has just accepted. Of a call with edited arguments it is the message
// of what they made of it, as the journal may keep it.
func (s *session) retainMessage(r *elicit.Request) {
	if !mayCompare(r) {
		return
	}
	said := acceptedMessage{strings.Clone(r.Tool), strings.Clone(r.Message)}
	// Escapes can make a message six times as long, so what counts is its spelling in a saved session.
	if len(said.AppendJSON(nil)) > maxAcceptedBytes {
		return // it would push out all others and not stay itself
	}
	list := slices.DeleteFunc(slices.Clone(s.accepted), func(old acceptedMessage) bool { return old == said })
	s.accepted = newestAccepted(append(list, said))
}

// newestAccepted is as much of the end of a list as a session keeps.
func newestAccepted(list []acceptedMessage) []acceptedMessage {
	// From the newest back, until one more would be too many or too large. So the newest always stays, and the oldest
	// goes.
	size, from := 0, len(list)
	for from > max(0, len(list)-maxAccepted) {
		size += len(list[from-1].AppendJSON(nil)) + 1
		if size > maxAcceptedBytes {
			break
		}
		from--
	}
	return list[from:]
}

// changes compares a message with those of the same tool that the person has accepted in this session, the newest
// first. It takes the first that is equal or almost the same. There are no changes to an equal message. Example: the
// person accepted "Run make test in /srv/app?". The next question of the same tool is "Run make clean in /srv/app?".
// The changes are same "Run make ", gone "test", new "clean", same " in /srv/app?". A message that is unlike all kept
// ones has no changes either.
func (s *session) changes(r *elicit.Request) (list []effect.Change) {
	if len(s.accepted) == 0 || !mayCompare(r) {
		return nil
	}
	// All comparisons of a question share one allowance: a server chooses how many messages there are and how alike.
	steps := changeSteps
	for _, said := range slices.Backward(s.accepted) {
		if said.tool != r.Tool {
			continue
		}
		if said.message == r.Message {
			return nil
		}
		for _, p := range worddiff.Compare(said.message, r.Message, &steps) {
			list = append(list, effect.Change{Is: changeKinds[p.Is], Text: p.Text})
		}
		// worddiff.Compare answers nil for texts that have too little in common, and then the next older message is
		// tried.
		if list != nil || steps <= 0 {
			return list
		}
	}
	return nil
}

var changeKinds = [...]effect.ChangeKind{worddiff.Same: effect.SameText, worddiff.Gone: effect.GoneText,
	worddiff.New: effect.NewText}

// AppendJSON appends {"tool"?,"message"}.
func (a acceptedMessage) AppendJSON(dst []byte) []byte {
	o := jsontext.Begin(dst)
	o.OptStr("tool", a.tool)
	o.Str("message", a.message)
	return o.End()
}

// readAccepted reads what a saved session remembers of accepted messages.
func readAccepted(r *strict.Reader, name string) (list []acceptedMessage) {
	r.Objects(name, "state_unreadable", maxAccepted, func(one *strict.Reader) {
		said := acceptedMessage{one.Opt("tool"), one.Str("message")}
		if len(said.tool) > maxTypedName || said.message == "" || len(said.message) > maxAcceptedMessage {
			one.Report("state_unreadable", "message")
		}
		list = append(list, said)
	})
	if len(newestAccepted(list)) < len(list) {
		r.Report("state_unreadable", name)
	}
	return list
}
