package elicit

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"github.com/elicit-engine/elicit/engine/drive"
	"github.com/elicit-engine/elicit/engine/effect"
	nouns "github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay"
)

// Host is what a program does for a connection. ToClient and ToServer are required. All functions but Ask are called
// one at a time, in order, and must not call the connection.
type Host struct {
	// ToClient and ToServer write a message, which has no line end. They must not keep the message after the call.
	ToClient func(message []byte)
	ToServer func(message []byte)

	// Ask asks a person a question and returns what the person did. It runs in its own goroutine. The context ends when
	// the question is withdrawn, and then the answer is not used. With nil, no one is asked. An answer without an action,
	// or with an unknown one, is a mistake of the program: Effect gets the problem, and the question is cancelled.
	Ask func(ctx context.Context, q Question) Answer

	// Open opens a page that the person has just consented to. With nil, the host shows only forms.
	Open func(url string)

	// Effect gets every other effect: a question that was settled, a grant to remember, a note for the person. Nil
	// ignores them.
	Effect func(Effect)
}

// Question is the question to a person. Its texts come from the server and are untrusted: draw them as text.
type Question struct {
	effect.Show
	// Problems says what was wrong with the last answer if the person is asked again.
	Problems []Problem
}

// maxAnswers is how often one question is asked again. A person never comes near it. Without it, a program that always
// gives the same unfit answer would never stop.
const maxAnswers = 100

// Answer is what a person did.
type Answer struct {
	Action   Action
	Content  any  // accept of a form: the values by field name, encoded by encoding/json; nil for none
	Remember Wish // accept: agree to the same question from now on
	Mute     bool // decline or cancel: ask nothing more for this server in this session

	// Cleared names fields that the person emptied on purpose. Other fields without a value in Content get their defaults.
	Cleared []string

	// Note is words for whoever asked. It goes no further than the journal if Question.Takes has no place for it.
	Note string
	// Arguments replace the arguments of a held call on accept, encoded by encoding/json; nil leaves them as they are.
	Arguments any
}

// Conn is an open connection. Its methods are safe for concurrent use.
type Conn struct {
	host      Host
	principal string
	driver    *drive.Driver
	opened    chan struct{} // closed once driver is set, because an answer may come before Open returns

	mu      sync.Mutex
	open    map[nouns.ID]*asking
	message []byte // the message being received, for Forward; guarded by receiving

	receiving sync.Mutex
}

// asking is a question that a person has.
type asking struct {
	question Question
	answers  int // unfit answers so far
	ctx      context.Context
	cancel   context.CancelFunc
}

// Open opens a connection. For a configuration with problems, the error names each of them. If the journal cannot take
// even the first record, Open returns a *drive.JournalError together with a connection that refuses every question and
// forwards everything else.
func Open(c Connection, host Host, o Options) (*Conn, error) {
	if host.Ask != nil && c.Modes == nil {
		if c.Modes = []Mode{FormMode}; host.Open != nil {
			c.Modes = append(c.Modes, URLMode)
		}
	}
	config, err := c.relay()
	if err != nil {
		return nil, err
	}
	conn := &Conn{host: host, principal: c.Principal, open: map[nouns.ID]*asking{}, opened: make(chan struct{})}
	conn.driver, err = drive.New(config, (*performer)(conn), o)
	if conn.driver == nil {
		return nil, err
	}
	close(conn.opened)
	return conn, err
}

// FromClient takes a message of the client, without its line end. When it returns, the host has got everything that
// follows from it. The error says why the journal could not be written. The connection then continues and refuses
// questions.
func (c *Conn) FromClient(message []byte) error { return c.receive(relay.Client, message) }

// FromServer takes a message of the server, as FromClient does for the client.
func (c *Conn) FromServer(message []byte) error { return c.receive(relay.Server, message) }

func (c *Conn) receive(from relay.End, message []byte) error {
	c.receiving.Lock()
	defer c.receiving.Unlock()
	c.message = message
	return c.driver.Receive(from, message)
}

