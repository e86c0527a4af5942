package ask

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
)

// expiring forgets the session before a commit, as a store does whose time for it is up.
type expiring struct {
	store.Store
	armed bool
}

func (s *expiring) Commit(ctx context.Context, c store.Change) (uint64, error) {
	if s.armed && c.From != 0 {
		s.armed = false
		if _, err := s.Store.Commit(ctx, store.Change{Session: c.Session, From: c.From, Now: c.Now}); err != nil {
			return 0, err
		}
	}
	return s.Store.Commit(ctx, c)
}

// TestExpiredBeforeCommit forgets a session between its load and the commit. The step does not bring it back: the wait
// for an answer ends, and the next call begins anew.
func TestExpiredBeforeCommit(t *testing.T) {
	var s *expiring
	a, _ := twoNodes(t, func(inner store.Store) store.Store {
		wrapped := &expiring{Store: inner}
		if s == nil {
			s = wrapped
		}
		return wrapped
	})
	_, err := a.Do(t.Context(), forms("s", "", func(context.Context, json.RawMessage) json.RawMessage {
		s.armed = true
		return json.RawMessage(yes)
	}), confirm)
	if !errors.Is(err, ErrClosed) {
		t.Errorf("an answer for a session that expired: %v", err)
	}
	_, err = a.Do(t.Context(), forms("s", "", func(context.Context, json.RawMessage) json.RawMessage {
		return json.RawMessage(yes)
	}), confirm)
	if err != nil {
		t.Errorf("the next call: %v", err)
	}
	token := pageOf(t, a, Call{Target: "tool", Client: Client{Version: "2025-11-25"}})
	s.armed = true
	_, err = a.AnswerPage(t.Context(), token, "", elicit.Accept, []byte("{}"), nil)
	if err == nil || errors.Is(err, ErrStore) {
		t.Errorf("a page of a session that expired: %v", err)
	}
}

// TestLittleTime asks with less time than a millisecond, and with a deadline that has passed. Both time out at once.
func TestLittleTime(t *testing.T) {
	for _, left := range []time.Duration{time.Microsecond, -time.Hour} {
		a, err := New(Options{Server: "bot"})
		must.OK(t, err)
		_, err = a.Do(t.Context(), forms("s", "", func(ctx context.Context, _ json.RawMessage) json.RawMessage {
			<-ctx.Done()
			return nil
		}), func(ctx context.Context) error { return Confirm(ctx, "Go on?", TTL(left)) })
		if !errors.Is(err, ErrTimeout) {
			t.Errorf("%s are left: %v", left, err)
		}
		a.Close()
	}
	if _, err := New(Options{Server: "bot", TTL: -time.Microsecond}); err == nil {
		t.Error("no question of this server could be answered")
	}
}
