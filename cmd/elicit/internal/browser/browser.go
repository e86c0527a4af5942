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

	mu      sync.Mutex
	called  time.Time // when a browser was last opened
	closed  bool
	refused map[string]bool // users who were turned away
	calls   sync.WaitGroup
	noting  sync.Mutex // one note after the other
}

// Options say where the page is served and how a person is brought to it.
type Options struct {
	Listen string                    // a loopback address with its port; "" is 127.0.0.1 and a free port
	Open   func(target string) error // opens a file in the person's browser; nil leaves that to the person
	Notes  io.Writer                 // where links are told

	patience time.Duration // with one that does not read or write; 0 is the default
	reading  time.Duration // that a browser has to read the file; 0 is the default
}

// New begins to serve. With nothing to open browsers with it notes a link, which works once, and so does every later
// one.
func New(o Options) (*Browser, error) {
	b := &Browser{o: o, board: newBoard(), refused: map[string]bool{}}
	var err error
	if b.door, err = openDoor(o.Listen, b.board, cmp.Or(o.patience, patience), b.warn); err != nil {
		return nil, err
	}
	if o.Open == nil {
		b.note("questions appear on this page; the link works once: %s", b.door.link(b.door.passes.invite()))
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
	b.call(false)
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

// call brings the person to the page unless one is open already, or in any case.
func (b *Browser) call(anyway bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed || !anyway && (b.door.watched() || time.Since(b.called) < callAgain) {
		return
	}
	b.called = time.Now()
	token := b.door.passes.invite()
	if b.o.Open == nil {
		b.note("a question waits and no page is open; this link works once: %s", b.door.link(token))
		return
	}
	b.note("a question waits on a page in your browser")
	b.calls.Add(1)
	go func() {
		defer b.calls.Done()
		b.open(token)
	}()
}

// open opens the browser. The link is printed only when that fails, because clients keep what is printed in logs that
// others may read; and the printed link has an invitation of its own, so that nobody can enter with the one in the
// private file.
func (b *Browser) open(token string) {
	why := "no browser has come in"
	if err := callBrowser(b.o.Open, b.door.link(token), cmp.Or(b.o.reading, readingTime), b.door.over); err != nil {
		why = fmt.Sprintf("cannot open a browser (%v)", err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closed && b.door.passes.open(token) {
		b.note("%s; open this link yourself, which works once: %s", why, b.door.link(b.door.passes.invite()))
	}
}

// warn tells of those who came in, or tried to.
func (b *Browser) warn(w warning) {
	switch {
	case w.user != "":
		b.mu.Lock()
		again := b.refused[w.user]
		b.refused[w.user] = true
		b.mu.Unlock()
		if again {
			return
		}
		b.note("user %s of this machine was turned away from the page; only you and root may open it", w.user)
	case w.withdrawn:
		next := "the page opens anew with the next question"
		if b.o.Open == nil {
			next = "use this new link, which works once: " + b.door.link(b.door.passes.invite())
		} else if b.board.asking() {
			defer b.call(true)
			next = "the page opens anew now"
		}
		b.note("a link that was used before was opened in another browser. Somebody else may have read it, "+
			"so no browser can answer any more; %s", next)
	default:
		b.note("another browser has entered the page: %d browsers can answer now. If you did not open it, end this run",
			w.browsers)
	}
}

func (b *Browser) note(format string, args ...any) {
	b.noting.Lock()
	defer b.noting.Unlock()
	fmt.Fprintf(b.o.Notes, "elicit proxy: %s\n", ui.Plain(fmt.Sprintf(format, args...)))
}
