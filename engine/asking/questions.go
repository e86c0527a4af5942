package asking

import (
	"slices"
	"strconv"
	"strings"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/seal"
)

// questions are the open questions, in the order in which they were posed, and what is kept of those that are over.
type questions struct {
	list   []*question
	minted int           // handles given to the engine so far
	sent   []sent        // requests that the client has
	over   []claimedPage // oldest first
}

// question is an open question of a call.
//
// add makes it, end drops it. id and show come from the engine, in this order. show is nil after Load until the engine
// shows the question again.
type question struct {
	Question
	call     string
	position int
	digest   digestOf
	ref      string // the engine's handle
	link     string // of its page

	id        elicit.ID    // once the engine holds it
	show      *effect.Show // once it is its turn
	deadline  int64
	holdUntil int64  // a repeated call waits until then
	silent    bool   // its handler was stopped; nobody waits for its end
	by        string // who takes it back
	offering
}

// offering is how a question was put to the person, and what came of it so far.
type offering struct {
	offer     Offer  // how it was put last; "" before
	page      bool   // the answer comes from the server's own page
	browser   string // which has claimed the link of the page
	sent      string // the request that the client has, "" for none
	queued    bool   // another question is before the person, or guardians review it again
	consented bool   // the person agreed to visit the page
	put       int64  // when the client got the request, on a server with pages
	absent    bool   // the client has cancelled it at once: nobody was asked
	attempts  int    // answers that did not fit
	said      string // a digest of what a model passed on last
	problems  []elicit.Problem
	failure   []elicit.Problem // the client's error
}

// add puts a question last and gives it the handle by which the engine knows it.
func (o *questions) add(q *question) {
	o.minted++
	q.ref = strconv.Itoa(o.minted)
	o.list = append(o.list, q)
}

// rename lets an interrupted call run under the name of its new run. Its open questions keep the refs that the engine
// knows.
func (o *questions) rename(from, to string) {
	for _, q := range o.list {
		if q.call == from {
			q.call = to
		}
	}
}

// has reports whether a question is open.
func (o *questions) has(q *question) bool { return slices.Contains(o.list, q) }

// end takes a question off the list. A claimed page is remembered for its browser.
func (o *questions) end(q *question, why elicit.Cause) {
	o.list = slices.DeleteFunc(o.list, func(one *question) bool { return one == q })
	o.rememberPage(q, why)
}

// rememberPage keeps which browser had a page that is over.
func (o *questions) rememberPage(q *question, why elicit.Cause) {
	if q.browser == "" {
		return
	}
	if o.over = append(o.over, claimedPage{q.link, q.browser, why}); len(o.over) > maxPagesOver {
		o.over = o.over[1:]
	}
}

func (o *questions) open(call string, position int) *question {
	return o.find(func(q *question) bool { return q.call == call && q.position == position })
}

func (o *questions) byID(id elicit.ID) *question {
	return o.find(func(q *question) bool { return id != "" && q.id == id })
}

func (o *questions) byRef(ref string) *question {
	return o.find(func(q *question) bool { return q.ref == ref })
}

func (o *questions) byLink(link string) *question {
	return o.find(func(q *question) bool { return link != "" && q.link == link })
}

func (o *questions) find(is func(*question) bool) *question {
	if i := slices.IndexFunc(o.list, is); i >= 0 {
		return o.list[i]
	}
	return nil
}

// occupied reports whether the client has a request for another question than q.
func (o *questions) occupied(q *question) bool {
	return o.find(func(one *question) bool { return one != q && one.offer == ByRequest && !one.queued }) != nil
}

// hidden reports whether a question that the engine has shown once is not shown now.
func (q *question) hidden() bool { return q.id != "" && !q.ready() }

// ready reports whether a question may be put before the person: the engine shows it, or the person visits its URL. A
// machine that was loaded has no Show of the latter.
func (q *question) ready() bool { return q.show != nil || q.visited() }

// visited reports whether the engine has replied, and only the end of the flow behind the URL is missing.
func (q *question) visited() bool { return q.consented && q.Mode == elicit.URL && q.Wait }

// sent is a request that the client has, or had.
type sent struct {
	ref string
	id  elicit.ID
}

// maxSent is the most requests whose late answers are told from unknown ones, besides those that are open.
const maxSent = 16

// remember keeps a request. It forgets the oldest that is over when there are too many.
func (o *questions) remember(s sent) {
	o.sent = append(o.sent, s)
	if len(o.sent) <= maxSent {
		return
	}
	// A request that is still open is never forgotten: its answer must find its question.
	over := slices.IndexFunc(o.sent, func(s sent) bool {
		q := o.byID(s.id)
		return q == nil || q.sent != s.ref
	})
	if over >= 0 {
		o.sent = slices.Delete(o.sent, over, over+1)
	}
}

// message is the question's text. After an answer that did not fit it says why.
func (q *question) message() string {
	// A page shows problems beside the fields, so its address needs no list of them.
	if len(q.problems) == 0 || q.page {
		return q.Message
	}
	var b strings.Builder
	b.WriteString(q.Message)
	for i, p := range q.problems {
		// More would hide the question itself in a small window.
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
//
// Example: "q0.1" is the second attempt of the first question.
func (q *question) key() string {
	return "q" + strconv.Itoa(q.position) + "." + strconv.Itoa(q.attempts)
}

// digest names a question by its content. The order of members in its schema does not count, because processes in
// another language may write another order.
//
// It is in the states that clients carry, so another version must compute the same for the same question.
func (q Question) digest() digestOf {
	o := jsontext.Begin(nil)
	if sum, problem := seal.Digest(q.Schema); len(q.Schema) > 0 && problem == nil {
		o.Str("schema_digest", digest.Hex(sum[:]))
		q.Schema = nil
	}
	q.append(&o)
	return digest.Sum256(o.End())
}
