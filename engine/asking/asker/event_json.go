package asker

import (
	"errors"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/asking/site"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
)

// eventLimits have room for the largest state of a session.
var eventLimits = jsontext.Limits{Bytes: asking.MaxState + 1<<20, Depth: 140, Members: 1 << 20}

// readers read the members of events. Their names are those of the types in event.go, in the spelling of JSON.
//
// A reader takes all members of its event, and ReadEvent then refuses the rest. The result of a seal is taken whole, in
// "said", so that a host passes on what the operation returned.
var readers = map[string]func(r *strict.Reader) Event{
	"called": func(r *strict.Reader) Event {
		return Called{Call: r.Str("call"), Client: ReadClient(r, "client"), Method: r.Opt("method"), Target: r.Opt("target"),
			Arguments: r.Raw("arguments"), Structured: r.Flag("structured"), State: r.Opt("state"),
			Responses: r.Raw("responses"), Session: r.Opt("session"), Token: r.Raw("token")}
	},
	"unsealed": func(r *strict.Reader) Event {
		ev := Unsealed{Call: r.Str("call")}
		r.Object("said", func(said *strict.Reader) {
			said.Object("claims", func(c *strict.Reader) {
				ev.ID, ev.Body, ev.Expires = c.Str("id"), text(c, "body_text"), c.Time("expires_at")
				for _, name := range [...]string{"principal", "method", "target", "audience", "arguments_digest",
					"issued_at"} {
					c.Take(name)
				}
			})
			said.Take("problems") // a client learns no reason
		})
		return ev
	},
	"redeemed": func(r *strict.Reader) Event { return Redeemed{r.Str("call"), r.Flag("again")} },
	"posed": func(r *strict.Reader) Event {
		return Posed{Ref: r.Str("ref"), Call: r.Str("call"), Question: asking.ReadQuestion(r)}
	},
	"checked": func(r *strict.Reader) Event { return Checked{r.Str("ref"), r.Raw("schema"), r.Raw("content")} },
	"kept":    func(r *strict.Reader) Event { return Kept{r.Str("ref"), r.Str("call"), r.Opt("key")} },
	"computed": func(r *strict.Reader) Event {
		return Computed{Ref: r.Str("ref"), Call: r.Str("call"), Key: r.Opt("key"), Position: r.Count("position"),
			Value: r.Raw("value")}
	},
	"given_up": func(r *strict.Reader) Event { return GivenUp{r.Str("ref")} },
	"keyed":    func(r *strict.Reader) Event { return Keyed{r.Str("ref"), r.Str("call")} },
	"returned": func(r *strict.Reader) Event {
		return Returned{r.Str("call"), r.Flag("cancelled"), value(r, "result"), value(r, "error")}
	},
	"sealed": func(r *strict.Reader) Event {
		ev := Sealed{Call: r.Str("call")}
		r.Object("said", func(said *strict.Reader) {
			ev.State = said.Opt("token")
			said.Take("id")
			if problems := said.Raw("problems"); problems != nil {
				ev.Why = errors.New(string(problems))
			}
		})
		return ev
	},
	"responded": func(r *strict.Reader) Event { return Responded{r.Str("ref"), r.Raw("result"), r.Raw("error")} },
	"submitted": func(r *strict.Reader) Event {
		return Submitted{Ref: r.Str("ref"), ID: r.Opt("id"), Link: r.Opt("link"), Client: ReadClient(r, "client"),
			Action: elicit.Action(r.Str("action")), Content: r.Raw("content"), Cleared: r.Strs("cleared")}
	},
	"claimed": func(r *strict.Reader) Event {
		return Claimed{r.Str("ref"), r.Str("link"), r.Opt("principal"), r.Str("browser")}
	},
	"viewed":    func(r *strict.Reader) Event { return Viewed{r.Str("ref"), r.Str("link")} },
	"requested": func(r *strict.Reader) Event { return Requested{r.Str("ref"), site.Read(r, "request")} },
	"completed": func(r *strict.Reader) Event { return Completed{r.Str("ref"), r.Str("id")} },
	"consulted": func(r *strict.Reader) Event {
		said, problems := event.Read(r.Raw("said"))
		r.IncludeProblems("/said", problems)
		consulted, is := said.(event.Consulted)
		if !is && len(problems) == 0 {
			r.Report("unknown_event", "said")
		}
		return Consulted{r.Str("session"), consulted}
	},
	"listed":     func(r *strict.Reader) Event { return Listed{r.Str("ref"), r.Opt("principal")} },
	"cancelled":  func(r *strict.Reader) Event { return TakenBack{r.Str("ref"), r.Str("id"), r.Str("by")} },
	"progressed": func(r *strict.Reader) Event { return Progressed{r.Str("call")} },
	"closed":     func(r *strict.Reader) Event { return Closed{r.Str("ref"), r.Opt("session")} },
	"loaded": func(r *strict.Reader) Event {
		return Loaded{r.Str("session"), uint64(r.Time("version")), text(r, "state")}
	},
	"missing":    func(r *strict.Reader) Event { return Missing{r.Str("session")} },
	"committed":  func(r *strict.Reader) Event { return Committed{r.Str("session"), uint64(r.Time("version"))} },
	"conflicted": func(r *strict.Reader) Event { return Conflicted{r.Str("session")} },
	"store_failed": func(r *strict.Reader) Event {
		return StoreFailed{r.Opt("session"), r.Opt("call"), why(r), r.Flag("away")}
	},
	"watched":   func(r *strict.Reader) Event { return Watched{r.Str("session")} },
	"unwatched": func(r *strict.Reader) Event { return Unwatched{r.Str("session")} },
	"hinted":    func(r *strict.Reader) Event { return Hinted{r.Str("session"), uint64(r.OptTime("version"))} },
	"found":     func(r *strict.Reader) Event { return Found{r.Strs("sessions")} },
	"appended":  func(r *strict.Reader) Event { return Appended{r.Str("session"), why(r)} },
	"ticked":    func(*strict.Reader) Event { return Ticked{} },
}

