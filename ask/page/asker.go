package page

import (
	"context"
	"errors"
	"sync"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// FromAsker is the Source of an asker's own pages:
//
//	asker, err := ask.New(ask.Options{Server: "bot", Page: "https://bot.example/ask/#/"})
//	pages, err := page.New(page.Options{Source: page.FromAsker(asker), Base: "https://bot.example/ask/"})
//
// Which browser has a link is remembered in this process. Without Options.Principal, servers of several processes must
// send a browser to one process, because another does not know whose link it is.
func FromAsker(asker *ask.Asker) Source {
	return &askerSource{asker: asker, browsers: map[string]string{}}
}

type askerSource struct {
	asker *ask.Asker

	mu       sync.Mutex
	browsers map[string]string // by token
	order    []string          // of the tokens, oldest first
}

// mostBrowsers bounds what is remembered. The oldest link that is forgotten must be claimed again.
const mostBrowsers = 10_000

// open finds the question of a link for the person who may answer it. A session without a principal, such as that of a
// local server, belongs to whoever has the link.
func (s *askerSource) open(ctx context.Context, token string, v Visitor) (q Question, principal string, err error) {
	p, open := s.asker.Page(ctx, token)
	switch {
	case !open:
		return q, "", ErrUnknown
	case p.Principal != "" && p.Principal != v.Principal:
		return q, "", ErrForbidden
	}
	q = Question{Server: p.Server, Tool: p.Show.Tool, Message: p.Show.Message, Findings: p.Show.Findings,
		Deadline: p.Expires, Secret: p.Secret}
	if p.Show.Form != nil {
		q.Form = p.Show.Form.AppendJSON(nil)
	}
	return q, p.Principal, nil
}

// Claim implements Source.
func (s *askerSource) Claim(ctx context.Context, token string, v Visitor) (Question, error) {
	q, _, err := s.open(ctx, token, v)
	if err != nil {
		return q, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch of, claimed := s.browsers[token]; {
	case claimed && of != v.Browser, v.Browser == "":
		return Question{}, ErrUsed
	case !claimed:
		s.browsers[token] = v.Browser
		if s.order = append(s.order, token); len(s.order) > mostBrowsers {
			delete(s.browsers, s.order[0])
			s.order = s.order[1:]
		}
	}
	return q, nil
}

func (s *askerSource) has(token string, v Visitor) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return v.Browser != "" && s.browsers[token] == v.Browser
}

// Open implements Source.
func (s *askerSource) Open(ctx context.Context, token string, v Visitor) (Question, error) {
	q, _, err := s.open(ctx, token, v)
	if err == nil && !s.has(token, v) {
		return Question{}, ErrUsed
	}
	return q, err
}

// Answer implements Source.
func (s *askerSource) Answer(ctx context.Context, token string, v Visitor, a Answer) ([]elicit.Problem, error) {
	if !s.has(token, v) {
		return nil, ErrUsed
	}
	_, principal, err := s.open(ctx, token, v)
	if err != nil {
		if errors.Is(err, ErrUnknown) {
			return nil, ErrAnswered // this browser had it, so it was open once
		}
		return nil, err
	}
	return s.asker.AnswerPage(ctx, token, principal, a.Action, a.Content, a.Cleared)
}
