package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// patience is the longest time for a whole session. A test reaches it only when something hangs.
const patience = 60 * time.Second

// visit is one session of one client: which client, what it declares, and what it calls.
type visit struct {
	client string // go, ts1 or ts2
	date   string // protocol the client asks for; empty is 2025-11-25
	elicit string // none, empty, form, url or both
	manual bool   // leaves input_required results to the caller
	rules  []rule // how its own person answers

	tool     string
	args     map[string]any
	calls    int
	together int
	timeout  time.Duration // of the first call; later calls have half of patience
	progress bool          // each progress notification restarts the timeout; only in the TypeScript clients

	server []string
}

// report is what the client saw, in the format of the TypeScript drivers.
type report struct {
	Version    string
	Server     string
	Outcomes   []outcome
	Asked      []asked
	Completed  []string
	Progress   []float64
	Complaints []string
	Connect    *failure

	stderr string
}

type asked struct{ Mode, Message, URL string }

type outcome struct {
	Result json.RawMessage
	Error  *failure
}

type failure struct {
	Code    json.RawMessage
	Message string
	Data    json.RawMessage
}

// text returns the tool's text.
func (o outcome) text() string {
	var r struct{ Content []struct{ Text string } }
	if o.Error != nil || json.Unmarshal(o.Result, &r) != nil {
		return ""
	}
	var all []string
	for _, c := range r.Content {
		all = append(all, c.Text)
	}
	return strings.Join(all, "\n")
}

// run runs the session, and fails the test when the session did not start.
func (v visit) run(t *testing.T, p parts) report {
	t.Helper()
	r := v.try(t, p)
	if r.Connect != nil {
		t.Fatalf("no session: %s %s\n%s", r.Connect.Code, r.Connect.Message, r.stderr)
	}
	return r
}

func (v visit) try(t *testing.T, p parts) report {
	t.Helper()
	v.calls, v.together = max(v.calls, 1), max(v.together, 1)
	if v.timeout == 0 {
		v.timeout = patience / 2
	}
	if v.elicit == "" {
		v.elicit = "none"
	}
	if v.client == "go" {
		return v.runGo(t)
	}
	p.needNode(t)
	return v.runNode(t, p)
}

func (v visit) runNode(t *testing.T, p parts) report {
	t.Helper()
	args, err := json.Marshal(v.args)
	if err != nil {
		t.Fatal(err)
	}
	if v.args == nil {
		args = []byte("{}")
	}
	line := []string{
		"--elicit", v.elicit, "--answers", answersFile(t, v.rules), "--tool", v.tool, "--args", string(args),
		"--calls", strconv.Itoa(v.calls), "--together", strconv.Itoa(v.together),
		"--timeout", strconv.FormatInt(v.timeout.Milliseconds(), 10),
	}
	if v.progress {
		line = append(line, "--progress")
	}
	if v.client == "ts2" {
		if v.date != "" {
			line = append(line, "--negotiate", v.date)
		}
		if v.manual {
			line = append(line, "--rounds", "off")
		}
	}
	client := p.clients[v.client]
	said, ok := client.session(t, append(append(line, "--"), v.server...))
	if !ok {
		t.Fatalf("%s gave no report\nstderr: %s", v.client, clip(client.errs.String()))
	}
	var r struct {
		report
		Stderr string
	}
	if err := json.Unmarshal(said, &r); err != nil {
		t.Fatalf("%s printed no report: %v\n%s", v.client, err, clip(string(said)))
	}
	r.stderr = r.Stderr
	return r.report
}

func (v visit) runGo(t *testing.T) report {
	t.Helper()
	r := report{}
	person := &script{rules: v.rules, tool: v.tool}
	options := &mcp.ClientOptions{
		Capabilities:   v.capabilities(),
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: v.manual},
		ElicitationCompleteHandler: func(_ context.Context, n *mcp.ElicitationCompleteNotificationRequest) {
			person.complete(n.Params.ElicitationID)
		},
	}
	if v.elicit != "none" {
		options.ElicitationHandler = person.answer
	}
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	cmd := exec.CommandContext(ctx, v.server[0], v.server[1:]...)
	var errs lockedBuffer
	cmd.Stderr = &errs
	date := v.date
	if date == "" {
		date = "2025-11-25"
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "go", Version: "1.0.0"}, options)
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: cmd, TerminateDuration: 3 * time.Second},
		&mcp.ClientSessionOptions{ProtocolVersion: date})
	if err != nil {
		return report{Connect: wentWrong(err), stderr: errs.String()}
	}
	r.Version, r.Server = session.InitializeResult().ProtocolVersion, session.InitializeResult().ServerInfo.Name
	for i := range v.calls {
		if i > 0 {
			v.timeout = patience / 2
		}
		batch := make([]outcome, v.together)
		var wait sync.WaitGroup
		for i := range batch {
			wait.Go(func() { batch[i] = v.callGo(ctx, session) })
		}
		wait.Wait()
		r.Outcomes = append(r.Outcomes, batch...)
	}
	if err := session.Close(); err != nil {
		t.Logf("closing: %v", err)
	}
	person.mu.Lock()
	defer person.mu.Unlock()
	r.Asked, r.Completed, r.stderr = person.asked, person.completed, errs.String()
	return r
}

func (v visit) callGo(ctx context.Context, session *mcp.ClientSession) outcome {
	ctx, stop := context.WithTimeout(ctx, v.timeout)
	defer stop()
	args := v.args
	if args == nil {
		args = map[string]any{}
	}
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: v.tool, Arguments: args})
	if err != nil {
		return outcome{Error: wentWrong(err)}
	}
	b, err := json.Marshal(result)
	if err != nil {
		return outcome{Error: wentWrong(err)}
	}
	return outcome{Result: b}
}

func (v visit) capabilities() *mcp.ClientCapabilities {
	form, url := &mcp.FormElicitationCapabilities{}, &mcp.URLElicitationCapabilities{}
	switch v.elicit {
	case "empty":
		return &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{}}
	case "form":
		return &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{Form: form}}
	case "url":
		return &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{URL: url}}
	case "both":
		return &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{Form: form, URL: url}}
	}
	return &mcp.ClientCapabilities{}
}

func wentWrong(err error) *failure {
	f := &failure{Message: err.Error()}
	var wire *jsonrpc.Error
	if errors.As(err, &wire) {
		f.Code, f.Data = json.RawMessage(strconv.FormatInt(wire.Code, 10)), wire.Data
	}
	return f
}

// lockedBuffer collects what a child and its own children write.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
