package proxy

import (
	"bufio"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/notetest"
)

// patience bounds every wait of a test; nothing below waits when things go right.
const patience = time.Minute

// marker is a message that passes, for telling that everything before it has been dealt with.
const marker = `{"jsonrpc":"2.0","method":"sync"}`

func patienceTimer() *time.Timer { return time.NewTimer(patience) }

// peers is a raw client and a raw server around a running proxy; what they say is exact text.
type peers struct {
	t        *testing.T
	say      io.WriteCloser // client says to the proxy
	hear     *wiretap       // what the client hears
	server   *rawServer
	notes    *notetest.Notes
	code     chan int
	finished bool
}

// rawServer is a Server played by the test.
type rawServer struct {
	in      *io.PipeReader
	inW     *io.PipeWriter
	outR    *io.PipeReader
	out     *io.PipeWriter
	hear    *wiretap
	gone    chan struct{}
	once    sync.Once
	code    int
	signals chan os.Signal
	deaf    bool // ignores signals
}

func newRawServer(t *testing.T) *rawServer {
	s := &rawServer{gone: make(chan struct{}), signals: make(chan os.Signal, 8)}
	s.in, s.inW = io.Pipe()
	s.outR, s.out = io.Pipe()
	s.hear = newWiretap(t, s.in)
	return s
}

func (s *rawServer) Input() io.WriteCloser { return s.inW }
func (s *rawServer) Output() io.ReadCloser { return s.outR }
func (s *rawServer) Wait() int             { <-s.gone; return s.code }
func (s *rawServer) Kill()                 { s.exit(137) }

func (s *rawServer) Signal(sig os.Signal) {
	s.signals <- sig
	if !s.deaf {
		s.exit(143)
	}
}

// exit ends the server's program and its output.
func (s *rawServer) exit(code int) {
	s.once.Do(func() {
		s.code = code
		s.out.Close()
		s.in.Close()
		close(s.gone)
	})
}

func (s *rawServer) say(text string) { _, _ = io.WriteString(s.out, text) }

// wiretap reads everything a peer is sent and hands it out line by line.
type wiretap struct {
	t     *testing.T
	lines chan string
}

func newWiretap(t *testing.T, r io.Reader) *wiretap {
	w := &wiretap{t, make(chan string, 1<<16)}
	go func() {
		in := bufio.NewReaderSize(r, 1<<16)
		for {
			l, err := in.ReadString('\n')
			if l != "" {
				w.lines <- l
			}
			if err != nil {
				close(w.lines)
				return
			}
		}
	}()
	return w
}

// line is the next line with its line end; "" is the end of the stream.
func (w *wiretap) line() string {
	w.t.Helper()
	select {
	case l := <-w.lines:
		return l
	case <-patienceTimer().C:
		w.t.Fatal("nothing was said in time")
		return ""
	}
}

func (w *wiretap) want(want string) {
	w.t.Helper()
	if got := w.line(); got != want+"\n" {
		w.t.Fatalf("heard\n got %s\nwant %s", got, want)
	}
}

// rest is everything up to the end of the stream.
func (w *wiretap) rest() string {
	w.t.Helper()
	var b strings.Builder
	for l := w.line(); l != ""; l = w.line() {
		b.WriteString(l)
	}
	return b.String()
}

// start runs a proxy between two raw peers.
func start(t *testing.T, set func(*Options)) *peers {
	t.Helper()
	clientR, clientW := io.Pipe()
	outR, outW := io.Pipe()
	p := &peers{t: t, say: clientW, hear: newWiretap(t, outR), server: newRawServer(t), notes: &notetest.Notes{},
		code: make(chan int, 1)}
	o := Options{ClientIn: clientR, ClientOut: outW, Server: p.server, Notes: p.notes, Name: "raw", Verbose: true,
		Config: []byte(`{"limits":{"shown":100,"burst":10000,"per_minute":60000}}`)}
	if set != nil {
		set(&o)
	}
	go func() {
		code, err := Run(o)
		if err != nil {
			t.Error(err)
			clientR.Close()
			outW.Close()
			p.server.exit(1)
		}
		p.code <- code
	}()
	t.Cleanup(func() {
		p.say.Close()
		p.server.exit(0)
		if !p.finished {
			p.exit()
		}
		outW.Close() // nobody did if the test gave the client another output
	})
	return p
}

func (p *peers) client(text string) { _, _ = io.WriteString(p.say, text+"\n") }

// exit is the proxy's exit code.
func (p *peers) exit() int {
	p.t.Helper()
	p.finished = true
	select {
	case c := <-p.code:
		return c
	case <-patienceTimer().C:
		p.t.Fatal("the proxy did not end")
		return -1
	}
}
