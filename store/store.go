// Package store keeps sessions of the asking side at rest, so that any node can go on where another stopped.
//
// A session is a value, and a step is a transaction:
//
//	saved, err := s.Load(ctx, session)          // the state and its version
//	…                                           // step the machine
//	version, err := s.Commit(ctx, store.Change{ // all of it or nothing
//		Session: session, From: saved.Version, Now: now, State: state, Next: deadline,
//	})
//	…                                           // perform the effects of the step
//
// ErrConflict says that another node committed first: load and step again. After a crash the state says what is to be
// done, and Due names the session at Change.Next. There is no owner and no lease.
//
// Store is the interface. The packages memory, sqlite and redis below implement it, encrypted wraps any of them, and
// storetest certifies an implementation. Times are milliseconds since 1970 and always come from the caller, because a
// store's own clock may differ from the clocks of the nodes.
package store

import (
	"context"
	"errors"
	"iter"

	"github.com/elicit-engine/elicit/engine/asking/stored"
)

// Store keeps sessions. Methods may be called from several goroutines. Names, states and bodies are opaque, and the
// caller keeps what it passes: a store copies it. After Close every method returns ErrClosed. A method whose context
// ends returns the context's error. After that error, and after ErrUnavailable, a Commit or Redeem may or may not
// have happened: load again.
type Store interface {
	// Load returns the session as the last commit left it, or ErrUnknown.
	Load(ctx context.Context, session string) (Saved, error)
	// Commit stores the change completely or not at all, and returns Change.Version. ErrConflict says that
	// Change.From is not the stored version, or that the session is already there or already gone.
	Commit(ctx context.Context, c Change) (version uint64, err error)
	// Due returns at most limit sessions whose Next has come, the oldest time first. A session stays due until a
	// Commit changes that, so a caller that can do nothing with some sessions skips as many of the first. An error
	// beside names is about some of them.
	Due(ctx context.Context, now int64, skip, limit int) ([]string, error)
	// Watch tells of commits to a session. The channel holds one value after each commit by any node that begins
	// after Watch returned; several commits may share one value, and there may be a value without a commit. Each
	// value is a hint to Load: the version that the last of the commits gave, or 0 if the store does not know it. The
	// channel is closed when the context ends, stop is called or the store is closed.
	Watch(ctx context.Context, session string) (wakes <-chan uint64, stop func(), err error)
	// Redeem returns nil for the first caller with this id, and ErrRedeemed for every other. An id whose expiry
	// has come counts as redeemed. A store remembers the id for Skew beyond expires.
	Redeem(ctx context.Context, id string, now, expires int64) error
	// Journal yields the records of a session after a version, in the order in which they were committed. They
	// stay when the session is deleted.
	Journal(ctx context.Context, session string, after uint64) iter.Seq2[Record, error]
	// History yields the settled questions that match, newest first. It ends after the first error.
	History(ctx context.Context, q Query) iter.Seq2[Entry, error]
	// Close releases this handle. Other handles on the same data go on.
	Close() error
}

// Saved is a session as a store holds it.
type Saved struct {
	Version uint64 // of the last commit
	State   []byte // of the last commit
	Next    int64  // when Step wants a tick; 0 never
}

// Change is what one step does to a session, Entry a question that it settled, and Query selects entries. Package
// stored has their rules.
type (
	Change = stored.Change
	Entry  = stored.Entry
	Query  = stored.Query
)

// Record is one line of a session's journal.
type Record struct {
	Version uint64 // of the commit
	Index   int    // in Change.Records
	Line    []byte
}

// Skew is how far the clocks of nodes may differ, in milliseconds. A redeemed id is remembered this much longer.
const Skew = stored.Skew

// These are the limits of a store. Package stored says what of.
const (
	MaxName  = stored.MaxName
	MaxState = stored.MaxState
	MaxParts = stored.MaxParts
	MaxTime  = stored.MaxTime
	MaxDue   = stored.MaxDue
	MaxSkip  = stored.MaxSkip
)

// Errors of every store. Compare with errors.Is.
var (
	ErrUnknown     = errors.New("store: there is no such session")
	ErrConflict    = errors.New("store: another commit came first")
	ErrRedeemed    = errors.New("store: this id was redeemed or has expired")
	ErrUnavailable = errors.New("store: the store cannot be reached")
	ErrFull        = errors.New("store: the store has no room")
	ErrNewer       = errors.New("store: a newer program wrote this store")
	ErrInvalid     = stored.ErrInvalid
	ErrClosed      = errors.New("store: the store is closed")
)
