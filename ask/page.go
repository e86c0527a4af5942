package ask

import (
	"context"
	"strings"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// OpenPage is a question that is open on the server's own page.
type OpenPage struct {
	asking.Page
	Principal string // who may answer
	Server    string
}

// Page finds the open question of a page. token is what follows Options.Page in its link. Package ask/page draws it.
// ErrClosed means that no such question is open; OpenPage.Browser is then the browser that had a page which is over a
// short while. ErrStore means that nobody knows.
func (a *Asker) Page(ctx context.Context, token string) (OpenPage, error) {
	s, link, err := a.pageSession(ctx, token)
	if err != nil {
		return OpenPage{}, err
	}
	defer a.release(s)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refresh(ctx); err != nil {
		return OpenPage{}, err
	}
	p, open := s.machine.Page(link)
	if !open {
		browser, _ := s.machine.PageOver(link)
		return OpenPage{Page: asking.Page{Browser: browser}}, ErrClosed
	}
	principal := s.client.Principal
	if p.For != "" {
		principal = p.For
	}
	return OpenPage{p, principal, a.options.Server}, nil
}

// pageSession finds the session of a page. The caller releases it.
func (a *Asker) pageSession(ctx context.Context, token string) (s *session, link string, err error) {
	name, link, _ := strings.Cut(token, separator)
	if s, err = a.find(ctx, name); s == nil && err == nil {
		err = ErrClosed
	}
	return s, link, err
}

// ClaimPage gives an open page to a browser, which browser names by a digest of its cookie. The first claim on any
// process counts, and its browser may claim again. ErrClaimed means that another browser has the page, and ErrPrincipal
// that somebody else is to answer.
func (a *Asker) ClaimPage(ctx context.Context, token, principal, browser string) error {
	s, link, err := a.pageSession(ctx, token)
	if err != nil {
		return err
	}
	defer a.release(s)
	t := s.step(ctx, asking.Claimed{Link: link, Principal: principal, Browser: browser})
	switch {
	case t.err != nil:
		return t.err
	case len(t.problems) == 0:
		return nil
	}
	switch t.problems[0].Code {
	case "link_used":
		return ErrClaimed
	case "wrong_principal":
		return ErrPrincipal
	}
	return ErrClosed
}

// AnswerPage takes what a person does on a page. Problems mean that the answer does not fit, and the question is still
// open. ErrStore means that nobody knows: the person may try again. Every other error means that the question is not
// open: it is settled, its time is up, or it belongs to somebody else.
func (a *Asker) AnswerPage(
	ctx context.Context, token, principal string, action elicit.Action, content []byte, cleared []string,
) ([]elicit.Problem, error) {
	s, link, err := a.pageSession(ctx, token)
	if err != nil {
		return nil, err
	}
	defer a.release(s)
	t := s.step(ctx, asking.Submitted{Link: link, Principal: principal, Action: action, Content: content,
		Cleared: cleared})
	switch {
	case t.err != nil:
		return nil, t.err
	case len(t.problems) == 0:
		return nil, nil
	case t.about == effect.AboutAnswer && t.open:
		return t.problems, nil
	}
	return nil, problemsError(t.problems)
}

// Completed reports that the flow behind a URL, which URLWait waits for, is finished. It returns false if no question
// with this URL is open. name is Client.Session, or "" to look in every session of this process.
func (a *Asker) Completed(ctx context.Context, name, url string) bool {
	var all []*session
	if name != "" {
		if s, _ := a.find(ctx, a.sessionName(name)); s != nil {
			defer a.release(s)
			all = append(all, s)
		}
	} else {
		a.mu.Lock()
		for _, s := range a.sessions {
			all = append(all, s)
		}
		a.mu.Unlock()
	}
	for _, s := range all {
		if s.complete(ctx, url) {
			return true
		}
	}
	return false
}

func (s *session) complete(ctx context.Context, url string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refresh(ctx) != nil {
		return false
	}
	id, open := s.machine.Visiting(url)
	return open && s.locked(ctx, nil, asking.Completed{ID: id}).err == nil
}
