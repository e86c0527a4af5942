package engine

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/journal"
)

// eventLimits let every event through that Step may put into a journal: a document inside it takes one level of its
// own.
var eventLimits = jsontext.Limits{Bytes: journal.MaxRecord, Depth: documentLimits.Depth + 2}

// ReadEvent reads the canonical JSON of an event. Unknown events and members are refused: what is not understood must
// not be half understood. Members that stand in for what a journal did not keep are unknown here, because an answer
// that says "withheld" would pass for one that has been checked.
func ReadEvent(doc []byte) (Event, []elicit.Problem) { return readEvent(doc, false) }

// readEvent reads an event, kept saying that it comes from a journal.
func readEvent(doc []byte, kept bool) (Event, []elicit.Problem) {
	r := reader{kept: kept}
	return r.readEvent(doc)
}

// readEvent reads one event after another, with the same room for their members.
func (r *reader) readEvent(doc []byte) (Event, []elicit.Problem) {
	if f := jsontext.Check(doc, eventLimits); f != nil {
		return nil, []elicit.Problem{elicit.FromFault(f)}
	}
	*r = reader{root: gjson.ParseBytes(doc), kept: r.kept, members: r.members[:0], known: append(r.known[:0], "event")}
	if !r.root.IsObject() {
		return nil, []elicit.Problem{{Code: "wrong_type", Args: []elicit.Arg{elicit.Str("expected", "object")}}}
	}
	event := r.event()
	r.refuseUnknown()
	if len(r.problems) > 0 {
		return nil, r.problems
	}
	return event, nil
}

func (r *reader) event() Event {
	switch r.str("event") {
	case "configured":
		return Configured{Config: r.document("config"), Refused: r.opt("refused")}
	case "opened":
		return Opened{Session: r.str("session"), Server: r.str("server"), Side: elicit.Side(r.str("side")),
			Declared: r.modes("declared"), Shown: r.modes("shown"), Principal: r.opt("principal"),
			Identity: r.opt("identity")}
	case "asked":
		return Asked{
			Request: elicit.Request{Session: r.str("session"), Ref: r.str("ref"), Parent: r.opt("parent"),
				Tool: r.opt("tool"), Annotations: r.annotations("annotations"),
				Candidates: r.candidates("candidates"), CandidatesCut: r.flag("candidates_cut"),
				Mode: elicit.Mode(r.str("mode")), Message: r.str("message"), Schema: r.document("schema"), URL: r.opt("url"), Link: r.opt("link"),
				Claim: elicit.Claim(r.opt("claim")), StrictReview: r.flag("strict_review"),
				Persistable: r.flag("persistable")},
			cutMessage: r.length("cut_message"), cutSchema: r.length("cut_schema"), cutURL: r.length("cut_url"),
			cutDigest: r.keptText("cut_digest"),
		}
	case "answered":
		return Answered{Session: r.str("session"), ID: elicit.ID(r.str("id")), Principal: r.opt("principal"),
			Action: elicit.Action(r.str("action")), Content: r.document("content"), Cleared: r.names("cleared"),
			Via: Via(r.opt("via")), Remember: r.wish(), Mute: r.flag("mute"), withheld: r.withheld()}
	case "completed":
		return Completed{Session: r.str("session"), Link: r.str("link")}
	case "cancelled":
		return Cancelled{Session: r.str("session"), Ref: r.opt("ref"), Parent: r.opt("parent"),
			Cause: elicit.Cause(r.opt("cause"))}
	case "closed":
		return Closed{Session: r.str("session"), Cause: elicit.Cause(r.str("cause"))}
	case "resumed":
		return Resumed{State: r.document("state")}
	case "noted":
		return Noted{Session: r.str("session"), ID: elicit.ID(r.str("id")), Receipt: Receipt(r.str("receipt"))}
	case "drafted":
		return Drafted{Session: r.str("session"), ID: elicit.ID(r.str("id")), Draft: r.document("draft")}
	case "extended":
		return Extended{Session: r.str("session"), ID: elicit.ID(r.str("id")), Until: r.time("until")}
	case "preferred":
		return Preferred{Session: r.str("session"), Ref: r.str("ref")}
	case "revoked":
		return Revoked{Grant: elicit.ID(r.str("grant"))}
	case "unmuted":
		return Unmuted{Session: r.str("session"), Server: r.str("server")}
	case "forgotten":
		return Forgotten{Session: r.str("session"), Field: r.opt("field")}
	case "ticked":
		return Ticked{}
	case "flooded":
		if r.kept {
			return r.flooded()
		}
	case "consulted":
		return Consulted{Session: r.str("session"), ID: elicit.ID(r.str("id")), Round: int(r.time("round")),
			Output: r.opt("output"), Fault: guardian.Fault(r.opt("fault")), Fuel: r.optTime("fuel"), Principal: r.opt("principal")}
	case "refused":
		if r.kept {
			return refusedEvent{code: r.str("code")}
		}
	}
	r.complain("unknown_event", "event", elicit.Str("event", r.str("event")))
	return nil
}

