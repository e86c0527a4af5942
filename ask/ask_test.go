package ask_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/schema"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/memory"
)

// client answers each request with a function.
type client func(ctx context.Context, params json.RawMessage) (json.RawMessage, error)

func (c client) Request(ctx context.Context, _ string, params json.RawMessage) (json.RawMessage, error) {
	return c(ctx, params)
}

func (client) Notify(context.Context, string, json.RawMessage) error { return nil }

func says(answer string) client {
	return func(context.Context, json.RawMessage) (json.RawMessage, error) { return json.RawMessage(answer), nil }
}

// run runs a handler that asks, for a client of 2025-11-25 with forms.
func run(t *testing.T, o ask.Options, c ask.Conn, handler func(ctx context.Context) error) error {
	t.Helper()
	o.Server = "bot"
	asker, err := ask.New(o)
	must.OK(t, err)
	defer asker.Close()
	_, err = asker.Do(t.Context(), ask.Call{Target: "tool", Client: ask.Client{Session: "1", Version: "2025-11-25",
		Declared: elicit.Modes{Form: true}, Conn: c}}, handler)
	return err
}

func confirm(ctx context.Context) error { return ask.Confirm(ctx, "Go on?") }

func TestErrors(t *testing.T) {
	wait := client(func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	fails := client(func(context.Context, json.RawMessage) (json.RawMessage, error) {
		return nil, &ask.ClientError{Code: -32601, Message: "no such method"}
	})
	bad := func(ctx context.Context) error {
		_, err := ask.Raw(ctx, ask.Question{Mode: elicit.Form, Message: "?", Schema: json.RawMessage(
			`{"type":"object","properties":{"a":{"type":"object"}}}`)})
		return err
	}
	never := ask.Options{Config: json.RawMessage(`{"policy":{"user":{"version":1,
		"rules":[{"name":"no","when":{},"then":"decline"}]}}}`)}
	for name, one := range map[string]struct {
		options ask.Options
		client  ask.Conn
		handler func(ctx context.Context) error
		want    error
		text    string
	}{
		"accepted":    {client: says(`{"action":"accept","content":{}}`)},
		"declined":    {client: says(`{"action":"decline"}`), want: ask.ErrDeclined, text: "the person declined"},
		"cancelled":   {client: says(`{"action":"cancel"}`), want: ask.ErrCancelled},
		"unknown":     {client: says(`{"action":"yes"}`), want: ask.ErrAttempts, text: "action"},
		"error":       {client: fails, want: ask.ErrClient, text: "client"},
		"unfit":       {client: fails, handler: bad, want: ask.ErrInvalid, text: "/requestedSchema/properties/a"},
		"policy":      {client: fails, options: never, want: ask.ErrPolicy},
		"secret":      {client: fails, handler: secret, want: ask.ErrUnsupported},
		"out of time": {client: wait, options: ask.Options{TTL: time.Millisecond}, want: ask.ErrTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			if one.handler == nil {
				one.handler = confirm
			}
			err := run(t, one.options, one.client, one.handler)
			if !errors.Is(err, one.want) || err != nil && !strings.Contains(err.Error(), one.text) {
				t.Errorf("%v", err)
			}
		})
	}
	if err := confirm(t.Context()); !errors.Is(err, ask.ErrNoCall) {
		t.Errorf("without a call: %v", err)
	}
	if c, ok := ask.Caller(t.Context()); ok {
		t.Errorf("without a call: %+v", c)
	}
}

func secret(ctx context.Context) error {
	_, err := ask.Secret[struct{ Key string }](ctx, "Key?")
	return err
}

// TestTimeout lets a week pass in a moment: a question ends at its own time, and its client is told.
func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun, told := time.Now(), time.Time{}
		c := client(func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
			<-ctx.Done()
			told = time.Now()
			return nil, ctx.Err()
		})
		err := run(t, ask.Options{}, c, func(ctx context.Context) error {
			return ask.Confirm(ctx, "Go on?", ask.TTL(7*24*time.Hour))
		})
		synctest.Wait()
		if !errors.Is(err, ask.ErrTimeout) || time.Since(begun) != 7*24*time.Hour || told.IsZero() {
			t.Errorf("%v after %v, client told: %v", err, time.Since(begun), told)
		}
	})
}

