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
func (a *Asker) Page(ctx context.Context, token string) (OpenPage, bool) {
	name, link, _ := strings.Cut(token, separator)
	s, _ := a.find(ctx, name)
	if s == nil {
		return OpenPage{}, false
	}
	defer a.release(s)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refresh(ctx) != nil {
		return OpenPage{}, false
	}
	page, open := s.machine.Page(link)
	return OpenPage{page, s.client.Principal, a.options.Server}, open
}

// AnswerPage takes what a person does on a page. Problems mean that the answer does not fit, and the question is still
// open. ErrStore means that nobody knows: the person may try again. Every other error means that the question is not
// open: it is settled, its time is up, or it belongs to somebody else.
func (a *Asker) AnswerPage(
	ctx context.Context, token, principal string, action elicit.Action, content []byte, cleared []string,
) ([]elicit.Problem, error) {
	name, link, _ := strings.Cut(token, separator)
	s, err := a.find(ctx, name)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return nil, ErrClosed
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
	return open && s.locked(ctx, asking.Completed{ID: id}).err == nil
}
