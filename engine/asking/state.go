package asking

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
)

// stateVersion is the number of the formats that Save and the Body of an Interrupt write.
const stateVersion = 1

// MaxState is the most bytes of a state that Load takes.
const MaxState = 16 << 20

// stateLimits bound a state. A member of it may hold an engine's state.
var stateLimits = jsontext.Limits{Bytes: MaxState, Depth: 64}

// Save writes the whole state of the machine as JSON: what Load needs to go on with it, here or elsewhere. It holds
// answers in clear, so it belongs into a store that encrypts. A closed machine has no state.
//
// silent, by, said and failure of an open question are not in it. The step that sets them ends the question, or a later
// step sets them again before they count.
func (m *Machine) Save() []byte {
	state, open := m.decider.engine.Save(session)
	if !open {
		return nil
	}
	o := jsontext.Begin(nil)
	o.Int("asking", stateVersion)
	o.Raw("engine", state)
	o.Int("minted", int64(m.questions.minted))
	list(&o, "calls", m.calls.order, func(o *jsontext.Object, id string) { m.calls.byID.At(id).save(o) })
	list(&o, "questions", m.questions.list, func(o *jsontext.Object, q *question) { q.save(o) })
	list(&o, "sent", m.questions.sent, func(o *jsontext.Object, s sent) {
		o.Strs("ref", s.ref, "id", string(s.id))
	})
	if len(m.questions.over) > 0 {
		list(&o, "pages", m.questions.over, func(o *jsontext.Object, p claimedPage) { p.save(o) })
	}
	return o.End()
}

func list[T any](o *jsontext.Object, name string, items []T, save func(*jsontext.Object, T)) {
	o.Each(name, len(items), func(dst []byte, i int) []byte {
		one := jsontext.Begin(dst)
		save(&one, items[i])
		return one.End()
	})
}

func (c *call) save(o *jsontext.Object) {
	o.Str("call", c.id)
	o.OptStrs("method", c.method, "target", c.target)
	o.OptRaw("arguments", c.arguments)
	o.OptTrue("structured", c.structured)
	o.OptTrue("running", c.running)
	o.OptTrue("interrupted", c.interrupted)
	o.OptRaw("responses", c.responses)
	o.OptInt("expires", c.expires)
	c.logical.save(o)
	if c.before != nil {
		o.Name("before", func(dst []byte) []byte {
			one := jsontext.Begin(dst)
			c.before.save(&one)
			return one.End()
		})
	}
	c.saveAnswers(o)
}

func (l logical) save(o *jsontext.Object) {
	if l.key != "" {
		o.Str("key", l.key)
		o.OptInt("round", int64(l.round))
		o.OptTrue("keyed", l.keyed)
	}
}

func readLogical(r *strict.Reader) logical {
	return logical{r.Opt("key"), r.Count("round"), r.Flag("keyed")}
}

func (b *open) save(o *jsontext.Object) {
	o.OptInt("position", int64(b.position))
	o.Str("digest", digest.Hex(b.digest[:]))
	o.OptInt("attempts", int64(b.attempts))
	o.Int("deadline", b.deadline)
}

func readOpen(r *strict.Reader) *open {
	return &open{position: r.Count("position"), digest: readDigest(r), attempts: r.Count("attempts"),
		deadline: r.OptTime("deadline")}
}

func (c *call) saveAnswers(o *jsontext.Object) {
	list(o, "answers", c.answers, func(o *jsontext.Object, a answer) {
		o.OptInt("position", int64(a.position))
		o.Str("digest", digest.Hex(a.digest[:]))
		if o.OptRaw("value", a.value); a.value != nil {
			return
		}
		o.OptStrs("link", a.link, "said", a.said, "id", string(a.settle.ID))
		o.Strs("outcome", string(a.settle.Outcome), "cause", string(a.settle.Cause))
		o.OptRaw("content", a.settle.Content)
		o.OptStr("offer", string(a.settle.Offer))
		o.OptTrue("page", a.settle.Page)
		o.OptTrue("completed", a.settle.Completed != "")
		saveProblems(o, a.settle.Problems)
		jsontext.OptList(o, "reasons", a.settle.Reasons)
	})
}

