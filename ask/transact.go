package ask

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/seal"
	"github.com/elicit-engine/elicit/store"
)

// separator stands between the name of a session and a link or id in it.
const separator = "."

// savedState is a session at rest.
type savedState struct {
	Client  savedClient     `json:"client"`
	Machine json.RawMessage `json:"machine"`
	Commits []string        `json:"commits"` // the names of the last commits, the newest at the end
}

// mostCommits is how many commits a session knows by name. A commit is looked for a moment after it was made.
const mostCommits = 8

// savedClient is what any process must know of a session's client.
type savedClient struct {
	Principal string `json:"principal,omitempty"`
	Version   string `json:"version"`
	Form      bool   `json:"form,omitempty"`
	URL       bool   `json:"url,omitempty"`
	Requests  bool   `json:"requests,omitempty"`
	Once      bool   `json:"once,omitempty"` // the session is a single call
}

func (c Client) saved() savedClient {
	return savedClient{c.Principal, c.Version, c.Declared.Form, c.Declared.URL && !c.unknownAgain(), c.Conn != nil,
		c.Session == ""}
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
	case c.returns():
		name, once = a.callName(c), true
	default:
		name, once = a.newID(), true
	}
	if s, err := a.find(context.Background(), name); s != nil {
		if s.client.Principal != c.Principal { // a session's id is no proof of who calls
			a.release(s)
			return nil, ErrPrincipal
		}
		return s, nil
	} else if err != nil {
		return nil, err
	}
	once = once || c.Session == ""
	s := a.newSession(name, once, c.saved())
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return nil, &Error{Outcome: elicit.Cancelled, Cause: elicit.ByShutdown}
	}
	if other := a.sessions[name]; other != nil {
		if other.client.Principal != c.Principal {
			return nil, ErrPrincipal
		}
		other.users++
		return other, nil
	}
	s.users = 1
	a.sessions[name] = s
	return s, nil
}

// find finds an open session by its name, here or in the store. The caller releases it. It returns nil if there is
// none, and an error if the store cannot tell.
func (a *Asker) find(ctx context.Context, name string) (*session, error) {
	a.mu.Lock()
	s := a.sessions[name]
	if s != nil {
		s.users++
	}
	a.mu.Unlock()
	if s != nil || a.options.Store == nil || store.CheckName("session", name) != nil {
		return s, nil
	}
	s = a.newSession(name, true, savedClient{})
	s.users = 1
	s.mu.Lock() // its timer may already run
	err := s.load(ctx)
	s.mu.Unlock()
	switch {
	case errors.Is(err, ErrClosed):
		return nil, nil
	case err != nil:
		return nil, err
	}
	a.mu.Lock()
	other := a.sessions[name]
	if other == nil {
		a.sessions[name] = s
	} else {
		other.users++
	}
	a.mu.Unlock()
	if other != nil {
		s.leave()
		return other, nil
	}
	return s, nil
}

// storeWait bounds one call of the store.
const storeWait = 10 * time.Second

// load makes the machine from the last commit, if it is not that already.
func (s *session) load(ctx context.Context) error {
	saved, state, err := s.read(ctx)
	switch {
	case errors.Is(err, store.ErrUnknown):
		s.gone(&Error{Outcome: elicit.Cancelled, Cause: elicit.BySessionClosed})
		return ErrClosed
	case err != nil:
		return fmt.Errorf("%w: %w", ErrStore, err)
	case s.machine != nil && saved.Version == s.version:
		return nil
	case s.version == 0 && s.client.Version != "" && s.client.Principal != state.Client.Principal:
		s.gone(ErrPrincipal) // somebody else opened a session with this name at the same time
		s.forget()
		return ErrPrincipal
	}
	machine, effects, problems := asking.Load(s.asker.configOf(s.name, state.Client), state.Machine, s.asker.input(nil))
	if len(problems) > 0 {
		return fmt.Errorf("%w: the state of session %s: %w", ErrStore, s.name, problemsError(problems))
	}
	if s.client.Version == "" {
		s.client = state.Client
	}
	s.machine, s.fresh, s.carried = machine, false, effects
	s.version, s.commits = saved.Version, state.Commits
	s.tellMissed()
	return nil
}

func (s *session) read(ctx context.Context) (saved store.Saved, state savedState, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeWait)
	defer cancel()
	if saved, err = s.asker.options.Store.Load(ctx, s.name); err != nil {
		return saved, state, err
	}
	if err = json.Unmarshal(saved.State, &state); err != nil {
		err = fmt.Errorf("the state of session %s: %w", s.name, err)
	}
	return saved, state, err
}

// gone ends the runs of a session that the store has no more: another process closed it, or its time was up. A later
// question of another run opens it again.
func (s *session) gone(err error) {
	s.machine, s.fresh, s.version, s.commits, s.carried = nil, true, 0, nil, nil
	for _, r := range s.runs {
		if r.begun {
			r.ended = err
			for position := range r.waiting {
				r.tell(position, outcome{err: err})
			}
		}
	}
	s.cancelSends()
	s.wake(0)
}

