package page

import (
	"context"
	"errors"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/internal/web"
)

// FromAsker is the Source of an asker's own pages:
//
//	asker, err := ask.New(ask.Options{Server: "bot", Page: "https://bot.example/ask/#/"})
//	pages, err := page.New(page.Options{Source: page.FromAsker(asker), Base: "https://bot.example/ask/"})
//
// The session of a question has the browser that claimed its link. With ask.Options.Store, any process may serve any
// request of a browser.
func FromAsker(asker *ask.Asker) Source { return askerSource{asker} }

type askerSource struct{ asker *ask.Asker }

// open finds the page of a link for the person who may answer. A session without a principal, such as that of a local
// server, belongs to whoever has the link.
func (s askerSource) open(ctx context.Context, token string, v Visitor) (ask.OpenPage, error) {
	p, err := s.asker.Page(ctx, token)
	switch {
	case errors.Is(err, ask.ErrClosed) && p.Browser != "" && web.Equal(p.Browser, v.Browser):
		return p, ErrAnswered // this browser had it
	case errors.Is(err, ask.ErrClosed):
		return p, ErrUnknown
	case err != nil:
		return p, err
	case p.Principal != "" && !web.Equal(p.Principal, v.Principal):
		return p, ErrForbidden
	case v.Browser == "" || p.Browser != "" && !web.Equal(p.Browser, v.Browser):
		return p, ErrUsed
	}
	return p, nil
}

func questionOf(p ask.OpenPage) Question {
	q := Question{Server: p.Server, Tool: p.Show.Tool, Message: p.Show.Message, Findings: p.Show.Findings,
		Deadline: p.Expires, Secret: p.Secret}
	if p.Show.Form != nil {
		q.Form = p.Show.Form.AppendJSON(nil)
	}
	return q
}

// Claim implements Source.
func (s askerSource) Claim(ctx context.Context, token string, v Visitor) (Question, error) {
	p, err := s.open(ctx, token, v)
	if err == nil && p.Browser == "" {
		err = s.asker.ClaimPage(ctx, token, p.Principal, v.Browser)
	}
	switch {
	case errors.Is(err, ask.ErrClaimed):
		err = ErrUsed
	case errors.Is(err, ask.ErrPrincipal):
		err = ErrForbidden
	case errors.Is(err, ask.ErrClosed):
		err = ErrUnknown
	}
	if err != nil {
		return Question{}, err
	}
	return questionOf(p), nil
}

// claimed finds the page of a link that this browser has claimed.
func (s askerSource) claimed(ctx context.Context, token string, v Visitor) (ask.OpenPage, error) {
	p, err := s.open(ctx, token, v)
	if err == nil && p.Browser == "" {
		err = ErrUsed
	}
	return p, err
}

// Open implements Source.
func (s askerSource) Open(ctx context.Context, token string, v Visitor) (Question, error) {
	p, err := s.claimed(ctx, token, v)
	if err != nil {
		return Question{}, err
	}
	return questionOf(p), nil
}

// Answer implements Source.
func (s askerSource) Answer(ctx context.Context, token string, v Visitor, a Answer) ([]elicit.Problem, error) {
	p, err := s.claimed(ctx, token, v)
	if err != nil {
		return nil, err
	}
	problems, err := s.asker.AnswerPage(ctx, token, p.Principal, a.Action, a.Content, a.Cleared)
	if err != nil && !errors.Is(err, ask.ErrStore) && !errors.Is(err, ask.ErrJournal) {
		return nil, ErrAnswered // it was open a moment ago
	}
	return problems, err
}