func (q *question) save(o *jsontext.Object) {
	q.Question.append(o)
	o.Str("call", q.call)
	o.OptInt("position", int64(q.position))
	o.Strs("ref", q.ref, "link", q.link)
	o.OptStrs("id", string(q.id), "offer", string(q.offer))
	o.OptTrue("page", q.page)
	o.OptStrs("browser", q.browser, "sent", q.sent)
	o.OptTrue("consented", q.consented)
	o.OptInt("attempts", int64(q.attempts))
	o.OptInt("deadline", q.deadline)
	o.OptInt("hold_until", q.holdUntil)
	o.OptTrue("queued", q.queued)
	o.OptInt("put", q.put)
	o.OptTrue("absent", q.absent)
	saveProblems(o, q.problems)
}

// Load goes on with the machine that Save wrote. The configuration may have changed since: its policy decides again on
// open questions, and what it declines ends. For a state with problems there is no machine.
//
// The effects begin with the records of a new journal.
//
// A state with an unknown member, or over a bound, is refused as a whole.
func Load(c Config, state []byte, in Input) (*Machine, []Effect, []elicit.Problem) {
	r, problems := strict.Document(state, stateLimits)
	if len(problems) > 0 {
		return nil, nil, problems
	}
	m, problems := begin(c, in)
	if len(problems) > 0 {
		return nil, nil, problems
	}
	if r.Take("asking").Raw != "1" {
		return nil, nil, []elicit.Problem{{Code: "state_version", Pointer: "/asking"}}
	}
	saved := r.Raw("engine")
	m.questions.minted = r.Count("minted")
	r.Objects("calls", "state_unreadable", maxCalls, func(one *strict.Reader) {
		c := readCall(one)
		m.calls.add(c)
	})
	r.Objects("questions", "state_unreadable", maxCalls*MaxPositions, func(one *strict.Reader) {
		m.questions.list = append(m.questions.list, readQuestion(one))
	})
	r.Objects("sent", "state_unreadable", maxSent+maxCalls*MaxPositions, func(one *strict.Reader) {
		m.questions.sent = append(m.questions.sent, sent{one.Str("ref"), elicit.ID(one.Str("id"))})
	})
	r.Objects("pages", "state_unreadable", maxPagesOver, func(one *strict.Reader) {
		m.questions.over = append(m.questions.over, readClaimedPage(one))
	})
	if r.RefuseUnknown(); len(r.Problems) > 0 || m.calls.byID.Len() != len(m.calls.order) {
		return nil, nil, []elicit.Problem{{Code: "state_unreadable"}}
	}
	// The engine checks its own part. Its effects find the questions that were read above.
	m.do(event.Resumed{State: saved})
	// A state that the engine refuses has no session. A machine without one would let every question fail.
	if len(m.decider.engine.Sessions()) != 1 {
		return nil, nil, []elicit.Problem{{Code: "state_unreadable", Pointer: "/engine"}}
	}
	// A question that the engine does not have ends here. One that guardians review again is shown when they have spoken.
	for _, q := range slices.Clone(m.questions.list) {
		if q.hidden() && !m.decider.engine.Holds(q.id) {
			m.settle(q, Settle{Outcome: elicit.Cancelled, Cause: elicit.BySessionClosed})
		}
	}
	return m, m.finish(), nil
}

func readCall(r *strict.Reader) *call {
	c := &call{id: r.Str("call"), method: r.Opt("method"), target: r.Opt("target"), arguments: r.Raw("arguments"),
		structured: r.Flag("structured"), running: r.Flag("running"), interrupted: r.Flag("interrupted"),
		responses: r.Raw("responses"), expires: r.OptTime("expires"), logical: readLogical(r)}
	if r.Has("before") {
		r.Object("before", func(sub *strict.Reader) { c.before = readOpen(sub) })
	}
	c.readAnswers(r)
	return c
}

func (c *call) readAnswers(r *strict.Reader) {
	r.Objects("answers", "state_unreadable", MaxPositions, func(one *strict.Reader) {
		a := answer{position: one.Count("position"), digest: readDigest(one), value: one.Raw("value")}
		if a.value != nil {
			c.answers = append(c.answers, a)
			return
		}
		a.link, a.said = one.Opt("link"), one.Opt("said")
		a.settle = Settle{Position: a.position, ID: elicit.ID(one.Opt("id")), Outcome: elicit.Outcome(one.Str("outcome")),
			Cause: elicit.Cause(one.Str("cause")), Content: one.Raw("content"), Offer: Offer(one.Opt("offer")),
			Page: one.Flag("page"), Problems: readProblems(one), Reasons: readReasons(one)}
		if one.Flag("completed") {
			a.settle.Completed = a.link
		}
		c.answers = append(c.answers, a)
	})
}