// forget lets later calls make another session in place of this one.
func (s *session) forget() {
	a := s.asker
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.sessions[s.name] == s {
		delete(a.sessions, s.name)
	}
}

// refresh loads what others may have committed.
func (s *session) refresh(ctx context.Context) error {
	if s.closed {
		return ErrClosed
	}
	if s.asker.options.Store != nil {
		return s.load(ctx)
	}
	if s.fresh {
		return ErrClosed
	}
	return nil
}

// tellMissed performs for the runs of this process what other processes have decided.
func (s *session) tellMissed() {
	var l asking.Look
	for _, r := range s.runs {
		if !r.begun && !s.machine.Runs(r.id) { // nobody else knows it yet
			continue
		}
		if r.interrupt == nil {
			l.Calls = append(l.Calls, r.id)
		}
		for position := range r.waiting {
			l.Waits = append(l.Waits, asking.Wait{Call: r.id, Position: position})
		}
	}
	for ref := range s.sends {
		l.Refs = append(l.Refs, ref)
	}
	s.perform(s.machine.Look(l))
}

// mostConflicts is how often a step is tried again after another process committed first.
const mostConflicts = 100

// attempt is a step that is being committed.
type attempt struct {
	name    string
	effects []asking.Effect
	refused error
}

// transact is a step as a transaction: the effects happen only after the commit. After a conflict the machine is loaded
// and steps again. An error leaves it open whether the commit counts, and so does a conflict: a client of the store may
// have sent the commit twice. The state knows the last commits by name, also if another process has committed since. If
// the store cannot be reached, the machine is loaded as soon as possible: others wait for what it decided.
func (s *session) transact(ctx context.Context, r *run, ev asking.Event) told {
	if r != nil {
		r.watch()
	}
	var made attempt
	for range mostConflicts {
		if s.machine == nil && !s.fresh {
			if err := s.load(ctx); err != nil && !s.fresh || errors.Is(err, ErrPrincipal) {
				return told{err: err}
			}
			if s.knows(made) {
				return s.overtaken(made)
			}
		}
		if s.fresh {
			if r == nil || r.ended != nil {
				return told{err: ErrClosed}
			}
			if err := s.open(); err != nil {
				return told{err: err}
			}
		}
		made.effects, made.refused = s.advance(r, ev)
		made.name = s.asker.newID()[:16]
		err := s.commit(ctx, made)
		if err == nil {
			return s.done(made)
		}
		s.machine = nil
		if !errors.Is(err, store.ErrConflict) {
			if s.load(ctx) == nil && s.knows(made) {
				return s.overtaken(made)
			}
			s.reload()
			return told{err: fmt.Errorf("%w: %w", ErrStore, err)}
		}
	}
	s.reload()
	return told{err: fmt.Errorf("%w: %d conflicts", ErrStore, mostConflicts)}
}

// knows reports whether the loaded state comes after an attempt.
func (s *session) knows(a attempt) bool {
	return a.name != "" && s.machine != nil && slices.Contains(s.commits, a.name)
}

// done performs what was committed.
func (s *session) done(a attempt) told {
	t := s.perform(a.effects)
	if t.err == nil {
		t.err = a.refused
	}
	return t
}

// overtaken performs what was committed before the state that is loaded.
func (s *session) overtaken(a attempt) told {
	defer s.wake(s.machine.Next()) // later than the attempt says
	return s.done(a)
}

func (s *session) commit(ctx context.Context, a attempt) error {
	now := s.asker.options.Now()
	change := store.Change{Session: s.name, From: s.version, Now: now.UnixMilli(), Next: s.machine.Next(),
		Keep: now.Add(s.asker.options.Keep).UnixMilli(), Expires: now.Add(s.life()).UnixMilli()}
	commits := append(s.commits[max(0, len(s.commits)-mostCommits+1):len(s.commits):len(s.commits)], a.name)
	if state := s.machine.Save(); state != nil {
		change.State = encoded(savedState{s.client, state, commits})
	} else if s.version == 0 {
		return nil // it was closed before anything was stored
	}
	for _, next := range a.effects {
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
		s.version, s.commits = version, commits
	}
	return err
}

// sessionLife is how long a store keeps a session in which nothing happens. A question can be open for a week.
const sessionLife = 8 * 24 * time.Hour

// callLife is how long a store keeps the session of a single call that is over, so that late answers are told how their
// question ended.
const callLife = 15 * time.Minute

func (s *session) life() time.Duration {
	if s.client.Once && s.machine.Idle() {
		return callLife
	}
	return sessionLife
}

// entryBody is an entry of the history, without the answer: that belongs to the tool.
func entryBody(ef asking.Settle) []byte {
	ef.Content = nil
	return ef.AppendJSON(nil)
}
