// Package proxy stands between an MCP client and an MCP server that talk newline-delimited JSON-RPC. It declares
// elicitation to the server, answers what the server asks through the engine, and passes everything else on in order,
// byte for byte.
//
// One goroutine, the loop, owns all state and reads both peers, so there is nothing to lock and one order of events.
// Whatever happens elsewhere (writers, timers, the driver's effects, a user interface) reaches it through the inbox.
package proxy

import (
	"crypto/rand"
	"io"
	"os"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/program"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/drive"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// Options say what to stand between and how.
type Options struct {
	ClientIn  io.Reader
	ClientOut io.WriteCloser
	Server    Server
	Name      string    // what policy and people know the server by; never what it calls itself
	Identity  string    // what the server really is, for grants that hold always; "" when that is not known
	Notes     io.Writer // where a person reads what went wrong; never ClientOut
	Verbose   bool      // note every question, and why it ended as it did

	UI              UI                     // puts questions before someone; nil for nobody
	ForwardToClient bool                   // the client itself is the user interface, as far as it declared
	PolicyAlone     bool                   // nobody can be asked: policy answers what it can, the rest is cancelled as no_ui
	Open            func(url string) error // opens a page the person consented to; nil opens none

	Outside *program.Runner // asks guardians that are programs; nil when there are none

	Config []byte // the engine's configuration
	Grants Keeper // where grants that hold always are kept; nil for nowhere
	Drive  drive.Options

	MaxLine        int              // bytes in one message; 0 is DefaultMaxLine
	Grace          time.Duration    // how long a server may take to end by itself; 0 is DefaultGrace
	CompletionWait time.Duration    // how long a call waits for a visited page to be finished; 0 is DefaultCompletionWait
	KeepAlive      time.Duration    // between signs of progress while a call waits for an answer; 0 for none
	Signals        <-chan os.Signal // signals to settle and pass on; nil for none
}

// Defaults of Options.
const (
	DefaultMaxLine        = 8 << 20
	DefaultGrace          = 5 * time.Second
	DefaultKeepAlive      = 15 * time.Second // a quarter of what common clients allow a call
	DefaultCompletionWait = 30 * time.Second // servers need not say that a page is finished, and clients give up after a minute
)

func (o *Options) fillIn() {
	if o.MaxLine <= 0 {
		o.MaxLine = DefaultMaxLine
	}
	if o.Grace <= 0 {
		o.Grace = DefaultGrace
	}
	if o.CompletionWait <= 0 {
		o.CompletionWait = DefaultCompletionWait
	}
}

// Proxy is one client, one server and what is open between them. All of it belongs to the loop.
type Proxy struct {
	o        Options
	limits   wire.Limits
	inbox    *inbox
	toClient *outlet
	toServer *outlet
	driver   *drive.Driver
	audience Audience // the user interface, when it is one
	broken   bool     // the driver decides nothing any more

	clientLines chan line // nil once the client is gone
	serverLines chan line // nil once the server is gone
	stop        chan struct{}
	ending      ending

	dialect  mcp.Dialect     // of the session begun by initialize
	declared mcp.Modes       // what that session declared to the server
	session  string          // the engine session its questions belong to
	sessions map[string]bool // open engine sessions
	calls    *calls
	tools    tools

	questions map[string]*question    // by ref, until the engine replies
	visiting  map[elicit.ID]*question // consented pages whose end somebody waits for
	again     map[string]int          // refs the engine has been asked for while they were in use
	settled   *recent                 // refs of direct questions that have been answered
	links     *recent                 // links of pages the client has never heard of

	prefix      string // of the ids of our own requests
	minted      int
	asked       map[string]func(wire.Envelope)       // our requests to the client, by key of their id
	withClient  map[elicit.ID]func(why elicit.Cause) // takes a question back that the client has
	handed      map[string]*handed                   // rounds in the client's hands, by the state it was given
	handedOrder []string
	beating     bool // a sign of progress is due
}

// Run proxies until the server is gone and returns its exit code. An error means that nothing was begun.
func Run(o Options) (int, error) {
	o.fillIn()
	p := &Proxy{
		o: o, limits: wire.Limits{Bytes: o.MaxLine, Depth: passDepth, Members: passMembers},
		inbox: newInbox(), stop: make(chan struct{}), clientLines: make(chan line), serverLines: make(chan line),
		dialect: linked, sessions: map[string]bool{}, calls: newCalls(), tools: tools{},
		questions: map[string]*question{}, visiting: map[elicit.ID]*question{}, again: map[string]int{},
		settled: newRecent(), links: newRecent(), prefix: "elicit-" + rand.Text() + "-",
		asked: map[string]func(wire.Envelope){}, withClient: map[elicit.ID]func(elicit.Cause){}, handed: map[string]*handed{},
	}
	var err error
	if o.Outside != nil {
		o.Outside.Answer = func(said engine.Consulted) { p.inbox.post(func() { p.do(said) }) }
	}
	if p.driver, err = drive.New(o.Config, host{p}, o.Drive); p.driver == nil {
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
		case l := <-p.readable(p.clientLines, p.toServer, p.toClient):
			p.fromClient(l)
		case l := <-p.readable(p.serverLines, p.toClient, p.toServer):
			p.fromServer(l)
		case s := <-p.o.Signals:
			p.signalled(s)
		case <-p.inbox.wake:
		case <-p.toClient.drained:
		case <-p.toServer.drained:
		}
	}
}

// readable is lines when there is room to pass one on and to answer it, else nil, on which nothing is ever received.
func (p *Proxy) readable(lines chan line, onward, back *outlet) chan line {
	if onward.full(softBound) || back.full(hardBound) {
		return nil
	}
	return lines
}

// after does f in the loop when d has passed.
func (p *Proxy) after(d time.Duration, f func()) *time.Timer {
	return time.AfterFunc(d, func() { p.inbox.post(f) })
}
