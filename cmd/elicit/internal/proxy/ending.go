package proxy

import (
	"os"
	"syscall"
	"time"

	"github.com/elicit-engine/elicit/engine/relay"
)

// ending is how far the end has come. The proxy ends when the server's program is gone, its last output has been read
// and the client has been given all of it, or would not take it.
type ending struct {
	begun     bool // the client is gone or a signal came: the server has been told to leave
	signalled bool // a signal came
	exited    bool // the server's program is gone
	silent    bool // the server's output is over
	flushing  bool // the client is being given the rest
	done      bool
	code      int
}

// clientGone settles what is open and closes the server's input, which is how a stdio server is told to leave. One
// that stays is asked by signal after the grace, and killed after another.
func (p *Proxy) clientGone() {
	p.clientLines = nil
	p.leave(syscall.SIGTERM, p.o.Grace)
}

// signalled settles what is open, so that the server still hears it, and passes the signal on.
func (p *Proxy) signalled(s os.Signal) {
	switch {
	case p.ending.signalled: // asked twice: no more patience
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

// closed ends what is written to one end, behind what was written before.
func (p *Proxy) closed(end relay.End) {
	if end == relay.Server {
		p.toServer.finish()
		return
	}
	p.ending.silent = true
	p.conclude()
}

// awaitExit waits for the server's program.
func (p *Proxy) awaitExit() {
	code := p.o.Server.Wait()
	p.inbox.post(func() {
		p.ending.exited, p.ending.code = true, code
		p.conclude()
		p.expectProgress(-1)
	})
}

// expectProgress ends what would wait for ever once the server's program is gone: output held open by something it
// started, and a client that takes nothing. A slow client has all the time it needs.
func (p *Proxy) expectProgress(before int64) {
	now := p.toClient.progress()
	if now == before {
		_ = p.o.Server.Output().Close()
		p.ending.done = p.ending.silent || p.toClient.full(0)
	}
	p.after(p.o.Grace, func() { p.expectProgress(now) })
}

// serverDeaf is a server that closed its input; it may still have something to say.
func (p *Proxy) serverDeaf(err error) {
	if !p.ending.begun && !p.ending.exited {
		p.note("the server no longer reads its input (%v)", err)
	}
}

// serverGone is the end of the server's output: nothing more can be asked or answered.
func (p *Proxy) serverGone() {
	p.serverLines = nil
	p.do(relay.Ended{End: relay.Server})
	p.leave(syscall.SIGTERM, p.o.Grace)
}

// conclude ends the loop once both the program and its output are over and the client has the rest.
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
