package page_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/ask/page"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/memory"
)

const (
	base   = "https://example.org/ask/"
	origin = "https://example.org"
)

// client plays the client of a server: it consents to visit every link, and hands the link to a test.
type client struct{ links, notices chan string }

func newClient() client { return client{make(chan string, 1), make(chan string, 9)} }

func (c client) Request(_ context.Context, _ string, params json.RawMessage) (json.RawMessage, error) {
	var p struct{ URL string }
	err := json.Unmarshal(params, &p)
	c.links <- p.URL
	return json.RawMessage(`{"action":"accept"}`), err
}

func (c client) Notify(_ context.Context, method string, params json.RawMessage) error {
	c.notices <- method + " " + string(params)
	return nil
}

// rig is a server of many processes over one store, with a clock that stands still.
type rig struct {
	t      *testing.T
	askers []*ask.Asker
	pages  []http.Handler

	now    time.Time
	errors []error
}

// newRig makes a server of one process without a store.
func newRig(t *testing.T, principal func(*http.Request) (string, error)) *rig {
	return newNodes(t, 1, principal, func(int, store.Store) store.Store { return nil })
}

// entered makes a server with a question, and a browser in which its link was opened.
func entered(t *testing.T) (*rig, asked, *browser) {
	d := newRig(t, nil)
	q, b := d.put(""), d.browser("")
	b.enter(q.token)
	return d, q, b
}

// newNodes makes a server of n processes. wrap may change the store of each.
func newNodes(
	t *testing.T, n int, principal func(*http.Request) (string, error), wrap func(int, store.Store) store.Store,
) *rig {
	t.Helper()
	d := &rig{t: t, now: time.UnixMilli(1_800_000_000_000)}
	m := memory.New()
	for i := range n {
		asker, err := ask.New(ask.Options{Server: `Deployments "<&'`, Page: base + "#/", SignIn: "/login",
			TTL: time.Minute, Store: wrap(i, m.Handle()), Now: func() time.Time { return d.now }})
		must.OK(t, err)
		t.Cleanup(asker.Close)
		d.askers = append(d.askers, asker)
		d.pages = append(d.pages, page.New(page.Options{Asker: asker, Principal: principal,
			OnError: func(err error) { d.errors = append(d.errors, err) }}))
	}
	return d
}

func kept(_ int, s store.Store) store.Store { return s }

// byHeader is a login for tests: the header X-User names the person.
func byHeader(r *http.Request) (string, error) {
	switch user := r.Header.Get("X-User"); user {
	case "banned":
		return "", page.ErrForbidden
	case "broken":
		return "", errors.New("the table of users is gone")
	default:
		return user, nil
	}
}

// asked is a question on a page.
type asked struct {
	token  string
	done   <-chan error
	client client
	cancel context.CancelFunc
}

// put asks for a key of at least four letters, in a call of a principal to the first process.
func (d *rig) put(principal string) asked {
	return d.ask(principal, func(ctx context.Context) error {
		key, err := ask.Secret[struct {
			Key string `json:"key" min:"4"`
		}](ctx, "The key of the registry, please")
		if err == nil && key.Key != "k-123" {
			err = errors.New("the key is " + key.Key)
		}
		return err
	})
}

func (d *rig) ask(principal string, handler func(ctx context.Context) error) asked {
	d.t.Helper()
	c, done := newClient(), make(chan error, 1)
	ctx, cancel := context.WithCancel(d.t.Context())
	who := ask.Client{Session: rand.Text(), Principal: principal, Version: "2025-11-25",
		Declared: elicit.Modes{URL: true}, Conn: c}
	go func() {
		_, err := d.askers[0].Do(ctx, ask.Call{Client: who, Target: "key"}, handler)
		done <- err
	}()
	return asked{strings.TrimPrefix(<-c.links, base+"#/"), done, c, cancel}
}

// browser is one browser: it keeps cookies, and user is signed in. Its requests go to the process node.
type browser struct {
	*rig
	node    int
	user    string
	cookies map[string]string
}

func (d *rig) browser(user string) *browser { return &browser{d, 0, user, map[string]string{}} }

// request makes a request as the page's script makes it; change may turn it into a bad one.
func (b *browser) request(act, body string, change func(*http.Request)) *http.Request {
	r := httptest.NewRequest(http.MethodPost, base+act, strings.NewReader(body))
	r.Header.Set("Origin", origin)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("Content-Type", "application/json")
	if b.user != "" {
		r.Header.Set("X-User", b.user)
	}
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	if change != nil {
		change(r)
	}
	return r
}

func (b *browser) do(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	b.pages[b.node].ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		b.cookies[c.Name] = c.Value
	}
	return w
}

// post makes a request of the page's script and returns its body. It checks the state in it.
func (b *browser) post(act, token, more, want string) string {
	b.t.Helper()
	text, state := b.state(act, token, more)
	if state != want {
		b.t.Fatalf("%s: got %s, want the state %s", act, text, want)
	}
	return text
}

func (b *browser) state(act, token, more string) (text, state string) {
	w := b.do(b.request(act, `{"token":"`+token+`"`+more+`}`, nil))
	var got struct{ State string }
	_ = json.Unmarshal(w.Body.Bytes(), &got)
	return w.Body.String(), got.State
}

// enter opens a link as a person does: the page asks, the person presses Continue.
func (b *browser) enter(token string) string {
	b.t.Helper()
	b.post("open", token, "", "new")
	return b.post("claim", token, "", "open")
}

// cookie is the Cookie header of a browser that has one cookie.
func (b *browser) cookie() string {
	for name, value := range b.cookies {
		return name + "=" + value
	}
	return ""
}

const rightKey = `,"action":"accept","content":{"key":"k-123"}`
