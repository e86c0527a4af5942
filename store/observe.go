package store

import (
	"context"
	"errors"
	"iter"
	"log/slog"
	"maps"
	"strings"
	"sync"
	"time"
)

// Ping reports whether a store answers, for health checks of a server. It looks for a session that is not
// there: package ask gives no session a name with a slash.
func Ping(ctx context.Context, s Store) error {
	if _, err := s.Load(ctx, "ping/"); !errors.Is(err, ErrUnknown) {
		return err
	}
	return nil
}

// Call is one call of a store, for logs, counters and traces. It tells nothing of states, records and entries.
type Call struct {
	Method  string // "Commit"
	Session string // "" where the method has none
	Began   time.Time
	Took    time.Duration
	Err     error
}

// Result says in a word how the call ended: "ok", "conflict" and "redeemed" for what happens in every server,
// "unavailable", "full", "newer", "invalid", "closed" or "ended" for what somebody should look at, or "failed".
// A session that is not there is "ok".
func (c Call) Result() string {
	for _, one := range [...]struct {
		err    error
		result string
	}{{nil, "ok"}, {ErrUnknown, "ok"}, {ErrConflict, "conflict"}, {ErrRedeemed, "redeemed"},
		{ErrUnavailable, "unavailable"}, {ErrFull, "full"}, {ErrNewer, "newer"}, {ErrInvalid, "invalid"},
		{ErrClosed, "closed"}, {context.Canceled, "ended"}, {context.DeadlineExceeded, "ended"}} {
		if errors.Is(c.Err, one.err) {
			return one.result
		}
	}
	return "failed"
}

// Observe returns a store that tells of each call after it. The functions may be called from several goroutines.
func Observe(s Store, tell ...func(ctx context.Context, c Call)) Store { return observed{s, tell} }

type observed struct {
	Store
	tell []func(ctx context.Context, c Call)
}

// told tells of a call that began.
func (o observed) told(ctx context.Context, method, session string, began time.Time, err error) {
	for _, tell := range o.tell {
		tell(ctx, Call{method, session, began, time.Since(began), err})
	}
}

func (o observed) Load(ctx context.Context, session string) (saved Saved, err error) {
	defer func(began time.Time) { o.told(ctx, "Load", session, began, err) }(time.Now())
	return o.Store.Load(ctx, session)
}

func (o observed) Commit(ctx context.Context, c Change) (version uint64, err error) {
	defer func(began time.Time) { o.told(ctx, "Commit", c.Session, began, err) }(time.Now())
	return o.Store.Commit(ctx, c)
}

func (o observed) Due(ctx context.Context, now int64, skip, limit int) (names []string, err error) {
	defer func(began time.Time) { o.told(ctx, "Due", "", began, err) }(time.Now())
	return o.Store.Due(ctx, now, skip, limit)
}

func (o observed) Watch(ctx context.Context, session string) (wakes <-chan uint64, stop func(), err error) {
	defer func(began time.Time) { o.told(ctx, "Watch", session, began, err) }(time.Now())
	return o.Store.Watch(ctx, session)
}

func (o observed) Redeem(ctx context.Context, id string, now, expires int64) (err error) {
	defer func(began time.Time) { o.told(ctx, "Redeem", "", began, err) }(time.Now())
	return o.Store.Redeem(ctx, id, now, expires)
}

func (o observed) Journal(ctx context.Context, session string, after uint64) iter.Seq2[Record, error] {
	return told(o, ctx, "Journal", session, o.Store.Journal(ctx, session, after))
}

func (o observed) History(ctx context.Context, q Query) iter.Seq2[Entry, error] {
	return told(o, ctx, "History", q.Session, o.Store.History(ctx, q))
}

// told tells of a sequence when its reader stops.
func told[T any](o observed, ctx context.Context, method, session string, all iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var failed error
		defer func(began time.Time) { o.told(ctx, method, session, began, failed) }(time.Now())
		for one, err := range all {
			if failed = err; !yield(one, err) {
				return
			}
		}
	}
}

// Log returns a function for Observe that writes a line for each call: at the level warn where somebody should look,
// else at debug. Names of sessions of package ask are hashes.
func Log(to *slog.Logger) func(ctx context.Context, c Call) {
	return func(ctx context.Context, c Call) {
		level, result := slog.LevelWarn, c.Result()
		switch result {
		case "ok", "conflict", "redeemed", "ended", "closed":
			level = slog.LevelDebug
		}
		to.LogAttrs(ctx, level, "store", slog.String("method", c.Method), slog.String("result", result),
			slog.String("session", c.Session), slog.Duration("took", c.Took), slog.Any("error", c.Err))
	}
}

// Counters counts calls by method and result, such as "commit conflict". Each "due" is a page of a sweep. The zero
// value is ready. Count is for Observe.
type Counters struct {
	mu  sync.Mutex
	all map[string]uint64
}

// Count counts a call.
func (c *Counters) Count(_ context.Context, call Call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all == nil {
		c.all = map[string]uint64{}
	}
	c.all[strings.ToLower(call.Method)+" "+call.Result()]++
}

// All returns what was counted.
func (c *Counters) All() map[string]uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.all)
}
