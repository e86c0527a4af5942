package main_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/notetest"
	"github.com/elicit-engine/elicit/internal/must"
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
	must.OK(t, err)
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
	var errs notetest.Notes
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

// nodeClients are the TypeScript clients of a test, which end with it. One process has all sessions of a client, side
// by side, because Node and an SDK take longer to start than a session takes.
func nodeClients(t *testing.T, drivers string) map[string]*nodeClient {
	t.Helper()
	clients := map[string]*nodeClient{}
	for name, driver := range map[string]string{"ts1": "client1.mjs", "ts2": "client2.mjs"} {
		c := &nodeClient{driver: filepath.Join(drivers, driver), ended: make(chan struct{})}
		clients[name] = c
		t.Cleanup(c.end)
	}
	return clients
}

// nodeClient is a process of a driver with --sessions, which the first session starts.
type nodeClient struct {
	driver string
	ended  chan struct{}
	errs   notetest.Notes // of the driver itself

	start   sync.Once
	mu      sync.Mutex
	in      io.WriteCloser
	waiting map[string]chan []byte // reports by the ids of their sessions; nil when the process has ended
	asked   int
}

// session runs one session with a command line of the driver, and returns its report; false when none came.
func (c *nodeClient) session(t *testing.T, argv []string) ([]byte, bool) {
	t.Helper()
	c.start.Do(func() { c.run(t) })
	came := make(chan []byte, 1)
	c.mu.Lock()
	c.asked++
	id := strconv.Itoa(c.asked)
	line, err := json.Marshal(map[string]any{"id": id, "argv": argv})
	alive := c.waiting != nil
	if err == nil && alive {
		c.waiting[id] = came
		_, err = c.in.Write(append(line, '\n'))
	}
	c.mu.Unlock()
	if err != nil || !alive {
		return nil, false
	}
	select {
	case report, ok := <-came:
		return report, ok
	case <-time.After(patience):
		return nil, false
	}
}

func (c *nodeClient) run(t *testing.T) {
	t.Helper()
	cmd := exec.Command("node", c.driver, "--sessions")
	cmd.Stderr = &c.errs
	in, out := must.Start(t, cmd)
	c.in, c.waiting = in, map[string]chan []byte{}
	go c.read(cmd, out)
}

// read gives reports to those who wait for them. At the end of the process nobody waits any more.
func (c *nodeClient) read(cmd *exec.Cmd, out io.Reader) {
	for lines := bufio.NewReaderSize(out, 1<<20); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		var report struct{ ID string }
		_ = json.Unmarshal(line, &report) // a line without an id is nobody's
		c.mu.Lock()
		if came := c.waiting[report.ID]; came != nil {
			came <- line
			delete(c.waiting, report.ID)
		}
		c.mu.Unlock()
	}
	c.mu.Lock()
	for _, came := range c.waiting {
		close(came)
	}
	c.waiting = nil
	c.mu.Unlock()
	_ = cmd.Wait()
	close(c.ended)
}

// end ends the process, if one has started. All sessions are over.
func (c *nodeClient) end() {
	if c.in != nil {
		_ = c.in.Close()
		<-c.ended
	}
}

// pythonsdk lists the sessions with the Python SDK. The tool `ask` lets the SDK write the schema, and `raw` sends any
// schema. `book` asks in two rounds, or directly in older sessions.
func (p parts) pythonsdk() []foreign {
	missing := p.stamped("Python", "venv")
	command := p.pythonServer()
	return []foreign{
		{name: "2025-06-18", missing: missing, command: command, date: june, calls: pythonOld},
		{name: "2025-11-25", missing: missing, command: command, date: november, calls: pythonForms},
		{name: "2026-07-28", missing: missing, command: command, date: july, calls: pythonRounds},
	}
}

func (p parts) pythonServer() []string {
	return []string{filepath.Join(p.drivers, "venv/bin/python"), filepath.Join(p.drivers, "pythonsdk/server.py")}
}

// raw asks with a schema of the test.
func raw(name string, schema string, a answer) call {
	args := map[string]any{"message": name, "schema": json.RawMessage(schema)}
	return call{name: name, tool: "raw", args: args, rules: byMessage(name, a)}
}

