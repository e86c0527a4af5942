package gosdk_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/ask/gosdk"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store/memory"
)

// person answers every question in the same way, and counts how often somebody asked.
type person struct {
	mu    sync.Mutex
	asked []string
	visit func(url string) // URL mode
	say   func(n int, p *mcp.ElicitParams) *mcp.ElicitResult
	heard func(context.Context, *mcp.ProgressNotificationClientRequest)
}

func (p *person) answer(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	p.mu.Lock()
	p.asked = append(p.asked, req.Params.Message)
	n := len(p.asked)
	p.mu.Unlock()
	if req.Params.Mode == "url" {
		p.visit(req.Params.URL)
		return &mcp.ElicitResult{Action: "accept"}, nil
	}
	if p.say != nil {
		return p.say(n, req.Params), nil
	}
	content := map[string]any{}
	schema := req.Params.RequestedSchema.(map[string]any)
	for name := range schema["properties"].(map[string]any) {
		content[name] = map[string]any{"region": "eu", "count": 3, "choice": "b", "key": "s3cret",
			"answer": "yes"}[name]
	}
	return &mcp.ElicitResult{Action: "accept", Content: content}, nil
}

type deploy struct {
	Region string `json:"region" title:"Region" enum:"eu:Europe,us:America"`
	Count  int    `json:"count" min:"1" max:"20" default:"2"`
}

type secret struct {
	Key string `json:"key" min:"3"`
}

// tools has a tool for each way of asking.
func tools(server *mcp.Server) {
	add := func(name string, handler func(ctx context.Context) (string, error)) {
		mcp.AddTool(server, &mcp.Tool{Name: name}, func(ctx context.Context, _ *mcp.CallToolRequest, _ struct{}) (
			*mcp.CallToolResult, any, error,
		) {
			text, err := handler(ctx)
			if err != nil {
				return nil, nil, err
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
		})
	}
	add("wizard", func(ctx context.Context) (string, error) {
		where, err := ask.Form[deploy](ctx, "Where?")
		if err != nil {
			return "", err
		}
		which, err := ask.Choose(ctx, "Which?", []ask.Choice{{Value: "a"}, {Value: "b", Title: "B"}})
		if err != nil {
			return "", err
		}
		if err := ask.Confirm(ctx, "Sure?"); err != nil {
			return "", err
		}
		return fmt.Sprintf("%s %d %s", where.Region, where.Count, which), nil
	})
	server.AddPrompt(&mcp.Prompt{Name: "plan"}, func(ctx context.Context, _ *mcp.GetPromptRequest) (
		*mcp.GetPromptResult, error,
	) {
		where, err := ask.Form[deploy](ctx, "Where?")
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{
			{Role: "user", Content: &mcp.TextContent{Text: "Plan for " + where.Region}}}}, err
	})
	server.AddPrompt(&mcp.Prompt{Name: "broken"}, func(context.Context, *mcp.GetPromptRequest) (
		*mcp.GetPromptResult, error,
	) {
		return nil, errors.New("no draft")
	})
	server.AddResource(&mcp.Resource{Name: "log", URI: "bot://log"}, func(
		ctx context.Context, _ *mcp.ReadResourceRequest,
	) (*mcp.ReadResourceResult, error) {
		if err := ask.Confirm(ctx, "May the client read the log?"); err != nil {
			return nil, err
		}
		days, err := ask.Form[deploy](ctx, "Of which region?")
		if err != nil {
			return nil, err
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "bot://log",
			Text: "Log of " + days.Region}}}, nil
	})
	add("key", func(ctx context.Context) (string, error) {
		k, err := ask.Secret[secret](ctx, "Your key?")
		return fmt.Sprintf("%d characters", len(k.Key)), err
	})
}

// connect makes a server and a client of one protocol date and declaration.
func connect(t *testing.T, o ask.Options, version string, modes *mcp.ElicitationCapabilities, p *person) (
	*mcp.ClientSession, *ask.Asker,
) {
	t.Helper()
	o.Server = "bot"
	asker, err := ask.New(o)
	must.OK(t, err)
	server := mcp.NewServer(&mcp.Implementation{Name: "bot"}, nil)
	gosdk.Install(server, asker)
	tools(server)
	options := &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{Elicitation: modes}}
	if modes != nil {
		options.ElicitationHandler, options.ProgressNotificationHandler = p.answer, p.heard
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test"}, options)
	here, there := mcp.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	session, err := client.Connect(t.Context(), here, &mcp.ClientSessionOptions{ProtocolVersion: version})
	must.OK(t, err)
	t.Cleanup(func() { session.Close() })
	return session, asker
}

func call(t *testing.T, s *mcp.ClientSession, tool string, arguments any) string {
	t.Helper()
	result, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	must.OK(t, err)
	return result.Content[0].(*mcp.TextContent).Text
}

