package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"unicode/utf8"
)

// Check returns an error that wraps ErrInvalid if no store takes the change. Implementations call it first.
func (c *Change) Check() error {
	if err := CheckName("session", c.Session); err != nil {
		return err
	}
	for _, at := range [...]int64{c.Now, c.Next, c.Expires, c.Keep, c.KeepRecords} {
		if at < 0 || at > MaxTime {
			return invalid("%d is no time", at)
		}
	}
	switch {
	case len(c.State) > MaxState:
		return invalid("a state of %d bytes, at most %d", len(c.State), MaxState)
	case c.State == nil && c.From == 0:
		return invalid("a session that does not exist cannot be deleted")
	case c.From >= 1<<63-1:
		return invalid("version %d", c.From)
	case max(len(c.Records), len(c.Entries)) > MaxParts:
		return invalid("more than %d records or entries", MaxParts)
	}
	return c.checkParts()
}

func (c *Change) checkParts() error {
	size := 0
	for _, line := range c.Records {
		size += len(line)
	}
	if size > MaxState {
		return invalid("records of %d bytes, at most %d", size, MaxState)
	}
	size = 0
	for _, e := range c.Entries {
		if err := CheckName("entry", e.ID); err != nil {
			return err
		}
		if e.At < 0 || e.At > MaxTime {
			return invalid("an entry at %d, which is no time", e.At)
		}
		for _, text := range [...]string{e.Server, e.Tool, e.Outcome, e.Text} {
			if size += len(text); !utf8.ValidString(text) {
				return invalid("an entry that is not UTF-8")
			}
		}
		size += len(e.Body)
	}
	if size > MaxState {
		return invalid("entries of %d bytes, at most %d", size, MaxState)
	}
	return nil
}

// CheckName returns an error that wraps ErrInvalid if no store takes the name of a session or another id.
func CheckName(what, name string) error {
	if name == "" || len(name) > MaxName || !utf8.ValidString(name) {
		return invalid("the name of a %s has 1 to %d bytes of UTF-8, not %d", what, MaxName, len(name))
	}
	return nil
}

// CheckDue returns an error that wraps ErrInvalid if no store takes the arguments of Due.
func CheckDue(now int64, skip, limit int) error {
	if limit < 1 || limit > MaxDue || skip < 0 || skip > MaxSkip || now < 0 || now > MaxTime {
		return invalid("due at %d, at most %d after %d: the limit is 1 to %d", now, limit, skip, MaxDue)
	}
	return nil
}

// CheckRedeem returns what Redeem says before it looks: an error that wraps ErrInvalid, or ErrRedeemed for an id whose
// expiry has come.
func CheckRedeem(id string, now, expires int64) error {
	if err := CheckName("id", id); err != nil {
		return err
	}
	if now < 0 || expires < 0 || expires > MaxTime {
		return invalid("an id that expires at %d, which is no time", expires)
	}
	if expires <= now {
		return ErrRedeemed
	}
	return nil
}

func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrInvalid}, args...)...)
}

// Gate lets the calls of a handle begin until it is closed, for implementations of Store. The zero value is open.
type Gate struct{ closed atomic.Bool }

// Begin says why a call cannot begin, and returns nil if it can. The last reason is what a check of its arguments says.
func (g *Gate) Begin(ctx context.Context, check error) error {
	switch {
	case g.closed.Load():
		return ErrClosed
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return check
}

// Close closes the gate. It returns false if the gate was closed before.
func (g *Gate) Close() bool { return !g.closed.Swap(true) }

// Failed turns the error of a driver into one of the store's. It returns the errors of own as they are. full reports
// whether there is no room for what a call writes.
func (g *Gate) Failed(ctx context.Context, err error, full func(error) bool, own ...error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case g.closed.Load():
		return ErrClosed
	case slices.ContainsFunc(own, func(one error) bool { return errors.Is(err, one) }):
		return err
	case full(err):
		return fmt.Errorf("%w: %w", ErrFull, err)
	default:
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
}