func (c call) wants(text string) call           { c.want = text; return c }
func (c call) refusal(pieces ...string) call    { c.refused = pieces; return c }
func (c call) failure(pieces ...string) call    { c.failed = pieces; return c }
func (c call) words(pieces ...string) call      { c.says = pieces; return c }
func (c call) misfitAt(pointers ...string) call { c.misfit = pointers; return c }

// page is a call that asks to open one page; the result is the same for all these servers.
func page(name, tool, message string, a answer) call {
	return call{name: name, tool: tool, args: map[string]any{"id": name, "message": message}, rules: byMessage(message, a)}
}

// book is a call with two questions, of which the second depends on the first answer, or with only the first.
func book(name string, first answer, second ...answer) call {
	rules := byMessage("Where shall "+name+" stay?", first)
	for _, a := range second {
		rules = append(rules, byMessage("How long in *", a)...)
	}
	return call{name: name, tool: "book", args: map[string]any{"guest": name}, rules: rules}
}

func city(name string) answer { return accept(map[string]any{"city": name}) }
func nights(n any) answer     { return accept(map[string]any{"nights": n}) }

var table = map[string]any{"name": "Ada", "day": "2026-02-28", "guests": 8, "tip": 2.5, "window": true,
	"email": "ada@example.com", "note": "", "course": "meat"}

var pythonForms = []call{
	form("table", "ask", "table", accept(table),
		`{"action":"accept","data":{"name":"Ada","guests":8,"tip":2.5,"window":true,
		"day":"2026-02-28","email":"ada@example.com","note":"","course":"meat"}}`),
	form("table-defaults", "ask", "table", accept(map[string]any{"name": "A", "day": "2024-02-29"}),
		`{"action":"accept","data":{"name":"A","guests":2,"tip":0.0,"window":false,`+
			`"day":"2024-02-29","email":null,"note":null,"course":"fish"}}`),
	wrong("table-wrong", "ask", "table",
		map[string]any{"name": "", "guests": 0, "tip": "1", "window": "yes",
			"day": "2026-02-29", "email": "@", "course": "Fish"},
		"/name", "/guests", "/tip", "/window", "/day", "/email", "/course"),
	form("decline", "ask", "table", decline, `{"action":"decline"}`),
	form("cancel", "ask", "table", dismiss, `{"action":"cancel"}`),
	form("pattern", "ask", "pattern", accept(map[string]any{"code": "a_1"}),
		`{"action":"accept","data":{"code":"a_1","step":null}}`),
	wrong("pattern-wrong", "ask", "pattern", map[string]any{"code": "a-1", "step": 7}, "/code", "/step"),
	// In Python \w matches letters of every alphabet, and in JSON Schema only ASCII letters.
	wrong("pattern-letters", "ask", "pattern", map[string]any{"code": "äöü"}, "/code"),
	form("several", "ask", "several", accept(nil), `{"action":"accept","data":{"tags":["a"]}}`),
	form("several-none", "ask", "several", accept(map[string]any{"tags": []string{}}),
		`{"action":"accept","data":{"tags":[]}}`),
	form("nothing", "ask", "nothing", accept(nil), `{"action":"accept","data":{}}`),
	unsent("enum", "ask", "sizes", "'size'", "$ref"),
	form("numbers", "ask", "numbers", accept(map[string]any{"stars": 3}), `{"action":"accept","data":{"stars":3}}`),
	wrong("numbers-wrong", "ask", "numbers", map[string]any{"stars": 4}, "/stars"),
	unsent("nested", "ask", "nested", "'inner'"),

	raw("raw-root", `{"type":"array","items":{"type":"string"}}`, accept(nil)).refusal(`"root_not_object"`),
	raw("raw-nested", `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"string"}}}}}`,
		accept(nil)).
		refusal(`"nested_object"`, `/requestedSchema/properties/a"`),
	raw("raw-nothing-said", `{}`, accept(nil)).refusal(`"missing_keyword"`),
	raw("raw-default", `{"type":"object","properties":{"n":{"type":"integer","default":0}},"required":["n"]}`,
		accept(nil)).
		wants(`{"action":"accept","content":{"n":0}}`),

	page("visit", "visit", "Sign in at the bank.", accept(nil)).wants(`{"action":"accept"}`),
	page("visit-declined", "visit", "Sign in at the bank.", decline).wants(`{"action":"decline"}`),
	page("required", "required", "Allow reading.", accept(nil)).wants(`{"read":"required"}`),
	page("required-declined", "required", "Allow reading.", decline).failure("-32603", "was not visited: decline"),

	book("Ada", city("Oslo"), nights(3)).wants(`{"guest":"Ada","city":"Oslo","nights":3}`),
	book("Dan", decline).words("Resolver for parameter 'place' could not resolve", "elicitation was decline"),
	book("Bob", city("Rome"), dismiss).wants(`{"guest":"Bob","city":"Rome","stay":"cancel"}`),
}

