package browser

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/notetest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/drive"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
	"github.com/elicit-engine/elicit/internal/must"
)

// rig is a page's server with a real engine, connected as the proxy connects them.
type rig struct {
	t       *testing.T
	page    *Browser
	driver  *drive.Driver
	work    chan func()
	notes   *notetest.Notes
	opened  chan string
	replies chan effect.Reply
	asks    chan effect.Consult
	cookie  string
}

// wait bounds every wait of a test. Nothing takes that long when things go right, also on a busy machine.
const wait = time.Minute

// newRig starts a run without an open page.
func newRig(t *testing.T, config string) *rig {
	t.Helper()
	return newRigWith(t, config, 0, nil)
}

// newOpenRig starts a run with an open page.
func newOpenRig(t *testing.T, config string) (*rig, *pageStream) {
	t.Helper()
	d := newRig(t, config)
	d.enter()
	return d, d.listen()
}

// newRigWith is newRig with another time limit and other options.
func newRigWith(t *testing.T, config string, patience time.Duration, change func(*Options)) *rig {
	t.Helper()
	d := &rig{t: t, work: make(chan func(), 1000), notes: &notetest.Notes{}, opened: make(chan string, 10),
		replies: make(chan effect.Reply, 1000), asks: make(chan effect.Consult, 100)}
	var err error
	o := Options{Open: func(target string) error { d.opened <- target; return nil }, Notes: d.notes, ioTimeout: patience}
	if change != nil {
		change(&o)
	}
	d.page, err = New(o)
	must.OK(t, err)
	both := elicit.Modes{Form: true, URL: true}
	d.driver, err = drive.New(relay.Config{Engine: []byte(config), Server: "files", Modes: d.page.Modes(),
		Session: &relay.Session{Version: "2025-11-25", Declared: both, CallsSeen: true}}, rigHost{d}, drive.Options{})
	must.OK(t, err)
	if err := d.driver.Receive(relay.Client,
		[]byte(`{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"deploy"}}`)); err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	go func() {
		for {
			select {
			case f := <-d.work:
				f()
			case <-stop:
				return
			}
		}
	}()
	d.page.Attend(func(ev event.Event) { d.work <- func() { _ = d.driver.Do(ev) } })
	t.Cleanup(func() {
		d.page.Close()
		d.driver.Shutdown()
		close(stop)
	})
	return d
}

// do gives an event to the engine in the loop, and waits until that is done.
func (d *rig) do(ev event.Event) {
	done := make(chan struct{})
	d.work <- func() { _ = d.driver.Do(ev); close(done) }
	<-done
	d.waitForLoop()
}

// receive gives a message of the MCP server to the relay, and waits until it is handled.
func (d *rig) receive(method, id, params string) {
	d.t.Helper()
	done := make(chan struct{})
	d.work <- func() {
		_ = d.driver.Receive(relay.Server, []byte(`{"jsonrpc":"2.0",`+id+`"method":"`+method+`","params":`+params+`}`))
		close(done)
	}
	<-done
	d.waitForLoop()
}

// cancel lets the MCP server cancel a question.
func (d *rig) cancel(ref string) {
	d.t.Helper()
	d.receive("notifications/cancelled", "", `{"requestId":"`+ref+`"}`)
}

// waitForLoop waits until the loop has handled everything that was posted before.
func (d *rig) waitForLoop() {
	done := make(chan struct{})
	d.work <- func() { close(done) }
	<-done
}

// ask asks a question with a form that has these members of "properties".
func (d *rig) ask(ref, properties string) {
	d.t.Helper()
	r := elicit.Request{Session: "s", Ref: ref, Server: "files", Tool: "deploy", Side: elicit.Answering, Mode: elicit.Form,
		Message: "Question " + ref, Schema: []byte(`{"type":"object","properties":` + properties + `}`)}
	d.put(r)
}

func (d *rig) put(r elicit.Request) {
	d.t.Helper()
	dialect, _ := mcp.Lookup("2025-11-25")
	params, ok := dialect.AppendCreate(nil, &r)
	if !ok {
		d.t.Fatalf("%+v cannot be asked", r)
	}
	d.receive(mcp.MethodCreate, `"id":"`+r.Ref+`",`, string(params))
}

// rigHost performs effects as the proxy does: later, in the loop.
type rigHost struct{ *rig }

func (h rigHost) Forward(relay.End)        {}
func (h rigHost) Send(relay.End, []byte)   {}
func (h rigHost) Consult(c effect.Consult) { h.asks <- c }

func (h rigHost) Perform(next relay.Effect) {
	h.work <- func() {
		switch ef := next.(type) {
		case relay.Question:
			h.page.Asked(ef.Request)
		case effect.Show:
			h.page.Show(ef, h.answers(ef))
		case effect.Withdraw:
			h.page.Withdraw(ef)
		case effect.Problem:
			h.page.Problem(ef)
		case effect.Resolve:
			h.page.Resolve(ef)
		case effect.Extend:
			h.page.Extend(ef)
		case relay.Settled:
			h.settled(ef)
		}
	}
}

