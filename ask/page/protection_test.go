package page

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// TestProtections: each case differs in one thing from a request that works.
func TestProtections(t *testing.T) {
	d := newRig(t, nil)
	token, answers := d.put("")
	b := d.browser("")
	b.enter(token)
	set := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	for _, c := range []struct {
		name   string
		change func(*http.Request)
		want   int
	}{
		{"another host", func(r *http.Request) { r.Host = "evil.example" }, http.StatusMisdirectedRequest},
		{"another port", func(r *http.Request) { r.Host = "example.org:8443" }, http.StatusMisdirectedRequest},
		{"another origin", set("Origin", "https://evil.example"), http.StatusForbidden},
		{"the origin without TLS", set("Origin", "http://example.org"), http.StatusForbidden},
		{"opaque origin", set("Origin", "null"), http.StatusForbidden},
		{"no origin", func(r *http.Request) { r.Header.Del("Origin") }, http.StatusForbidden},
		{"another site", set("Sec-Fetch-Site", "cross-site"), http.StatusForbidden},
		{"another host of the site", set("Sec-Fetch-Site", "same-site"), http.StatusForbidden},
		{"a form's type", set("Content-Type", "text/plain"), http.StatusUnsupportedMediaType},
		{"GET", func(r *http.Request) { r.Method = http.MethodGet }, http.StatusMethodNotAllowed},
		{"PUT", func(r *http.Request) { r.Method = http.MethodPut }, http.StatusMethodNotAllowed},
		{"above the base", func(r *http.Request) { r.URL.Path = "/answer" }, http.StatusNotFound},
		{"an unknown act", func(r *http.Request) { r.URL.Path = "/ask/unknown" }, http.StatusNotFound},
		{"no cookie", func(r *http.Request) { r.Header.Del("Cookie") }, http.StatusConflict},
		{"another cookie", set("Cookie", b.handler.cookieName(token)+"=guessed"), http.StatusConflict},
		{"a cookie without the prefix", set("Cookie", strings.TrimPrefix(b.cookie(token), "__Host-")), http.StatusConflict},
		{"a script opened by a stranger", func(r *http.Request) {
			r.Method, r.URL.Path = http.MethodGet, "/ask/page.js"
			r.Header.Set("Sec-Fetch-Site", "cross-site")
		}, http.StatusForbidden},
		{"the document in a frame", func(r *http.Request) {
			r.Method, r.URL.Path = http.MethodGet, "/ask/"
			r.Header.Set("Sec-Fetch-Dest", "iframe")
		}, http.StatusForbidden},
	} {
		w := b.do(b.request("answer", `{"token":"`+token+`"`+rightKey+`}`, c.change))
		if w.Code != c.want {
			t.Errorf("%s: got %d, want %d", c.name, w.Code, c.want)
		}
		if strings.Contains(w.Body.String(), "registry") {
			t.Errorf("%s: the refusal tells of the question: %s", c.name, w.Body)
		}
	}
	for body, want := range map[string]int{
		`{"token":"` + token + `","action":"agree"}`:                           http.StatusBadRequest,
		`{"token":"` + token + `"}`:                                            http.StatusBadRequest,
		`{"token":"` + token + `"` + rightKey + `,"more":1}`:                   http.StatusBadRequest,
		`{"token":"` + token + `"` + rightKey + `}{}`:                          http.StatusBadRequest,
		`{"token":"","action":"accept"}`:                                       http.StatusNotFound,
		`{"token":"` + strings.Repeat("t", mostToken+1) + `"` + rightKey + `}`: http.StatusNotFound,
		`{"token":"` + token + `","action":"accept","content":"` + strings.Repeat("x", mostBody) +
			`"}`: http.StatusRequestEntityTooLarge,
	} {
		if w := b.do(b.request("answer", body, nil)); w.Code != want {
			t.Errorf("%.90s: got %d, want %d", body, w.Code, want)
		}
	}
	if len(answers) != 0 {
		t.Fatal("a refused request answered the question")
	}
	b.post("answer", token, rightKey, "done") // the request that all cases change does work
}

// cookie is the Cookie header of a browser for one link.
func (b *browser) cookie(token string) string {
	name := b.handler.cookieName(token)
	return name + "=" + b.cookies[name]
}

