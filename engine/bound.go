package engine

// maxLabel bounds the names and handles that travel with an event, in bytes.
const maxLabel = 1024

// bounded returns the event, or nil when it carries more than a journal record can hold. Texts a person reads have
// limits of their own and are cut where they are met, so that the refusal can be replayed; a label that long is no
// label, and a document that long is refused unread.
func bounded(event Event) Event {
	fits := func(labels ...string) Event {
		for _, l := range labels {
			if len(l) > maxLabel {
				return nil
			}
		}
		return event
	}
	switch ev := event.(type) {
	case Configured:
		if len(ev.Config) > maxState {
			return nil
		}
	case Resumed:
		if len(ev.State) > maxState {
			return nil
		}
	case Opened:
		return fits(ev.Session, ev.Server, ev.Principal, string(ev.Side))
	case Asked:
		return fits(ev.Session, ev.Ref, ev.Parent, ev.Tool, ev.Link, string(ev.Mode), string(ev.Claim))
	case Answered:
		if len(ev.Cleared) > maxLabel || fits(ev.Cleared...) == nil {
			return nil
		}
		return fits(ev.Session, string(ev.ID), ev.Principal, string(ev.Action), string(ev.Via))
	case Completed:
		return fits(ev.Session, ev.Link)
	case Cancelled:
		return fits(ev.Session, ev.Ref, ev.Parent)
	case Closed:
		return fits(ev.Session, string(ev.Cause))
	case nil:
		return unknownEvent{}
	}
	return event
}

// unknownEvent stands for a nil event, which Step reports like any it does not know.
type unknownEvent struct{ Ticked }
