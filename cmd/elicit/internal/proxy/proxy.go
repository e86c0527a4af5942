// Package proxy stands between an MCP client and an MCP server that talk newline-delimited JSON-RPC. It cuts both streams
// into messages, gives each to the machine of the connection (package relay), and does what the machine says. What a
// message means is decided there.
//
// One goroutine, the loop, reads both peers and talks to the user interface, so there is one order of events. Whatever
// happens elsewhere (writers, timers, effects, a user interface) reaches the loop through the inbox.
package proxy

import (
	"bytes"
	"io"
	"os"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/notes"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/program"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/drive"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay"
)

// Options say what to stand between and how.
type Options struct {
	ClientIn  io.Reader
	ClientOut io.WriteCloser
	Server    Server
	Name      string    // what policy and people know the server by; never what it calls itself
	Identity  string    // what the server really is, for grants that hold always; "" when that is not known
	Principal string    // who answers; the second person of a guardian must be somebody else
	Notes     io.Writer // where a person reads what went wrong; never ClientOut
	Verbose   bool      // note every question, and why it ended as it did

	UI              UI                     // puts questions before someone; nil for nobody
	ForwardToClient bool                   // the client itself is the user interface, as far as it declared
	PolicyAlone     bool                   // nobody can be asked: policy answers what it can, the rest is cancelled as no_ui
	Open            func(url string) error // opens a page the person consented to; nil opens none

	Outside *program.Runner // asks guardians that are programs; nil when there are none

	Config      []byte        // the engine's configuration
	Grants      Keeper        // where grants that hold always are kept; nil for nowhere
	GrantsEvery time.Duration // how old the knowledge of what was revoked elsewhere may be
	Drive       drive.Options

	MaxLine        int              // bytes in one message; 0 is DefaultMaxLine
	Grace          time.Duration    // how long a server may take to end by itself; 0 is DefaultGrace
	CompletionWait time.Duration    // how long a call waits for a visited page to be finished; 0 is DefaultCompletionWait
	CallOver       time.Duration    // how long a question outlives its call; 0 is DefaultCallOver
	KeepAlive      time.Duration    // between signs of progress while a call waits for an answer; 0 for none
	Signals        <-chan os.Signal // signals to settle and pass on; nil for none
	Reload         *Reload          // how the rules change while it runs; nil for never
}

// Defaults of Options.
const (
	DefaultMaxLine        = relay.DefaultMaxMessage
	DefaultGrace          = 5 * time.Second
	DefaultKeepAlive      = 15 * time.Second // a quarter of what common clients allow a call
	DefaultCompletionWait = relay.DefaultCompletionWait * time.Millisecond
	DefaultCallOver       = relay.DefaultCallOver * time.Millisecond
)

func (o *Options) fillIn() {
	if o.MaxLine <= 0 {
		o.MaxLine = DefaultMaxLine
	}
	if o.Grace <= 0 {
		o.Grace = DefaultGrace
	}
}

// connection is the configuration of the machine.
func (o *Options) connection() relay.Config {
	c := relay.Config{Engine: o.Config, Server: o.Name, Identity: o.Identity, Principal: o.Principal, MaxMessage: o.MaxLine, KeepAlive: milliseconds(o.KeepAlive),
		CompletionWait: milliseconds(o.CompletionWait), CallOver: milliseconds(o.CallOver)}
	switch {
	case o.ForwardToClient:
		c.Ask = relay.AskClient
	case o.UI != nil:
		c.Ask, c.Modes = relay.AskHost, o.UI.Modes()
	case o.PolicyAlone:
		c.Ask = relay.AskPolicy
	default:
		c.Ask = relay.AskNobody
	}
	return c
}

// milliseconds rounds up, so that a short time does not become none.
func milliseconds(d time.Duration) int64 {
	return int64((d + time.Millisecond - 1) / time.Millisecond)
}

// Proxy is one client, one server and the machine between them. It belongs to the loop.
type Proxy struct {
	o        Options
	inbox    *inbox
	toClient *outlet
	toServer *outlet
	driver   *drive.Driver
	notes    *notes.Notes
	audience Audience  // the user interface, when it is one
	broken   bool      // the driver decides nothing any more
	revoked  time.Time // when grants were last looked at

	reloading reloading

	current     line        // the message that is being received
	clientLines chan []line // nil once the client is gone
	serverLines chan []line // nil once the server is gone
	stop        chan struct{}
	ending      ending
}

