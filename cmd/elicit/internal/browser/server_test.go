package browser

import (
	"errors"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/loopback"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/internal/must"
)

const nameForm = `{"name":{"type":"string","minLength":2},"token":{"type":"string","title":"API token"}}`

// TestServerRefuses sends requests that our page never sends. Each is wrong in one way and right in all others.
func TestServerRefuses(t *testing.T) {
	d := newRig(t, "{}")
	d.enter()
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) {
			if value == "" {
				r.Header.Del(name)
				return
			}
			r.Header.Set(name, value)
		}
	}
	host := func(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }
	_, port, _ := net.SplitHostPort(d.page.server.host)
	const body = `{"id":"x","what":"shown"}`
	for _, c := range []struct {
		name, method, path string
		spoil              func(*http.Request)
		want               int
	}{
		{"nothing is wrong", "POST", "receipt", nil, 204},
		{"another name for this address", "POST", "receipt", host("localhost:" + port), 421},
		{"a name rebound to this address", "POST", "receipt", host("evil.example:" + port), 421},
		{"no port", "GET", "", host("127.0.0.1"), 421},
		{"a rebound name asks for the page", "GET", "", host("evil.example"), 421},
		{"another origin", "POST", "receipt", header("Origin", "http://evil.example"), 403},
		{"another port of this host", "POST", "receipt", header("Origin", "http://127.0.0.1:1"), 403},
		{"no origin", "POST", "receipt", header("Origin", ""), 403},
		{"an opaque origin", "POST", "receipt", header("Origin", "null"), 403},
		{"another site", "POST", "receipt", header("Sec-Fetch-Site", "cross-site"), 403},
		{"another port, as browsers tell it", "POST", "receipt", header("Sec-Fetch-Site", "same-site"), 403},
		{"a stream for another port", "GET", "events", header("Sec-Fetch-Site", "same-site"), 403},
		{"a stream for another origin", "GET", "events", header("Origin", "http://evil.example"), 403},
		{"the script for another site", "GET", "page.js", header("Sec-Fetch-Site", "cross-site"), 403},
		{"the page in a frame", "GET", "", header("Sec-Fetch-Dest", "iframe"), 403},
		{"the page read by a script", "GET", "", header("Sec-Fetch-Mode", "cors"), 403},
		{"no cookie", "POST", "receipt", header("Cookie", ""), 401},
		{"no cookie for the stream", "GET", "events", header("Cookie", ""), 401},
		{"a cookie somebody made up", "POST", "receipt", header("Cookie", "elicit=AAAAAAAAAAAAAAAAAAAAAAAAAA"), 401},
		{"an empty cookie", "POST", "receipt", header("Cookie", "elicit="), 401},
		{"a form of some page", "POST", "receipt", header("Content-Type", "text/plain"), 415},
		{"a request that changes nothing by its method", "GET", "receipt", nil, 405},
		{"a stream by another method", "POST", "events", nil, 405},
		{"the page by another method", "POST", "", nil, 405},
		{"what there is not", "GET", "secrets", nil, 404},
		{"the way up", "GET", "../", nil, 404},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := body
			if c.method == "GET" {
				text = ""
			}
			got, _, _ := d.send(d.request(c.method, c.path, text, c.spoil))
			if got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
		})
	}
}

func TestDoorIsFoundByItsKeyAlone(t *testing.T) {
	d := newRig(t, "{}")
	key := d.page.server.key
	if len(key) < 26 {
		t.Errorf("a key of %d characters of 5 bits each is too short", len(key))
	}
	for _, path := range []string{"/", "/page.js", "/" + key, "/" + key[:25] + "/", "/" + strings.ToLower(key) + "/",
		"//" + key + "/"} {
		r := d.request(http.MethodGet, "", "", nil)
		r.URL.Path = path
		if got, _, _ := d.send(r); got != http.StatusNotFound {
			t.Errorf("%s: got %d, want 404", path, got)
		}
	}
}

