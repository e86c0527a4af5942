package proxy

import (
	"strings"
	"sync"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// The lines most tests begin with.
const (
	initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize",` +
		`"params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"c","version":"1"}}}`
	initializeSeen = `{"jsonrpc":"2.0","id":0,"method":"initialize",` +
		`"params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{},"elicitation":{"form":{},"url":{}}},` +
		`"clientInfo":{"name":"c","version":"1"}}}`
	initialized = `{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{},` +
		`"serverInfo":{"name":"liar","version":"1"}}}`
	callDeploy = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"deploy","arguments":{"n":1.0}}}`
	askDeploy  = `{"jsonrpc":"2.0","id":1,"method":"elicitation/create",` +
		`"params":{"message":"Deploy?","requestedSchema":{"type":"object","properties":{}}}}`
	askName = `{"jsonrpc":"2.0","id":2,"method":"elicitation/create",` +
		`"params":{"mode":"form","message":"Name?","requestedSchema":{"type":"object",` +
		`"properties":{"name":{"type":"string"}},"required":["name"]}}}`
)

// someone is a user interface played by the test.
type someone struct {
	modes     elicit.Modes
	shown     chan shown
	withdrawn chan effect.Withdraw
	problems  chan effect.Problem
}

type shown struct {
	effect.Show
	give ui.Answer
}

func (s shown) answer(action elicit.Action, content []byte, via event.Via) {
	s.give(ui.Given{Action: action, Content: content, Via: via})
}

func newSomeone() *someone {
	return &someone{elicit.Modes{Form: true, URL: true}, make(chan shown, 1000), make(chan effect.Withdraw, 1000),
		make(chan effect.Problem, 1000)}
}

func (s *someone) Modes() elicit.Modes { return s.modes }
func (s *someone) Show(q effect.Show, done ui.Answer) {
	s.shown <- shown{q, done}
}
func (s *someone) Problem(p effect.Problem)   { s.problems <- p }
func (s *someone) Withdraw(w effect.Withdraw) { s.withdrawn <- w }
func (s *someone) Close() error               { return nil }

// next takes what was sent on c within patience.
func next[T any](t *testing.T, c <-chan T) T {
	t.Helper()
	timer := patienceTimer()
	defer timer.Stop()
	select {
	case v := <-c:
		return v
	case <-timer.C:
		t.Fatal("nothing came in time")
		panic("unreachable")
	}
}

// talk starts a proxy whose user interface is someone, past initialize.
func talk(t *testing.T, set func(*Options)) (*peers, *someone) {
	t.Helper()
	s := newSomeone()
	p := start(t, func(o *Options) {
		o.UI = s
		if set != nil {
			set(o)
		}
	})
	p.client(initialize)
	p.server.hear.want(initializeSeen)
	p.server.say(initialized + "\n")
	p.hear.want(initialized)
	return p, s
}

// kept is a journal in memory.
type kept struct {
	mu      sync.Mutex
	records []string
	err     error
}

func (k *kept) Append(record []byte) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.err != nil {
		return k.err
	}
	k.records = append(k.records, string(record))
	return nil
}

func (k *kept) String() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return strings.Join(k.records, "\n")
}