// reader takes the members of one gated object by exact name and collects what is wrong with them.
type reader struct {
	root     gjson.Result
	members  []member // of root, once one has been taken
	indexed  bool
	known    []string
	kept     bool // the document comes from a journal
	problems []elicit.Problem

	deprecated []elicit.Problem // names of an earlier version, which are read as they were meant
}

type member struct {
	name  string
	value gjson.Result
}

func (r *reader) complain(code, name string, args ...elicit.Arg) {
	r.problems = append(r.problems, elicit.Problem{Code: code, Args: args,
		Pointer: string(jsontext.AppendToken(nil, name))})
}

func (r *reader) take(name string) gjson.Result {
	r.known = append(r.known, name)
	if !r.indexed {
		if r.indexed = true; r.members == nil {
			r.members = make([]member, 0, 16)
		}
		r.root.ForEach(func(k, v gjson.Result) bool {
			r.members = append(r.members, member{k.String(), v})
			return true
		})
	}
	for i := range r.members {
		if r.members[i].name == name {
			return r.members[i].value
		}
	}
	return gjson.Result{}
}

func (r *reader) str(name string) string {
	v := r.take(name)
	if v.Type != gjson.String {
		r.complain("wrong_type", name, elicit.Str("expected", "string"))
	}
	return v.String()
}

func (r *reader) opt(name string) string {
	if v := r.take(name); v.Exists() && v.Type != gjson.String {
		r.complain("wrong_type", name, elicit.Str("expected", "string"))
	} else if v.Exists() {
		return v.String()
	}
	return ""
}

func (r *reader) flag(name string) bool {
	v := r.take(name)
	if v.Exists() && !v.IsBool() {
		r.complain("wrong_type", name, elicit.Str("expected", "boolean"))
	}
	return v.Type == gjson.True
}

func (r *reader) length(name string) int {
	if !r.kept {
		return 0
	}
	v := r.take(name)
	if v.Exists() && (v.Type != gjson.Number || v.Int() < 1 || v.Int() > 1<<40) {
		r.complain("wrong_type", name, elicit.Str("expected", "length"))
		return 0
	}
	return int(v.Int())
}

// keptText takes a text that only journals have.
func (r *reader) keptText(name string) string {
	if !r.kept {
		return ""
	}
	return r.opt(name)
}

func (r *reader) time(name string) int64 {
	v := r.take(name)
	if v.Type != gjson.Number || v.Int() < 0 || v.Int() > lastMoment || float64(v.Int()) != v.Num {
		r.complain("wrong_type", name, elicit.Str("expected", "milliseconds"))
		return 0
	}
	return v.Int()
}

// optTime takes a time that may be left out, 0 then.
func (r *reader) optTime(name string) int64 {
	if !r.take(name).Exists() {
		return 0
	}
	return r.time(name)
}

// document takes a document inline or as exact text.
func (r *reader) document(name string) []byte {
	if v := r.take(name + "_text"); v.Type == gjson.String {
		return []byte(v.String())
	} else if v.Exists() {
		r.complain("wrong_type", name+"_text", elicit.Str("expected", "string"))
	}
	if v := r.take(name); v.Exists() {
		return []byte(v.Raw)
	}
	return nil
}

