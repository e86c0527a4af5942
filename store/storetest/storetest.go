// Package storetest certifies a store: it holds an implementation of store.Store to every rule of the interface.
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, func(t *testing.T) func() store.Store {
//			first := memory.New()
//			return func() store.Store { return first.Handle() }
//		})
//	}
//
// The outer function makes empty data, and the inner one opens a handle on it. Rules open several handles, as nodes do.
// A rule waits for what must happen, and gives up after a minute.
package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/store"
)

// patience is how long a rule waits for what must happen.
const patience = time.Minute

// Run holds a store to every rule.
func Run(t *testing.T, fresh func(t *testing.T) (open func() store.Store)) {
	for _, rule := range Rules() {
		t.Run(rule.Name, func(t *testing.T) {
			if err := rule.Check(t.Context(), fresh(t)); err != nil {
				t.Errorf("%s: %v", rule.Text, err)
			}
		})
	}
}

// Put commits a small state, and returns the new version. The tests of a driver need it.
func Put(t testing.TB, s store.Store, session string, from uint64) (version uint64) {
	t.Helper()
	version, err := s.Commit(t.Context(), store.Change{Session: session, From: from, State: []byte("x")})
	if err != nil {
		t.Fatal(err)
	}
	return version
}

// Rule is one thing that must hold of every store.
type Rule struct {
	Name, Text string
	check      func(*run)
}

// Rules lists them all.
func Rules() []Rule {
	return []Rule{
		{"Load", "Load returns what was committed last", loadsWhatWasCommitted},
		{"Conflict", "a commit on another version than the stored one is refused and changes nothing", refusesConflicts},
		{"Version", "a commit gives Change.Version, and a deleted name begins at a later one", versionsGrow},
		{"Race", "of racing commits on one version exactly one happens", oneCommitWins},
		{"Nodes", "what one handle commits, every other handle sees", handlesAgree},
		{"Copies", "a store keeps copies of what it gets and gives", keepsCopies},
		{"Due", "Due names sessions whose time has come, oldest first", namesWhatIsDue},
		{"DueSkip", "Due goes past sessions that stay due", skipsWhatIsDue},
		{"Delete", "a deleted session is unknown, and its journal and history stay", deletes},
		{"Watch", "a commit by any handle wakes those who watch", wakes},
		{"WatchMany", "a commit wakes everyone who watches, after each of many commits", wakesEveryone},
		{"WatchDelete", "a deletion wakes those who watch", wakesAtTheEnd},
		{"WatchEnds", "the channel is closed when the watch ends", endsWatches},
		{"Redeem", "an id is redeemed once, also by 50 at a time on two handles", redeemsOnce},
		{"RedeemExpired", "an id whose expiry has come is never redeemed", neverRedeemsLate},
		{"Journal", "records come in order, after a version", keepsTheJournal},
		{"History", "History selects by session, server, tool, outcome, time and text, newest first", selectsHistory},
		{"Pages", "pages of History make the whole, without gap or repetition", pagesHistory},
		{"Again", "an entry that is committed again is there once", keepsEntriesOnce},
		{"Expires", "a session is forgotten after Expires, and no other", forgets},
		{"Keep", "entries are forgotten after Keep and records after KeepRecords, and no others", forgetsHistory},
		{"Large", "a state of 4 MiB comes back, and an empty one too", keepsLargeStates},
		{"Names", "hostile names stay apart", keepsNamesApart},
		{"Invalid", "what no store takes is refused with ErrInvalid", refusesTheInvalid},
		{"Context", "a method whose context has ended returns its error and does nothing", obeysContexts},
		{"Closed", "a closed handle returns ErrClosed, and other handles go on", closes},
	}
}

// failure is what a rule panics with when it does not hold.
type failure struct{ error }

// Check holds a store to the rule and returns what is wrong.
func (r Rule) Check(ctx context.Context, open func() store.Store) (err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	one := &run{ctx: ctx, open: open}
	defer one.close()
	defer func() {
		if broken, is := recover().(failure); is {
			err = broken.error
		}
	}()
	r.check(one)
	return nil
}

// run is one rule at work.
type run struct {
	ctx    context.Context
	open   func() store.Store
	opened []store.Store
}

func (r *run) store() store.Store {
	s := r.open()
	r.opened = append(r.opened, s)
	return s
}

func (r *run) close() {
	for _, s := range r.opened {
		_ = s.Close()
	}
}

func fail(format string, args ...any) { panic(failure{fmt.Errorf(format, args...)}) }

// must fails if there is an error.
func must(err error, doing string) {
	if err != nil {
		fail("%s: %w", doing, err)
	}
}

// wants fails unless the error is the wanted one.
func wants(err, want error, doing string) {
	if !errors.Is(err, want) {
		fail("%s: the error is %v, want %v", doing, err, want)
	}
}

// now is the time of commits that say nothing of time.
const now = 1_700_000_000_000

// put commits a state and returns the version.
func (r *run) put(s store.Store, session string, from uint64, state string, more ...func(*store.Change)) uint64 {
	c := store.Change{Session: session, From: from, Now: now, State: []byte(state)}
	for _, m := range more {
		m(&c)
	}
	version, err := s.Commit(r.ctx, c)
	must(err, "committing "+session)
	return version
}

// holds fails unless the session has this state and version.
func (r *run) holds(s store.Store, session, state string, version uint64) store.Saved {
	saved, err := s.Load(r.ctx, session)
	must(err, "loading "+session)
	if string(saved.State) != state || saved.Version != version {
		fail("%q has the state %.40q at version %d, want %.40q at %d", session, saved.State, saved.Version, state, version)
	}
	return saved
}

func (r *run) unknown(s store.Store, session string) {
	_, err := s.Load(r.ctx, session)
	wants(err, store.ErrUnknown, "loading "+session)
}

// woken fails unless a wake comes. It returns the version that the wake names.
func (r *run) woken(wakes <-chan uint64, why string) (version uint64) {
	select {
	case version, open := <-wakes:
		if !open {
			fail("%s: the watch has ended", why)
		}
		return version
	case <-r.ctx.Done():
		fail("%s: no wake came", why)
	}
	return 0
}
