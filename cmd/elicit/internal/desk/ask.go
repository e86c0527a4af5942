package desk

import (
	"cmp"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ownsocket"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// Place is a desk that was found. It waits a short time for its question.
type Place struct {
	line  *line
	rank  Rank
	since time.Time
}

// mostPlaces bounds the desks that are looked at.
const mostPlaces = 64

// Find greets the desks of this user, and lists those of at least this rank, the best ones first. Close those that are
// not asked. Once a desk has greeted, the others have a second: a process that is stopped delays no question for long.
func Find(least Rank) (list []*Place) {
	names, _ := ownsocket.ListBest(socketPrefix) // a directory that others can enter holds no desk
	names = names[:min(len(names), mostPlaces)]
	found := make(chan *Place, len(names))
	for _, name := range names {
		go func() { found <- greet(name) }()
	}
	left := len(names)
	for end := time.After(greeting); left > 0 && end != nil; {
		select {
		case p := <-found:
			left--
			switch {
			case p == nil:
			case p.rank < least:
				p.Close()
			default:
				if list = append(list, p); len(list) == 1 {
					end = time.After(others)
				}
			}
		case <-end:
			end = nil
		}
	}
	go func() {
		for range left {
			if p := <-found; p != nil {
				p.Close()
			}
		}
	}()
	slices.SortFunc(list, func(a, b *Place) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), b.since.Compare(a.since))
	})
	return list
}

// greet connects to a desk. It returns nil for one that does not greet in the same protocol.
func greet(name string) *Place {
	at, err := os.Lstat(name)
	if err != nil {
		return nil
	}
	c, err := ownsocket.Dial(name, greeting)
	if err != nil {
		return nil
	}
	p := &Place{line: newLine(c), since: at.ModTime()}
	var h hello
	if c.SetReadDeadline(time.Now().Add(greeting)) != nil || !p.line.receive(&h) || h.Protocol != protocol ||
		c.SetReadDeadline(time.Time{}) != nil {
		c.Close()
		return nil
	}
	p.rank = h.Rank
	return p
}

// greeting is how long a desk may take to greet. On a busy machine it may need some seconds. A process that is stopped
// never greets.
const greeting = 10 * time.Second

// others is how long the other desks have after the first one.
const others = time.Second

// Close leaves a place that was not asked.
func (p *Place) Close() { p.line.Close() }

// Said is what happens to a question at a desk: an answer of the person, or a receipt.
type Said struct {
	Answer  *ui.Given
	Receipt event.Receipt
}

// Asking is a question at a desk.
type Asking struct {
	Said <-chan Said // closed when the desk is gone or can show the question to nobody

	line *line
	stop chan struct{}
	once sync.Once
}

// Ask shows a question at the place. The error says that it is gone.
func (p *Place) Ask(q Question) (*Asking, error) {
	if err := p.line.send(toDesk{Question: &q}); err != nil {
		p.Close()
		return nil, err
	}
	said := make(chan Said)
	a := &Asking{Said: said, line: p.line, stop: make(chan struct{})}
	go a.follow(said)
	return a, nil
}

func (a *Asking) follow(said chan<- Said) {
	defer close(said)
	for {
		var in fromDesk
		if !a.line.receive(&in) || in.Gone {
			return
		}
		switch {
		case in.Answer != nil && in.Answer.Via == event.ViaPerson && in.Answer.Action.Valid():
		case in.Answer == nil && slices.Contains(event.Receipts(), in.Receipt):
		default:
			return
		}
		select {
		case said <- Said{in.Answer, in.Receipt}:
		case <-a.stop:
			return
		}
	}
}

// Reject says that the answer has problems. The person can correct it.
func (a *Asking) Reject(problems []elicit.Problem) { _ = a.line.send(toDesk{Problems: problems}) }

// Close ends the question. reply says how; nil says that it is withdrawn.
func (a *Asking) Close(reply *effect.Reply) {
	a.once.Do(func() {
		if reply != nil {
			_ = a.line.send(toDesk{Over: reply}) // a desk that is gone needs no end
		}
		close(a.stop)
		closeWriting(a.line.Conn)
		a.line.Close()
	})
}

// closeWriting lets the other end read the last line before the connection ends.
func closeWriting(c net.Conn) {
	if u, ok := c.(*net.UnixConn); ok {
		_ = u.CloseWrite()
	}
}