func TestLinkWorksOnce(t *testing.T) {
	d := newRig(t, "{}")
	_, unused, _ := strings.Cut(d.page.server.invitationLink(d.page.server.access.invite()), "#")
	link := d.page.server.invitationLink(d.page.server.access.invite())
	_, token, _ := strings.Cut(link, "#")
	if len(token) < 26 {
		t.Errorf("a token of %d characters is too short", len(token))
	}
	if before, _, _ := strings.Cut(link, "#"); strings.Contains(before, token) {
		t.Error("the token is in what is sent over the wire")
	}
	d.post("enter", `{"token":"`+token+`x"}`, http.StatusUnauthorized)
	d.post("enter", `{"token":""}`, http.StatusUnauthorized)
	status, _, header := d.send(d.request(http.MethodPost, "enter", `{"token":"`+token+`"}`, nil))
	if status != http.StatusNoContent {
		t.Fatalf("first use: got %d", status)
	}
	cookie := header.Get("Set-Cookie")
	for _, want := range []string{"elicit=", "HttpOnly", "SameSite=Strict", "Path=" + d.page.server.path()} {
		if !strings.Contains(cookie, want) {
			t.Errorf("cookie %q has no %s", cookie, want)
		}
	}
	if strings.Contains(cookie, token) {
		t.Error("the cookie is the token that others may have seen")
	}
	status, _, header = d.send(d.request(http.MethodPost, "enter", `{"token":"`+token+`"}`, nil))
	if status != http.StatusUnauthorized || header.Get("Set-Cookie") != "" {
		t.Errorf("second use: got %d with cookie %q", status, header.Get("Set-Cookie"))
	}
	d.post("enter", `{"token":"`+unused+`"}`, http.StatusUnauthorized) // an older link, as a log may hold
}

// TestCookieOfAnotherProgram: a program on another port of this host has set a cookie of our name for every path.
func TestCookieOfAnotherProgram(t *testing.T) {
	d := newRig(t, "{}")
	d.enter()
	for _, cookies := range []string{"elicit=theirs; " + d.cookie, d.cookie + "; elicit=theirs"} {
		r := d.request(http.MethodPost, "receipt", `{"id":"x","what":"shown"}`,
			func(r *http.Request) { r.Header.Set("Cookie", cookies) })
		if got, _, _ := d.send(r); got != http.StatusNoContent {
			t.Errorf("%s: got %d", cookies, got)
		}
	}
}

func TestOldInvitationsMakeRoom(t *testing.T) {
	p := &accessList{}
	first := p.invite()
	for range mostInvites {
		p.invite()
	}
	if _, _, what := p.redeem(first, &http.Request{}); what != tokenUsed {
		t.Error("an invitation beyond the bound still works")
	}
	if len(p.invitations) != mostInvites {
		t.Errorf("%d invitations are kept", len(p.invitations))
	}
}

func TestEveryAnswerIsGuarded(t *testing.T) {
	d := newRig(t, "{}")
	for _, name := range []string{"", "page.js", "page.css", "icon.svg", "events", "nothing"} {
		_, _, h := d.send(d.request(http.MethodGet, name, "", nil))
		for header, want := range map[string]string{
			"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
			"X-Frame-Options": "DENY",
		} {
			if h.Get(header) != want {
				t.Errorf("%q: %s is %q, want %q", name, header, h.Get(header), want)
			}
		}
		policy := h.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "script-src 'self'", "connect-src 'self'",
			"frame-ancestors 'none'", "form-action 'none'",
			"base-uri 'none'", "require-trusted-types-for 'script'"} {
			if !strings.Contains(policy, want) {
				t.Errorf("%q: the policy %q has no %s", name, policy, want)
			}
		}
		if strings.Contains(policy, "unsafe") {
			t.Errorf("%q: the policy is %q", name, policy)
		}
	}
	page := string(staticFiles[""].Text)
	if strings.Contains(page, "<style") || strings.Contains(page, "onload") || strings.Count(page, "<script") != 1 {
		t.Errorf("the page has something inline:\n%s", page)
	}
}

