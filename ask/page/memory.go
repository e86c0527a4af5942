package page

import (
	"context"
	"crypto/rand"
	"sync"
	"time"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/internal/web"
)

// Memory is a Source for one process, for servers that keep questions nowhere else. A restart forgets its questions.
type Memory struct {
	now func() time.Time

	mu    sync.Mutex
	links map[string]*link // by the digest of the token, so that the time of a look-up shows nothing about tokens
}

// link is one question and who may answer it.
type link struct {
	question  Question
	principal string
	browser   string // "" until a browser claims the link
	check     func(Answer) []elicit.Problem
	answers   chan Answer
	over      error     // ErrAnswered or ErrClosed
	ended     time.Time // when it was over
}

// Bounds of a Memory. An ended question stays for a while, so that its page can say how it ended.
const (
	mostLinks = 10_000
	endedStay = time.Hour
)

// NewMemory makes an empty source. now is the clock; nil is time.Now.
func NewMemory(now func() time.Time) *Memory {
	if now == nil {
		now = time.Now
	}
	return &Memory{now: now, links: map[string]*link{}}
}

// Put adds a question for a principal, and returns the token of its link. principal is "" if Options.Principal is nil.
// The channel gets the answer, at most one, and is closed after it or when the question is withdrawn. Nothing comes
// after the deadline, so the caller has to wait for that as well.
//
// check returns the problems of an accepted answer, such as those of schema.Form.Check; nil accepts all content. It
// must not call the Memory. The error is ErrBusy when 10,000 questions are open.
func (m *Memory) Put(q Question, principal string, check func(Answer) []elicit.Problem) (string, <-chan Answer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.links) >= mostLinks {
		m.forget()
	}
	if len(m.links) >= mostLinks {
		return "", nil, ErrBusy
	}
	token := rand.Text()
	l := &link{question: q, principal: principal, check: check, answers: make(chan Answer, 1)}
	m.links[digest(token)] = l
	return token, l.answers, nil
}

// forget removes links that ended a while ago. The caller holds the lock.
func (m *Memory) forget() {
	now := m.now()
	for key, l := range m.links {
		ended := l.ended
		if l.over == nil && l.question.Deadline != 0 {
			ended = time.UnixMilli(l.question.Deadline)
		}
		if !ended.IsZero() && now.Sub(ended) > endedStay {
			delete(m.links, key)
		}
	}
}

// Withdraw ends a question without an answer. An unknown token, or a question that is over, changes nothing.
func (m *Memory) Withdraw(token string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if l := m.links[digest(token)]; l != nil && l.over == nil {
		m.end(l, ErrClosed)
	}
}

// end settles a question. It drops what only an open question needs, such as a secret in the check's closure.
func (m *Memory) end(l *link, why error) {
	l.over, l.ended, l.check = why, m.now(), nil
	close(l.answers)
}

// find returns the link of a token for a visitor. Whether the principal is right comes first. A stranger's browser
// learns that the link is used, and nothing about its end. The caller holds the lock.
func (m *Memory) find(token string, v Visitor, claiming bool) (*link, error) {
	l := m.links[digest(token)]
	switch {
	case l == nil:
		return nil, ErrUnknown
	case !web.Equal(l.principal, v.Principal):
		return nil, ErrForbidden
	case v.Browser == "" || !web.Equal(l.browser, v.Browser) && (l.browser != "" || !claiming):
		return nil, ErrUsed
	case l.over != nil:
		return nil, l.over
	case l.question.Deadline != 0 && m.now().UnixMilli() >= l.question.Deadline:
		return nil, ErrExpired
	}
	return l, nil
}

// Claim implements Source.
func (m *Memory) Claim(_ context.Context, token string, v Visitor) (Question, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	l, err := m.find(token, v, true)
	if err != nil {
		return Question{}, err
	}
	l.browser = v.Browser
	return l.question, nil
}

// Open implements Source.
func (m *Memory) Open(_ context.Context, token string, v Visitor) (Question, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	l, err := m.find(token, v, false)
	if err != nil {
		return Question{}, err
	}
	return l.question, nil
}

// Answer implements Source.
func (m *Memory) Answer(_ context.Context, token string, v Visitor, a Answer) ([]elicit.Problem, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	l, err := m.find(token, v, false)
	if err != nil {
		return nil, err
	}
	if a.Action == elicit.Accept && l.check != nil {
		if problems := l.check(a); len(problems) > 0 {
			return problems, nil
		}
	}
	l.answers <- a
	m.end(l, ErrAnswered)
	return nil, nil
}
