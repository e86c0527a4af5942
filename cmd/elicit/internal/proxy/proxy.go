// Package proxy stands between an MCP client and an MCP server that talk newline-delimited JSON-RPC. It declares
// elicitation to the server, answers what the server asks through the engine, and passes everything else on in order,
// byte for byte.
//
// One goroutine, the loop, owns all state and reads both peers, so there is nothing to lock and one order of events.
// Whatever happens elsewhere (writers, timers, the driver's effects, a user interface) reaches it through the inbox.
package proxy

import (
	"fmt"
	"io"
	"os"
	"time"
)

// Options say what to stand between and how.
type Options struct {
	ClientIn  io.Reader
	ClientOut io.WriteCloser
	Server    Server
	Notes     io.Writer // where a person reads what went wrong; never ClientOut

	MaxLine int              // bytes in one message; 0 is DefaultMaxLine
	Grace   time.Duration    // how long a server may take to end by itself; 0 is DefaultGrace
	Signals <-chan os.Signal // signals to settle and pass on; nil for none
}

// Defaults of Options.
const (
	DefaultMaxLine = 8 << 20
	DefaultGrace   = 5 * time.Second
)

// Proxy is one client, one server and what is open between them.
type Proxy struct {
	o        Options
	inbox    *inbox
	toClient *outlet
	toServer *outlet

	clientLines chan line // nil once the client is gone
	serverLines chan line // nil once the server is gone
	stop        chan struct{}
	ending      ending
}

// Run proxies until the server is gone and returns its exit code.
func Run(o Options) int {
	if o.MaxLine <= 0 {
		o.MaxLine = DefaultMaxLine
	}
	if o.Grace <= 0 {
		o.Grace = DefaultGrace
	}
	p := &Proxy{
		o: o, inbox: newInbox(), stop: make(chan struct{}),
		clientLines: make(chan line), serverLines: make(chan line),
	}
	p.toClient = newOutlet(o.ClientOut, func(error) { p.inbox.post(p.clientGone) })
	p.toServer = newOutlet(o.Server.Input(), func(err error) { p.inbox.post(func() { p.serverDeaf(err) }) })
	defer close(p.stop)
	go newLineReader(o.ClientIn, o.MaxLine).pump(p.clientLines, p.stop)
	go newLineReader(o.Server.Output(), o.MaxLine).pump(p.serverLines, p.stop)
	go p.awaitExit()
	p.loop()
	return p.ending.code
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

func (p *Proxy) fromClient(l line) {
	switch {
	case l.end:
		p.clientGone()
	case l.over:
		p.note("too long")
	default:
		p.toServer.put(l.raw)
	}
}

func (p *Proxy) fromServer(l line) {
	switch {
	case l.end:
		p.serverGone()
	case l.over:
		p.note("too long")
	default:
		p.toClient.put(l.raw)
	}
}

func (p *Proxy) note(format string, args ...any) {
	fmt.Fprintf(p.o.Notes, "elicit proxy: "+format+"\n", args...)
}

// after does f in the loop when d has passed.
func (p *Proxy) after(d time.Duration, f func()) *time.Timer {
	return time.AfterFunc(d, func() { p.inbox.post(f) })
}
