// Package proxy connects an MCP client and an MCP server that exchange newline-delimited JSON-RPC. It cuts both streams
// into messages, gives each message to the machine of the connection (package relay), and performs the machine's
// effects. Only the machine interprets a message.
//
// One goroutine, the loop, reads both peers and calls the user interface, so all events have one order. Other
// goroutines (writers, timers, the driver, a user interface) reach the loop through the inbox.
package proxy

import (
	"io"
	"os"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/program"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/safelog"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/stats"
	"github.com/elicit-engine/elicit/engine/drive"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay"
)

// Options configure one run.
type Options struct {
	ClientIn  io.Reader
	ClientOut io.WriteCloser
	Server    Server
	Name      string         // the server's name for policy and people; never the name that the server gives itself
	Identity  string         // the server's program and arguments, for grants that hold always; "" when unknown
	Protocol  relay.Protocol // what both ends speak; "" for MCP
	Principal string         // the person who answers; the second person of a guardian must be somebody else
	Notes     io.Writer      // gets the notes for the person; never ClientOut
	Verbose   bool           // note every question, and the reasons for its end

	UI              UI                     // shows questions; nil when nobody can be asked
	ForwardToClient bool                   // the client itself is the user interface, for the modes that it declared
	ClientFirst     bool                   // the client draws what it declared, and UI shows the rest
	PolicyAlone     bool                   // nobody can be asked; what policy does not answer is cancelled as no_ui
	Open            func(url string) error // opens a page to which the person consented; nil opens none

	Programs *program.Runner // asks guardians that are programs; nil when there are none

	Config []byte // the engine's configuration
	Grants Keeper // stores grants that hold always; nil stores none
	Drive  drive.Options

	MaxLine        int              // bytes in one message; 0 is DefaultMaxLine
	Grace          time.Duration    // how long a server may take to end by itself; 0 is DefaultGrace
	AnswerWithin   time.Duration    // how long the client may take for an answer; 0 is DefaultAnswerWithin, below 0 no end
	CompletionWait time.Duration    // how long a call waits for the end of a visited page; 0 is DefaultCompletionWait
	ACPv1          bool             // only version 1 of ACP is read
	ACPChain       bool             // the client is a conductor, and Server is NoServer
	HoldCalls      bool             // a tools/call waits until the engine accepts it
	KeepAlive      time.Duration    // between progress notifications while a call waits for an answer; 0 for none
	Signals        <-chan os.Signal // signals that settle open questions and go on to the server; nil for none
	Reload         *Reload          // how the rules change while it runs; nil for never
	Stats          *stats.Stats     // counters and latencies; nil for none
}

// Defaults of Options.
const (
	DefaultMaxLine        = relay.DefaultMaxMessage
	DefaultGrace          = 5 * time.Second
	DefaultKeepAlive      = 15 * time.Second // a quarter of the time that common clients allow for a call
	DefaultAnswerWithin   = relay.DefaultAnswerWithin * time.Millisecond
	DefaultCompletionWait = relay.DefaultCompletionWait * time.Millisecond
)

func (o *Options) fillIn() {
	if o.MaxLine <= 0 {
		o.MaxLine = DefaultMaxLine
	}
	if o.Grace <= 0 {
		o.Grace = DefaultGrace
	}
}

// connection returns the configuration of the machine.
func (o *Options) connection() relay.Config {
	c := relay.Config{Engine: o.Config, Server: o.Name, Identity: o.Identity, Principal: o.Principal,
		Protocol: o.Protocol, ACPv1: o.ACPv1, ACPChain: o.ACPChain, HoldCalls: o.HoldCalls,
		MaxMessage: o.MaxLine, KeepAlive: milliseconds(o.KeepAlive), CompletionWait: milliseconds(o.CompletionWait),
		AnswerWithin: min(milliseconds(o.AnswerWithin), relay.MostWait)}
	if o.AnswerWithin < 0 {
		c.AnswerWithin = -1
	}
	switch {
	case o.ForwardToClient:
		c.Ask = relay.AskClient
	case o.ClientFirst:
		c.Ask, c.PolicyAlone = relay.AskEither, o.PolicyAlone
		if o.UI != nil {
			c.Modes = o.UI.Modes()
		}
	case o.UI != nil:
		c.Ask, c.Modes = relay.AskHost, o.UI.Modes()
	case o.PolicyAlone:
		c.Ask = relay.AskPolicy
	default:
		c.Ask = relay.AskNobody
	}
	return c
}

// milliseconds rounds up, so that a short time does not become 0, which has another meaning.
func milliseconds(d time.Duration) int64 {
	return int64((d + time.Millisecond - 1) / time.Millisecond)
}

// Proxy is one client, one server and the machine between them. Only the loop uses its fields.
type Proxy struct {
	o        Options
	inbox    *inbox
	toClient *outlet
	toServer *outlet
	driver   *drive.Driver
	notes    *safelog.Log
	audience Audience // the user interface, when it is one
	broken   bool     // the driver makes no more decisions

	asking map[elicit.ID]string // what the log says of a question that was not on the screen yet

	reloading reloading

	current     line        // the message that the machine is handling
	clientLines chan []line // nil after the client is gone
	serverLines chan []line // nil after the server is gone
	stop        chan struct{}
	shutdown    shutdown
	deaf        deaf
}

