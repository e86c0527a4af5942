package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/elicit-engine/elicit/engine/asking/stored"
)

// CheckName returns an error that wraps ErrInvalid if no store takes the name of a session or another id.
func CheckName(what, name string) error { return stored.CheckName(what, name) }

// CheckDue returns an error that wraps ErrInvalid if no store takes the arguments of Due.
func CheckDue(now int64, skip, limit int) error { return stored.CheckDue(now, skip, limit) }

// CheckRedeem returns what Redeem says before it looks: an error that wraps ErrInvalid, or ErrRedeemed for an id whose
// expiry has come.
func CheckRedeem(id string, now, expires int64) error {
	until, err := stored.Redeem(id, now, expires)
	if err == nil && until == 0 {
		return ErrRedeemed
	}
	return err
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
// whether there is no room for what a call writes. The order matters: when a context ends or the handle is closed,
// drivers fail in ways of their own.
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
