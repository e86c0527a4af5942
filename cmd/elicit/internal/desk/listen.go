package desk

import (
	"crypto/rand"
	"net"
	"sync"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ownsocket"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/proxy"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// Desk is a user interface that shows questions of other processes too. To its own process it is the interface that it
// was made from. It listens from Attend until Close. Without a private place for a socket it shows only its own
// questions.
type Desk struct {
	proxy.Audience
	rank func() Rank

	mu     sync.Mutex
	socket *ownsocket.Listener
	guests map[string]*guest // by session
	deaf   error             // why there is no socket
	muted  map[string]bool   // the person wants no more of these questions here
	closed bool
	served sync.WaitGroup
}

// New makes a desk of a user interface. The result of rank may change.
func New(place proxy.Audience, rank func() Rank) *Desk {
	return &Desk{Audience: place, rank: rank, guests: map[string]*guest{}, muted: map[string]bool{}}
}

// Attend gives the events about the process's own questions to do, and starts to listen. A question of another process
// cannot be given more time here, because its host does not wait longer.
func (d *Desk) Attend(do func(event.Event)) {
	d.Audience.Attend(func(ev event.Event) {
		session := ""
		switch ev := ev.(type) {
		case event.Noted:
			session = ev.Session
		case event.Extended:
			session = ev.Session
		case event.Drafted:
			session = ev.Session
		case event.Preferred:
			session = ev.Session
		}
		d.mu.Lock()
		g := d.guests[session]
		d.mu.Unlock()
		if g == nil {
			do(ev)
		} else if noted, ok := ev.(event.Noted); ok {
			go g.say(fromDesk{Receipt: noted.Receipt})
		}
	})
	socket, err := ownsocket.Listen(socketPrefix)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.deaf = err; err != nil {
		return
	}
	if d.closed {
		socket.Close()
		return
	}
	d.socket = socket
	d.served.Add(1)
	go d.listen(socket)
}

// Deaf returns why no other process can find the desk, nil when it can be found.
func (d *Desk) Deaf() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.deaf
}

// Close withdraws the questions of other processes, and closes the interface.
func (d *Desk) Close() error {
	d.mu.Lock()
	d.closed = true
	if d.socket != nil {
		d.socket.Close()
	}
	for _, g := range d.guests {
		g.Close()
	}
	d.mu.Unlock()
	d.served.Wait()
	return d.Audience.Close()
}

func (d *Desk) listen(socket *ownsocket.Listener) {
	defer d.served.Done()
	slots := make(chan struct{}, mostQuestions)
	for {
		c, err := socket.Accept()
		if err != nil {
			return
		}
		select {
		case slots <- struct{}{}:
		default:
			c.Close()
			continue
		}
		d.served.Add(1)
		go func() {
			defer d.served.Done()
			d.serve(c)
			<-slots
		}()
	}
}

// guest is one question of another process.
type guest struct {
	*line
	show effect.Show

	mu       sync.Mutex
	answered bool
}

// say sends a line. A process that does not take it is gone.
func (g *guest) say(v fromDesk) {
	if g.send(v) != nil {
		g.Close()
	}
}

// asking is how long a process may take to ask. It may first wait for the greetings of other desks.
const asking = 30 * time.Second

// serve shows the question of one process until it is over.
func (d *Desk) serve(c net.Conn) {
	defer c.Close()
	g := &guest{line: newLine(c)}
	var in toDesk
	if g.SetReadDeadline(time.Now().Add(asking)) != nil || g.send(hello{protocol, d.rank()}) != nil ||
		!g.receive(&in) || in.Question == nil || g.SetReadDeadline(time.Time{}) != nil {
		return
	}
	q := in.Question
	session := "hook-" + rand.Text()
	var err error
	if g.show, err = q.show(session, elicit.ID(rand.Text())); err != nil || !d.add(session, q, g) {
		g.say(fromDesk{Gone: true})
		return
	}
	request := elicit.Request{Session: session, Ref: session, Server: g.show.Server, Tool: q.Tool, Mode: elicit.Form,
		Message: q.Message}
	d.Asked(request)
	d.Show(g.show, func(given ui.Given) { d.answer(g, q, given) })
	reply := d.follow(g)
	d.mu.Lock()
	delete(d.guests, session)
	d.mu.Unlock()
	if reply == nil {
		reply = &effect.Reply{Cause: elicit.ByPeerCancelled}
	}
	reply.Session, reply.ID, reply.Ref = session, g.show.ID, session
	g.mu.Lock()
	answered := g.answered
	g.mu.Unlock()
	if !answered || reply.Outcome == "" {
		d.Withdraw(effect.Withdraw{Session: session, ID: g.show.ID, Cause: reply.Cause})
		reply = nil
	}
	d.Over(request, reply)
}

// add lists a question, unless the person wants none of these or the desk is closed.
func (d *Desk) add(session string, q *Question, g *guest) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed || d.muted[q.muteKey()] {
		return false
	}
	d.guests[session] = g
	return true
}

// muteKey names the questions of one server in one conversation.
func (q *Question) muteKey() string { return q.Host + "\x00" + q.Session + "\x00" + q.Server }

// mostMuted bounds the conversations that are remembered. A later one replaces all.
const mostMuted = 1000

// answer sends the person's answer to the process that asked.
func (d *Desk) answer(g *guest, q *Question, given ui.Given) {
	if given.Via != event.ViaPerson {
		g.say(fromDesk{Gone: true})
		return
	}
	if given.Mute {
		d.mu.Lock()
		if len(d.muted) >= mostMuted {
			clear(d.muted)
		}
		d.muted[q.muteKey()] = true
		d.mu.Unlock()
	}
	g.mu.Lock()
	g.answered = true
	g.mu.Unlock()
	g.say(fromDesk{Answer: &given})
}

// follow reads what becomes of a question. It returns nil when the process went away.
func (d *Desk) follow(g *guest) *effect.Reply {
	for {
		var in toDesk
		switch ok := g.receive(&in); {
		case !ok || in.Question != nil:
			return nil
		case in.Over != nil && !(readableProblems(in.Over.Problems) && readableNews(in.Over.Findings, in.Over.Reasons)):
			return nil
		case in.Over != nil:
			return in.Over
		case len(in.Problems) == 0 || !readableProblems(in.Problems):
			return nil
		}
		g.mu.Lock()
		g.answered = false
		g.mu.Unlock()
		d.Problem(effect.Problem{About: effect.AboutAnswer, Session: g.show.Session, ID: g.show.ID, Problems: in.Problems})
	}
}
