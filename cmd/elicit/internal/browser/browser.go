// Package browser puts questions before a person in a page of their own browser, served on loopback by this process
// alone. The page draws what the engine's show effect holds and sends back what was typed; the engine judges it.
package browser

import (
	"cmp"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// Browser is the user interface of one proxy: a board of questions behind a door on loopback. Its methods are called
// from the proxy's loop and never block.
type Browser struct {
	o     Options
	board *board
	door  *door

	mu     sync.Mutex
	called time.Time // when a browser was last opened
	closed bool
	calls  sync.WaitGroup
}

// Options say where the page is served and how a person is brought to it.
type Options struct {
	Listen string                    // a loopback address with its port; "" is 127.0.0.1 and a free port
	Open   func(target string) error // opens a file in the person's browser; nil leaves that to the person
	Notes  io.Writer                 // where links are told

	patience time.Duration // with one that does not read or write; 0 is the default
}

// New begins to serve. The link it notes works once, and so does every later one.
func New(o Options) (*Browser, error) {
	b := &Browser{o: o, board: newBoard()}
	var err error
	if b.door, err = openDoor(o.Listen, b.board, cmp.Or(o.patience, patience)); err != nil {
		return nil, err
	}
	if o.Open == nil {
		b.note("questions appear on this page; the link works once: %s", b.door.link())
	}
	return b, nil
}

// Modes is everything: a page can draw forms and open links.
func (b *Browser) Modes() engine.Modes { return engine.Modes{Form: true, URL: true} }

// Attend takes the way to give the engine events.
func (b *Browser) Attend(do func(engine.Event)) { b.board.attend(do) }

// Asked puts a question on the board, before it is known whether a person has to see it.
func (b *Browser) Asked(r elicit.Request) { b.board.asked(r) }

// Show puts a question before the person.
func (b *Browser) Show(s engine.Show, answer ui.Answer) {
	b.board.show(s, answer)
	b.call()
}

// Over takes a question off the board into the history; without a reply its asker took it back.
func (b *Browser) Over(r elicit.Request, reply *engine.Reply) { b.board.over(r, reply) }

// Extend moves a deadline.
func (b *Browser) Extend(e engine.Extend) { b.board.extend(e) }

// Resolve tells how a visited page ended.
func (b *Browser) Resolve(r engine.Resolve) { b.board.resolve(r) }

// Withdraw takes a question away that nothing else has ended.
func (b *Browser) Withdraw(w engine.Withdraw) { b.board.withdraw(w) }

// Problem answers whoever waits for the fate of an answer.
func (b *Browser) Problem(p engine.Problem) { b.board.problem(p) }

// Close tells every page that this run is over and gives the port back. It may be called again.
func (b *Browser) Close() error {
	b.mu.Lock()
	again := b.closed
	b.closed = true
	b.mu.Unlock()
	if again {
		return nil
	}
	b.board.end()
	err := b.door.close()
	b.calls.Wait()
	return err
}

// callAgain is how long a browser has to show up before another is opened.
const callAgain = 20 * time.Second

// call brings the person to the page unless one is open already.
func (b *Browser) call() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed || b.door.watched() || time.Since(b.called) < callAgain {
		return
	}
	b.called = time.Now()
	if b.o.Open == nil {
		b.note("a question waits and no page is open; this link works once: %s", b.door.link())
		return
	}
	link := b.door.link()
	b.note("a question waits on a page in your browser; if none opens, this link works once: %s", link)
	b.calls.Add(1)
	go func() {
		defer b.calls.Done()
		if err := callBrowser(b.o.Open, link, b.door.over); err != nil {
			b.note("cannot open a browser (%v); open the link yourself", err)
		}
	}()
}

func (b *Browser) note(format string, args ...any) {
	fmt.Fprintf(b.o.Notes, "elicit proxy: "+format+"\n", args...)
}
