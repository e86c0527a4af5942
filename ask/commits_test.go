package ask

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/memory"
)

var idInText = regexp.MustCompile(`"id":"([0-9a-f.]+)"`)

// counted counts the commits of a store, and keeps the last.
type counted struct {
	store.Store
	mu      sync.Mutex
	commits int
	syncs   int // of them, those that are not lazy
	last    store.Change

	sessions map[string]bool // by name; may be nil
}

func (s *counted) Commit(ctx context.Context, c store.Change) (uint64, error) {
	s.mu.Lock()
	s.commits++
	if !c.Lazy {
		s.syncs++
	}
	s.last = c
	if s.sessions != nil {
		s.sessions[c.Session] = true
	}
	s.mu.Unlock()
	return s.Store.Commit(ctx, c)
}

func counting(t *testing.T) (*Asker, *counted) {
	t.Helper()
	s := &counted{Store: memory.New()}
	a, err := New(Options{Server: "bot", Page: "https://bot.example/", Store: s})
	must.OK(t, err)
	t.Cleanup(a.Close)
	return a, s
}

// TestCommits counts what calls cost: nothing without a question; otherwise one commit for the first question with all
// that came before it, one for each answer and for each further question, and one for the end.
func TestCommits(t *testing.T) {
	twice := func(ctx context.Context) error { return errors.Join(confirm(ctx), Confirm(ctx, "Sure?")) }
	value := func(ctx context.Context) error {
		_, err := Once(ctx, func(context.Context) (int, error) { return 7, nil })
		return err
	}
	for name, one := range map[string]struct {
		handler func(ctx context.Context) error
		want    int
		syncs   int
	}{
		"no question":          {func(context.Context) error { return nil }, 0, 0},
		"a value":              {value, 0, 0},
		"a question":           {confirm, 3, 1},
		"two questions":        {twice, 5, 2},
		"a value and question": {func(ctx context.Context) error { return errors.Join(value(ctx), confirm(ctx)) }, 3, 1},
	} {
		for _, session := range []string{"", "s"} {
			t.Run(fmt.Sprintf("%s in session %q", name, session), func(t *testing.T) {
				a, s := counting(t)
				for range 2 { // in a session that is open, too
					before, synced := s.commits, s.syncs
					if _, err := a.Do(t.Context(), forms(session, "", agrees), one.handler); err != nil {
						t.Fatal(err)
					}
					if got, syncs := s.commits-before, s.syncs-synced; got != one.want || syncs != one.syncs {
						t.Errorf("%d commits, want %d; %d of them wait for the disk, want %d", got, one.want, syncs, one.syncs)
					}
				}
			})
		}
	}
}

// TestCommitsOfRounds counts the commits of a call in two rounds.
func TestCommitsOfRounds(t *testing.T) {
	a, s := counting(t)
	c := Call{Target: "tool", Client: Client{Version: "2026-07-28", Declared: elicit.Modes{Form: true}}}
	c = answered(t, a, c, yes, confirm)
	if s.commits != 0 { // the client has all of it
		t.Errorf("%d commits for the first round", s.commits)
	}
	if i, err := a.Do(t.Context(), c, confirm); i != nil || err != nil || s.commits != 2 {
		t.Errorf("%d commits after the second round: %v, %v", s.commits, i, err)
	}
}

// TestSmallState asks many times in one session, whose state stays small.
func TestSmallState(t *testing.T) {
	a, s := counting(t)
	for range 90 {
		if _, err := a.Do(t.Context(), forms("s", "", agrees), confirm); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(s.last.State); n == 0 || n > 8<<10 {
		t.Errorf("the state has %d bytes", n)
	}
}

// TestOneEnd asks in two rounds, on two nodes. The history has one end of the question, and no session stays.
func TestOneEnd(t *testing.T) {
	s := &counted{Store: memory.New(), sessions: map[string]bool{}}
	a, _ := twoNodes(t, func(store.Store) store.Store { return s })
	c := Call{Target: "tool", Client: Client{Version: "2026-07-28", Declared: elicit.Modes{Form: true}}}
	c = answered(t, a, c, yes, confirm)
	if i, err := a.Do(t.Context(), c, confirm); i != nil || err != nil {
		t.Fatal(i, err)
	}
	if got := settled(t, s); len(got) != 1 || got[0] != string(elicit.Accepted) || len(s.sessions) != 1 {
		t.Errorf("the history of %d sessions has %q", len(s.sessions), got)
	}
	for name := range s.sessions {
		if saved, err := s.Load(t.Context(), name); !errors.Is(err, store.ErrUnknown) {
			t.Errorf("session %s stays: %s, %v", name, saved.State, err)
		}
	}
}

// TestLateRound brings an answer back after the time of its question.
func TestLateRound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := twoNodes(t, nil)
		late := func(ctx context.Context) error { return Confirm(ctx, "Go on?", TTL(time.Minute)) }
		c := Call{Target: "tool", Client: Client{Version: "2026-07-28", Declared: elicit.Modes{Form: true}}}
		c = answered(t, a, c, yes, late)
		time.Sleep(11 * time.Minute)
		if i, err := b.Do(t.Context(), c, late); i != nil || !errors.Is(err, ErrTimeout) {
			t.Errorf("an answer that comes late: %v, %v", i, err)
		}
	})
}