// EventNames lists the events.
func EventNames() []string {
	return []string{"called", "unsealed", "redeemed", "posed", "checked", "kept", "keyed", "computed", "given_up",
		"returned", "sealed", "responded", "submitted", "claimed", "viewed", "requested", "completed", "listed", "cancelled",
		"progressed", "consulted", "closed", "loaded", "missing", "committed", "conflicted", "store_failed",
		"watched", "unwatched", "hinted", "found", "appended", "ticked"}
}

// ReadEvent reads the JSON of an event: {"event":NAME,…} with the members of its type, of which empty ones may be left
// out. States, bodies and sealed states are strings; arguments, answers and values are JSON. It refuses unknown events
// and members. doc must have passed the gate.
func ReadEvent(doc []byte) (Event, []elicit.Problem) {
	r, problems := strict.Document(doc, eventLimits)
	if len(problems) > 0 {
		return nil, problems
	}
	read := readers[r.Str("event")]
	if read == nil {
		return nil, []elicit.Problem{{Code: "unknown_event", Pointer: "/event"}}
	}
	ev := read(&r)
	if r.RefuseUnknown(); len(r.Problems) > 0 {
		return nil, r.Problems
	}
	return ev, nil
}

// ReadClient reads a member with who calls.
func ReadClient(r *strict.Reader, member string) (c Client) {
	r.Object(member, func(r *strict.Reader) {
		c = Client{Session: r.Opt("session"), Principal: r.Opt("principal"), Version: r.Opt("version"),
			Declared: asking.ReadDeclared(r), Requests: r.Flag("requests")}
		if raw := r.Raw("capabilities"); raw != nil {
			c = c.Capable(raw)
		}
	})
	return c
}

// text takes bytes that stand in a string, nil for none.
func text(r *strict.Reader, name string) []byte {
	if !r.Has(name) {
		return nil
	}
	return []byte(r.Str(name))
}

// value takes JSON in one spelling, nil for none.
func value(r *strict.Reader, name string) []byte {
	if raw := r.Raw(name); raw != nil {
		return jsontext.AppendValue(nil, raw)
	}
	return nil
}

// why takes the reason of a failure. It is for people.
func why(r *strict.Reader) error {
	if said := r.Opt("why"); said != "" {
		return errors.New(said)
	}
	return nil
}

// ReadConfig reads the configuration of a machine, a JSON object that has passed the gate: the members of the
// configuration of package asking that do not concern one client, and
//
//	"store"?:true,"journal"?:true,"keep_ms"?:7776000000,"keep_journal_ms"?,"results_ms"?:900000,
//	"progress_ms"?:10000,"sign_in"?:"/login"
//
// A store gets no records with the keep_journal_ms 0, a client no progress with the progress_ms 0, and a call that is
// made again no result with the results_ms 0.
func ReadConfig(doc []byte) (c Config, problems []elicit.Problem) {
	r, problems := strict.Document(doc, eventLimits)
	if len(problems) > 0 {
		return c, problems
	}
	c = Config{Asking: asking.ReadServer(&r), Keep: r.OptTime("keep_ms"), KeepJournal: r.OptTime("keep_journal_ms"),
		Store: r.Flag("store"), Journal: r.Flag("journal"), Results: r.OptTime("results_ms"),
		Progress: r.OptTime("progress_ms"), SignIn: r.Opt("sign_in")}
	for name, ms := range map[string]*int64{"keep_journal_ms": &c.KeepJournal, "results_ms": &c.Results,
		"progress_ms": &c.Progress} {
		if r.Has(name) && *ms == 0 {
			*ms = -1
		}
	}
	r.RefuseUnknown()
	return c, r.Problems
}
