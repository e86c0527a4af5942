// Package ask lets the tools of a Go server ask the person behind its client, with one call that works with every
// client.
//
//	type Deploy struct {
//		Region string `json:"region" title:"Region" enum:"eu,us"`
//		Count  int    `json:"count" min:"1" max:"20" default:"2"`
//	}
//
//	answer, err := ask.Form[Deploy](ctx, "Where should it run?")
//	switch {
//	case errors.Is(err, ask.ErrDeclined): // the person said no
//	case err != nil:                      // return err: also when the call has to end while the person thinks
//	}
//
// The context comes from an adapter, which is installed once. Package ask/gosdk is the adapter for the official Go SDK.
//
// With some clients, the call must end while the person thinks, and the handler runs again from its beginning later.
// The asking function then returns ErrInterrupted, which the handler must return. Answered questions return at once. So
// a handler poses the same questions in the same order, and does nothing that cannot be done twice before its last one.
//
// An Asker may be used by any number of goroutines.
package ask

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"sync"
	"sync/atomic"
	"time"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/asking/asker"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/seal"
	"github.com/elicit-engine/elicit/store"
)

// Options configure an Asker. The zero value of every member but Server is useful.
type Options struct {
	// Server is the name of the server, for its policy and its journal.
	Server string
	// Config is the engine's configuration as JSON (docs/reference/configuration.md): policy, limits, guardians.
	Config json.RawMessage
	// Seal seals what a client carries from one round of a call to the next (2026-07-28). Servers of several processes
	// share its keys. nil makes a key of this process.
	Seal Sealer
	// Page is the beginning of the links of the server's own pages, such as "https://bot.example/ask/#/": an address, and
	// "#/" if package ask/page serves the pages there. Secrets need it.
	Page string
	// SignIn is where a person signs in for these pages: a path or an address, which should lead back. "" gives no link.
	SignIn string
	// PageOnly names kinds of questions that only a page may answer, such as elicit.KindConfirm.
	PageOnly []elicit.Kind
	// Fallback names the tool with which a model passes on an answer. "" is "elicitation_result"; "-" is none.
	Fallback string
	// Order says what becomes of a question while another of the same client is open. "" queues it.
	Order asking.Order
	// TTL is how long a question may stay open; 0 is five minutes.
	TTL time.Duration
	// Attempts is how often a question is put before an answer must fit; 0 is three.
	Attempts int
	// Hooks see every question on its way out and every answer on its way back. The first is the outermost.
	Hooks []Hook
	// Store keeps the sessions for all processes of the server, in clear: see package store/encrypted. nil keeps them in
	// this process.
	Store store.Store
	// Keep is how long Store keeps the history; 0 is 90 days.
	Keep time.Duration
	// KeepJournal is how long Store keeps the journal; 0 is as long as Keep. Less than 0 gives Store no records.
	KeepJournal time.Duration
	// Results is how long the result of a call is kept for a client that makes it again. 0 is 15 minutes; less than 0
	// keeps none.
	Results time.Duration
	// Progress is the time between two notifications of progress, while a person thinks. 0 is ten seconds; less than 0
	// sends none: a handler may use the token itself.
	Progress time.Duration
	// Journal keeps a record. The effects of the record happen only after Journal has returned nil.
	Journal func(session string, record []byte) error

	// Now and Random stand in for the clock and the system's random bytes in tests.
	Now    func() time.Time
	Random func(to *[32]byte)
}

// Sealer seals the state of a call for its client to carry, and opens what comes back. A *seal.Ring is one.
type Sealer interface {
	Seal(dst []byte, random [32]byte, p seal.Purpose, c seal.Claims) ([]byte, error)
	Open(token []byte, p seal.Purpose, want seal.Expected) (seal.Claims, *elicit.Problem)
}

// NewSealer returns a Sealer with these keys: the first seals, all open. Every process of a server needs the same.
func NewSealer(keys ...seal.Key) (Sealer, error) { return seal.NewRing(keys...) }

// Asker puts the questions of a server's tools. It performs the effects of the machine in package asking/asker, which
// decides everything, and reports what came of them.
type Asker struct {
	options Options
	config  asker.Config
	begun   time.Time
	refs    atomic.Int64
	notices sync.Map // how the client of a call is notified, by the name of the run

	mu      sync.Mutex
	machine *asker.Machine
	timer   *time.Timer
	waits   map[string]*wait              // who waits for a reply, by ref or call
	sends   map[string]context.CancelFunc // requests that the client has
	watches map[string]context.CancelFunc // of sessions in the store
}

// New makes an Asker. It returns an error for options with problems.
func New(o Options) (*Asker, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = func(to *[32]byte) { rand.Read(to[:]) }
	}
	if o.Fallback = cmp.Or(o.Fallback, asking.DefaultFallback); o.Fallback == "-" {
		o.Fallback = ""
	}
	if o.Seal == nil {
		secret := make([]byte, seal.MinSecret)
		rand.Read(secret)
		key, _ := seal.NewKey("process", secret) // long enough
		o.Seal, _ = NewSealer(key)               // one key is a ring
	}
	a := &Asker{options: o, config: o.config(), begun: time.Now(), waits: map[string]*wait{},
		sends: map[string]context.CancelFunc{}, watches: map[string]context.CancelFunc{}}
	machine, problems := asker.New(a.config)
	if len(problems) > 0 {
		return nil, failed(asker.Reply{Failed: asker.Refused, Problems: problems})
	}
	a.machine = machine
	a.timer = time.AfterFunc(time.Hour, func() { a.step(asker.Ticked{}) })
	a.step(asker.Ticked{})
	return a, nil
}

func (o Options) config() asker.Config {
	return asker.Config{Asking: asking.Config{Engine: o.Config, Server: o.Server, Page: o.Page, PageOnly: o.PageOnly,
		Fallback: o.Fallback, Order: o.Order, TTL: milliseconds(o.TTL), Attempts: o.Attempts},
		Keep: milliseconds(o.Keep), KeepJournal: milliseconds(o.KeepJournal), Results: milliseconds(o.Results),
		Progress: milliseconds(o.Progress), SignIn: o.SignIn, Store: o.Store != nil, Journal: o.Journal != nil}
}

// milliseconds keeps the sign of what is less than a millisecond, because 0 is the default.
func milliseconds(d time.Duration) int64 {
	return cmp.Or(d.Milliseconds(), int64(cmp.Compare(d, 0)))
}

// Close ends every session: waiting asks return an error with cause shutdown. Sessions in a store stay there.
func (a *Asker) Close() { a.tell("close", asker.Closed{Ref: "close"}) }

// CloseSession ends one session, whose client is gone. name is Client.Session.
func (a *Asker) CloseSession(name string) {
	ref := a.ref()
	a.tell(ref, asker.Closed{Ref: ref, Session: name})
}

// Fallback returns the definition of the tool with which a model passes on an answer, whose calls Do takes. It is nil
// if every question can reach the client in another way.
func (a *Asker) Fallback(c Client) json.RawMessage {
	if !a.config.NeedsFallback(c.known()) {
		return nil
	}
	return asking.AppendFallbackTool(nil, a.options.Fallback)
}
