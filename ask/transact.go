package ask

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/seal"
	"github.com/elicit-engine/elicit/store"
)

// separator stands between the name of a session and a link or id in it.
const separator = "."

// savedState is a session at rest.
type savedState struct {
	Client  savedClient     `json:"client"`
	Machine json.RawMessage `json:"machine"`
}

// savedClient is what any process must know of a session's client.
type savedClient struct {
	Principal string `json:"principal,omitempty"`
	Version   string `json:"version"`
	Form      bool   `json:"form,omitempty"`
	URL       bool   `json:"url,omitempty"`
	Requests  bool   `json:"requests,omitempty"`
}

func (c Client) saved() savedClient {
	return savedClient{c.Principal, c.Version, c.Declared.Form, c.Declared.URL, c.Conn != nil}
}

func (a *Asker) configOf(name string, c savedClient) asking.Config {
	config := a.config(name, Client{Principal: c.Principal, Version: c.Version,
		Declared: elicit.Modes{Form: c.Form, URL: c.URL}})
	config.Requests = c.Requests
	return config
}

// sessionName is the name of a session in links, ids and the store. It tells nothing of the name that the transport
// gives the session, which may be as good as a password.
func (a *Asker) sessionName(name string) string {
	d, _ := seal.Digest(encoded([]string{"elicit session", a.options.Server, name}))
	return hex.EncodeToString(d[:16])
}

// sessionOf finds the session of a call, or opens one. The caller releases it.
func (a *Asker) sessionOf(c Call, body roundState) (*session, error) {
	name, once := c.session, false
	switch {
	case name != "":
	case body.Session != "":
		name = body.Session
	case c.Session != "":
		name = a.sessionName(c.Session)
	default:
		name, once = a.newID(), true
	}
	if s := a.find(context.Background(), name); s != nil {
		if s.client.Principal != c.Principal { // a session's id is no proof of who calls
			a.release(s)
			return nil, ErrPrincipal
		}
		return s, nil
	}
	once = once || c.Session == ""
	s := a.newSession(name, once, c.saved())
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return nil, &Error{Outcome: elicit.Cancelled, Cause: elicit.ByShutdown}
	}
	if other := a.sessions[name]; other != nil {
		other.users++
		return other, nil
	}
	machine, effects, problems := asking.New(a.configOf(name, s.client), a.input(nil))
	if len(problems) > 0 {
		return nil, problemsError(problems)
	}
	s.machine, s.carried = machine, effects
	if a.options.Store == nil {
		s.carried = nil
		if t := s.perform(effects); t.err != nil {
			return nil, t.err
		}
	}
	s.users = 1
	a.sessions[name] = s
	return s, nil
}

// find finds an open session by its name, here or in the store. The caller releases it.
func (a *Asker) find(ctx context.Context, name string) *session {
	a.mu.Lock()
	s := a.sessions[name]
	if s != nil {
		s.users++
	}
	a.mu.Unlock()
	if s != nil || a.options.Store == nil || name == "" {
		return s
	}
	s = a.newSession(name, true, savedClient{})
	if s.load(ctx) != nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if other := a.sessions[name]; other != nil {
		other.users++
		return other
	}
	s.users = 1
	a.sessions[name] = s
	return s
}

// storeWait bounds one call of the store.
const storeWait = 10 * time.Second

// load makes the machine from the last commit.
func (s *session) load(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeWait)
	defer cancel()
	saved, err := s.asker.options.Store.Load(ctx, s.name)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrStore, err)
	}
	var state savedState
	if err := json.Unmarshal(saved.State, &state); err != nil {
		return fmt.Errorf("%w: the state of session %s: %w", ErrStore, s.name, err)
	}
	machine, effects, problems := asking.Load(s.asker.configOf(s.name, state.Client), state.Machine, s.asker.input(nil))
	if len(problems) > 0 {
		return fmt.Errorf("%w: the state of session %s: %w", ErrStore, s.name, problemsError(problems))
	}
	s.machine, s.version, s.carried, s.client = machine, saved.Version, effects, state.Client
	s.tellSettled()
	return nil
}

// refresh loads what others may have committed.
func (s *session) refresh(ctx context.Context) error {
	if s.closed {
		return ErrClosed
	}
	if s.asker.options.Store == nil {
		return nil
	}
	return s.load(ctx)
}