// Run proxies until the server is gone and returns its exit code. An error means that nothing was begun.
func Run(o Options) (int, error) {
	o.fillIn()
	p := &Proxy{o: o, notes: notes.New(o.Notes, "elicit proxy: ", time.Now), inbox: newInbox(), stop: make(chan struct{}), clientLines: make(chan []line), serverLines: make(chan []line)}
	if o.Outside != nil {
		o.Outside.Answer = func(said engine.Consulted) { p.inbox.post(func() { p.do(said) }) }
	}
	var err error
	if p.driver, err = drive.New(o.connection(), host{p}, o.Drive); p.driver == nil {
		return 0, err
	}
	defer p.driver.Shutdown()
	if err != nil {
		p.refuseAll(err)
	}
	p.attend()
	p.toClient = newOutlet(o.ClientOut, func(error) { p.inbox.post(p.clientGone) })
	p.toServer = newOutlet(o.Server.Input(), func(err error) { p.inbox.post(func() { p.serverDeaf(err) }) })
	defer close(p.stop)
	go newLineReader(o.ClientIn, o.MaxLine).pump(p.clientLines, p.stop)
	go newLineReader(o.Server.Output(), o.MaxLine).pump(p.serverLines, p.stop)
	go p.awaitExit()
	p.loop()
	p.toServer.finish()
	p.toClient.finish()
	p.notes.Close()
	return p.ending.code, nil
}

// loop does one thing after the other until the end has come. A peer whose messages have nowhere to go is not read.
func (p *Proxy) loop() {
	for !p.ending.done {
		p.inbox.drain()
		if p.ending.done {
			return
		}
		select {
		case batch := <-p.readable(p.clientLines, p.toServer, p.toClient):
			p.receiveAll(relay.Client, batch)
		case batch := <-p.readable(p.serverLines, p.toClient, p.toServer):
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

// receiveAll gives the machine lines that came together, and does after each what it brought about.
func (p *Proxy) receiveAll(from relay.End, batch []line) {
	for _, l := range batch {
		p.receive(from, l)
		if p.inbox.drain(); p.ending.done {
			return
		}
	}
}

// receive gives one line to the machine.
func (p *Proxy) receive(from relay.End, l line) {
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

// do gives the machine an event.
func (p *Proxy) do(ev relay.Event) { p.check(p.driver.Do(ev)) }

// check notes why the driver cannot go on.
func (p *Proxy) check(err error) {
	if err != nil && err != drive.ErrShutdown {
		p.refuseAll(err)
	}
}

// refuseAll notes, once, why nothing is decided any more.
func (p *Proxy) refuseAll(why error) {
	if !p.broken {
		p.broken = true
		p.note("%v; every question is refused from now on, and everything else passes", why)
	}
}

// revoke ends the grants that have been revoked elsewhere, before they can answer.
func (p *Proxy) revoke() {
	if p.o.Grants == nil || time.Since(p.revoked) < p.o.GrantsEvery {
		return
	}
	p.revoked = time.Now()
	for _, id := range p.o.Grants.Revoked() {
		p.do(engine.Revoked{Grant: id})
	}
}

// readable is lines when there is room to pass one on and to answer it, else nil, on which nothing is ever received.
func (p *Proxy) readable(lines chan []line, onward, back *outlet) chan []line {
	if onward.full(softBound) || back.full(hardBound) {
		return nil
	}
	return lines
}

// after does f in the loop when d has passed.
func (p *Proxy) after(d time.Duration, f func()) *time.Timer {
	return time.AfterFunc(d, func() { p.inbox.post(f) })
}

// Keeper keeps the grants that hold always. It is called from the loop alone.
type Keeper interface {
	Add(engine.Grant) error
	Revoked() []elicit.ID // those that somebody has revoked elsewhere since
}

// ended is a message as a line.
func ended(body []byte) []byte { return append(bytes.Clone(body), '\n') }