// ClientClosed says that the client is gone. Open questions are settled.
func (c *Conn) ClientClosed() error { return c.driver.Do(relay.Ended{End: relay.Client}) }

// ServerClosed says that the server is gone. Open questions are settled.
func (c *Conn) ServerClosed() error { return c.driver.Do(relay.Ended{End: relay.Server}) }

// Driver is the loop under the connection, for events that have no method here.
func (c *Conn) Driver() *drive.Driver { return c.driver }

// Close answers every open question with a cancel and ends the connection. It may be called again.
func (c *Conn) Close() { c.driver.Shutdown() }

// performer is a Conn as its driver calls it.
type performer Conn

func (p *performer) Forward(to relay.End) { p.Send(to, p.message) }

func (p *performer) Send(to relay.End, message []byte) {
	if to == relay.Client {
		p.host.ToClient(message)
		return
	}
	p.host.ToServer(message)
}

func (p *performer) Perform(next relay.Effect) {
	switch ef := next.(type) {
	case effect.Show:
		p.show(ef)
		return
	case effect.Withdraw:
		p.forget(ef.ID)
	case relay.Settled:
		p.forget(ef.ID)
	case effect.Problem:
		if ef.About == effect.AboutAnswer && p.again(ef) {
			return
		}
	case effect.OpenURL:
		if p.host.Open != nil {
			p.host.Open(ef.URL)
		}
		return
	}
	if p.host.Effect != nil {
		p.host.Effect(next)
	}
}

func (p *performer) show(q effect.Show) {
	if p.host.Ask == nil {
		return
	}
	a := &asking{question: Question{Show: q}}
	a.ctx, a.cancel = context.WithCancel(context.Background())
	p.mu.Lock()
	if before := p.open[q.ID]; before != nil {
		before.cancel() // shown again, for example after a guardian's verdict
	}
	p.open[q.ID] = a
	p.mu.Unlock()
	go p.ask(a.ctx, a.question)
}

// again asks a question again after an unfit answer, unless the program has to be told of a mistake of its own. It
// reports whether it took care of the problem.
func (p *performer) again(ef effect.Problem) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.open[ef.ID]
	if a == nil || ef.Outcome != "" {
		return false
	}
	if slices.ContainsFunc(ef.Problems, func(p Problem) bool { return p.Code == "unknown_action" }) {
		go p.answer(a.question, Answer{Action: Cancel})
		return false
	}
	a.question.Problems = ef.Problems
	if a.answers++; a.answers == maxAnswers {
		go p.answer(a.question, Answer{Action: Cancel})
	} else {
		go p.ask(a.ctx, a.question)
	}
	return true
}

func (p *performer) forget(id nouns.ID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if a := p.open[id]; a != nil {
		a.cancel()
		delete(p.open, id)
	}
}

// ask runs in its own goroutine, so that the driver is free while a person thinks.
func (p *performer) ask(ctx context.Context, q Question) {
	if answer := p.host.Ask(ctx, q); ctx.Err() == nil {
		p.answer(q, answer)
	}
}

func (p *performer) answer(q Question, a Answer) {
	ev := event.Answered{Session: q.Session, ID: q.ID, Principal: p.principal, Action: a.Action,
		Cleared: a.Cleared, Remember: a.Remember, Mute: a.Mute, Note: a.Note}
	var contentError, argumentsError error
	if a.Content != nil {
		ev.Content, contentError = json.Marshal(a.Content)
	}
	if a.Arguments != nil {
		ev.Arguments, argumentsError = json.Marshal(a.Arguments)
	}
	if contentError != nil || argumentsError != nil {
		// JSON cannot express what the person meant, so no one may be told that the person agreed.
		ev = event.Answered{Session: q.Session, ID: q.ID, Principal: p.principal, Action: Cancel}
	}
	<-p.opened
	_ = p.driver.Do(ev) // an error means that nothing is decided any more, and that the questions have been settled
}