// TestHooks changes questions and answers on their way, in order, and checks what a hook made of an answer.
func TestHooks(t *testing.T) {
	var order []string
	named := func(name string, content string) ask.Hook {
		return func(next ask.Next) ask.Next {
			return func(ctx context.Context, q ask.Question) (ask.Answer, error) {
				order = append(order, name)
				if c, ok := ask.Caller(ctx); !ok || !c.Declared.Form || c.Declared.URL || c.Version != "2025-11-25" {
					t.Errorf("hook %s sees caller %+v", name, c)
				}
				q.Message += " " + name
				a, err := next(ctx, q)
				order = append(order, name+" back")
				if content != "" {
					a.Content = json.RawMessage(content)
				}
				return a, err
			}
		}
	}
	var asked string
	c := client(func(_ context.Context, params json.RawMessage) (json.RawMessage, error) {
		asked = string(params)
		return json.RawMessage(`{"action":"accept","content":{"n":1}}`), nil
	})
	type number struct {
		N int `json:"n" max:"5"`
	}
	handler := func(ctx context.Context) error {
		got, err := ask.Form[number](ctx, "How many?")
		if err == nil && got.N != 2 {
			err = fmt.Errorf("got %d", got.N)
		}
		return err
	}
	if err := run(t, ask.Options{Hooks: []ask.Hook{named("a", `{"n":2}`), named("b", "")}}, c, handler); err != nil {
		t.Error(err)
	}
	if got := strings.Join(order, ", "); got != "a, b, b back, a back" || !strings.Contains(asked, "How many? a b") {
		t.Errorf("%s: %s", got, asked)
	}
	err := run(t, ask.Options{Hooks: []ask.Hook{named("a", `{"n":9}`)}}, c, handler)
	if !errors.Is(err, ask.ErrAttempts) || !strings.Contains(err.Error(), "/n") {
		t.Errorf("a hook's answer that does not fit: %v", err)
	}
	veto := errors.New("not now")
	err = run(t, ask.Options{Hooks: []ask.Hook{func(ask.Next) ask.Next {
		return func(context.Context, ask.Question) (ask.Answer, error) { return ask.Answer{}, veto }
	}}}, c, handler)
	if !errors.Is(err, veto) {
		t.Errorf("a veto: %v", err)
	}
}

// TestJournal fails every ask once a record cannot be kept.
func TestJournal(t *testing.T) {
	full := errors.New("disk full")
	records := 0
	o := ask.Options{Journal: func(string, []byte) error {
		if records++; records > 4 {
			return full
		}
		return nil
	}}
	err := run(t, o, says(`{"action":"accept"}`), func(ctx context.Context) error {
		for range 10 {
			if err := confirm(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	if !errors.Is(err, full) || !errors.Is(err, ask.ErrJournal) {
		t.Errorf("%v", err)
	}
}

// TestHistory finds settled questions in the store, without their answers.
func TestHistory(t *testing.T) {
	s := memory.New()
	accepts := says(`{"action":"accept","content":{"Name":"Ada"}}`)
	err := run(t, ask.Options{Store: s}, accepts, func(ctx context.Context) error {
		_, err := ask.Form[struct{ Name string }](ctx, "Your name?")
		return err
	})
	must.OK(t, err)
	n := 0
	for entry, err := range s.History(t.Context(), store.Query{Server: "bot", Tool: "tool", Text: "your NAME"}) {
		n++
		if err != nil || entry.Outcome != "accept" || strings.Contains(string(entry.Body), "Ada") {
			t.Errorf("%+v, %v", entry, err)
		}
	}
	if n != 1 {
		t.Errorf("%d entries", n)
	}
}

type everything struct {
	Name    string   `json:"name" title:"Name" description:"Yours" min:"1" max:"9" default:"x"`
	Mail    *string  `json:"mail" format:"email"`
	Count   uint8    `json:"count" min:"0" max:"9"`
	Ratio   float64  `json:"ratio,omitempty" default:"0.5"`
	Sure    bool     `json:"sure" default:"true"`
	Color   string   `json:"color" enum:"r:Red,g"`
	Days    []string `json:"days" enum:"mo,tu" min:"1" default:"mo"`
	Ignored string   `json:"-"`
	hidden  string
}

func TestSchema(t *testing.T) {
	doc, err := ask.Schema[everything]()
	must.OK(t, err)
	form, problems := schema.Compile(doc, schema.Options{Profile: schema.Strict20251125})
	if problems != nil || len(form.Fields) != 7 {
		t.Fatalf("%s: %v", doc, problems)
	}
	if !strings.Contains(string(doc), `"required":["name","count","sure","color","days"]`) {
		t.Errorf("%s", doc)
	}
	for name, derive := range map[string]func() (json.RawMessage, error){
		"no struct":   ask.Schema[int],
		"nested":      ask.Schema[struct{ A struct{} }],
		"list of any": ask.Schema[struct{ A []string }],
		"bool bound": ask.Schema[struct {
			A bool `min:"1"`
		}],
		"number format": ask.Schema[struct {
			A int `format:"email"`
		}],
		"bad default": ask.Schema[struct {
			A int `default:"x"`
		}],
		"bad bound": ask.Schema[struct {
			A int `max:"x"`
		}],
	} {
		if doc, err := derive(); err == nil {
			t.Errorf("%s: %s", name, doc)
		}
	}
	_ = everything{}.hidden
}
