package browser

import (
	"cmp"
	"context"
	"crypto/rand"
	"embed"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/loopback"
	"github.com/elicit-engine/elicit/internal/web"
)

// server serves one list of questions on loopback. Every request is hostile until its checks have passed: any program
// of any user of this machine can connect, and any page of any site can make a browser send a request.
//
//   - The address is an IP literal and every Host header must name it, so DNS rebinding does not work.
//   - All paths begin with a key that nobody can guess. Browsers share cookies between the ports of a host; the
//     cookie's path keeps ours from other programs on loopback.
//   - The files of the page hold no secret. Its other requests need a cookie, which it gets once for an invitation.
//   - A request that changes anything must come from the page's own origin, and its body must be JSON.
type server struct {
	questions    *questionList
	host         string // that the Host header of each request must have
	key          string // the first part of every path
	access       *accessList
	warn         func(accessWarning)
	pagesChanged func()        // called when the first page was opened or the last one closed
	closed       chan struct{} // closed by close
	server       *http.Server
	streamSlots  chan struct{} // one for each open stream
	ioTimeout    time.Duration // for a client that does not read

	mu      sync.Mutex
	streams int
}

// Bounds of the memory and connections that one page, or a program that pretends to be one, can use.
const (
	mostStreams      = 16
	mostBody         = 512 << 10 // twice the largest answer the engine reads
	defaultIOTimeout = 15 * time.Second
)

// accessWarning is an event of access that the person should know.
type accessWarning struct {
	browsers  int    // another browser connected, so this many can answer now
	withdrawn bool   // a used invitation was used again, so no browser can answer
	user      string // the user id of another user of this machine, who was refused
}

func newServer(listen string, b *questionList, wait time.Duration, warn func(accessWarning)) (*server, error) {
	listen = cmp.Or(listen, "127.0.0.1:0")
	listener, err := loopback.Listen(listen)
	if err != nil {
		return nil, fmt.Errorf("cannot serve the page: %w; give another address with --listen", err)
	}
	srv := &server{questions: b, host: listener.Addr().String(), key: rand.Text(), access: &accessList{},
		warn: warn, pagesChanged: func() {}, closed: make(chan struct{}),
		streamSlots: make(chan struct{}, mostStreams), ioTimeout: wait}
	srv.server = loopback.Server(srv, wait)
	srv.server.ReadTimeout, srv.server.WriteTimeout = wait, 2*defaultIOTimeout
	go func() { _ = srv.server.Serve(listener) }()
	return srv, nil
}

func (srv *server) origin() string { return "http://" + srv.host }
func (srv *server) path() string   { return "/" + srv.key + "/" }

// invitationLink returns a link with an invitation. A browser never sends the part after # to a server or to another
// page.
func (srv *server) invitationLink(token string) string {
	return srv.origin() + srv.path() + "#" + token
}

// hasOpenPage reports whether a page reads the stream.
func (srv *server) hasOpenPage() bool {
	srv.mu.Lock()
	defer srv.mu.Unlock()
	return srv.streams > 0
}

// close stops the server. It gives every page a second to get the last updates.
func (srv *server) close() error {
	close(srv.closed)
	ctx, stop := context.WithTimeout(context.Background(), time.Second)
	defer stop()
	if srv.server.Shutdown(ctx) == nil {
		return nil
	}
	return srv.server.Close()
}

// The files of the page. `./build.sh page` builds the scripts from bindings/js/src/page. They hold no secret.
//
//go:embed page
var embedded embed.FS

var staticFiles = web.Files(embedded, "page")

// ServeHTTP checks a request and calls its handler.
func (srv *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	web.SetSecurityHeaders(w.Header())
	if r.Host != srv.host {
		web.Refuse(w, http.StatusMisdirectedRequest)
		return
	}
	name, ok := srv.nameAfterKey(r.URL.Path)
	if !ok {
		web.Refuse(w, http.StatusNotFound)
		return
	}
	if f, static := staticFiles[name]; static {
		f.Serve(w, r, srv.origin())
		return
	}
	handle, known := handlers[name]
	switch {
	case !known && name != "events":
		web.Refuse(w, http.StatusNotFound)
	case name == "events" && !web.SameOrigin(r, srv.origin()):
		web.Refuse(w, http.StatusForbidden)
	case name == "events":
		srv.stream(w, r)
	case web.RefusePost(w, r, srv.origin()):
	case name != "enter" && !srv.access.hasCookie(r):
		web.Refuse(w, http.StatusUnauthorized)
	default:
		r.Body = http.MaxBytesReader(w, r.Body, mostBody)
		handle(srv, w, r)
	}
}

// nameAfterKey returns the rest of a path that begins with the key. The comparison takes the same time for any key.
func (srv *server) nameAfterKey(path string) (name string, ok bool) {
	key, name, found := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return name, found && web.Equal(key, srv.key)
}
