package asking

import (
	"cmp"
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/few"
	"github.com/elicit-engine/elicit/engine/schema"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// client is what is known of the client and its server: the configuration, and the words of the protocol's date. It
// says how a question can reach the person, and spells what is sent. It knows nothing of other questions.
type client struct {
	config    Config
	dialect   mcp.Dialect
	expressed few.Map[digestOf, bool] // whether the client's date can express a question
}

// choose says how a question reaches the person: by what the client declared and what the server has, never by the
// client's name. It leaves q.offer empty if there is no way.
//
//	           a form                          a form only for a page   a URL
//	rounds     the form, else the page's URL   the page's URL           the URL
//	requests   the form, else the page's URL   the page's URL           the URL
//	-32042     the page's URL                  the page's URL           the URL
//	text       the page, else the schema       the page                 the URL
//
// A way needs what the client declared for it: form or URL mode, and the server what it has: Page, Requests, Fallback.
func (c *client) choose(q *question, of *call) {
	byPage := q.Mode == elicit.Form && c.config.Page != ""
	secret := q.Mode == elicit.Form && c.needsPage(q)
	url := c.config.Declared.URL && c.dialect.URL && (q.Mode == elicit.URL || byPage)
	form := q.Mode == elicit.Form && !secret && !q.absent && c.config.Declared.Form && c.expressible(q)
	rounds := c.dialect.Carrier == wire.Rounds
	// The order is that of what loses least: the client's own form, its browser, and a model as the last.
	q.offer, q.page = "", false
	switch {
	case q.Mode == elicit.URL && c.forAnother(q): // nobody could tell who visits the URL
	case form && rounds, url && rounds:
		q.offer, q.page = ByRounds, !form && byPage
	case form && c.config.Requests, url && c.config.Requests:
		q.offer, q.page = ByRequest, !form && byPage
	case url && c.dialect.Link:
		q.offer, q.page = ByError, byPage
	case c.config.Fallback != "" && of.readByModel() && (q.Mode == elicit.URL || byPage || !secret):
		q.offer, q.page = ByText, byPage
	}
}

// needsPage reports whether the answer must not pass the client or a model: MCP forbids forms for secrets (2025-11-25
// client/elicitation, Security), and the configuration may name other kinds.
//
// The handler may mark the question, or the engine finds a field that asks for a secret. Both count.
func (c *client) needsPage(q *question) bool {
	if q.Secret || c.forAnother(q) || slices.Contains(c.config.PageOnly, q.show.Kind) {
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
func (c *client) expressible(q *question) bool {
	if known, is := c.expressed.Find(q.digest); is {
		return known
	}
	// A form that the client's date cannot say is not sent in the hope that the client understands it. It goes to a
	// page, or fails.
	profile, _ := schema.ProfileNamed(c.dialect.Profile)
	form, _ := schema.Compile(c.spelled(q), schema.Options{Profile: profile})
	// It is a cache, so it may be forgotten as a whole.
	if c.expressed.Len() >= maxExpressed {
		c.expressed = few.Map[digestOf, bool]{}
	}
	c.expressed.Set(q.digest, form != nil)
	return form != nil
}

// maxExpressed is the most questions of which the machine remembers whether the client's date can express them. A
// handler asks the same questions in each of its runs.
const maxExpressed = 32

// firstProfile is the grammar of the first date, whose titles of choices stand in a list of their own.
const firstProfile = "2025-06-18"

// spelled is the question's schema in the spelling of the client's date.
func (c *client) spelled(q *question) []byte {
	schema := q.Schema
	if q.chooses() {
		schema = []byte(choice)
	}
	if c.dialect.Profile == firstProfile {
		return earlierSpelling(schema)
	}
	return schema
}

// request is the question as the client gets it: a form, or a URL to visit.
func (c *client) request(q *question) *elicit.Request {
	r := &elicit.Request{Mode: q.Mode, Message: q.message(), Schema: c.spelled(q), URL: q.URL, Link: q.link}
	if q.page {
		r.Mode, r.URL = elicit.URL, c.config.Page+q.link
	}
	if c.forAnother(q) {
		r.Message = "Send this page to " + q.For + ", who is to answer: " + r.Message
	}
	return r
}

// sending is the request of a question that the client is to have.
func (c *client) sending(q *question) Send {
	params, _ := c.dialect.AppendCreate(nil, c.request(q))
	return Send{Ref: q.sent, Call: q.call, ID: q.id, Method: mcp.MethodCreate, Params: params, Position: q.position}
}

// interruption is what the run of a question's call ends with.
func (c *client) interruption(q *question, of *call) Interrupt {
	i := Interrupt{Call: q.call, ID: q.id, Offer: q.offer, Expires: q.deadline, Keep: c.keeps(q)}
	switch q.offer {
	case ByRounds:
		i.Requests, _ = c.dialect.AppendInputRequests(nil, q.key(), c.request(q))
		i.Body = of.body(q)
	case ByError:
		i.Error, _ = c.dialect.AppendURLRequired(nil, c.request(q))
	case ByText:
		i.Result = c.fallbackResult(q, of.structured)
	}
	return i
}

// keeps reports whether the machine must know a question that was put. Otherwise the client carries it.
//
// A question that the client carries costs no memory here. A page and a flow are known to this server alone.
func (c *client) keeps(q *question) bool {
	return q.page || q.offer != ByRounds || q.Mode == elicit.URL && q.Wait
}

// visits reports whether an answer says that the person visits a link. If the question is new here, that link was of a
// session that is lost, and nobody could finish it.
func (c *client) visits(answer []byte) bool {
	a, problems := c.dialect.DecodeAnswer(answer, elicit.URL)
	return len(problems) == 0 && a.Action == elicit.Accept
}

// pageOf is the page of a question, as the host serves it.
func (c *client) pageOf(q *question) Page {
	p := Page{Link: q.link, URL: c.config.Page + q.link, Secret: q.Secret, Show: *q.show, Expires: q.deadline,
		Browser: q.browser, Consented: q.consented}
	if c.forAnother(q) {
		p.For = q.For
	}
	return p
}

// answerer is the principal who may answer a question.
func (c *client) answerer(q *question) string { return cmp.Or(q.For, c.config.Principal) }

// forAnother reports whether somebody else than the caller is to answer. The caller's client and model cannot speak for
// that person: a page alone can tell who answers.
func (c *client) forAnother(q *question) bool { return c.answerer(q) != c.config.Principal }