func readDigest(r *strict.Reader) (d digestOf) {
	if !digest.ReadHex(d[:], r.Str("digest")) {
		r.Report("state_unreadable", "digest")
	}
	return d
}

func readQuestion(r *strict.Reader) *question {
	q := &question{Question: ReadQuestion(r), call: r.Str("call"), position: r.Count("position"), ref: r.Str("ref"),
		link: r.Str("link"), id: elicit.ID(r.Opt("id")), deadline: r.OptTime("deadline"), holdUntil: r.OptTime("hold_until")}
	q.offering = offering{offer: Offer(r.Opt("offer")), page: r.Flag("page"), browser: r.Opt("browser"),
		sent: r.Opt("sent"), consented: r.Flag("consented"), attempts: r.Count("attempts"),
		queued: r.Flag("queued"), put: r.OptTime("put"), absent: r.Flag("absent"), problems: readProblems(r)}
	// It is made again and not read: a state could say that another question had the answer.
	q.digest = q.Question.digest()
	return q
}

// body is what the state of a repeated call must bring back: the answers so far, and the question that is open.
//
// It has no text of a question, because the handler poses the question again. It has answers in clear, so the seal of
// the host must also hide it.
func (c *call) body(q *question) []byte {
	o := jsontext.Begin(nil)
	o.Int("asking", stateVersion)
	c.logical.save(&o)
	c.saveAnswers(&o)
	put := open{q.position, q.digest, q.attempts, q.deadline}
	put.save(&o)
	return o.End()
}

// Carried returns the key of the call in the Body of an Interrupt, and how often the call was interrupted. Without a
// key, the call has none.
func Carried(body []byte) (key string, round int) {
	if r, problems := strict.Document(body, stateLimits); len(problems) == 0 {
		l := readLogical(&r)
		return l.key, l.round
	}
	return "", 0
}

// readBody takes the state of a repeated call. A machine that knows the call knows more than the state, which another
// process may have written before a page was answered. A state from another version counts as none: the questions are
// asked again.
func (m *Machine) readBody(c *call, doc []byte) {
	r, problems := strict.Document(doc, stateLimits)
	if len(problems) > 0 || r.Take("asking").Raw != "1" {
		m.out.problem("state_unreadable", "")
		return
	}
	from := &call{logical: readLogical(&r)}
	from.readAnswers(&r)
	before := readOpen(&r)
	if r.RefuseUnknown(); len(r.Problems) > 0 {
		m.out.problem("state_unreadable", "")
		return
	}
	// The state was sealed by this server, so it is believed where this process knows nothing better.
	c.before = before
	if from.key != "" && from.round >= c.round {
		from.logical.keyed = from.logical.keyed || c.logical.keyed
		c.logical = from.logical
	}
	for _, a := range from.answers {
		if c.at(a.position) == nil {
			c.answers = append(c.answers, a)
		}
	}
}

// maxNews is the most problems or reasons that a state keeps of one answer.
const maxNews = 1024

func saveProblems(o *jsontext.Object, problems []elicit.Problem) {
	jsontext.OptList(o, "problems", problems[:min(len(problems), maxNews)])
}

func readProblems(r *strict.Reader) (list []elicit.Problem) {
	r.Objects("problems", "state_unreadable", maxNews, func(one *strict.Reader) {
		list = append(list, elicit.Problem{Code: one.Str("code"), Pointer: one.Str("pointer"),
			Start: one.Count("start"), End: one.Count("end"), Args: readArgs(one)})
	})
	return list
}

func readReasons(r *strict.Reader) (list []elicit.Reason) {
	r.Objects("reasons", "state_unreadable", maxNews, func(one *strict.Reader) {
		list = append(list, elicit.Reason{Code: one.Str("code"), Layer: one.Opt("layer"), Rule: one.Opt("rule"),
			Args: readArgs(one)})
	})
	return list
}

func readArgs(r *strict.Reader) (args []elicit.Arg) {
	v := r.Take("args")
	if v.Exists() && !v.IsObject() {
		r.Report("state_unreadable", "args")
	}
	v.ForEach(func(name, value gjson.Result) bool {
		args = append(args, elicit.Raw(name.String(), value.Raw))
		return true
	})
	return args
}