// answered makes a call of 2026-07-28, and returns it as its client makes it again with an answer.
func answered(t *testing.T, a *Asker, c Call, answer string, handler func(context.Context) error) Call {
	t.Helper()
	i, err := a.Do(t.Context(), c, handler)
	if err != nil || i == nil {
		t.Fatal(i, err)
	}
	var result struct {
		InputRequests map[string]any
		RequestState  string
	}
	if err := json.Unmarshal(i.Result, &result); err != nil || len(result.InputRequests) != 1 {
		t.Fatalf("%s: %v", i.Result, err)
	}
	for key := range result.InputRequests {
		c.Responses = fmt.Appendf(nil, `{%q:%s}`, key, answer)
	}
	c.State = result.RequestState
	return c
}

// TestExpiry keeps the session of a single call for a short while after its end, and other sessions longer.
func TestExpiry(t *testing.T) {
	a, s := counting(t)
	left := func() time.Duration { return time.Duration(s.last.Expires-s.last.Now) * time.Millisecond }
	for session, want := range map[string]time.Duration{"": 15 * time.Minute, "s": 8 * 24 * time.Hour} {
		_, err := a.Do(t.Context(), forms(session, "", func(context.Context, json.RawMessage) json.RawMessage {
			if left() < 8*24*time.Hour {
				t.Errorf("an open question of session %q is kept for %v", session, left())
			}
			return json.RawMessage(yes)
		}), confirm)
		if err != nil || left() != want {
			t.Errorf("session %q is kept for %v: %v", session, left(), err)
		}
	}
	c := Call{Target: "tool", Client: Client{Version: "2025-06-18"}}
	if i, err := a.Do(t.Context(), c, confirm); err != nil || i == nil || left() != 8*24*time.Hour {
		t.Errorf("an interrupted call is kept for %v: %v, %v", left(), i, err)
	}
}

// TestOnceInRounds gives a handler the value of its first run on another node, and in a run that fails to bring the
// state another.
func TestOnceInRounds(t *testing.T) {
	a, b := twoNodes(t, nil)
	computed, shown := 0, ""
	handler := func(ctx context.Context) error {
		plan, err := Once(ctx, func(ctx context.Context) ([]int, error) {
			computed++
			return []int{computed}, confirmNot(t, ctx)
		})
		if err != nil {
			return err
		}
		shown = fmt.Sprint(plan)
		return Confirm(ctx, "Run "+shown+"?")
	}
	c := Call{Target: "tool", Client: Client{Version: "2026-07-28", Declared: elicit.Modes{Form: true}}}
	again := answered(t, a, c, yes, handler)
	if i, err := b.Do(t.Context(), again, handler); i != nil || err != nil || shown != "[1]" || computed != 1 {
		t.Errorf("plan %s of %d: %v, %v", shown, computed, i, err)
	}
	if answered(t, b, c, yes, handler); shown != "[2]" {
		t.Errorf("a call without state gets the plan %s", shown)
	}
}

// confirmNot cannot ask: a later run would not ask in this place.
func confirmNot(t *testing.T, ctx context.Context) error {
	if err := confirm(ctx); !errors.Is(err, ErrNoCall) {
		t.Errorf("a question within a value: %v", err)
	}
	return nil
}