func (h rigHost) settled(s relay.Settled) {
	reply := &s.Reply
	if reply.Cause == elicit.ByPeerCancelled {
		reply = nil
	}
	h.page.Over(s.Request, reply)
	select {
	case h.replies <- s.Reply:
	default: // no test reads it
	}
}

func (h rigHost) answers(s effect.Show) ui.Answer {
	return func(g ui.Given) {
		h.work <- func() {
			_ = h.driver.Do(event.Answered{Session: s.Session, ID: s.ID, Action: g.Action, Content: g.Content,
				Cleared: ui.Cleared(s, g),
				Via:     g.Via, Remember: elicit.Wish{Scope: g.Remember}, Mute: g.Mute})
		}
	}
}

func (d *rig) url(name string) string { return d.page.server.origin() + d.page.server.path() + name }

// request makes a request as the page makes it; set may change it into a bad one.
func (d *rig) request(method, name, body string, set func(*http.Request)) *http.Request {
	d.t.Helper()
	r, err := http.NewRequest(method, d.url(name), strings.NewReader(body))
	must.OK(d.t, err)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if method == http.MethodPost {
		r.Header.Set("Origin", d.page.server.origin())
		r.Header.Set("Content-Type", "application/json")
	}
	if d.cookie != "" {
		r.Header.Set("Cookie", d.cookie)
	}
	if set != nil {
		set(r)
	}
	return r
}

func (d *rig) send(r *http.Request) (int, string, http.Header) {
	d.t.Helper()
	client := http.Client{Timeout: wait}
	defer client.CloseIdleConnections()
	answer, err := client.Do(r)
	must.OK(d.t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	must.OK(d.t, err)
	return answer.StatusCode, string(text), answer.Header
}

// post posts a body as the page does, checks the status and returns the response's body.
func (d *rig) post(name, body string, want int) string {
	d.t.Helper()
	status, text, _ := d.send(d.request(http.MethodPost, name, body, nil))
	if status != want {
		d.t.Fatalf("%s %s: got %d %s, want %d", name, clip(body), status, clip(text), want)
	}
	return text
}

// enter redeems an invitation, as a browser does that opens a link.
func (d *rig) enter() {
	d.t.Helper()
	_, token, _ := strings.Cut(d.page.server.invitationLink(d.page.server.access.invite()), "#")
	status, _, header := d.send(d.request(http.MethodPost, "enter", `{"token":"`+token+`"}`, nil))
	if status != http.StatusNoContent {
		d.t.Fatalf("enter: got %d", status)
	}
	d.cookie, _, _ = strings.Cut(header.Get("Set-Cookie"), ";")
}

// pageStream is the stream of updates of one open page.
type pageStream struct {
	t     *testing.T
	lines *bufio.Reader
	close func()
}

func (d *rig) listen() *pageStream {
	d.t.Helper()
	client := http.Client{}
	answer, err := client.Do(d.request(http.MethodGet, "events", "", nil))
	must.OK(d.t, err)
	if answer.StatusCode != http.StatusOK {
		d.t.Fatalf("events: got %d", answer.StatusCode)
	}
	l := &pageStream{d.t, bufio.NewReader(answer.Body), func() { answer.Body.Close(); client.CloseIdleConnections() }}
	d.t.Cleanup(l.close)
	return l
}

// listenWithoutReading connects a page that reads none of its updates.
func (d *rig) listenWithoutReading() {
	d.t.Helper()
	c, err := net.Dial("tcp", d.page.server.host)
	must.OK(d.t, err)
	d.t.Cleanup(func() { _ = c.Close() })
	_ = c.(*net.TCPConn).SetReadBuffer(1 << 10)
	must.OK(d.t, d.request(http.MethodGet, "events", "", nil).Write(c))
}

// nextEvent returns the data of the next event of that name, and skips others.
func (l *pageStream) nextEvent(name string) string {
	l.t.Helper()
	late := time.AfterFunc(wait, l.close)
	defer late.Stop()
	current := ""
	for {
		line, err := l.lines.ReadString('\n')
		if err != nil {
			l.t.Fatalf("no event %s: %v", name, err)
		}
		line = strings.TrimSuffix(line, "\n")
		if ev, is := strings.CutPrefix(line, "event: "); is {
			current = ev
		}
		if text, is := strings.CutPrefix(line, "data: "); is && current == name {
			return text
		}
	}
}

// shownID returns the id of the next question that the page gets.
func (l *pageStream) shownID() string {
	l.t.Helper()
	for {
		var in struct{ Question struct{ ID string } }
		if text := l.nextEvent("question"); text != "null" {
			must.Unmarshal(l.t, text, &in)
			return in.Question.ID
		}
	}
}

func readText(t *testing.T, name string) string {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Error(err)
	}
	return string(text)
}
