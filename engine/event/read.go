package event

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/journal"
)

// Limits let every event through that an engine may put into a journal: a document inside it takes one level of its
// own. A state or a configuration stands inside of an event as a member, and the event inside of a record.
func Limits() jsontext.Limits {
	return jsontext.Limits{Bytes: journal.MaxRecord, Depth: jsontext.DocumentLimits().Depth + 2}
}

// Read reads the canonical JSON of an event. Unknown events and members are refused: what is not understood must not be
// half understood. Members that stand in for what a journal did not keep are unknown here, because an answer that says
// "withheld" would pass for one that has been checked.
func Read(doc []byte) (Event, []elicit.Problem) {
	r, problems := strict.Document(doc, Limits())
	if len(problems) > 0 {
		return nil, problems
	}
	ev := Take(&r)
	r.RefuseUnknown()
	if len(r.Problems) > 0 {
		return nil, r.Problems
	}
	return ev, nil
}

// Take takes the members of an event from r, and reports what is wrong with them. It is nil for an unknown event. It is
// for package engine, whose journals have members beside these; everybody else reads with Read. The caller reads one
// member after another by name, so their order in the JSON does not matter. A problem stops nothing: the event that is
// returned beside problems must not be used.
func Take(r *strict.Reader) Event {
	switch r.Str("event") {
	case "configured":
		return Configured{Config: r.Text("config"), Refused: r.Opt("refused")}
	case "opened":
		return Opened{Session: r.Str("session"), Server: r.Str("server"), Side: elicit.Side(r.Str("side")),
			Declared: takeModes(r, "declared"), Shown: takeModes(r, "shown"), Client: takeModes(r, "client"),
			Principal: r.Opt("principal"), Identity: r.Opt("identity"), Labels: r.Strs("labels")}
	case "asked":
		asked := Asked{elicit.Request{Session: r.Str("session"), Ref: r.Str("ref"), Parent: r.Opt("parent"),
			Tool: r.Opt("tool"), Annotations: takeAnnotations(r, "annotations"),
			Candidates: takeCandidates(r, "candidates"), CandidatesCut: r.Flag("candidates_cut"),
			Mode: elicit.Mode(r.Str("mode")), Message: r.Str("message"), Parts: takeParts(r, "parts"),
			MessageCut: r.Flag("message_cut"), Schema: r.Text("schema"),
			URL: r.Opt("url"), Link: r.Opt("link"), Claim: elicit.Claim(r.Opt("claim")),
			Does: elicit.Deed(r.Opt("does")), Command: r.Opt("command"), Cwd: r.Opt("cwd"),
			CommandCandidate: r.Opt("command_candidate"), Paths: r.Strs("paths"),
			Hosts: r.Strs("hosts"), ReachCut: r.Flag("reach_cut"), Outside: takeSaid(r, "outside"),
			For: r.Opt("for"), CommandAt: r.Opt("command_at"),
			Arguments: r.Text("arguments"), ArgumentsSchema: r.Text("arguments_schema"), HeldCall: r.Flag("held_call"),
			Description: r.Opt("description"), Definition: r.Opt("definition"), Takes: takeTakes(r, "takes"),
			StrictReview: r.Flag("strict_review"), Persistable: r.Flag("persistable")}}
		if pointer, wrong := asked.WrongPart(); wrong && len(r.Problems) == 0 {
			r.ReportAt(strict.Pointer("parts")+pointer, "bad_input")
		}
		return asked
	case "answered":
		return Answered{Session: r.Str("session"), ID: elicit.ID(r.Str("id")), Principal: r.Opt("principal"),
			Action: elicit.Action(r.Str("action")), Content: r.Text("content"), Cleared: r.Strs("cleared"),
			Via: Via(r.Opt("via")), Remember: takeWish(r), Mute: r.Flag("mute"),
			Note: r.Opt("note"), Arguments: r.Text("arguments")}
	case "completed":
		return Completed{Session: r.Str("session"), Link: r.Str("link")}
	case "called":
		return Called{Session: r.Str("session"), Ref: r.Str("ref"), Tool: r.Str("tool"), Digest: r.Str("digest"),
			Again: r.Flag("again")}
	case "cancelled":
		return Cancelled{Session: r.Str("session"), Ref: r.Opt("ref"), Parent: r.Opt("parent"),
			Cause: elicit.Cause(r.Opt("cause"))}
	case "closed":
		return Closed{Session: r.Str("session"), Cause: elicit.Cause(r.Str("cause"))}
	case "resumed":
		return Resumed{State: r.Text("state")}
	case "noted":
		return Noted{Session: r.Str("session"), ID: elicit.ID(r.Str("id")), Receipt: Receipt(r.Str("receipt"))}
	case "drafted":
		return Drafted{Session: r.Str("session"), ID: elicit.ID(r.Str("id")), Draft: r.Text("draft")}
	case "extended":
		return Extended{Session: r.Str("session"), ID: elicit.ID(r.Str("id")), Until: r.Time("until")}
	case "preferred":
		return Preferred{Session: r.Str("session"), Ref: r.Str("ref")}
	case "revoked":
		return Revoked{Grant: elicit.ID(r.Str("grant"))}
	case "unmuted":
		return Unmuted{Session: r.Str("session"), Server: r.Str("server")}
	case "forgotten":
		return Forgotten{Session: r.Str("session"), Field: r.Opt("field")}
	case "ticked":
		return Ticked{}
	case "consulted":
		return Consulted{Session: r.Str("session"), ID: elicit.ID(r.Str("id")),
			Round:  min(strict.Bounded(r.Time("round")), strict.MostCount),
			Output: r.Opt("output"), Fault: guardian.Fault(r.Opt("fault")), Fuel: r.OptTime("fuel"),
			Principal: r.Opt("principal")}
	}
	r.Report("unknown_event", "event", elicit.Str("event", r.Str("event")))
	return nil
}

