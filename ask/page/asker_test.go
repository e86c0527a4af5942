package page_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/ask/page"
	"github.com/elicit-engine/elicit/engine/elicit"
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

// TestFromAsker answers a question of a tool on its page: the person alone, in one browser, once.
func TestFromAsker(t *testing.T) {
	asker, err := ask.New(ask.Options{Server: "bot", Page: base})
	if err != nil {
		t.Fatal(err)
	}
	c := newClient()
	got, failed := make(chan string, 1), make(chan error, 1)
	go func() {
		who := ask.Client{Session: "1", Principal: "ada", Version: "2025-11-25", Declared: elicit.Modes{URL: true}, Conn: c}
		_, err := asker.Do(t.Context(), ask.Call{Client: who, Target: "key"}, func(ctx context.Context) error {
			key, err := ask.Secret[struct {
				Key string `json:"key" min:"4"`
			}](ctx, "The key, please")
			got <- key.Key
			return err
		})
		failed <- err
	}()
	token := strings.TrimPrefix(<-c.links, base)
	source, ctx := page.FromAsker(asker), t.Context()
	ada, eve, other := page.Visitor{Principal: "ada", Browser: "a"}, page.Visitor{Principal: "eve", Browser: "e"},
		page.Visitor{Principal: "ada", Browser: "b"}
	refused := func(what string, err, want error) {
		t.Helper()
		if !errors.Is(err, want) {
			t.Errorf("%s: %v", what, err)
		}
	}
	answer := func(v page.Visitor, key string) ([]elicit.Problem, error) {
		content := json.RawMessage(`{"key":"` + key + `"}`)
		return source.Answer(ctx, token, v, page.Answer{Action: elicit.Accept, Content: content})
	}
	_, err = source.Open(ctx, token, ada)
	refused("before the claim", err, page.ErrUsed)
	_, err = source.Claim(ctx, token, eve)
	refused("another person", err, page.ErrForbidden)
	_, err = source.Claim(ctx, token+"0", ada)
	refused("another link", err, page.ErrUnknown)
	q, err := source.Claim(ctx, token, ada)
	if err != nil || q.Message != "The key, please" || !q.Secret || q.Deadline == 0 || q.Server != "bot" {
		t.Errorf("%+v, %v", q, err)
	}
	_, err = source.Claim(ctx, token, other)
	refused("another browser", err, page.ErrUsed)
	_, err = answer(other, "12345")
	refused("an answer of another browser", err, page.ErrUsed)
	if problems, err := answer(ada, "1"); err != nil || len(problems) != 1 || problems[0].Code != "too_short" {
		t.Errorf("a short key: %v, %v", problems, err)
	}
	if problems, err := answer(ada, "s3cret"); err != nil || problems != nil {
		t.Errorf("the key: %v, %v", problems, err)
	}
	if key := <-got; key != "s3cret" {
		t.Errorf("the tool got %q", key)
	}
	if err := <-failed; err != nil {
		t.Error(err)
	}
	_, err = answer(ada, "again")
	refused("a second answer", err, page.ErrAnswered)
}
