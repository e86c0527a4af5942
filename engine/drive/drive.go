// Package drive is the loop for Go callers: it gives the pure engine a clock, dice, a journal and timers, and hands
// the effects that only a host can perform to a Host.
package drive

import (
	"io"
	"time"

	"github.com/elicit-engine/elicit/engine"
)

// Host performs the effects that reach beyond the driver. Calls come one at a time, in the order of the effects, from
// whatever goroutine called Do or from the driver's timer. A Host must not call Do from inside a call: it hands the
// work to a goroutine or a queue. Effects the host has no use for may be ignored.
type Host interface {
	Show(engine.Show)
	Withdraw(engine.Withdraw)
	Reply(engine.Reply)
	OpenURL(engine.OpenURL)
	Resolve(engine.Resolve)
	Problem(engine.Problem)
}

// Journal keeps records. Append returns only when the record is durable; an error makes the driver fail closed.
type Journal interface{ Append(record []byte) error }

// Options are what a driver needs from the world. Zero fields mean the real clock, crypto/rand and no journal.
type Options struct {
	Journal Journal
	Now     func() time.Time
	Dice    io.Reader
}