// TestHeaders: every response has the headers, also refusals, and also the files.
func TestHeaders(t *testing.T) {
	d := newRig(t, nil)
	b := d.browser("")
	get := func(r *http.Request) { r.Method = http.MethodGet }
	for name, r := range map[string]*http.Request{
		"document":    b.request("", "", get),
		"script":      b.request("page.js", "", get),
		"act":         b.request("open", `{"token":"t"}`, nil),
		"refusal":     b.request("claim", `{"token":"t"}`, nil),
		"unknown":     b.request("unknown", "", nil),
		"misdirected": b.request("open", "", func(r *http.Request) { r.Host = "evil.example" }),
	} {
		h := b.do(r).Header()
		for header, want := range map[string]string{
			"Content-Security-Policy":      "default-src 'none'; script-src 'self'; ",
			"Referrer-Policy":              "no-referrer",
			"Cache-Control":                "no-store",
			"Cross-Origin-Opener-Policy":   "same-origin",
			"Cross-Origin-Resource-Policy": "same-origin",
			"X-Content-Type-Options":       "nosniff",
			"X-Frame-Options":              "DENY",
		} {
			if !strings.HasPrefix(h.Get(header), want) {
				t.Errorf("%s: %s is %q, want %q", name, header, h.Get(header), want)
			}
		}
		policy := h.Get("Content-Security-Policy")
		if !strings.Contains(policy, "frame-ancestors 'none'") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: the policy is %q", name, policy)
		}
	}
	document := string(d.handler.files[""].Text)
	for _, inline := range []string{"<script>", "<style", " on", "style="} {
		if strings.Contains(document, inline) {
			t.Errorf("the document has %q: %s", inline, document)
		}
	}
}

// TestCookie: only this host and no script can read the cookie, and other sites cannot send it.
func TestCookie(t *testing.T) {
	d := newRig(t, nil)
	token, _ := d.put("")
	b := d.browser("")
	for _, act := range []string{"open", "claim"} {
		w := b.do(b.request(act, `{"token":"`+token+`"}`, nil))
		cookies := w.Result().Cookies()
		if len(cookies) != 1 {
			t.Fatalf("%s: %d cookies", act, len(cookies))
		}
		c := cookies[0]
		if !strings.HasPrefix(c.Name, "__Host-") || !c.Secure || !c.HttpOnly || c.Path != "/" || c.Domain != "" ||
			c.SameSite != http.SameSiteStrictMode || len(c.Value) < 26 {
			t.Errorf("%s: the cookie is %s", act, c)
		}
		if strings.Contains(c.String(), token) {
			t.Errorf("%s: the cookie contains the token", act)
		}
		if act == "claim" && d.questions.links[digest(token)].browser != digest(c.Value) {
			t.Error("the source did not get a digest of the cookie")
		}
	}
	if a, other := d.browser(""), d.browser(""); true {
		a.post("open", token, "", "new")
		other.post("open", token, "", "new")
		if a.cookie(token) == other.cookie(token) {
			t.Error("two browsers have the same cookie")
		}
	}
}

// TestNoCookie: a browser that keeps no cookies learns why the link does not open, and does not use it up.
func TestNoCookie(t *testing.T) {
	d := newRig(t, nil)
	token, _ := d.put("")
	d.browser("").post("claim", token, "", "no_cookie")
	d.browser("").enter(token)
}

// TestLoopback: without TLS, the cookie needs another name. The address must be loopback.
func TestLoopback(t *testing.T) {
	d := newRig(t, func(o *Options) { o.Base = "http://127.0.0.1:8080/" })
	if c := d.handler.cookie("t", "s", 0); c.Secure || strings.HasPrefix(c.Name, "__Host-") {
		t.Errorf("the cookie is %s", c)
	}
	for base, good := range map[string]bool{
		"http://localhost:80/":        true,
		"http://[::1]:8080/a/":        true,
		"https://example.org/":        true,
		"https://EXAMPLE.org:443/":    true,
		"http://example.org/":         false,
		"http://192.168.1.2/":         false,
		"http://127.0.0.1.evil.test/": false,
		"https://example.org":         false,
		"https://example.org/ask":     false,
		"https://a:b@example.org/":    false,
		"https://example.org/?a":      false,
		"https://example.org/#a":      false,
		"ftp://example.org/":          false,
		"/ask/":                       false,
		"":                            false,
	} {
		h, err := New(Options{Source: NewMemory(nil), Base: base})
		if (err == nil) != good {
			t.Errorf("%q: %v", base, err)
		}
		if good && strings.HasSuffix(h.origin, ":443") {
			t.Errorf("%q: the origin is %q, which no browser sends", base, h.origin)
		}
	}
	for signIn, good := range map[string]bool{"": true, "/login?next=/ask/": true, "https://login.example/": true,
		"http://login.example/": false, "javascript:alert(1)": false, "data:text/html,a": false, "%zz": false} {
		if _, err := New(Options{Source: NewMemory(nil), Base: base, SignIn: signIn}); (err == nil) != good {
			t.Errorf("SignIn %q: %v", signIn, err)
		}
	}
	if _, err := New(Options{Base: base}); err == nil {
		t.Error("a handler without a source was made")
	}
}