// tellSettled gives waiting asks what another process has settled, and takes back requests that are no longer wanted.
func (s *session) tellSettled() {
	for _, r := range s.runs {
		for position := range r.waiting {
			if settle, settled := s.machine.Settled(r.id, position); settled {
				r.tell(position, outcome{settle: &settle})
			}
		}
	}
	for ref := range s.sends {
		if !s.machine.WaitsFor(ref) {
			s.cancelSend(ref)
		}
	}
	s.wake(s.machine.Next())
}

// mostConflicts is how often a step is tried again after another process committed first.
const mostConflicts = 100

// transact is a step as a transaction: the effects happen only after the commit. After a conflict the machine is loaded
// and steps again. An error leaves it open whether the commit counts, so the machine is loaded before the next step.
func (s *session) transact(ctx context.Context, ev asking.Event) told {
	for range mostConflicts {
		if s.machine == nil {
			if err := s.load(ctx); err != nil {
				return told{err: err}
			}
		}
		effects := append(s.carried, s.machine.Step(s.asker.input(ev))...)
		s.carried = nil
		err := s.commit(ctx, effects)
		switch {
		case err == nil:
			return s.perform(effects)
		case errors.Is(err, store.ErrConflict):
			s.machine = nil
		default:
			s.machine = nil
			return told{err: fmt.Errorf("%w: %w", ErrStore, err)}
		}
	}
	return told{err: fmt.Errorf("%w: %d conflicts", ErrStore, mostConflicts)}
}

func (s *session) commit(ctx context.Context, effects []asking.Effect) error {
	now := s.asker.options.Now()
	change := store.Change{Session: s.name, From: s.version, Now: now.UnixMilli(), Next: s.machine.Next(),
		Keep: now.Add(s.asker.options.Keep).UnixMilli(), Expires: now.Add(sessionLife).UnixMilli()}
	if state := s.machine.Save(); state != nil {
		change.State = encoded(savedState{s.client, state})
	} else if s.version == 0 {
		return nil // it was closed before anything was stored
	}
	for _, next := range effects {
		switch ef := next.(type) {
		case effect.Append:
			change.Records = append(change.Records, ef.Record)
		case asking.Settle:
			if ef.ID != "" && !ef.Replayed {
				change.Entries = append(change.Entries, store.Entry{ID: string(ef.ID), At: change.Now,
					Server: s.asker.options.Server, Tool: ef.Target, Outcome: string(ef.Outcome), Text: ef.Message,
					Body: entryBody(ef)})
			}
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeWait)
	defer cancel()
	version, err := s.asker.options.Store.Commit(ctx, change)
	if err == nil {
		s.version = version
	}
	return err
}

// sessionLife is how long a store keeps a session in which nothing happens. A question can be open for a week.
const sessionLife = 8 * 24 * time.Hour

// entryBody is an entry of the history, without the answer: that belongs to the tool.
func entryBody(ef asking.Settle) []byte {
	ef.Content = nil
	return ef.AppendJSON(nil)
}

// watch loads the session whenever another process has committed, until stop is called as often as watch.
func (s *session) watch() (stop func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watches++; s.watches == 1 {
		ctx, cancel := context.WithCancel(context.Background())
		s.unwatch = cancel
		hints, end, err := s.asker.options.Store.Watch(ctx, s.name)
		if err == nil {
			go func() {
				defer end()
				for range hints {
					s.catchUp(ctx)
				}
			}()
		}
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.watches--; s.watches == 0 {
			s.unwatch()
		}
	}
}

// catchUp looks whether another process has settled what is waited for here.
func (s *session) catchUp(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.version == 0 || len(s.runs) == 0 {
		return
	}
	wait, cancel := context.WithTimeout(ctx, storeWait)
	defer cancel()
	saved, err := s.asker.options.Store.Load(wait, s.name)
	if err == nil && saved.Version != s.version {
		s.load(ctx)
	}
}

// sweepEvery is how often a process looks for sessions that nobody else has stepped in time.
const sweepEvery = 5 * time.Second

// sweepStore lets time pass for sessions whose process is gone.
func (a *Asker) sweepStore() {
	ticker := time.NewTicker(sweepEvery)
	defer ticker.Stop()
	for {
		select {
		case <-a.stop:
			return
		case <-ticker.C:
		}
		ctx, cancel := context.WithTimeout(context.Background(), storeWait)
		due, err := a.options.Store.Due(ctx, a.options.Now().UnixMilli(), 100)
		cancel()
		if err != nil {
			continue
		}
		for _, name := range due {
			if s := a.find(context.Background(), name); s != nil {
				s.step(context.Background(), event.Ticked{})
				a.release(s)
			}
		}
	}
}
