package asking

import (
	"cmp"
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
)

// Claimed gives the link of a page to a browser. The first that the machine hears of has it from then on: whoever else
// has seen the link cannot use it.
type Claimed struct {
	Link      string
	Principal string
	Browser   string // a digest of a secret that the browser keeps
}

// maxPagesOver is the most pages that are over and whose browsers are remembered.
const maxPagesOver = 64

// claimedPage is a page that is over, for the browser that had it.
type claimedPage struct {
	link, browser string
	why           elicit.Cause // why it is over
}

// claimed takes a claim. A refusal is a problem, and changes nothing.
//
// The same browser may claim again, so a reload works. Unknown links, links of questions that are not ready, and links
// of other sessions get the same problem.
func (m *Machine) claimed(ev Claimed) {
	q := m.questions.byLink(ev.Link)
	switch {
	case q == nil || !q.page || q.show == nil:
		m.out.problem("unknown_request", "")
	// A link can be passed on, so the page asks who is there before it shows anything.
	case ev.Principal != m.client.answerer(q):
		m.out.problem("wrong_principal", q.id)
	// The first browser keeps the page. Somebody who reads the link over a shoulder, or in a log, is too late.
	case ev.Browser == "" || q.browser != "" && q.browser != ev.Browser:
		m.out.problem("link_used", q.id)
	default:
		q.browser = ev.Browser
	}
}

// Page returns the open page of a link.
func (m *Machine) Page(link string) (p Page, open bool) {
	q := m.questions.byLink(link)
	if q == nil || !q.page || q.show == nil {
		return p, false
	}
	return m.client.pageOf(q), true
}

// PageOver returns the browser that had a page which is over, and why it is. The browser is "" if none had the page, or
// it is long over.
func (m *Machine) PageOver(link string) (browser string, why elicit.Cause) {
	if i := slices.IndexFunc(m.questions.over, func(p claimedPage) bool { return p.link == link }); i >= 0 {
		return m.questions.over[i].browser, m.questions.over[i].why
	}
	return "", ""
}

func (p claimedPage) save(o *jsontext.Object) {
	o.Strs("link", p.link, "browser", p.browser)
	if p.why != elicit.ByUser {
		o.OptStr("why", string(p.why))
	}
}

func readClaimedPage(r *strict.Reader) claimedPage {
	return claimedPage{r.Str("link"), r.Str("browser"), cmp.Or(elicit.Cause(r.Opt("why")), elicit.ByUser)}
}

// AppendJSON appends {"event":"claimed","link","principal"?,"browser"}.
func (e Claimed) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "event", "claimed", "link", e.Link)
	o.OptStr("principal", e.Principal)
	o.Str("browser", e.Browser)
	return o.End()
}
