// Package exampletest runs an example as a program, with every kind of client, and plays the person and the model.
package exampletest

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Dates are the protocol dates that every example is tested with.
var Dates = []string{"2025-06-18", "2025-11-25", "2026-07-28"}

// kinds are the kinds of clients.
var kinds = []struct {
	name  string
	modes *mcp.ElicitationCapabilities
}{
	{"no elicitation", nil},
	{"forms", &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}}},
	{"forms and URLs", &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{},
		URL: &mcp.URLElicitationCapabilities{}}},
}

// Person answers what an example asks.
type Person struct {
	Say   func(message string) (action string, content map[string]any) // to a form or a question of the model
	Visit func(t *testing.T, url string)                               // opens a URL and finishes what is there
}

// Session is a client of a running example, with the person behind it.
type Session struct {
	client client
	t      *testing.T
	person Person

	mu    sync.Mutex
	asked []string
	visit sync.WaitGroup
}

// client is a client on some SDK.
type client interface {
	call(ctx context.Context, tool string, arguments map[string]any) (text string, failed bool, err error)
	tools(ctx context.Context) ([]string, error)
}

// goClient is a client on the official Go SDK.
type goClient struct{ *mcp.ClientSession }

func (c goClient) call(ctx context.Context, tool string, arguments map[string]any) (string, bool, error) {
	result, err := c.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return "", false, err
	}
	return result.Content[0].(*mcp.TextContent).Text, result.IsError, nil
}

func (c goClient) tools(ctx context.Context) (names []string, err error) {
	for tool, err := range c.Tools(ctx, nil) {
		if err != nil {
			return nil, err
		}
		names = append(names, tool.Name)
	}
	return names, nil
}

// build builds the example and returns its program.
func build(t *testing.T) string {
	program := filepath.Join(t.TempDir(), "example")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// Each runs a test with every kind of client, date and transport on the Go SDK, and with clients on the other official
// SDKs, which testdata/realparts has.
func Each(t *testing.T, p Person, test func(t *testing.T, s *Session)) {
	program := build(t)
	for _, kind := range kinds {
		for _, date := range Dates {
			for _, transport := range []string{"stdio", "http"} {
				t.Run(kind.name+" "+date+" "+transport, func(t *testing.T) {
					test(t, start(t, program, transport, date, kind.modes, p))
				})
			}
		}
	}
	eachPlayer(t, program, p, test)
}

func start(t *testing.T, program, transport, date string, modes *mcp.ElicitationCapabilities, p Person) *Session {
	s := &Session{t: t, person: p}
	options := &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{Elicitation: modes}}
	if modes != nil {
		options.ElicitationHandler = s.answer
	}
	var to mcp.Transport = &mcp.CommandTransport{Command: exec.Command(program)}
	if transport == "http" {
		to = &mcp.StreamableClientTransport{Endpoint: serve(t, program)}
	}
	connected, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, options).Connect(t.Context(), to,
		&mcp.ClientSessionOptions{ProtocolVersion: date})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.visit.Wait()
		connected.Close()
	})
	s.client = goClient{connected}
	if got := connected.InitializeResult().ProtocolVersion; got != date {
		t.Errorf("the session speaks %s", got)
	}
	return s
}

// serve starts a server over HTTP and returns its endpoint.
func serve(t *testing.T, program string) string {
	command := exec.Command(program, "--http", "127.0.0.1:0")
	says, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		command.Process.Signal(os.Interrupt)
		if err := command.Wait(); err != nil {
			t.Errorf("the server: %v", err)
		}
	})
	line, err := bufio.NewReader(says).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, endpoint, _ := strings.Cut(strings.TrimSpace(line), "serving ")
	return endpoint
}

func (s *Session) answer(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	action, content := s.asks(req.Params.Mode, req.Params.Message, req.Params.URL)
	if req.Params.Mode != "url" && action == "accept" && len(content) == 0 {
		content = map[string]any{"answer": "yes"} // to a confirmation
	}
	return &mcp.ElicitResult{Action: action, Content: content}, nil
}

// asks is the client's part: it shows a form, or opens a URL while the client goes on.
func (s *Session) asks(mode, message, url string) (action string, content map[string]any) {
	s.saw(message)
	if mode == "url" {
		s.visit.Go(func() { s.person.Visit(s.t, url) })
		return "accept", nil
	}
	return s.person.Say(message)
}

func (s *Session) saw(message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, message)
}

var (
	question = regexp.MustCompile(`(?s)Question: (.*?)\n\n` +
		`(?:Ask the person to (?:open this page|send this page to \S+, who alone can answer): (\S+))?`)
	name = regexp.MustCompile(`"id":"([^"]+)"`)
)

// Call calls a tool and plays the model: when the result says that the person must be asked, it does so and passes the
// answer on. It returns the last text, and whether that is an error.
func (s *Session) Call(tool string, arguments map[string]any) (text string, failed bool) {
	s.t.Helper()
	ctx, stop := context.WithTimeout(s.t.Context(), patience)
	defer stop()
	listed := s.listed()
	for range 100 {
		if !slices.Contains(listed, tool) {
			s.t.Fatalf("the model is told to call %s, which is not listed: %v", tool, listed)
		}
		var err error
		if text, failed, err = s.client.call(ctx, tool, arguments); err != nil {
			s.t.Fatal(err)
		}
		asks := question.FindStringSubmatch(text)
		if asks == nil && strings.Contains(text, stillOpen) {
			continue // the page tells the server at the same time as the person tells the model
		}
		if asks == nil {
			return text, failed
		}
		s.saw(asks[1])
		action, content := "accept", map[string]any(nil)
		switch {
		case asks[2] == "":
			action, content = s.person.Say(asks[1])
		case s.person.Visit != nil:
			s.person.Visit(s.t, asks[2])
		default: // the person gives on the page the answer that a client's form would get
			said, typed := s.person.Say(asks[1])
			NewBrowser(s.t).Answer(asks[2], map[string]any{"action": said, "content": typed})
		}
		id := name.FindStringSubmatch(text)
		if id == nil {
			s.t.Fatalf("no id: %s", text)
		}
		tool, arguments = "elicitation_result", map[string]any{"id": id[1], "action": action}
		if content != nil {
			arguments["content"] = content
		}
	}
	s.t.Fatalf("no end: %s", text)
	return "", false
}

// patience is after how long a call counts as hanging.
const patience = time.Minute

const stillOpen = "page"

func (s *Session) listed() []string {
	s.t.Helper()
	names, err := s.client.tools(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	return names
}

// Asked checks which questions the person has seen, each once and in this order, by a part of each.
func (s *Session) Asked(want ...string) {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	got := make([]string, len(s.asked))
	for i, message := range s.asked {
		if got[i] = message; i < len(want) && strings.Contains(message, want[i]) {
			got[i] = want[i]
		}
	}
	if !slices.Equal(got, want) {
		s.t.Errorf("the person was asked %s, want %s", encoded(got), encoded(want))
	}
	s.asked = nil
}

func encoded(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

// Person lets the person say something else from now on.
func (s *Session) Person(say func(message string) (action string, content map[string]any)) {
	s.person.Say = say
}
