package proxy

import (
	"os"
	"syscall"
	"time"

	"github.com/elicit-engine/elicit/engine/relay"
)

// ending is the state of the shutdown. The proxy ends when the server's program has ended, the proxy has read its last
// output, and the client has got all of it or does not read any more.
type ending struct {
	begun     bool // the client is gone or a signal came, so the server's input was closed
	signalled bool // a signal came
	exited    bool // the server's program has ended
	silent    bool // the server's output has ended
	flushing  bool // the client gets the rest of the output
	done      bool
	code      int
}

// clientGone settles all open questions and closes the server's input, which tells a stdio server to end. A server that
// does not end gets a signal after Options.Grace, and is killed after the same time again.
func (p *Proxy) clientGone() {
	p.clientLines = nil
	p.leave(syscall.SIGTERM, p.o.Grace)
}

// signalled settles all open questions first, so that the server still gets the replies, and then forwards the signal.
func (p *Proxy) signalled(s os.Signal) {
	switch {
	case p.ending.signalled: // a second signal ends the server at once
		p.o.Server.Kill()
	case p.ending.begun:
		p.o.Server.Signal(s)
	default:
		p.leave(s, 50*time.Millisecond)
	}
	p.ending.signalled = true
}

func (p *Proxy) leave(s os.Signal, patience time.Duration) {
	if p.ending.begun || p.ending.exited {
		return
	}
	p.ending.begun = true
	p.do(relay.Ended{End: relay.Client}) // settles what is open and closes the server's input
	p.after(patience, func() {
		if p.ending.exited {
			return
		}
		p.o.Server.Signal(s)
		p.after(p.o.Grace, func() {
			if !p.ending.exited {
				p.note("the server did not leave within %v and was killed", p.o.Grace)
				p.o.Server.Kill()
			}
		})
	})
}

// closed closes the stream to one end after everything that was written before.
func (p *Proxy) closed(end relay.End) {
	if end == relay.Server {
		p.toServer.finish()
		return
	}
	p.ending.silent = true
	p.conclude()
}

// awaitExit waits for the end of the server's program.
func (p *Proxy) awaitExit() {
	code := p.o.Server.Wait()
	p.inbox.post(func() {
		p.ending.exited, p.ending.code = true, code
		p.conclude()
		p.expectProgress(-1)
	})
}

// expectProgress ends two waits that could last forever after the end of the server's program: for output that another
// process of the server holds open, and for a client that reads nothing. A slow client has all the time it needs.
func (p *Proxy) expectProgress(before int64) {
	now := p.toClient.progress()
	if now == before {
		_ = p.o.Server.Output().Close()
		p.ending.done = p.ending.silent || p.toClient.full(0)
	}
	p.after(p.o.Grace, func() { p.expectProgress(now) })
}

// serverDeaf handles a server that closed its input. The server may still write messages.
func (p *Proxy) serverDeaf(err error) {
	if !p.ending.begun && !p.ending.exited {
		p.note("the server no longer reads its input (%v)", err)
	}
}

// serverGone handles the end of the server's output. The server can neither ask nor get an answer any more.
func (p *Proxy) serverGone() {
	p.serverLines = nil
	p.do(relay.Ended{End: relay.Server})
	p.leave(syscall.SIGTERM, p.o.Grace)
}

// conclude ends the loop when the program and its output have ended and the client has got the rest.
func (p *Proxy) conclude() {
	if !p.ending.exited || !p.ending.silent || p.ending.flushing {
		return
	}
	p.ending.flushing = true
	p.toClient.finish()
	go func() {
		<-p.toClient.finished
		p.inbox.post(func() { p.ending.done = true })
	}()
}
