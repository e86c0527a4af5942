package asker

import "github.com/elicit-engine/elicit/engine/asking/site"

// mostVisits is how many requests may wait for their sessions at once, so that a flood does not reach the store.
const mostVisits = 64

// requested answers a request to the server's pages. Package site has the rules; the session of the link has the
// question. It asks the store, because another process may know more.
//
// Look reads the page before the step, and Done says what the step has made of it. The page is read again if the step
// refused the request, because the refusal may be that it is over.
func (m *Machine) requested(ev Requested) {
	answer := func(p *site.Response) { m.sessions.reply(ev.Ref, Reply{Response: p}) }
	if m.site == nil {
		answer(&site.Response{Status: 404, Headers: site.Headers()})
		return
	}
	v, response := m.site.Begin(ev.Request, m.sessions.clock.name(16), m.sessions.clock.at)
	if response != nil {
		answer(response)
		return
	}
	if m.visits >= mostVisits {
		answer(v.Busy())
		return
	}
	name, link := part(v.Link)
	s := m.sessions.session(name)
	if s == nil || m.closing != nil {
		answer(v.Unknown())
		return
	}
	m.visits++
	var page site.Page
	m.sessions.do(s, &job{fresh: true, skip: func(s *session) (told, bool) {
		page = site.Page(*s.page(link).Page)
		next, response := v.Look(page)
		if response != nil {
			return told{reply: &Reply{Response: response}}, true
		}
		s.first().event = next
		return told{}, false
	}, done: func(t told) {
		m.visits--
		if s.machine != nil { // it may be over now
			page = site.Page(*s.page(link).Page)
		}
		m.sessions.reply(ev.Ref, t.visited(v, page))
	}})
}

// visited is the reply to a request that the session of its link was asked about.
func (t told) visited(v *site.Visit, p site.Page) Reply {
	refused := ""
	if len(t.problems) > 0 && !t.open {
		refused = t.problems[0].Code
	}
	switch {
	case t.reply != nil:
		return *t.reply
	case t.failed == NoSession:
		return Reply{Response: v.Unknown()}
	case t.failed != "" && t.failed != Refused:
		return Reply{Failed: t.failed, Why: t.why, Response: v.Failed()}
	}
	return Reply{Response: v.Done(p, t.problems, refused)}
}