// TestLink: the token is where no server and no Referer header sees it. The link has nothing else of the question.
func TestLink(t *testing.T) {
	d := newRig(t, byHeader)
	token, _ := d.put("ada")
	link, err := url.Parse(d.handler.Link(token))
	if err != nil {
		t.Fatal(err)
	}
	if link.Fragment != "/"+token || link.String() != base+"#/"+token || d.handler.Link("")+token != link.String() {
		t.Errorf("the link is %s", link)
	}
	if odd := d.handler.Link(`a b"<%/#é`); strings.ContainsAny(strings.TrimPrefix(odd, base), ` "<é`) {
		t.Errorf("an odd token is not escaped: %s", odd)
	}
}

// TestName: the server's name is untrusted text in the document.
func TestName(t *testing.T) {
	d := newRig(t, func(o *Options) { o.Name = `"><script>alert(1)</script>` })
	text := string(d.handler.files[""].Text)
	if strings.Contains(text, "<script>alert") || !strings.Contains(text, "&#34;") {
		t.Errorf("the document is %s", text)
	}
}

// broken is a source that is out of order, as after the loss of its store.
type broken struct{ err error }

func (s broken) Claim(context.Context, string, Visitor) (Question, error) { return Question{}, s.err }
func (s broken) Open(context.Context, string, Visitor) (Question, error)  { return Question{}, s.err }
func (s broken) Answer(context.Context, string, Visitor, Answer) ([]elicit.Problem, error) {
	return nil, s.err
}

// TestBrokenSource: a fault is no answer. Its text goes to the server's log and not to the page.
func TestBrokenSource(t *testing.T) {
	fault := errors.New("redis at 10.0.0.7 is gone")
	d := newRig(t, func(o *Options) { o.Source = broken{fault} })
	b := d.browser("")
	b.post("open", "t", "", "new")
	for _, act := range []string{"open", "claim", "answer"} {
		text := b.post(act, "t", map[string]string{"answer": rightKey}[act], "failed")
		if strings.Contains(text, "redis") {
			t.Errorf("%s: the page learns %s", act, text)
		}
	}
	if len(d.errors) != 3 || !errors.Is(d.errors[0], fault) {
		t.Errorf("the reported errors are %v", d.errors)
	}
	d = newRig(t, func(o *Options) { o.Source = garbled{} })
	b = d.browser("")
	b.post("open", "t", "", "new")
	b.post("claim", "t", "", "failed")
	if len(d.errors) != 1 {
		t.Errorf("the reported errors are %v", d.errors)
	}
}

// garbled is a source whose form is no JSON.
type garbled struct{ broken }

func (garbled) Open(context.Context, string, Visitor) (Question, error) { return Question{}, ErrUsed }
func (garbled) Claim(context.Context, string, Visitor) (Question, error) {
	return Question{Form: []byte(`{"fields":[`)}, nil
}

// slow is a source that answers when the test lets it.
type slow struct {
	broken
	entered, leave chan struct{}
}

func (s slow) Open(context.Context, string, Visitor) (Question, error) {
	s.entered <- struct{}{}
	<-s.leave
	return Question{}, ErrUnknown
}

// TestRequestsAreBounded: requests beyond the limit are refused at once, so that a flood does not reach the store.
func TestRequestsAreBounded(t *testing.T) {
	source := slow{entered: make(chan struct{}), leave: make(chan struct{})}
	d := newRig(t, func(o *Options) { o.Source, o.MostRequests = source, 2 })
	cookie := func(r *http.Request) { r.AddCookie(&http.Cookie{Name: d.handler.cookieName("t"), Value: "c"}) }
	done := make(chan int)
	for range 2 {
		r := d.browser("").request("open", `{"token":"t"}`, cookie)
		go func() {
			w := httptest.NewRecorder()
			d.handler.ServeHTTP(w, r)
			done <- w.Code
		}()
		<-source.entered
	}
	b := d.browser("")
	if w := b.do(b.request("open", `{"token":"t"}`, cookie)); w.Code != http.StatusServiceUnavailable {
		t.Errorf("the third request got %d", w.Code)
	}
	close(source.leave)
	for range 2 {
		if code := <-done; code != http.StatusNotFound {
			t.Errorf("a request within the limit got %d", code)
		}
	}
}

// TestTossedCookies: cookies that another program on the host has set do not lock the person out, and many of them do
// not make many look-ups.
func TestTossedCookies(t *testing.T) {
	d := newRig(t, nil)
	token, _ := d.put("")
	b := d.browser("")
	b.enter(token)
	name := b.handler.cookieName(token)
	ours := b.cookie(token)
	for n, want := range map[int]int{mostCookies - 1: http.StatusOK, mostCookies: http.StatusConflict} {
		body := `{"token":"` + token + `","action":"accept","content":{"key":"bad"}}`
		w := b.do(b.request("answer", body, func(r *http.Request) {
			r.Header.Set("Cookie", strings.Repeat(name+"=tossed; ", n)+ours)
		}))
		if w.Code != want {
			t.Errorf("with %d more cookies: got %d, want %d", n, w.Code, want)
		}
	}
}
