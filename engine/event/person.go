package event

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
)

// Noted is a receipt. The same one again changes nothing. The receipt shown also restarts the time that haste and
// unseen_ms are measured from: a host may draw a form later than it gets the effect.
type Noted struct {
	Session string
	ID      elicit.ID
	Receipt Receipt
}

// Receipt is what a host tells of a shown request before it is answered. A reply carries the receipts it had, so that
// "never rendered" and "refused" can be told apart afterwards.
type Receipt string

// The receipts, in the order they usually come.
const (
	ReceiptShown      Receipt = "shown"       // drawn where the person can see it
	ReceiptFocused    Receipt = "focused"     // the person turned to it
	ReceiptFirstInput Receipt = "first_input" // the person began to answer
)

// Receipts lists every Receipt.
func Receipts() []Receipt { return []Receipt{ReceiptShown, ReceiptFocused, ReceiptFirstInput} }

// Valid reports whether r is a known receipt.
func (r Receipt) Valid() bool { return slices.Contains(Receipts(), r) }

// Drafted keeps what a person has typed so far, so that a reload or another machine can show it again. Values of
// sensitive fields, of none, and those that hold a secret by its form are left out at once; the rest need not fit the
// form yet. Each event replaces the draft before. It is the only way by which unfinished text reaches the engine.
type Drafted struct {
	Session string
	ID      elicit.ID
	Draft   []byte // a JSON object, or nil to drop the draft
}

// Extended asks for more time: not to settle before Until, milliseconds since 1970. A deadline is never shortened and
// never moved further than a week from now. The effect Extend tells the deadline that holds then, which may be an
// earlier one than was asked for.
type Extended struct {
	Session string
	ID      elicit.ID
	Until   int64
}

// Preferred says that the person chose a question that waits for its turn. It is shown at once, beside the questions
// that are shown already, so the person can have more of them than the limit shown. Ref is the peer's handle, because a
// host learns the id of a question only when it is shown. A question that is not in the queue stays as it is.
type Preferred struct {
	Session string
	Ref     string
}

// Revoked ends a grant, of whatever scope. Questions that the grant has answered stay answered. An unknown id is a
// Problem.
type Revoked struct{ Grant elicit.ID }

// Unmuted lets a server that a person muted ask again in a session.
type Unmuted struct{ Session, Server string }

// Forgotten drops what a session remembers of what was typed: in fields of one name, or everything when Field is "".
type Forgotten struct{ Session, Field string }

// Consulted is what a guardian said: Output is what it wrote, unread, or Fault says why there is nothing. Exactly one
// of Output and Fault is set. Output has at most 64 KiB; a longer one counts as a fault.
type Consulted struct {
	Session   string
	ID        elicit.ID
	Round     int
	Output    string
	Fault     guardian.Fault
	Fuel      int64  // used by a guest
	Principal string // second_person: who approves
}
