package proxy

import (
	"os"
	"syscall"
	"time"

	"github.com/elicit-engine/elicit/engine/relay"
)

// shutdown is the state of the shutdown. The proxy ends when three things are true: the server's program has ended, the
// proxy has read its last output, and the client has got all of it or does not read any more.
type shutdown struct {
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
	p.endServer(syscall.SIGTERM, p.o.Grace)
}

// signalled settles all open questions first, so that the server still gets the replies, and then forwards the signal.
func (p *Proxy) signalled(s os.Signal) {
	switch {
	case p.shutdown.signalled: // a second signal ends the server at once
		p.o.Server.Kill()
	case p.shutdown.begun:
		p.o.Server.Signal(s)
	default:
		p.endServer(s, 50*time.Millisecond)
	}
	p.shutdown.signalled = true
}

func (p *Proxy) endServer(s os.Signal, patience time.Duration) {
	if p.shutdown.begun || p.shutdown.exited {
		return
	}
	p.shutdown.begun = true
	p.do(relay.Ended{End: relay.Client}) // settles what is open and closes the server's input
	p.after(patience, func() {
		if p.shutdown.exited {
			return
		}
		p.o.Server.Signal(s)
		p.after(p.o.Grace, func() {
			if !p.shutdown.exited {
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
	p.shutdown.silent = true
	p.finishIfOver()
}

// awaitExit waits for the end of the server's program.
func (p *Proxy) awaitExit() {
	code := p.o.Server.Wait()
	p.inbox.post(func() {
		p.shutdown.exited, p.shutdown.code = true, code
		p.finishIfOver()
		p.expectProgress(-1)
	})
}

// expectProgress ends two waits that could last forever after the end of the server's program: for output that another
// process of the server holds open, and for a client that reads nothing. A slow client has all the time it needs.
func (p *Proxy) expectProgress(before int64) {
	now := p.toClient.progress()
	if now == before {
		_ = p.o.Server.Output().Close()
		p.shutdown.done = p.shutdown.silent || p.toClient.full(0)
	}
	p.after(p.o.Grace, func() { p.expectProgress(now) })
}

// serverInputClosed handles a server that closed its input. The server may still write messages.
func (p *Proxy) serverInputClosed(err error) {
	if !p.shutdown.begun && !p.shutdown.exited {
		p.note("the server no longer reads its input (%v)", err)
	}
}

// serverGone handles the end of the server's output. The server can neither ask nor get an answer any more.
func (p *Proxy) serverGone() {
	p.serverLines = nil
	p.do(relay.Ended{End: relay.Server})
	p.endServer(syscall.SIGTERM, p.o.Grace)
}

// finishIfOver ends the loop when the program and its output have ended and the client has got the rest.
func (p *Proxy) finishIfOver() {
	if !p.shutdown.exited || !p.shutdown.silent || p.shutdown.flushing {
		return
	}
	p.shutdown.flushing = true
	p.toClient.finish()
	go func() {
		<-p.toClient.finished
		p.inbox.post(func() { p.shutdown.done = true })
	}()
}
