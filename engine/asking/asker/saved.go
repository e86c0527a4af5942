package asker

import (
	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
)

// client is what any process must know of a session's client.
//
// It is the client of the first call. Later calls must have its Principal.
type client struct {
	Principal, Version string
	Form, URL          bool
	Requests           bool
	Once               bool // the session is a single call
}

func (c Client) saved() client {
	return client{c.Principal, c.Version, c.Declared.Form, c.Declared.URL && !c.unknownAgain(), c.Requests,
		c.Session == ""}
}

// mostCommits is how many commits a session knows by name. A commit is looked for a moment after it was made.
const mostCommits = 8

// save writes a session at rest: {"client":{…},"machine"?:{…},"taken"?:[…],"commits":[…]}. A session in which nothing
// is open may have no machine. The commits are the names of the last
// ones, the newest at the end.
func save(c client, machine []byte, commits []string, all []*taken) []byte {
	o := jsontext.Begin(nil)
	o.Name("client", func(dst []byte) []byte {
		o := jsontext.Begin(dst)
		o.OptStr("principal", c.Principal)
		o.Str("version", c.Version)
		o.OptTrue("form", c.Form)
		o.OptTrue("url", c.URL)
		o.OptTrue("requests", c.Requests)
		o.OptTrue("once", c.Once)
		return o.End()
	})
	o.OptRaw("machine", machine)
	if len(all) > 0 {
		o.Each("taken", len(all), func(dst []byte, i int) []byte { return all[i].save(dst) })
	}
	jsontext.Strings(&o, "commits", commits)
	return o.End()
}

// savedLimits let through every state that package asking takes, and what stands around it.
var savedLimits = jsontext.Limits{Bytes: asking.MaxState + 1<<16, Depth: 66}

// saved is a session at rest.
type saved struct {
	client  client
	machine []byte
	commits []string
	taken   []*taken
}

func readSaved(doc []byte) (all saved, problems []elicit.Problem) {
	r, problems := strict.Document(doc, savedLimits)
	if len(problems) > 0 {
		return all, problems
	}
	r.Object("client", func(r *strict.Reader) {
		all.client = client{Principal: r.Opt("principal"), Version: r.Str("version"), Form: r.Flag("form"),
			URL: r.Flag("url"), Requests: r.Flag("requests"), Once: r.Flag("once")}
	})
	all.machine, all.commits = r.Raw("machine"), r.Strs("commits")
	r.Objects("taken", "state_unreadable", maxTaken+1024, func(one *strict.Reader) {
		all.taken = append(all.taken, readTaken(one))
	})
	r.RefuseUnknown()
	return all, r.Problems
}

// round is what a client carries from one round of a call to the next, in a seal.
//
// The seal binds it to principal, method, target, arguments and server.
type round struct {
	session string // of a machine that knows more
	machine []byte
}

func (c round) append() []byte {
	o := jsontext.Begin(nil)
	o.OptStr("session", c.session)
	o.OptRaw("machine", c.machine)
	return o.End()
}

func readRound(doc []byte) (c round, ok bool) {
	r, problems := strict.Document(doc, savedLimits)
	if len(problems) > 0 {
		return c, false
	}
	c = round{r.Opt("session"), r.Raw("machine")}
	r.RefuseUnknown()
	return c, len(r.Problems) == 0 && len(c.session) <= maxName
}