// Run proxies until the server has ended, and returns the server's exit code. After an error it has started nothing.
func Run(o Options) (int, error) {
	o.fillIn()
	p := &Proxy{o: o, notes: safelog.New(o.Notes, "elicit proxy: ", time.Now), inbox: newInbox(),
		asking: map[elicit.ID]string{}, stop: make(chan struct{}), clientLines: make(chan []line),
		serverLines: make(chan []line)}
	if o.Programs != nil {
		o.Programs.Answer = func(said event.Consulted) { p.inbox.post(func() { p.do(said) }) }
	}
	var err error
	if p.driver, err = drive.New(o.connection(), host{p}, o.Drive); p.driver == nil {
		return 0, err
	}
	defer p.driver.Shutdown()
	if err != nil {
		p.refuseAll(err)
	}
	p.connectAudience()
	p.toClient = newOutlet(o.ClientOut, func(error) { p.inbox.post(p.clientGone) })
	p.toServer = newOutlet(o.Server.Input(), func(err error) { p.inbox.post(func() { p.serverInputClosed(err) }) })
	defer close(p.stop)
	go newLineReader(o.ClientIn, o.MaxLine).pump(p.clientLines, p.stop)
	go newLineReader(o.Server.Output(), o.MaxLine).pump(p.serverLines, p.stop)
	go p.awaitExit()
	p.loop()
	p.toServer.finish()
	p.toClient.finish()
	p.notes.Close()
	return p.shutdown.code, nil
}

// loop handles one event after the other until the end. It does not read a peer while there is no room to forward the
// peer's messages.
func (p *Proxy) loop() {
	for !p.shutdown.done {
		p.inbox.drain()
		if p.shutdown.done {
			return
		}
		p.watchInput()
		select {
		case batch := <-p.readable(p.clientLines, p.toServer, p.toClient, p.deaf.bound()):
			p.receiveAll(relay.Client, batch)
		case batch := <-p.readable(p.serverLines, p.toClient, p.toServer, softBound):
			p.revoke()
			p.receiveAll(relay.Server, batch)
		case s := <-p.o.Signals:
			if p.asksToReload(s) {
				p.reload(true)
			} else {
				p.signalled(s)
			}
		case <-p.changed():
			p.reload(false)
		case <-p.inbox.wake:
		case <-p.toClient.drained:
		case <-p.toServer.drained:
		}
	}
}

// receiveAll gives a batch of lines to the machine, and performs the effects of each line before the next.
func (p *Proxy) receiveAll(from relay.End, batch []line) {
	for _, l := range batch {
		p.receive(from, l)
		if p.inbox.drain(); p.shutdown.done {
			return
		}
	}
}

// received are the names of counters, made in advance.
var received = [...]string{relay.Client: "client_messages", relay.Server: "server_messages"}

// receive gives one line to the machine of the connection.
func (p *Proxy) receive(from relay.End, l line) {
	p.o.Stats.Count(received[from], 1)
	p.o.Stats.Count("bytes", int64(len(l.raw)))
	defer p.o.Stats.Time("message")()
	switch {
	case l.end && from == relay.Client:
		p.clientGone()
	case l.end:
		p.serverGone()
	case l.over:
		p.current = l
		p.check(p.driver.ReceiveCut(from, l.raw))
	default:
		p.current = l
		p.check(p.driver.Receive(from, l.body()))
	}
	p.current = line{}
}

// do gives an event to the machine.
func (p *Proxy) do(ev relay.Event) { p.check(p.driver.Do(ev)) }

// check handles an error of the driver, after which the driver makes no more decisions.
func (p *Proxy) check(err error) {
	if err != nil && err != drive.ErrShutdown {
		p.refuseAll(err)
	}
}

// refuseAll notes once why every question is refused from now on.
func (p *Proxy) refuseAll(why error) {
	if !p.broken {
		p.broken = true
		p.note("%v; every question is refused from now on, and everything else passes", why)
	}
}

// revoke removes the grants that were revoked elsewhere, before they can answer a question.
func (p *Proxy) revoke() {
	if p.o.Grants == nil {
		return
	}
	for _, id := range p.o.Grants.Revoked() {
		p.do(event.Revoked{Grant: id})
	}
}

// readable returns lines when there is room to forward a message, up to a bound, and to answer it. Else it returns nil,
// and a receive from a nil channel blocks.
func (p *Proxy) readable(lines chan []line, onward, back *outlet, bound int) chan []line {
	if onward.full(bound) || back.full(hardBound) {
		return nil
	}
	return lines
}

// after runs f in the loop after the time d.
func (p *Proxy) after(d time.Duration, f func()) *time.Timer {
	return time.AfterFunc(d, func() { p.inbox.post(f) })
}

// Keeper stores the grants that hold always. Only the loop calls it.
type Keeper interface {
	Add(elicit.Grant) error
	Revoked() []elicit.ID // the grants that were revoked elsewhere since the last call
}
