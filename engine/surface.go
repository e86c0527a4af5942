package engine

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/pending"
)

// A question may be drawn by the peer's own client, or on the host's surface. The client comes first, because its
// person knows its forms. The host's surface takes a question that the client cannot draw or that nobody saw there.

// These are the reasons why a question is not, or no longer, with the client.
const (
	codeClientUnseen  = "client_unseen"   // the client cancelled sooner than a person could have read the question
	codeClientSilent  = "client_silent"   // the client gave no answer that can be read
	codeClientUnfit   = "client_unfit"    // the client's content does not fit the form
	codeFindingOnHost = "finding_on_host" // policy wants the host's surface for such a finding
)

// chooseSurface says who draws a question.
func (s *step) chooseSurface(h *held) {
	opened, mode := &h.session.opened, h.request.Mode
	if h.byClient = opened.Client.Has(mode); !h.byClient || !opened.Shown.Has(mode) {
		return
	}
	if severity := s.config.stack.OwnSurface(h.findings); severity != "" {
		h.byClient = false
		h.reasons = append(h.reasons, elicit.Reason{Code: codeFindingOnHost,
			Args: []elicit.Arg{elicit.Str("severity", string(severity))}})
	}
}

// showByClient shows a queued question at once if the client draws it. It takes no turn from the questions on the
// host's surface.
func (s *step) showByClient(h *held) {
	if !h.byClient {
		return
	}
	if it, queued := s.table.ShowApart(h.request.ID, s.at); queued {
		s.show(h, it.Deadline)
	}
}

// unseenByClient says why an answer from the side of the client is nobody's, or "". A cancel before unseen_ms has
// passed is one that no person gave: a client without a window cancels at once.
func (s *step) unseenByClient(h *held, ev event.Answered) string {
	switch {
	case !h.byClient || ev.Action == elicit.Accept:
	case ev.Via == event.ViaNoAnswer || ev.Via == event.ViaNoUI:
		return codeClientSilent
	case ev.Action != elicit.Cancel:
	case ev.Via == event.ViaClient && s.at-h.shownAt < int64(s.config.limits.unseen):
		return codeClientUnseen
	}
	return ""
}

// askOnHost gives a question that the client had a turn on the host's surface. It reports false if the host cannot show
// it, or if its server has asked the person too often. Then the client's answer stands.
func (s *step) askOnHost(h *held, code string) bool {
	if !h.byClient || !h.session.opened.Shown.Has(h.request.Mode) ||
		s.table.Charge(h.request.Session, h.request.Server, s.at) != pending.Admitted {
		return false
	}
	h.byClient, h.shownAt, h.draft = false, 0, nil
	h.reasons = append(h.reasons, elicit.Reason{Code: code})
	s.table.Requeue(h.request.ID, s.at)
	return true
}
