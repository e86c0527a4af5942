package main_test

import (
	"context"
	"path"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// script is the person behind the Go client. It follows the rules of an answers file: the first unused match answers,
// and later the last match again.
type script struct {
	rules []rule
	tool  string

	mu        sync.Mutex
	used      map[int]bool
	asked     []asked
	completed []string
}

func (s *script) answer(ctx context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	r, found := s.choose(req.Params)
	if !found {
		return &mcp.ElicitResult{Action: "cancel"}, nil
	}
	a, ok := r.Answer.(answer)
	if !ok { // never
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return &mcp.ElicitResult{Action: a.Action, Content: a.Content}, nil
}

func (s *script) choose(p *mcp.ElicitParams) (rule, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	mode := p.Mode
	if mode == "" {
		mode = "form"
	}
	s.asked = append(s.asked, asked{Mode: mode, Message: p.Message, URL: p.URL})
	facts := map[string]string{"message": p.Message, "mode": mode, "tool": s.tool}
	last := -1
	for i, r := range s.rules {
		if !r.matches(facts) {
			continue
		}
		last = i
		if !s.used[i] {
			break
		}
	}
	if last < 0 {
		return rule{}, false
	}
	if s.used == nil {
		s.used = map[int]bool{}
	}
	s.used[last] = true
	return s.rules[last], true
}

// matches compares with the globs of these tests, which have no slash or bracket.
func (r rule) matches(facts map[string]string) bool {
	for k, glob := range r.When {
		if ok, err := path.Match(glob, facts[k]); err != nil || !ok {
			return false
		}
	}
	return true
}

func (s *script) complete(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.completed = append(s.completed, id)
}