// TestOnceInTexts keeps a value in the session, over an answer that a model passes on at another node.
func TestOnceInTexts(t *testing.T) {
	a, b := twoNodes(t, nil)
	computed, booked := 0, ""
	handler := func(ctx context.Context) error {
		id, err := Once(ctx, func(context.Context) (string, error) {
			computed++
			return fmt.Sprint("id ", computed), nil
		})
		if err == nil {
			err = URL(ctx, "Pay for "+id, "https://pay.example/")
		}
		booked = id
		return err
	}
	c := Client{Version: "2025-06-18"}
	i, err := a.Do(t.Context(), Call{Target: "tool", Client: c}, handler)
	if err != nil || i == nil {
		t.Fatal(i, err)
	}
	id := idInText.FindStringSubmatch(strings.ReplaceAll(string(i.Result), `\"`, `"`))
	if id == nil {
		t.Fatalf("%s", i.Result)
	}
	again, text := b.Submit(t.Context(), c, Submission{ID: id[1], Action: elicit.Accept})
	if again == nil {
		t.Fatal(text)
	}
	if i, err = b.Do(t.Context(), *again, handler); i != nil || err != nil || booked != "id 1" || computed != 1 {
		t.Errorf("%s of %d: %v, %v", booked, computed, i, err)
	}
}

// TestOnceBounds refuses values that are too large, and a context without a call.
func TestOnceBounds(t *testing.T) {
	a, _ := counting(t)
	text := func(n int) func(context.Context) (string, error) {
		return func(context.Context) (string, error) { return string(make([]byte, n)), nil } // 6 bytes for each
	}
	_, err := a.Do(t.Context(), forms("s", "", agrees), func(ctx context.Context) error {
		if _, err := Once(ctx, text(5000)); err != nil {
			t.Error(err)
		}
		if _, err := Once(ctx, text(5000)); !errors.Is(err, ErrTooLarge) {
			t.Errorf("60,000 bytes: %v", err)
		}
		broken := errors.New("broken")
		if _, err := Once(ctx, func(context.Context) (int, error) { return 0, broken }); err != broken {
			t.Errorf("an error: %v", err)
		}
		return confirm(ctx)
	})
	if err != nil {
		t.Error(err)
	}
	if _, err := Once(t.Context(), text(1)); !errors.Is(err, ErrNoCall) {
		t.Errorf("without a call: %v", err)
	}
}

// TestKeepJournal keeps the journal as long as the history, for a time of its own, and not at all.
func TestKeepJournal(t *testing.T) {
	for _, keep := range []time.Duration{0, time.Hour, -1} {
		s, elsewhere := &counted{Store: memory.New()}, 0
		a, err := New(Options{Server: "bot", Store: s, Keep: 2 * time.Hour, KeepJournal: keep,
			Journal: func(string, []byte) error { elsewhere++; return nil }})
		must.OK(t, err)
		_, err = a.Do(t.Context(), forms("s", "", func(context.Context, json.RawMessage) json.RawMessage {
			return json.RawMessage(yes)
		}), confirm)
		must.OK(t, err)
		a.Close()
		want := s.last.Keep
		if keep > 0 {
			want = s.last.Now + keep.Milliseconds()
		}
		records := 0
		for range s.Journal(t.Context(), s.last.Session, 0) {
			records++
		}
		if (records > 0) != (keep >= 0) || len(settled(t, s)) != 1 || elsewhere == 0 || s.last.KeepRecords != want ||
			keep >= 0 && records != elsewhere {
			t.Errorf("with %v: %d records, %d elsewhere, %d until %d", keep, records, elsewhere, s.last.Now,
				s.last.KeepRecords)
		}
	}
}

// TestOwnCommits asks often in one session of one process. It loads the session once, and never what it has committed.
func TestOwnCommits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &countingLoads{Store: memory.New()}
		a, err := New(Options{Server: "bot", Store: s})
		must.OK(t, err)
		defer a.Close()
		loads := int64(0)
		_, err = a.Do(t.Context(), forms("s", "", func(context.Context, json.RawMessage) json.RawMessage {
			synctest.Wait() // the hints have come
			return json.RawMessage(yes)
		}), func(ctx context.Context) error {
			for range 10 {
				if err := confirm(ctx); err != nil {
					return err
				}
				synctest.Wait()
			}
			loads = s.loads.Load()
			return nil
		})
		if err != nil || loads != 1 {
			t.Errorf("%d loads: %v", loads, err)
		}
	})
}
