package browser

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// door serves one board on loopback. What comes in is hostile until shown otherwise: any program of any user of this
// machine can connect, and any page of any site can make a browser send something here.
//
//   - The address is literal and every request must name it, so no name can be rebound to it.
//   - Everything lies below a path nobody can guess. Browsers share cookies between the ports of a host, and the path is
//     what keeps ours from other programs on loopback.
//   - The page itself holds nothing. What it asks for needs a cookie, which a link buys once.
//   - What changes anything must come from the page's own origin, and say that it is JSON.
type door struct {
	board  *board
	host   string // what requests must name
	key    string // first part of every path
	passes *passes
	warn   func(warning)
	over   chan struct{} // closed when the door is
	server *http.Server
	slots  chan struct{} // one for each stream
	wait   time.Duration // for one that does not read

	mu      sync.Mutex
	streams int
}

// Bounds of what one page, or whoever pretends to be one, can make this process hold.
const (
	mostConnections = 64
	mostStreams     = 16
	mostHeader      = 16 << 10
	mostBody        = 512 << 10 // twice the largest answer the engine reads
	mostUnread      = 64 << 10  // of a connection that does not read, beyond the batch at hand
	patience        = 15 * time.Second
)

// warning is what a person should hear of those who come in.
type warning struct {
	browsers  int    // this many can answer, because another one has come in
	withdrawn bool   // an ended invitation was used again, so no browser can answer
	user      string // this user of the machine was turned away
}

func openDoor(listen string, b *board, wait time.Duration, warn func(warning)) (*door, error) {
	if listen == "" {
		listen = "127.0.0.1:0"
	}
	if err := loopback(listen); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return nil, fmt.Errorf("cannot serve the page: %w", err)
	}
	d := &door{board: b, host: listener.Addr().String(), key: rand.Text(), passes: newPasses(), warn: warn, over: make(chan struct{}),
		slots: make(chan struct{}, mostStreams), wait: wait}
	d.server = &http.Server{Handler: d, MaxHeaderBytes: mostHeader, ReadHeaderTimeout: wait, ReadTimeout: wait,
		WriteTimeout: 2 * patience, IdleTimeout: time.Minute, ErrorLog: log.New(io.Discard, "", 0)}
	go func() { _ = d.server.Serve(bounded(listener, mostConnections)) }()
	return d, nil
}

// loopback refuses an address that other machines can reach, and names, which can change what they mean.
func loopback(listen string) error {
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return fmt.Errorf("--listen is %q; give an address with a port, such as 127.0.0.1:8420", listen)
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return fmt.Errorf("--listen is %q; the page is only served on loopback, such as 127.0.0.1:8420 or [::1]:8420", listen)
	}
	return nil
}

func (d *door) origin() string { return "http://" + d.host }
func (d *door) path() string   { return "/" + d.key + "/" }

// link is a way in with an invitation. What follows # is never sent over the wire or to another page.
func (d *door) link(token string) string { return d.origin() + d.path() + "#" + token }

// watched reports whether a page is open.
func (d *door) watched() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.streams > 0
}

// close lets every page hear the last news, but not for long.
func (d *door) close() error {
	close(d.over)
	ctx, stop := context.WithTimeout(context.Background(), time.Second)
	defer stop()
	if d.server.Shutdown(ctx) == nil {
		return nil
	}
	return d.server.Close()
}

// ServeHTTP lets in what may come in.
func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	guard(w.Header())
	if r.Host != d.host {
		refuse(w, http.StatusMisdirectedRequest)
		return
	}
	name, ok := d.below(r.URL.Path)
	if !ok {
		refuse(w, http.StatusNotFound)
		return
	}
	if f, static := files[name]; static {
		d.serveFile(w, r, f)
		return
	}
	act, known := acts[name]
	switch {
	case !known && name != "events":
		refuse(w, http.StatusNotFound)
	case !d.sameOrigin(r):
		refuse(w, http.StatusForbidden)
	case name == "events":
		d.stream(w, r)
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		refuse(w, http.StatusMethodNotAllowed)
	case r.Header.Get("Origin") != d.origin():
		refuse(w, http.StatusForbidden)
	case r.Header.Get("Content-Type") != "application/json":
		refuse(w, http.StatusUnsupportedMediaType)
	case name != "enter" && !d.passes.holds(r):
		refuse(w, http.StatusUnauthorized)
	default:
		r.Body = http.MaxBytesReader(w, r.Body, mostBody)
		act(d, w, r)
	}
}

// below is the rest of a path that begins with the key. The comparison takes as long for any key.
func (d *door) below(path string) (name string, ok bool) {
	key, name, found := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return name, found && subtle.ConstantTimeCompare([]byte(key), []byte(d.key)) == 1
}

// sameOrigin reports whether the browser says, if it says anything, that the page itself sent this.
func (d *door) sameOrigin(r *http.Request) bool {
	site, origin := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Origin")
	return (site == "" || site == "same-origin") && (origin == "" || origin == d.origin())
}

// guard sets what holds for every answer: nothing is kept, framed, sniffed, shared or told on, and the page runs its
// own script and no other.
func guard(h http.Header) {
	for name, value := range map[string]string{
		"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
			"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types lit-html",
		"Cross-Origin-Opener-Policy":   "same-origin",
		"Cross-Origin-Resource-Policy": "same-origin",
		"Cross-Origin-Embedder-Policy": "require-corp",
		"Permissions-Policy":           "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
		"Referrer-Policy":              "no-referrer",
		"X-Content-Type-Options":       "nosniff",
		"X-Frame-Options":              "DENY",
		"Cache-Control":                "no-store",
	} {
		h.Set(name, value)
	}
}

func refuse(w http.ResponseWriter, status int) { http.Error(w, http.StatusText(status), status) }

// bounded takes no more than n connections at a time.
func bounded(l net.Listener, n int) net.Listener { return &boundedListener{l, make(chan struct{}, n)} }

type boundedListener struct {
	net.Listener
	slots chan struct{}
}

func (l *boundedListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		select {
		case l.slots <- struct{}{}:
			if tcp, ok := c.(*net.TCPConn); ok {
				_ = tcp.SetWriteBuffer(mostUnread)
			}
			return &boundedConn{Conn: c, slots: l.slots}, nil
		default: // those who are in stay in; whoever floods finds the door shut
			c.Close()
		}
	}
}

type boundedConn struct {
	net.Conn
	slots chan struct{}
	once  sync.Once
}

func (c *boundedConn) Close() error {
	c.once.Do(func() { <-c.slots })
	return c.Conn.Close()
}
