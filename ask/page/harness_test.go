package page

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/engine/elicit"
)

const (
	base   = "https://example.org/ask/"
	origin = "https://example.org"
)

// rig is a handler with a source in memory and a clock that stands still.
type rig struct {
	t         *testing.T
	questions *Memory
	handler   *Handler
	now       time.Time
	errors    []error
}

// newRig makes a handler. change may set more options.
func newRig(t *testing.T, change func(*Options)) *rig {
	t.Helper()
	d := &rig{t: t, now: time.UnixMilli(1_800_000_000_000)}
	d.questions = NewMemory(func() time.Time { return d.now })
	o := Options{Source: d.questions, Base: base, Name: "Deployments",
		OnError: func(err error) { d.errors = append(d.errors, err) }}
	if change != nil {
		change(&o)
	}
	var err error
	if d.handler, err = New(o); err != nil {
		t.Fatal(err)
	}
	return d
}

// byHeader is a login for tests: the header X-User names the person.
func byHeader(o *Options) {
	o.SignIn = "/login"
	o.Principal = func(r *http.Request) (string, error) {
		switch user := r.Header.Get("X-User"); user {
		case "":
			return "", ErrSignIn
		case "banned":
			return "", ErrForbidden
		case "broken":
			return "", errors.New("the table of users is gone")
		case "nameless":
			return "", nil
		default:
			return user, nil
		}
	}
}

var secretForm = json.RawMessage(
	`{"fields":[{"name":"key","label":"API key","kind":"text","widget":"text","required":true}]}`)

// put asks for a key that begins with "k-", until a minute from now.
func (d *rig) put(principal string) (token string, answers <-chan Answer) {
	d.t.Helper()
	q := Question{Message: "The key of the registry, please", Form: secretForm, Secret: true,
		Deadline: d.now.Add(time.Minute).UnixMilli()}
	token, answers, err := d.questions.Put(q, principal, func(a Answer) []elicit.Problem {
		if strings.HasPrefix(string(a.Content), `{"key":"k-`) {
			return nil
		}
		return []elicit.Problem{{Code: "bad_format", Pointer: "/key"}}
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return token, answers
}

// browser is one browser: it keeps cookies, and user is signed in.
type browser struct {
	*rig
	user    string
	cookies map[string]string
}

func (d *rig) browser(user string) *browser { return &browser{d, user, map[string]string{}} }

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
	b.handler.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		b.cookies[c.Name] = c.Value
	}
	return w
}

// post makes a request of the page's script and returns its body. It checks the state in it.
func (b *browser) post(act, token, more, want string) string {
	b.t.Helper()
	w := b.do(b.request(act, `{"token":"`+token+`"`+more+`}`, nil))
	var got struct{ State string }
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || got.State != want {
		b.t.Fatalf("%s: got %d %s, want the state %s", act, w.Code, w.Body, want)
	}
	return w.Body.String()
}

// enter opens a link as a person does: the page asks, the person presses Continue.
func (b *browser) enter(token string) string {
	b.t.Helper()
	b.post("open", token, "", "new")
	return b.post("claim", token, "", "open")
}

const rightKey = `,"action":"accept","content":{"key":"k-123"}`