// each runs a test for protocol dates, with sessions in the process and in a store.
func each(t *testing.T, dates []string, test func(t *testing.T, date string, o ask.Options)) {
	for _, date := range dates {
		t.Run(date, func(t *testing.T) { test(t, date, ask.Options{}) })
		t.Run(date+" store", func(t *testing.T) { test(t, date, ask.Options{Store: memory.New()}) })
	}
}

var dates = []string{"2025-06-18", "2025-11-25", "2026-07-28"}

func TestForms(t *testing.T) {
	each(t, dates, func(t *testing.T, date string, o ask.Options) {
		{
			p := &person{}
			s, _ := connect(t, o, date, &mcp.ElicitationCapabilities{}, p)
			if got := call(t, s, "wizard", nil); got != "eu 3 b" {
				t.Errorf("the tool says %q", got)
			}
			if got := strings.Join(p.asked, " "); got != "Where? Which? Sure?" {
				t.Errorf("the person was asked %q", got)
			}
			if got := call(t, s, "key", nil); !strings.Contains(got, "page") {
				t.Errorf("a secret without a page: %q", got)
			}
		}
	})
}

func TestDeclined(t *testing.T) {
	each(t, dates, func(t *testing.T, date string, o ask.Options) {
		{
			p := &person{say: func(n int, q *mcp.ElicitParams) *mcp.ElicitResult {
				if n == 1 {
					return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"region": "us", "count": 2}}
				}
				return &mcp.ElicitResult{Action: "decline"}
			}}
			s, _ := connect(t, o, date, &mcp.ElicitationCapabilities{}, p)
			if got := call(t, s, "wizard", nil); got != "the person declined" {
				t.Errorf("the tool says %q", got)
			}
			if got := strings.Join(p.asked, " "); got != "Where? Which?" {
				t.Errorf("the person was asked %q", got)
			}
		}
	})
}

// TestPage lets a person type a secret on the server's own page. Package ask/page draws it; here a function answers.
func TestPage(t *testing.T) {
	each(t, dates[1:], func(t *testing.T, date string, o ask.Options) {
		{
			p := &person{}
			o.Page = "https://bot.example/ask/"
			s, asker := connect(t, o, date,
				&mcp.ElicitationCapabilities{URL: &mcp.URLElicitationCapabilities{}}, p)
			p.visit = func(url string) {
				link := strings.TrimPrefix(url, "https://bot.example/ask/")
				if _, err := asker.Page(t.Context(), link); err != nil {
					t.Errorf("no page at %s", url)
				}
				go func() {
					answer := func(key string) ([]elicit.Problem, error) {
						return asker.AnswerPage(t.Context(), link, "", elicit.Accept, []byte(`{"key":"`+key+`"}`), nil)
					}
					problems, err := answer("x")
					if err != nil || len(problems) != 1 {
						t.Errorf("a short key: %v, %v", problems, err)
					}
					if problems, err = answer("s3cret"); err != nil {
						t.Errorf("the right key: %v, %v", problems, err)
					}
					if _, err = answer("again"); err == nil {
						t.Error("a second answer counts")
					}
				}()
			}
			if got := call(t, s, "key", nil); got != "6 characters" {
				t.Errorf("the tool says %q", got)
			}
			if len(p.asked) != 1 {
				t.Errorf("the person was asked %q", p.asked)
			}
		}
	})
}

// TestModel plays a model that reads what a tool says and does it.
func TestModel(t *testing.T) {
	each(t, dates, func(t *testing.T, date string, o ask.Options) {
		{
			want := "eu 3 b" // again
			if date == "2026-07-28" {
				want = "the result is unknown" // its calls have no session, and here no principal
			}
			s, _ := connect(t, o, date, nil, nil)
			list, err := s.ListTools(t.Context(), nil)
			if err != nil || len(list.Tools) != 3 {
				t.Fatalf("%v, %v", list, err)
			}
			got := call(t, s, "wizard", nil)
			contents := []string{`{"region":"eu","count":"many"}`, `{"region":"eu","count":3}`, `{"choice":"b"}`, `{}`}
			for i, content := range contents {
				if i == 1 && !strings.Contains(got, "count") {
					t.Fatalf("a wrong answer: %q", got)
				}
				if i != 1 {
					last = regexp.MustCompile(`"id":"([0-9a-f.]+)"`).FindStringSubmatch(got)[1]
				}
				got = call(t, s, "elicitation_result", map[string]any{"id": last, "action": "accept",
					"content": json.RawMessage(content)})
			}
			if got != "eu 3 b" {
				t.Errorf("the tool says %q", got)
			}
			same := map[string]any{"id": last, "action": "accept", "content": json.RawMessage(`{}`)}
			if got = call(t, s, "elicitation_result", same); !strings.Contains(got, want) {
				t.Errorf("the same answer again: %q, want %q", got, want)
			}
			bare := map[string]any{"id": last, "action": "accept"} // a model may leave out what is empty
			if got = call(t, s, "elicitation_result", bare); !strings.Contains(got, want) {
				t.Errorf("the same answer without its content: %q, want %q", got, want)
			}
			got = call(t, s, "elicitation_result", map[string]any{"id": last, "action": "decline"})
			if strings.Contains(got, "eu") {
				t.Errorf("another answer: %q", got)
			}
		}
	})
}

