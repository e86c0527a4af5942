// Package browser asks a person on a page in their own browser. This process serves the page itself, on loopback only.
// The page draws the form of the engine's show effect and sends back the typed answer; the engine checks it.
//
// One [Browser] has two parts. questionList (question_list.go, history.go) holds the open questions and the last
// ended ones. server (server.go) serves them over HTTP: the files of the page, a stream of updates
// (stream.go) and the requests of the page (handlers.go). accessList (access.go) decides which browsers may connect.
//
//	page, err := browser.New(browser.Options{Open: openFile, Notes: os.Stderr})
//	defer page.Close()
package browser

import (
	"cmp"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// Browser is the user interface of one proxy. The proxy's loop calls its methods; none of them blocks.
type Browser struct {
	*questionList // takes the effects that need no look at the pages
	o             Options
	server        *server

	caller *caller
	links  net.Listener // gives links to `elicit page`; nil when this system has no private place for it

	mu       sync.Mutex
	closed   bool
	refused  map[string]bool // user ids of this machine that were refused
	opening  sync.WaitGroup
	noteLock sync.Mutex // keeps the lines of two notes apart
}

// Options say where the page is served and how a person's browser gets there.
type Options struct {
	Listen string                    // a loopback address with its port; "" is 127.0.0.1 and a free port
	Open   func(target string) error // opens a file in the person's browser; with nil the person opens the link
	Notes  io.Writer                 // gets links and warnings, a line each
	Name   string                    // of the server, for `elicit page`

	Program string // what notes begin with; "" is elicit proxy

	delays      *delays       // of the calls; nil is the default
	ioTimeout   time.Duration // for a client that does not read or write; 0 is the default
	readingTime time.Duration // until openInBrowser removes its file; 0 is the default
}

// New starts the server. When Options.Open is nil, it writes a link to Options.Notes. Each link works once. The error
// says that Options.Listen is wrong, or that the address is taken.
func New(o Options) (*Browser, error) {
	b := &Browser{questionList: newQuestionList(), o: o, refused: map[string]bool{}}
	var err error
	if b.server, err = newServer(o.Listen, b.questionList, cmp.Or(o.ioTimeout, defaultIOTimeout), b.warn); err != nil {
		return nil, err
	}
	b.caller = &caller{waits: b.hasShownQuestion, watched: b.server.hasOpenPage, call: b.bringPerson,
		delays: b.delays()}
	b.server.pagesChanged = b.caller.pagesChanged
	_ = b.listenForLinks() // without it the person still has the other ways to the page
	if o.Open == nil {
		b.note("questions appear on this page; the link works once: %s", b.server.invitationLink(b.server.access.invite()))
	}
	return b, nil
}

// Modes returns both modes, because a page can draw forms and open links.
func (b *Browser) Modes() elicit.Modes { return elicit.Modes{Form: true, URL: true} }

// Watched reports whether a browser has the page open.
func (b *Browser) Watched() bool { return b.server.hasOpenPage() }

// Asked adds a question to the list, before it is known whether a person has to see it.
func (b *Browser) Asked(r elicit.Request) {
	b.asked(r)
	if b.hasShownQuestion() && !b.server.hasOpenPage() {
		b.caller.queued()
	}
}

// Show shows a question to the person. The page's answer goes to answer.
func (b *Browser) Show(s effect.Show, answer ui.Answer) {
	b.show(s, answer)
	b.caller.shown()
}

// Close tells every page that this run is over, and stops the server. A second call does nothing.
func (b *Browser) Close() error {
	b.mu.Lock()
	again := b.closed
	b.closed = true
	b.mu.Unlock()
	if again {
		return nil
	}
	b.caller.stop()
	if b.links != nil {
		b.links.Close()
	}
	b.questionList.close()
	err := b.server.close()
	b.opening.Wait()
	return err
}

func (b *Browser) delays() delays {
	switch {
	case b.o.delays != nil:
		return *b.o.delays
	case b.o.Open == nil:
		return delaysOfLinks
	}
	return delaysOfBrowser
}

// bringPerson opens the page for the person, or prints a link to it.
func (b *Browser) bringPerson() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return
	}
	token := b.server.access.invite()
	if b.o.Open == nil {
		b.note("a question waits and no page is open; this link works once: %s", b.server.invitationLink(token))
		return
	}
	b.note("a question waits on a page in your browser")
	b.opening.Add(1)
	go func() {
		defer b.opening.Done()
		b.openBrowser(token)
	}()
}

// openBrowser opens the browser. It prints a link only when that fails, because clients keep printed text in logs that
// other users may read. The printed link has its own invitation, so that a reader of the log does not learn the one in
// the private file.
func (b *Browser) openBrowser(token string) {
	why := "no browser has opened the page"
	reading := cmp.Or(b.o.readingTime, defaultReadingTime)
	if err := openInBrowser(b.o.Open, b.server.invitationLink(token), reading, b.server.closed); err != nil {
		why = fmt.Sprintf("cannot open a browser (%v)", err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closed && b.server.access.isUnused(token) {
		b.note("%s; open this link yourself, which works once: %s", why, b.server.invitationLink(b.server.access.invite()))
	}
}

// warn prints a warning about a browser that connected, or tried to. It warns once about each refused user.
func (b *Browser) warn(w accessWarning) {
	switch {
	case w.user != "":
		b.mu.Lock()
		again := b.refused[w.user]
		b.refused[w.user] = true
		b.mu.Unlock()
		if again {
			return
		}
		b.note("refused user %s of this machine, who tried to open the page; only you and root may open it", w.user)
	case w.withdrawn:
		next := "the page opens again with the next question"
		if b.o.Open == nil {
			next = "use this new link, which works once: " + b.server.invitationLink(b.server.access.invite())
		} else if b.hasShownQuestion() {
			defer b.caller.now()
			next = "the page opens again now"
		}
		b.note("another browser opened a link that was used before. Somebody else may have read the link, "+
			"so no browser can answer any more; %s", next)
	default:
		b.note("another browser has opened the page: %d browsers can answer now. If you did not open it, end this run",
			w.browsers)
	}
}

func (b *Browser) note(format string, args ...any) {
	b.noteLock.Lock()
	defer b.noteLock.Unlock()
	fmt.Fprintf(b.o.Notes, "%s: %s\n", cmp.Or(b.o.Program, "elicit proxy"), ui.Plain(fmt.Sprintf(format, args...)))
}
