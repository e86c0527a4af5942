package ask

import (
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

// Page finds the open question of a link. Package ask/page draws it.
func (a *Asker) Page(link string) (OpenPage, bool) {
	a.mu.Lock()
	s := a.byLink[link]
	a.mu.Unlock()
	if s == nil {
		return OpenPage{}, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	page, open := s.pages[link]
	return OpenPage{page, s.principal, a.options.Server}, open && s.machine.IsOpen(page.Show.ID)
}

// AnswerPage takes what a person does on a page. Problems mean that the answer does not fit, and the question is still
// open. An error means that it is not: it is settled, its time is up, or it belongs to somebody else.
func (a *Asker) AnswerPage(link, principal string, action elicit.Action, content []byte, cleared []string) (
	[]elicit.Problem, error,
) {
	a.mu.Lock()
	s := a.byLink[link]
	a.mu.Unlock()
	if s == nil {
		return nil, ErrClosed
	}
	t := s.step(asking.Submitted{Link: link, Principal: principal, Action: action, Content: content, Cleared: cleared})
	switch {
	case t.err != nil:
		return nil, t.err
	case t.settled != nil:
		return nil, nil
	case t.about == effect.AboutAnswer && s.open(link):
		return t.problems, nil
	}
	return nil, problemsError(t.problems)
}

func (s *session) open(link string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.machine.IsOpen(s.pages[link].Show.ID)
}

// Completed reports that the flow behind a URL, which URLWait waits for, is finished. It returns false if no question
// with this URL is open.
func (a *Asker) Completed(url string) bool {
	a.mu.Lock()
	var all []*session
	for _, s := range a.sessions {
		all = append(all, s)
	}
	a.mu.Unlock()
	for _, s := range all {
		s.mu.Lock()
		id, open := s.machine.Visiting(url)
		if open {
			s.locked(asking.Completed{ID: id})
		}
		s.mu.Unlock()
		if open {
			return true
		}
	}
	return false
}