var pythonOld = []call{
	form("table", "ask", "table", accept(table),
		`{"action":"accept","data":{"name":"Ada","guests":8,"tip":2.5,"window":true,
		"day":"2026-02-28","email":"ada@example.com","note":"","course":"meat"}}`),
	// 2025-06-18 has no lists, but this server does not check its client's date.
	form("several", "ask", "several", accept(map[string]any{"tags": []string{"b"}}),
		`{"action":"accept","data":{"tags":["b"]}}`),
	page("visit", "visit", "Sign in at the bank.", accept(nil)).refusal(`"mode_undeclared"`),
}

var pythonRounds = []call{
	book("Ada", city("Oslo"), nights(14)).wants(`{"guest":"Ada","city":"Oslo","nights":14}`),
	book("Bea", city("Rome"), accept(nil)).wants(`{"guest":"Bea","city":"Rome","nights":1}`),
	book("Dan", decline).words("Resolver for parameter 'place' could not resolve", "elicitation was decline"),
	book("Bob", city("Rome"), decline).wants(`{"guest":"Bob","city":"Rome","stay":"decline"}`),
	book("Cyd", city("Rome"), nights(15)).wants(`{"guest":"Cyd","city":"Rome","stay":"cancel"}`).misfitAt("/nights"),
	// This protocol date does not have the error, but the SDK sends it and the proxy understands it.
	page("required", "required", "Allow reading.", accept(nil)).wants(`{"read":"required"}`),
}

// sealedState shows that the state which the proxy carries is sealed: the server itself, asked without a proxy, refuses
// one with a single character changed. So the rounds above prove that the proxy carried it byte for byte.
func (p parts) sealedState(t *testing.T) {
	t.Parallel()
	needs(t, p.stamped("Python", "venv"))
	l := openLines(t, p.pythonServer())
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},` +
		`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}`
	say := func(id, more string) string {
		l.say(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call",` +
			`"params":{"name":"book","arguments":{"guest":"Ada"},` + more + meta + `}}`)
		got, _ := l.until(id)
		return got
	}
	var first struct {
		Result struct {
			InputRequests map[string]json.RawMessage
			RequestState  string
		}
	}
	if err := json.Unmarshal([]byte(say("1", "")), &first); err != nil || first.Result.RequestState == "" ||
		len(first.Result.InputRequests) != 1 {
		t.Fatalf("first round: %v, %+v", err, first)
	}
	var key string
	for key = range first.Result.InputRequests {
	}
	answers := `"inputResponses":{"` + key + `":{"action":"accept","content":{"city":"Rome"}}},"requestState":"`
	middle := len(first.Result.RequestState) / 2
	letter := "A"
	if first.Result.RequestState[middle] == 'A' {
		letter = "B"
	}
	broken := first.Result.RequestState[:middle] + letter + first.Result.RequestState[middle+1:]
	contains(t, "a changed state", squeezed(say("2", answers+broken+`",`)), `"code":-32602`)
	if got := say("3", answers+first.Result.RequestState+`",`); !strings.Contains(got, "How long in Rome?") {
		t.Errorf("the state as it was: got %s, want the second question", clip(got))
	}
}
