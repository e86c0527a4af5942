package proxy

import (
	"bytes"
	"io"
	"math/rand/v2"
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

// startWithSomeone starts a proxy whose user interface is someone.
func startWithSomeone(t *testing.T, set func(*Options)) (*peers, *someone) {
	t.Helper()
	s := newSomeone()
	p := start(t, func(o *Options) {
		o.UI = s
		if set != nil {
			set(o)
		}
	})
	return p, s
}

// talk starts a proxy whose user interface is someone, past initialize.
func talk(t *testing.T, set func(*Options)) (*peers, *someone) {
	t.Helper()
	p, s := startWithSomeone(t, set)
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

const (
	listTools = `{"jsonrpc":"2.0","id":5,"method":"tools/list"}`
	approve   = `{"jsonrpc":"2.0","id":9,"method":"elicitation/create","params":{"message":"Run deploy?",` +
		`"requestedSchema":{"type":"object","properties":{}},` +
		`"_meta":{"codex_request_type":"approval_request","codex_approval_kind":"mcp_tool_call","tool_name":"deploy"}}}`
)

// TestWhatTheServerSaysOfItsToolsComesWithTheQuestion: the same approval is given while the tool says it only reads,
// and asked about from the moment it says otherwise.
func TestWhatTheServerSaysOfItsToolsComesWithTheQuestion(t *testing.T) {
	p, someone := talk(t, func(o *Options) {
		o.Config = []byte(`{"policy":{"user":{"version":1,"servers":{"raw":{"trust":true,"approvals":"auto"}}}}}`)
	})
	list := func(hints string) {
		p.client(listTools)
		p.server.hear.want(listTools)
		answer := `{"jsonrpc":"2.0","id":5,"result":{"tools":[{"name":"deploy","inputSchema":{},"annotations":` + hints +
			`}]}}`
		p.server.say(answer + "\n")
		p.hear.want(answer)
	}
	p.client(callDeploy)
	p.server.hear.want(callDeploy)
	list(`{"readOnlyHint":true}`)
	p.server.say(approve + "\n")
	p.server.hear.want(`{"jsonrpc":"2.0","id":9,"result":{"action":"accept","content":{}}}`)
	list(`{"readOnlyHint":true,"destructiveHint":true}`)
	p.server.say(approve + "\n")
	next(t, someone.shown).answer(elicit.Decline, nil, event.ViaPerson)
	p.server.hear.want(`{"jsonrpc":"2.0","id":9,"result":{"action":"decline"}}`)
}

// held is a keeper in memory.
type held struct {
	added chan elicit.Grant
	gone  []elicit.ID
}

func (k *held) Add(g elicit.Grant) error { k.added <- g; return nil }
func (k *held) Revoked() []elicit.ID     { gone := k.gone; k.gone = nil; return gone }

func TestAYesForEverIsKeptAndEndsWhenItIsRevokedElsewhere(t *testing.T) {
	keeper := &held{added: make(chan elicit.Grant, 2)}
	p, someone := talk(t, func(o *Options) {
		o.Grants = keeper
		o.Config = []byte(`{"offer_scopes":true,"policy":{"user":{"version":1,"grants":"always"}}}`)
	})
	p.server.say(askDeploy + "\n")
	q := next(t, someone.shown)
	if len(q.Remember) != 2 {
		t.Errorf("offered %v, want session and always", q.Remember)
	}
	q.give(ui.Given{Action: elicit.Accept, Remember: elicit.Always})
	accepted := `{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{}}}`
	p.server.hear.want(accepted)
	g := next(t, keeper.added)
	if g.Scope != elicit.Always || g.Server != "raw" || g.Message != "Deploy?" {
		t.Errorf("kept %+v", g)
	}
	p.server.say(askDeploy + "\n")
	p.server.hear.want(accepted) // by the grant: nobody was shown anything
	p.client(marker)             // what follows is read after this
	p.server.hear.want(marker)
	keeper.gone = []elicit.ID{g.ID}
	p.server.say(askDeploy + "\n")
	next(t, someone.shown).answer(elicit.Cancel, nil, event.ViaPerson)
	p.server.hear.want(`{"jsonrpc":"2.0","id":1,"result":{"action":"cancel"}}`)
}

func TestAMutedServerIsNotShownAgain(t *testing.T) {
	p, someone := talk(t, nil)
	p.server.say(askDeploy + "\n")
	next(t, someone.shown).give(ui.Given{Action: elicit.Decline, Mute: true})
	p.server.hear.want(`{"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}`)
	p.server.say(askName + "\n")
	p.server.hear.want(`{"jsonrpc":"2.0","id":2,"result":{"action":"cancel"}}`)
	select {
	case q := <-someone.shown:
		t.Errorf("shown %q of a muted server", q.Message)
	default:
	}
}

// viewer is someone who tells when a question is on the screen.
type viewer struct {
	*someone
	do func(event.Event)
}

func (v *viewer) Attend(do func(event.Event))        { v.do = do }
func (v *viewer) Asked(elicit.Request)               {}
func (v *viewer) Over(elicit.Request, *effect.Reply) {}
func (v *viewer) Extend(effect.Extend)               {}
func (v *viewer) Resolve(effect.Resolve)             {}

// TestTheLogSaysShownOnlyOfWhatIsOnTheScreen: a question that waits behind another was not shown.
func TestTheLogSaysShownOnlyOfWhatIsOnTheScreen(t *testing.T) {
	v := &viewer{someone: newSomeone()}
	p, _ := talk(t, func(o *Options) { o.UI = v })
	p.server.say(askDeploy + "\n" + askName + "\n")
	first, second := next(t, v.shown), next(t, v.shown)
	seen := func(q shown) {
		v.do(event.Noted{Session: q.Session, ID: q.ID, Receipt: event.ReceiptShown})
	}
	seen(first)
	seen(first) // as a page does that is loaded again
	first.answer(elicit.Decline, nil, event.ViaPerson)
	p.server.hear.want(`{"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}`)
	second.answer(elicit.Cancel, nil, event.ViaPerson)
	p.server.hear.want(`{"jsonrpc":"2.0","id":2,"result":{"action":"cancel"}}`)
	seen(second) // too late
	p.client(callDeploy)
	p.server.hear.want(callDeploy) // by now the receipt was read
	for text, times := range map[string]int{`"Deploy?": waits for an answer`: 1, `"Name?": waits for an answer`: 1,
		`"Deploy?": shown`: 1, `"Name?": shown`: 0, "decline, cause user": 1, "cancel, cause user": 1} {
		if n := strings.Count(p.notes.String(), text); n != times {
			t.Errorf("%q stands %d times in the log, want %d:\n%s", text, n, times, p.notes)
		}
	}
}

// rough reads in pieces of any size, as a pipe does.
type rough struct {
	rng  *rand.Rand
	left []byte
}

func (r *rough) Read(p []byte) (int, error) {
	n := copy(p, r.left[:min(len(r.left), 1+r.rng.IntN(1<<r.rng.IntN(18)))])
	if r.left = r.left[n:]; n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// TestLinesAreCutWhole compares the reader with bytes.SplitAfter, for lines of every size around its bounds. Each batch
// is looked at while the next one is read.
func TestLinesAreCutWhole(t *testing.T) {
	const most = 150_000
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 3))
		var text []byte
		for range rng.IntN(60) {
			size := rng.IntN(1 << rng.IntN(19))
			if rng.IntN(8) == 0 {
				size = []int{0, chunk - 1, chunk, chunk / 2, chunk/2 + 1, most - 2, most - 1, most}[rng.IntN(8)]
			}
			text = append(bytes.Clone(text), bytes.Repeat([]byte{byte('a' + rng.IntN(26))}, size)...)
			text = append(text, '\n')
		}
		if rng.IntN(2) == 0 {
			text = append(text, "half a line"...)
		}
		r := newLineReader(&rough{rng, text}, most)
		var got []line
		held := r.batch()
		for !held[len(held)-1].end {
			next := r.batch()
			got = append(got, held...)
			held = next
		}
		got = append(got, held...)
		for _, want := range bytes.SplitAfter(text, []byte{'\n'}) {
			if len(want) == 0 {
				continue
			}
			l := got[0]
			got = got[1:]
			if over := len(want) > most; l.over != over {
				t.Fatalf("seed %d: a line of %d bytes is over: %v", seed, len(want), l.over)
			} else if over {
				want = want[:headLength]
			}
			if !bytes.Equal(l.raw, want) {
				t.Fatalf("seed %d: a line of %d bytes comes as one of %d", seed, len(want), len(l.raw))
			}
		}
		if len(got) != 1 || !got[0].end {
			t.Fatalf("seed %d: %d lines are left, want the end", seed, len(got))
		}
	}
}