func TestHugeBodiesAreCutOff(t *testing.T) {
	d := newRig(t, "{}")
	d.enter()
	body := `{"id":"x","content":"` + strings.Repeat("a", mostBody) + `"}`
	for name := range handlers {
		d.post(name, body, http.StatusRequestEntityTooLarge)
	}
}

func TestBodiesAreReadStrictly(t *testing.T) {
	d := newRig(t, "{}")
	d.enter()
	for _, body := range []string{``, `[]`, `{"id":"x"`, `{"id":"x","what":"shown","more":1}`,
		`{"id":"x","what":"shown"}{}`, `{"id":1,"what":"shown"}`, "\xff"} {
		d.post("receipt", body, http.StatusBadRequest)
	}
}

func TestStreamsAreCounted(t *testing.T) {
	d := newRig(t, "{}")
	d.enter()
	var all []*pageStream
	for range mostStreams {
		l := d.listen()
		l.nextEvent("question")
		all = append(all, l)
	}
	if got, _, _ := d.send(d.request(http.MethodGet, "events", "", nil)); got != http.StatusTooManyRequests {
		t.Errorf("stream %d: got %d, want 429", mostStreams+1, got)
	}
	all[0].close()
	for deadline := time.Now().Add(wait); len(d.page.server.streamSlots) == mostStreams; {
		if time.Now().After(deadline) {
			t.Fatal("a page that left still holds its stream")
		}
		d.ask("x", "{}") // writing an update shows that the page is gone
	}
	d.listen().nextEvent("question")
}

// TestAPageThatDoesNotReadIsCutOff: a page gets more updates than the sockets can buffer, and reads none.
func TestAPageThatDoesNotReadIsCutOff(t *testing.T) {
	d := newRigWith(t, `{"limits":{"burst":60000,"per_minute":60000}}`, 100*time.Millisecond, nil)
	d.enter()
	d.listenWithoutReading()
	for deadline := time.Now().Add(wait); !d.page.server.hasOpenPage(); {
		if time.Now().After(deadline) {
			t.Fatal("the page is not listened for")
		}
	}
	long := strings.Repeat("x", 60<<10)
	for deadline := time.Now().Add(wait); d.page.server.hasOpenPage(); {
		if time.Now().After(deadline) {
			t.Fatal("a page that does not read still holds its stream")
		}
		d.put(elicit.Request{Session: "s", Ref: "r", Server: "files", Side: elicit.Answering, Mode: elicit.Form,
			Message: long, Schema: []byte(`{"type":"object","properties":{}}`)})
		d.cancel("r")
	}
}

// TestConnectionsAreCounted opens connections that send nothing. The listener closes those beyond the bound, and the
// server closes the others after a time limit, so nobody can keep the person out.
func TestConnectionsAreCounted(t *testing.T) {
	d := newRig(t, "{}")
	var inside []net.Conn
	for i := range loopback.MostConnections + 8 {
		c, err := net.Dial("tcp", d.page.server.host)
		must.OK(t, err)
		defer c.Close()
		if i < loopback.MostConnections {
			inside = append(inside, c)
			continue
		}
		_ = c.SetReadDeadline(time.Now().Add(wait))
		if n, err := c.Read(make([]byte, 1)); n != 0 || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("connection %d is served", i+1)
		}
	}
	inside[0].Close()
	for deadline := time.Now().Add(wait); ; {
		if _, err := (&http.Client{}).Do(d.request(http.MethodGet, "", "", nil)); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("a connection that ended makes no room")
		}
	}
	if d.page.server.server.ReadHeaderTimeout == 0 || d.page.server.server.IdleTimeout == 0 {
		t.Error("a connection that says nothing stays for ever")
	}
}

func TestOnlyLoopback(t *testing.T) {
	for _, listen := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0", "localhost:0", "example.org:80",
		"127.0.0.1", "127.0.0.1:x"} {
		if b, err := New(Options{Listen: listen, Notes: t.Output()}); err == nil {
			b.Close()
			t.Errorf("%s was served", listen)
		}
	}
}
