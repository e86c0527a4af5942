// Package stored has the rules of what a store keeps of the asking side: which changes of a session there are, which
// version a change gives, and how long a store remembers an id.
//
// Package asker applies them before it asks its host for a commit. So a driver compares a version and writes what it
// gets, in every language. Package store has the same types, and its drivers refuse what no store takes.
package stored

import (
	"errors"
	"strconv"
	"unicode/utf8"
)

// Change is what one step does to a session.
//
// A store writes all of it or nothing. It compares From with the version that it has, in the same transaction.
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
	// Lazy says that the change may come to the disk later, with the next one that is not lazy. A power cut may lose it,
	// and all that came after it, but the end of a process may not. It settles nothing and lets nothing out.
	Lazy bool
}

// Entry is one settled question. Its session and id name it.
//
// Session, Server, Tool, Outcome and At are what a Query selects by. A store may index them.
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

// ErrInvalid says that the caller passed something that no store takes.
var ErrInvalid = errors.New("store: the caller passed something that no store takes")

// refusal is an ErrInvalid with its reason.
type refusal string

func invalid(why string) error { return refusal(why) }

// Error gives the reason.
func (r refusal) Error() string { return ErrInvalid.Error() + ": " + string(r) }

// Unwrap returns ErrInvalid.
func (refusal) Unwrap() error { return ErrInvalid }

// Version is the version that the commit gives the session: one more than From. A new session begins at a version
// made from Now, so that a name that is used again does not meet commits for its predecessor.
//
// The first version has 10 bits below the milliseconds, so a session may have 1,024 commits for each millisecond of its
// life before a new one under its name could meet its versions.
func (c *Change) Version() uint64 {
	if c.From == 0 {
		return max(1, uint64(c.Now)<<firstBits)
	}
	return c.From + 1
}

// Check returns an error that wraps ErrInvalid if no store takes the change.
func (c *Change) Check() error {
	if err := CheckName("session", c.Session); err != nil {
		return err
	}
	for _, at := range [...]int64{c.Now, c.Next, c.Expires, c.Keep, c.KeepRecords} {
		if !isTime(at) {
			return invalid(strconv.FormatInt(at, 10) + " is no time")
		}
	}
	size := 0
	for _, line := range c.Records {
		size += len(line)
	}
	switch {
	case max(len(c.State), size) > MaxState:
		return tooLarge("a state or its records", max(len(c.State), size))
	case c.State == nil && c.From == 0:
		return invalid("a session that does not exist cannot be deleted")
	case c.From >= 1<<63-1:
		return invalid("version " + strconv.FormatUint(c.From, 10))
	case max(len(c.Records), len(c.Entries)) > MaxParts:
		return invalid("more than " + strconv.Itoa(MaxParts) + " records or entries")
	}
	return checkEntries(c.Entries)
}

func checkEntries(all []Entry) error {
	size := 0
	for _, e := range all {
		if err := CheckName("entry", e.ID); err != nil {
			return err
		}
		if !isTime(e.At) {
			return invalid("an entry at " + strconv.FormatInt(e.At, 10) + ", which is no time")
		}
		for _, text := range [...]string{e.Server, e.Tool, e.Outcome, e.Text} {
			if size += len(text); !utf8.ValidString(text) {
				return invalid("an entry that is not UTF-8")
			}
		}
		size += len(e.Body)
	}
	if size > MaxState {
		return tooLarge("entries", size)
	}
	return nil
}

func tooLarge(what string, size int) error {
	return invalid(what + " of " + strconv.Itoa(size) + " bytes, at most " + strconv.Itoa(MaxState))
}

func isTime(at int64) bool { return at >= 0 && at <= MaxTime }

// CheckName returns an error that wraps ErrInvalid if no store takes the name of a session or another id.
func CheckName(what, name string) error {
	if name == "" || len(name) > MaxName || !utf8.ValidString(name) {
		return invalid("the name of " + what + " has 1 to " + strconv.Itoa(MaxName) + " bytes of UTF-8, not " +
			strconv.Itoa(len(name)))
	}
	return nil
}

// CheckDue returns an error that wraps ErrInvalid if no store takes the arguments of Due.
func CheckDue(now int64, skip, limit int) error {
	if limit < 1 || limit > MaxDue || skip < 0 || skip > MaxSkip || !isTime(now) {
		return invalid("the limit of what is due is 1 to " + strconv.Itoa(MaxDue) + ", not " + strconv.Itoa(limit) +
			" after " + strconv.Itoa(skip))
	}
	return nil
}

// Redeem returns until when a store remembers an id that is redeemed; 0 for an id whose expiry has come, which counts
// as redeemed. It returns an error that wraps ErrInvalid if no store takes the arguments.
func Redeem(id string, now, expires int64) (until int64, err error) {
	if err := CheckName("id", id); err != nil {
		return 0, err
	}
	if now < 0 || !isTime(expires) {
		return 0, invalid("an id that expires at " + strconv.FormatInt(expires, 10) + ", which is no time")
	}
	if expires <= now {
		return 0, nil
	}
	return expires + Skew, nil
}
