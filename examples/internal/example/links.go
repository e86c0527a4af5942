package example

import (
	"context"
	"sync"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/ask/page"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// links draws the questions of an asker on pages. It remembers which browser has each link, in this process alone.
type links struct {
	asker    *ask.Asker
	mu       sync.Mutex
	browsers map[string]string
}

func (l *links) Claim(ctx context.Context, token string, v page.Visitor) (page.Question, error) {
	q, err := l.look(ctx, token, v)
	if err != nil {
		return q, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if has := l.browsers[token]; has != "" && has != v.Browser {
		return page.Question{}, page.ErrUsed
	}
	l.browsers[token] = v.Browser
	return q, nil
}

func (l *links) Open(ctx context.Context, token string, v page.Visitor) (page.Question, error) {
	if !l.has(token, v) {
		return page.Question{}, page.ErrUsed
	}
	return l.look(ctx, token, v)
}

func (l *links) Answer(ctx context.Context, token string, v page.Visitor, a page.Answer) ([]elicit.Problem, error) {
	if _, err := l.Open(ctx, token, v); err != nil {
		return nil, err
	}
	return l.asker.AnswerPage(ctx, token, v.Principal, a.Action, a.Content, a.Cleared)
}

func (l *links) has(token string, v page.Visitor) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return v.Browser != "" && l.browsers[token] == v.Browser
}

func (l *links) look(ctx context.Context, token string, v page.Visitor) (page.Question, error) {
	open, found := l.asker.Page(ctx, token)
	switch {
	case !found:
		return page.Question{}, page.ErrClosed
	case open.Principal != v.Principal:
		return page.Question{}, page.ErrForbidden
	}
	q := page.Question{Server: open.Server, Tool: open.Show.Tool, Message: open.Show.Message,
		Findings: open.Show.Findings, Deadline: open.Show.Deadline, Secret: open.Secret}
	if open.Show.Form != nil {
		q.Form = open.Show.Form.AppendJSON(nil)
	}
	return q, nil
}
