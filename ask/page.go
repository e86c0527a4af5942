package ask

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/asking/asker"
	"github.com/elicit-engine/elicit/engine/asking/site"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// OpenPage is a question that is open on the server's own page.
type OpenPage struct {
	asking.Page
	Principal string // who may answer
	Server    string
}

// Page finds the open question of a page. token is what follows Options.Page in its link. ErrClosed means that no such
// question is open; OpenPage.Browser is then the browser that had it.
func (a *Asker) Page(_ context.Context, token string) (OpenPage, error) {
	ref := a.ref()
	r := a.tell(ref, asker.Viewed{Ref: ref, Link: token})
	var open OpenPage
	if r.Page != nil {
		open = OpenPage{r.Page.Page, r.Page.Principal, a.options.Server}
	}
	return open, failed(r)
}

// Serve answers a request to the server's own pages, which are at Options.Page. Package ask/page hands it the requests
// of a web server. The error says why a response with the status 500 has nothing better.
func (a *Asker) Serve(q site.Request) (site.Response, error) {
	ref := a.ref()
	r := a.tell(ref, asker.Requested{Ref: ref, Request: q})
	return *r.Response, errors.Join(failed(r), r.Why)
}

// ClaimPage gives an open page to the first browser, which browser names by a digest of its cookie. ErrClaimed means
// that another browser has the page, and ErrPrincipal that somebody else is to answer.
func (a *Asker) ClaimPage(_ context.Context, token, principal, browser string) error {
	ref := a.ref()
	return failed(a.tell(ref, asker.Claimed{Ref: ref, Link: token, Principal: principal, Browser: browser}))
}

// AnswerPage takes what a person does on a page. Problems mean that the answer does not fit, and the question is still
// open. After ErrStore, the person may try again. With every other error, the question is not open.
func (a *Asker) AnswerPage(
	_ context.Context, token, principal string, action elicit.Action, content []byte, cleared []string,
) ([]elicit.Problem, error) {
	ref := a.ref()
	r := a.tell(ref, asker.Submitted{Ref: ref, Link: token, Client: asker.Client{Principal: principal}, Action: action,
		Content: content, Cleared: cleared})
	if r.Open {
		return r.Problems, nil
	}
	return nil, failed(r)
}

// Submission is what a model passes on with the fallback tool.
type Submission struct {
	ID      string          `json:"id"`
	Action  elicit.Action   `json:"action"`
	Content json.RawMessage `json:"content,omitempty"`
}

// Submit takes what a model passes on, as Do takes the calls of the fallback tool. It returns the call to run again.
// Otherwise the text says why there is none, for the model to read.
func (a *Asker) Submit(_ context.Context, c Client, said Submission) (again *Call, text string) {
	ref := a.ref()
	r := a.tell(ref, asker.Submitted{Ref: ref, ID: said.ID, Client: c.known(), Action: said.Action,
		Content: said.Content})
	if r.Resume == nil {
		return nil, asker.Untaken(r)
	}
	return &Call{Client: c, Method: r.Resume.Method, Target: r.Resume.Target, Arguments: r.Resume.Arguments,
		session: r.Session}, ""
}

// OpenQuestions lists the open questions of all processes that the principal caused or may answer; "" lists all. more
// says that others follow when these have ended.
func (a *Asker) OpenQuestions(_ context.Context, principal string) (list []asker.Listing, more bool, err error) {
	ref := a.ref()
	r := a.tell(ref, asker.Listed{Ref: ref, Principal: principal})
	if r.Listed == nil {
		return nil, false, failed(r)
	}
	return r.Listed.Questions, r.Listed.More, nil
}

// Cancel takes back an open question, whose id is that of a listing. Its handler gets ErrCancelled. by says who did it,
// for the history. ErrClosed means that no such question is open.
func (a *Asker) Cancel(_ context.Context, id, by string) error {
	ref := a.ref()
	return failed(a.tell(ref, asker.TakenBack{Ref: ref, ID: id, By: by}))
}

// Completed reports, in any process, that the flow behind the URL of a question is finished. Wait was given its id.
// ErrUnknown means that no question waits.
func (a *Asker) Completed(_ context.Context, id string) error {
	ref := a.ref()
	return failed(a.tell(ref, asker.Completed{Ref: ref, ID: id}))
}