func (r *reader) modes(name string) Modes {
	var m Modes
	v := r.take(name)
	if v.Exists() && !v.IsArray() {
		r.complain("wrong_type", name, elicit.Str("expected", "array"))
		return m
	}
	v.ForEach(func(_, e gjson.Result) bool {
		switch {
		case e.Type == gjson.String && e.String() == string(elicit.Form):
			m.Form = true
		case e.Type == gjson.String && e.String() == string(elicit.URL):
			m.URL = true
		default:
			r.complain("unknown_mode", name, elicit.Str("mode", e.String()))
		}
		return true
	})
	return m
}

func (r *reader) names(name string) (list []string) {
	v := r.take(name)
	if v.Exists() && !v.IsArray() {
		r.complain("wrong_type", name, elicit.Str("expected", "array"))
		return nil
	}
	v.ForEach(func(_, e gjson.Result) bool {
		if e.Type != gjson.String {
			r.complain("wrong_type", name, elicit.Str("expected", "string"))
		}
		list = append(list, e.String())
		return true
	})
	return list
}

// candidates takes the calls that a question may belong to. Their number is for Step to judge.
func (r *reader) candidates(name string) (list []elicit.Candidate) {
	v := r.take(name)
	if v.Exists() && !v.IsArray() {
		r.complain("wrong_type", name, elicit.Str("expected", "array"))
		return nil
	}
	v.ForEach(func(_, e gjson.Result) bool {
		at := name + "/" + strconv.Itoa(len(list))
		if !e.IsObject() {
			r.problems = append(r.problems, elicit.Problem{Code: "wrong_type", Pointer: "/" + at,
				Args: []elicit.Arg{elicit.Str("expected", "object")}})
			return false
		}
		sub := &reader{root: e}
		c := elicit.Candidate{Tool: sub.str("tool"), Annotations: sub.annotations("annotations"), Open: sub.flag("open")}
		r.addProblemsAt("/"+at, sub)
		list = append(list, c)
		return len(list) <= elicit.MaxCandidates
	})
	return list
}

func (r *reader) annotations(name string) (a elicit.Annotations) {
	sub := r.object(name)
	if sub == nil {
		return a
	}
	for _, m := range a.Members() {
		if v := sub.take(m.Name); v.Exists() {
			*m.Said = elicit.Say(sub.flag(m.Name))
		}
	}
	r.addProblems(name, sub)
	return a
}

func (r *reader) withheld() (list []withheldValue) {
	if !r.kept {
		return nil
	}
	r.take("withheld").ForEach(func(_, e gjson.Result) bool {
		w := withheldValue{pointer: e.Get("pointer").String()}
		e.Get("problems").ForEach(func(_, p gjson.Result) bool {
			w.problems = append(w.problems, readProblem(p))
			return true
		})
		e.Get("findings").ForEach(func(_, f gjson.Result) bool {
			if strings.HasPrefix(f.Get("pointer").String(), secretPointer+w.pointer) {
				w.findings = append(w.findings, readFinding(f))
			}
			return true
		})
		list = append(list, w)
		return true
	})
	return list
}

func readProblem(p gjson.Result) elicit.Problem {
	return elicit.Problem{Code: p.Get("code").String(), Pointer: p.Get("pointer").String(),
		Start: int(p.Get("start").Int()), End: int(p.Get("end").Int()), Args: readArgs(p)}
}

func readFinding(f gjson.Result) elicit.Finding {
	return elicit.Finding{Code: f.Get("code").String(), Severity: elicit.Severity(f.Get("severity").String()),
		Pointer: f.Get("pointer").String(), Start: int(f.Get("start").Int()), End: int(f.Get("end").Int()),
		Evidence: f.Get("evidence").String(), Args: readArgs(f)}
}

func (r *reader) refuseUnknown() {
	r.root.ForEach(func(k, _ gjson.Result) bool {
		for _, name := range r.known {
			if name == k.String() {
				return true
			}
		}
		r.complain("unknown_member", k.String())
		return true
	})
}

func readArgs(v gjson.Result) (args []elicit.Arg) {
	v.Get("args").ForEach(func(k, a gjson.Result) bool {
		args = append(args, elicit.Raw(k.String(), a.Raw))
		return true
	})
	return args
}