// The order and repetitions do not matter: ["url","form","form"] is both modes.
func takeModes(r *strict.Reader, name string) (m elicit.Modes) {
	r.Array(name, func(_ int, e gjson.Result) bool {
		switch {
		case e.Type == gjson.String && e.String() == string(elicit.Form):
			m.Form = true
		case e.Type == gjson.String && e.String() == string(elicit.URL):
			m.URL = true
		default:
			r.Report("unknown_mode", name, elicit.Str("mode", e.String()))
		}
		return true
	})
	return m
}

// takeTakes takes what a peer can be given beside the action and the content.
func takeTakes(r *strict.Reader, name string) (t elicit.Takes) {
	r.Array(name, func(_ int, e gjson.Result) bool {
		one, known := elicit.ReadTakes(e.Str)
		if !known {
			r.Report("unknown_takes", name, elicit.Str("takes", e.String()))
		}
		t |= one
		return known
	})
	return t
}

// takeCandidates takes the calls that a question may belong to. Their number is for Step to judge. One more than the
// limit is read, so that Step can tell "too many" from "as many as may be".
func takeCandidates(r *strict.Reader, name string) (list []elicit.Candidate) {
	takeObjects(r, name, func(sub *strict.Reader) (more bool) {
		list = append(list, elicit.Candidate{Tool: sub.Str("tool"), Annotations: takeAnnotations(sub, "annotations"),
			Open: sub.Flag("open")})
		return len(list) <= elicit.MaxCandidates
	})
	return list
}

// takeParts takes what the lines of a message are. Whether they fit the message is for WrongPart to say. A list without
// parts covers no message.
func takeParts(r *strict.Reader, name string) (list []elicit.Part) {
	takeObjects(r, name, func(sub *strict.Reader) (more bool) {
		part := elicit.Part{Is: elicit.PartKind(sub.Take("is").Str)}
		if lines, ok := strict.Integer(sub.Take("lines")); ok && lines <= maxLines {
			part.Lines = int(lines)
		}
		list = append(list, part)
		return len(list) <= elicit.MaxParts
	})
	if list == nil && r.Has(name) && len(r.Problems) == 0 {
		r.Report("bad_input", name)
	}
	return list
}

// takeObjects takes a list of objects. It ends at an element that is no object, and when take wants no more.
func takeObjects(r *strict.Reader, name string, take func(sub *strict.Reader) (more bool)) {
	r.Array(name, func(i int, e gjson.Result) bool {
		at := strict.Element(name, i)
		if !e.IsObject() {
			r.ReportAt(at, "wrong_type", elicit.Str("expected", "object"))
			return false
		}
		sub := strict.Of(e)
		more := take(&sub)
		r.Include(at, &sub)
		return more
	})
}

// maxLines is more than the lines of any message, and fits the numbers of every machine.
const maxLines = 1 << 30

func takeAnnotations(r *strict.Reader, name string) (a elicit.Annotations) {
	r.Object(name, func(sub *strict.Reader) {
		for _, m := range a.Members() {
			*m.Said = takeSaid(sub, m.Name)
		}
	})
	return a
}

// takeSaid takes a boolean that may be left out, which is then not said. {"destructive":false} is a word of the server.
// Without the member there is none.
func takeSaid(r *strict.Reader, name string) elicit.Said {
	if !r.Has(name) {
		return elicit.Unsaid
	}
	return elicit.Say(r.Flag(name))
}

// takeWish takes what is to be remembered of a yes.
func takeWish(r *strict.Reader) (w elicit.Wish) {
	r.Object("remember", func(sub *strict.Reader) {
		w = elicit.Wish{Scope: elicit.Scope(sub.Str("scope")), ExpiresAt: sub.OptTime("expires_at"),
			Prepared: sub.Flag("prepared")}
	})
	return w
}
