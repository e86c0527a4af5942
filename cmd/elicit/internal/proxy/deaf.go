package proxy

import "syscall"

// deaf watches a server that does not read its input. It may only be busy, so the session goes on. But then nobody
// would read the client either, and nobody would see it leave. So after Options.Grace without progress the proxy reads
// the client on, up to hardBound. If more than that waits for the server, the session ends.
type deaf struct {
	watched bool // a check is due
	stalled bool // the server has read nothing for Options.Grace
}

func (d *deaf) bound() int {
	if d.stalled {
		return hardBound
	}
	return softBound
}

// watchInput plans a check of a server for which much waits.
func (p *Proxy) watchInput() {
	if !p.toServer.full(softBound) {
		p.deaf.stalled = false
		return
	}
	if p.deaf.watched {
		return
	}
	p.deaf.watched = true
	before := p.toServer.progress()
	p.after(p.o.Grace, func() {
		p.deaf.watched = false
		p.deaf.stalled = p.toServer.progress() == before && p.toServer.full(softBound)
		if p.deaf.stalled && p.toServer.full(hardBound) && !p.shutdown.begun && !p.shutdown.exited {
			p.note("the server has read none of its input for %v, and more than %d MiB wait for it; the session ends",
				p.o.Grace, hardBound>>20)
			p.endServer(syscall.SIGTERM, 0)
		}
	})
}