var last string

// TestListed shows the fallback tool to clients that need it only: a text tells a client without URLs of pages to
// visit, and of those for secrets.
func TestListed(t *testing.T) {
	form, both := &mcp.ElicitationCapabilities{}, &mcp.ElicitationCapabilities{
		Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{}}
	for _, c := range []struct {
		date, page string
		modes      *mcp.ElicitationCapabilities
		listed     bool
	}{
		{"2025-11-25", "", nil, true},
		{"2025-11-25", "", form, true},
		{"2025-11-25", "", both, false},
		{"2025-11-25", "https://bot.example/ask/", form, true},
		{"2025-11-25", "https://bot.example/ask/", both, false},
		{"2025-06-18", "https://bot.example/ask/", both, true}, // this date has no URLs
		{"2026-07-28", "https://bot.example/ask/", both, false},
		{"2026-07-28", "", &mcp.ElicitationCapabilities{URL: both.URL}, true},
	} {
		s, _ := connect(t, ask.Options{Page: c.page}, c.date, c.modes, &person{})
		list, err := s.ListTools(t.Context(), nil)
		if err != nil || (len(list.Tools) == 3) != c.listed {
			t.Errorf("%+v: %v, %v", c, list.Tools, err)
		}
	}
}

// TestNullArguments takes null as a call without arguments. The SDK's own client writes it for a nil map.
func TestNullArguments(t *testing.T) {
	each(t, dates, func(t *testing.T, date string, o ask.Options) {
		s, _ := connect(t, o, date, &mcp.ElicitationCapabilities{}, &person{})
		if got := call(t, s, "wizard", map[string]any(nil)); got != "eu 3 b" {
			t.Errorf("the tool says %q", got)
		}
	})
}

// TestForgedState refuses a state of another call, and one that nobody sealed.
func TestForgedState(t *testing.T) {
	s, _ := connect(t, ask.Options{}, "2026-07-28", &mcp.ElicitationCapabilities{}, &person{})
	for _, state := range []string{"x", "e1.AAAA", strings.Repeat("e1.", 30000)} {
		_, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "wizard", RequestState: state})
		wire := &jsonrpc.Error{}
		if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams ||
			wire.Message != "invalid or expired requestState" || string(wire.Data) != `{"reason":"invalid_request_state"}` {
			t.Errorf("%.20q: %v", state, err)
		}
	}
}

// TestCancelled ends the question when the client cancels its call: the client's form goes away.
func TestCancelled(t *testing.T) {
	for _, date := range dates[:2] {
		t.Run(date, func(t *testing.T) {
			open, gone := make(chan struct{}), make(chan struct{})
			asker, err := ask.New(ask.Options{Server: "bot"})
			must.OK(t, err)
			server := mcp.NewServer(&mcp.Implementation{Name: "bot"}, nil)
			gosdk.Install(server, asker)
			ended := make(chan error, 1)
			mcp.AddTool(server, &mcp.Tool{Name: "wait"}, func(ctx context.Context, _ *mcp.CallToolRequest, _ struct{}) (
				*mcp.CallToolResult, any, error,
			) {
				err := ask.Confirm(ctx, "Wait?")
				ended <- err
				return nil, nil, err
			})
			client := mcp.NewClient(&mcp.Implementation{Name: "test"}, &mcp.ClientOptions{
				ElicitationHandler: func(ctx context.Context, _ *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					close(open)
					<-ctx.Done()
					close(gone)
					return nil, ctx.Err()
				}})
			here, there := mcp.NewInMemoryTransports()
			if _, err := server.Connect(t.Context(), there, nil); err != nil {
				t.Fatal(err)
			}
			s, err := client.Connect(t.Context(), here, &mcp.ClientSessionOptions{ProtocolVersion: date})
			must.OK(t, err)
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-open
				cancel()
			}()
			if _, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "wait"}); err == nil {
				t.Error("a cancelled call has a result")
			}
			if err := <-ended; !errors.Is(err, context.Canceled) && !errors.Is(err, ask.ErrCancelled) {
				t.Errorf("the handler got %v", err)
			}
			<-gone
		})
	}
}
