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

// Change is what one step does to a session.
type Change struct {
	Session string
	From    uint64   // the version that was loaded; 0: the session must not exist
	Now     int64    // the caller's time, from which stores derive how long to keep things
	State   []byte   // nil deletes the session; journal and history stay
	Records [][]byte // journal lines of this step
	Next    int64    // when Step wants a tick; 0 never
	Entries []Entry  // questions that this step settled; an entry with the session and id of another replaces it
	Expires int64    // when the session may be forgotten; 0 never
	Keep    int64    // when Entries may be forgotten; 0 never
	// KeepRecords is when Records may be forgotten; 0 never.
	KeepRecords int64
}

// Record is one line of a session's journal.
type Record struct {
	Version uint64 // of the commit
	Index   int    // in Change.Records
	Line    []byte
}

// Entry is one settled question. Its session and id name it.
type Entry struct {
	Session string // set by Commit
	ID      string
	At      int64 // when it was settled
	Server  string
	Tool    string
	Outcome string
	Text    string // what a search for text looks at
	Body    []byte // opaque; the rest
}

// Skew is how far the clocks of nodes may differ, in milliseconds. A redeemed id is remembered this much longer.
const Skew = 10 * 60 * 1000

// These are the limits of a store. A state has room beyond 4 MiB for what a wrapper adds, and a name beyond 512 bytes.
const (
	MaxName   = 1024    // bytes of a session's name or another id, which are UTF-8 and not empty
	MaxState  = 5 << 20 // bytes of a state, and of all records or entries of a change
	MaxParts  = 4096    // records or entries of a change
	MaxTime   = 1 << 50 // the last time
	MaxDue    = 1000    // the largest limit of Due
	MaxSkip   = 1 << 20 // the largest skip of Due
	firstBits = 10
)

// Errors of every store. Compare with errors.Is.
var (
	ErrUnknown     = errors.New("store: there is no such session")
	ErrConflict    = errors.New("store: another commit came first")
	ErrRedeemed    = errors.New("store: this id was redeemed or has expired")
	ErrUnavailable = errors.New("store: the store cannot be reached")
	ErrFull        = errors.New("store: the store has no room")
	ErrNewer       = errors.New("store: a newer program wrote this store")
	ErrInvalid     = errors.New("store: the caller passed something that no store takes")
	ErrClosed      = errors.New("store: the store is closed")
)

// Version is the version that the commit gives the session: one more than From. A new session begins at a version
// made from Now, so that a name that is used again does not meet commits for its predecessor.
func (c *Change) Version() uint64 {
	if c.From == 0 {
		return max(1, uint64(c.Now)<<firstBits)
	}
	return c.From + 1
}
