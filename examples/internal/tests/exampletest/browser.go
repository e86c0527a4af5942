package exampletest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
)

// Browser plays a browser. It keeps cookies.
type Browser struct {
	t *testing.T
	http.Client
}

// NewBrowser starts a browser without cookies.
func NewBrowser(t *testing.T) *Browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &Browser{t, http.Client{Jar: jar}}
}

// Get opens an address.
func (b *Browser) Get(at string) (status int, text string) {
	b.t.Helper()
	return b.read(b.Client.Get(at))
}

// Post sends a form or JSON as a page of the same site would.
func (b *Browser) Post(to, contentType, body string) (status int, text string) {
	b.t.Helper()
	at, err := url.Parse(to)
	if err != nil {
		b.t.Fatal(err)
	}
	r, err := http.NewRequest(http.MethodPost, to, bytes.NewBufferString(body))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Origin", at.Scheme+"://"+at.Host)
	r.Header.Set("Content-Type", contentType)
	return b.read(b.Do(r))
}

func (b *Browser) read(response *http.Response, err error) (int, string) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// Act does on a page of package ask/page what its script does: open, claim or answer. It returns the state.
func (b *Browser) Act(link, act string, answer map[string]any) string {
	b.t.Helper()
	base, token, _ := strings.Cut(link, "#/")
	body := map[string]any{"token": token}
	for name, value := range answer {
		body[name] = value
	}
	_, text := b.Post(base+act, "application/json", encoded(body))
	var reply struct {
		State    string
		Problems []struct{ Code string }
	}
	if err := json.Unmarshal([]byte(text), &reply); err != nil {
		b.t.Fatalf("%s: %s", act, text)
	}
	if len(reply.Problems) > 0 {
		return reply.State + " " + reply.Problems[0].Code
	}
	return reply.State
}

// Answer opens a link, presses Continue and answers.
func (b *Browser) Answer(link string, answer map[string]any) {
	b.t.Helper()
	for _, step := range []struct {
		act, want string
		answer    map[string]any
	}{{"open", "new", nil}, {"claim", "open", nil}, {"answer", "done", answer}} {
		if got := b.Act(link, step.act, step.answer); got != step.want {
			b.t.Errorf("%s: the page is %s", step.act, got)
		}
	}
}
