package asking

import (
	"slices"
	"strconv"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/schema"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// choose says how a question reaches the person: by what the client declared and what the server has, never by the
// client's name. It leaves q.offer empty if there is no way.
func (m *Machine) choose(q *question) {
	byPage := q.Mode == elicit.Form && m.config.Page != ""
	secret := q.Mode == elicit.Form && m.needsPage(q)
	url := m.config.Declared.URL && m.dialect.URL && (q.Mode == elicit.URL || byPage)
	form := q.Mode == elicit.Form && !secret && m.config.Declared.Form && m.expressible(q)
	rounds := m.dialect.Carrier == wire.Rounds
	q.offer, q.page = "", false
	switch {
	case q.Mode == elicit.URL && m.forAnother(q): // nobody could tell who visits the URL
	case form && rounds, url && rounds:
		q.offer, q.page = ByRounds, !form && byPage
	case form && m.config.Requests, url && m.config.Requests:
		q.offer, q.page = ByRequest, !form && byPage
	case url && m.dialect.Link:
		q.offer, q.page = ByError, byPage
	case m.config.Fallback != "" && m.readByModel(q) && (q.Mode == elicit.URL || byPage || !secret):
		q.offer, q.page = ByText, byPage
	}
}

// readByModel reports whether a model reads the result of the question's call, so that a text can tell it what to do.
// Prompts and resources go to whoever asked for them.
func (m *Machine) readByModel(q *question) bool {
	c := m.calls[q.call]
	return c != nil && (c.method == "" || c.method == "tools/call")
}

// needsPage reports whether the answer must not pass the client or a model: MCP forbids forms for secrets (2025-11-25
// client/elicitation, Security), and the configuration may name other kinds.
func (m *Machine) needsPage(q *question) bool {
	if q.Secret || m.forAnother(q) || slices.Contains(m.config.PageOnly, q.show.Kind) {
		return true
	}
	for _, f := range q.show.Findings {
		if f.Code == "secret_in_form" {
			return true
		}
	}
	return q.show.Form != nil && slices.ContainsFunc(q.show.Form.Fields, func(f schema.Field) bool { return f.Sensitive })
}

// expressible reports whether the client's protocol date has words for the form.
func (m *Machine) expressible(q *question) bool {
	if known, is := m.expressed[q.digest]; is {
		return known
	}
	profile := schema.Strict20251125
	if m.dialect.Profile == firstProfile {
		profile = schema.Strict20250618
	}
	form, _ := schema.Compile(m.spelled(q), schema.Options{Profile: profile})
	if m.expressed == nil || len(m.expressed) >= maxExpressed {
		m.expressed = map[digestOf]bool{}
	}
	m.expressed[q.digest] = form != nil
	return form != nil
}

// maxExpressed is the most questions of which the machine remembers whether the client's date can express them. A
// handler asks the same questions in each of its runs.
const maxExpressed = 32

// firstProfile is the grammar of the first date, whose titles of choices stand in a list of their own.
const firstProfile = "2025-06-18"

// spelled is the question's schema in the spelling of the client's date.
func (m *Machine) spelled(q *question) []byte {
	if m.dialect.Profile == firstProfile {
		return earlierSpelling(q.Schema)
	}
	return q.Schema
}

// put puts a question before the person. A question that cannot reach anybody ends as unsupported.
func (m *Machine) put(q *question) {
	m.choose(q)
	if q.offer == "" {
		code := "nobody_reachable"
		switch {
		case q.Mode == elicit.Form && m.needsPage(q):
			code = "page_needed"
		case m.forAnother(q):
			code = "another_needs_form"
		}
		q.failure = []elicit.Problem{{Code: code}}
		m.withdraw(q, elicit.ByUnsupported)
		return
	}
	if q.offer == ByRequest && m.config.Order == Queue && m.occupied(q) {
		q.queued = true
		return
	}
	if q.page {
		m.emit(m.pageOf(q))
	}
	switch q.offer {
	case ByRequest:
		if q.sent != "" { // by an earlier run, whose request may be lost
			m.emit(CancelSent{q.sent})
		}
		q.sent = m.nextRef()
		m.remember(sent{q.sent, q.id})
		m.emit(m.sending(q))
	default:
		m.interrupt(q)
	}
}

// sending is the request of a question that the client is to have.
func (m *Machine) sending(q *question) Send {
	params, _ := m.dialect.AppendCreate(nil, m.request(q))
	return Send{Ref: q.sent, Call: q.call, ID: q.id, Method: mcp.MethodCreate, Params: params,
		Position: q.position}
}

// sent is a request that the client has, or had.
type sent struct {
	ref string
	id  elicit.ID
}

// maxSent is the most requests whose late answers are told from unknown ones, besides those that are open.
const maxSent = 256

// remember keeps a request. It forgets the oldest that is over when there are too many.
func (m *Machine) remember(s sent) {
	m.sent = append(m.sent, s)
	if len(m.sent) <= maxSent {
		return
	}
	over := slices.IndexFunc(m.sent, func(s sent) bool {
		q := m.byID(s.id)
		return q == nil || q.sent != s.ref
	})
	if over >= 0 {
		m.sent = slices.Delete(m.sent, over, over+1)
	}
}

func (m *Machine) nextRef() string {
	random := m.draw()
	return "ask-" + digest.Hex(random[:8])
}

// request is the question as the client gets it: a form, or a URL to visit.
func (m *Machine) request(q *question) *elicit.Request {
	r := &elicit.Request{Mode: q.Mode, Message: q.message(), Schema: m.spelled(q), URL: q.URL, Link: q.link}
	if q.page {
		r.Mode, r.URL = elicit.URL, m.config.Page+q.link
	}
	if m.forAnother(q) {
		r.Message = "Send this page to " + q.For + ", who is to answer: " + r.Message
	}
	return r
}

// message is the question's text. After an answer that did not fit it says why.
func (q *question) message() string {
	if len(q.problems) == 0 || q.page {
		return q.Message
	}
	var b strings.Builder
	b.WriteString(q.Message)
	for i, p := range q.problems {
		if i == 3 {
			break
		}
		b.WriteString("\n\n")
		if name := strings.TrimPrefix(p.Pointer, "/"); name != "" {
			b.WriteString(name + ": ")
		}
		b.WriteString(english.Problem(p))
	}
	return b.String()
}

// key names the question in inputRequests. Another attempt has another key, so that an answer which was sent before
// cannot count for it.
func (q *question) key() string {
	return "q" + strconv.Itoa(q.position) + "." + strconv.Itoa(q.attempts)
}

// interrupt ends the run of the question's call. Other questions of that run are posed again by the next one.
func (m *Machine) interrupt(q *question) {
	c := m.calls[q.call]
	c.interrupted, c.expires = true, q.deadline
	m.emit(m.interruption(q))
	for _, other := range slices.Clone(m.questions) {
		if other != q && other.call == q.call {
			other.silent = true
			m.withdraw(other, elicit.ByCallEnded)
		}
	}
}

// interruption is what the run of a question's call ends with.
func (m *Machine) interruption(q *question) Interrupt {
	i := Interrupt{Call: q.call, ID: q.id, Offer: q.offer, Expires: q.deadline,
		Keep: q.page || q.offer != ByRounds || q.Mode == elicit.URL && q.Wait}
	switch q.offer {
	case ByRounds:
		i.Requests, _ = m.dialect.AppendInputRequests(nil, q.key(), m.request(q))
		i.Body = m.body(q)
	case ByError:
		i.Error, _ = m.dialect.AppendURLRequired(nil, m.request(q))
	case ByText:
		i.Result = m.fallbackResult(q)
	}
	return i
}

// Outstanding returns what the host of a running call must have done: the requests that the client has, or the end of
// the run. The host may have missed it because another process made the step. It tells by Send.Ref what it has done.
func (m *Machine) Outstanding(call string) (effects []Effect) {
	c := m.calls[call]
	if c == nil || !c.running {
		return nil
	}
	for _, q := range m.questions {
		switch {
		case q.call != call || q.show == nil || q.offer == "":
		case q.offer != ByRequest && c.interrupted:
			effects = append(effects, m.interruption(q))
		case q.sent != "" && !c.interrupted:
			effects = append(effects, m.sending(q))
		}
	}
	return effects
}

// CompleteNotice tells the client of a call that a page is finished. link is Settle.Completed.
func CompleteNotice(call, link string) Notify {
	return Notify{call, mcp.MethodComplete, mcp.AppendComplete(nil, link)}
}

// InputRequired is the result of a call that ByRounds interrupts: its questions, and the sealed state.
func InputRequired(requests []byte, state string) []byte {
	return mcp.AppendInputRequired(nil, requests, state)
}

// Open returns the id of the open question at a position of a call.
func (m *Machine) Open(call string, position int) (id elicit.ID, open bool) {
	if q := m.open(call, position); q != nil {
		return q.id, q.id != ""
	}
	return "", false
}

// IsOpen reports whether a question is open.
func (m *Machine) IsOpen(id elicit.ID) bool { return m.byID(id) != nil }

// Runs reports whether a call is known and runs.
func (m *Machine) Runs(call string) bool { return m.calls[call] != nil && m.calls[call].running }

// Awaits reports whether a call that was interrupted would go on with this one.
func (m *Machine) Awaits(ev Called) bool {
	arguments, problem := canonicalObject(ev.Arguments)
	return problem == nil && m.interruptedCall(ev, arguments) != nil
}

// Idle reports whether no call is known, so that nothing can be asked or answered.
func (m *Machine) Idle() bool { return len(m.calls) == 0 && len(m.questions) == 0 }

// Visiting returns the open question that waits for the end of the flow behind a URL.
func (m *Machine) Visiting(url string) (id elicit.ID, open bool) {
	q := m.find(func(q *question) bool { return q.Wait && q.Mode == elicit.URL && q.URL == url && q.id != "" })
	if q == nil {
		return "", false
	}
	return q.id, true
}

// WaitsFor reports whether the answer to a Send is still wanted.
func (m *Machine) WaitsFor(ref string) bool {
	return m.find(func(q *question) bool { return q.sent == ref }) != nil
}
