package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/elicit-engine/elicit/internal/vectors"
	"github.com/elicit-engine/elicit/testdata/hostile"
)

// hostile tests messages that no SDK sends; rawserver sends them.
func (p parts) hostile(t *testing.T) {
	yes := []rule{{Answer: accept(map[string]any{})}}
	clients := []visit{{client: "go"}, {client: "ts1"}, {client: "ts2"}}

	// A Go client ends its session at the first line that is not JSON, with and without the proxy.
	p.proxiedText(t, clients[1:], "garbage", yes, `"id":"q1"`, `"action":"accept"`)
	p.proxiedText(t, clients, "huge_question", yes, `"id":"big"`, `"error"`)
	p.proxiedText(t, clients, "task", yes, `"io.modelcontextprotocol/related-task":{"taskId":"t-9"}`, `"action":"accept"`)
	p.proxiedText(t, clients, "id_reuse", yes, `"id":7`)
	p.proxiedText(t, clients, "takes_back", nil, "Went on without an answer.")
	p.proxiedText(t, clients, "unasked", yes, "Here.")

	for _, v := range clients {
		t.Run("huge_result/"+v.client, func(t *testing.T) {
			t.Parallel()
			v.tool, v.server = "go", p.behind("none", p.script("huge_result"))
			if got := len(v.one(t, p).text()); got != 4<<20 {
				t.Errorf("length: got %d, want %d", got, 4<<20)
			}
		})
	}
	t.Run("bytes", func(t *testing.T) {
		t.Parallel()
		want := `{ "id" : 5,"jsonrpc":"2.0" ,"result":{"content":[{"text":"\u00e9 é \/ \ud83d\ude00","type":"text"}],` +
			`"structuredContent":{"b":1.50,"a":12345678901234567890,"c":1E+2}}}`
		l := openLines(t, p.behind("none", p.script("bytes")))
		l.greet(helloNone)
		l.say(callTool("5", "go"))
		if got, _ := l.until("5"); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
	t.Run("ids", func(t *testing.T) {
		for tool, id := range map[string]string{"zero": `0`, "minus": `-1`, "empty": `""`,
			"text": `"q \"1\""`, "words": `"7"`} {
			t.Run(tool, func(t *testing.T) {
				t.Parallel()
				v := visit{client: "go", tool: tool, server: p.behind("answers="+answersFile(t, yes), p.script("ids"))}
				contains(t, "answer", v.one(t, p).text(), `"id":`+id, `"action":"accept"`)
			})
		}
		t.Run("big", func(t *testing.T) { // 2^53+1, which JavaScript reads as another number
			t.Parallel()
			v := visit{client: "go", tool: "big", server: p.behind("answers="+answersFile(t, yes), p.script("ids"))}
			contains(t, "answer", v.one(t, p).text(), `"id":null`, "envelope_id")
		})
	})
	t.Run("bad-questions", func(t *testing.T) {
		tools := []string{"nested", "array_root", "no_type", "unknown_required",
			"contradictory", "bad_array",
			"schema_is_text", "unknown_mode", "url_without_url", "no_message",
			"no_params", "duplicate_keys", "lone_surrogate", "deep"}
		for _, tool := range tools {
			t.Run(tool, func(t *testing.T) {
				t.Parallel()
				v := visit{client: "go", tool: tool, server: p.behind("answers="+answersFile(t, yes), p.script("bad_questions"))}
				got := v.one(t, p).text()
				contains(t, "reply", got, `"error":{"code":-32`)
				if strings.Contains(got, `"action":"accept"`) {
					t.Errorf("a broken question was accepted: %s", clip(got))
				}
			})
		}
	})
	t.Run("bad-default", func(t *testing.T) { // it is left out, and the question stays
		t.Parallel()
		v := visit{client: "go", tool: "default_outside", server: p.behind("answers="+answersFile(t, yes),
			p.script("bad_questions"))}
		contains(t, "reply", v.one(t, p).text(), `"result":{"action":"accept","content":{}}`)
	})
	t.Run("never-starts", func(t *testing.T) {
		t.Parallel()
		l := openLines(t, p.behind("none", p.script("dies_at_once")))
		if code, _ := l.end(); code != 4 {
			t.Errorf("exit code: got %d, want the server's 4", code)
		}
	})
}

// TestHarmlessLines: unusual results of tools pass byte for byte, and at night every client has the same outcome as
// without the proxy.
func TestHarmlessLines(t *testing.T) {
	takesLong(t, "real clients take half a minute")
	p := build(t)
	list := spellings(t, "harmless")
	t.Run("bytes", func(t *testing.T) {
		t.Parallel()
		l := openLines(t, p.behind("none", []string{p.raw, hostileScript(t, november, list, 0, false)}))
		l.greet(helloNone)
		for _, s := range list {
			l.say(callTool("5", s.name))
			if got, want := l.next(), hostile.Put(s.line, map[string]string{"$id": "5"}); got != want {
				t.Errorf("%s: got  %s\nwant %s", s.name, clip(got), clip(want))
			}
		}
	})
	for _, c := range p.spelledClients() {
		t.Run(c.label(), func(t *testing.T) {
			vectors.Night(t)
			t.Parallel()
			needs(t, c.missing)
			server := []string{p.raw, hostileScript(t, c.date, list, 0, false)}
			// A line on which a client gives up without the proxy shows nothing about the proxy.
			var fit []spelling
			direct := c.visit(t, server, list)
			for _, s := range list {
				if _, came := direct.outcome[s.name]; came && !slices.Contains(direct.broke, s.name) {
					fit = append(fit, s)
				}
			}
			if len(fit) < len(list)-5 {
				t.Errorf("%s can read only %d of %d lines", c.label(), len(fit), len(list))
			}
			proxied := c.visit(t, p.behind("none", server), fit)
			for _, s := range fit {
				if got, want := withoutID(proxied.outcome[s.name]), withoutID(direct.outcome[s.name]); got != want {
					t.Errorf("%s: got  %s\nwant %s", s.name, clip(got), clip(want))
				}
			}
		})
	}
}

var callID = regexp.MustCompile(`"id": [0-9]+`)

// withoutID removes the id of the call from an outcome, which some clients print.
func withoutID(outcome string) string { return callID.ReplaceAllString(outcome, "") }

// TestInventedResponses: when a call has answers to a round that nobody asked, the server gets the call without them,
// in every spelling.
func TestInventedResponses(t *testing.T) {
	p := build(t)
	heard := filepath.Join(t.TempDir(), "heard")
	l := openLines(t, p.behind("none", []string{"sh", "-c", `tee "$0" | "$@"`, heard, p.raw,
		hostileScript(t, november, nil, 0, true)}))
	l.greet(helloAll)
	for _, spelled := range []string{
		`"inputResponses":{"q":FORGED},"requestState":"FORGED"`, `"requestState":"FORGED"`,
		`"input\u0052esponses":{"q":FORGED}`,
		`"InputResponses":{"q":FORGED}`, `"input_responses":{"q":FORGED}`,
		`"inputResponses":{},"inputResponses":{"q":FORGED}`,
		`"inputResponses\u0000":{"q":FORGED}`, `"inputResponses ":{"q":FORGED}`, `"x":NaN,"inputResponses":{"q":FORGED}`,
		`"__proto__":{"inputResponses":{"q":FORGED}}`, `"_meta":{"inputResponses":["FORGED"]}`,
		`"_meta":{"requestState":"FORGED"}`,
	} {
		spelled = strings.ReplaceAll(strings.ReplaceAll(spelled, `"FORGED"`, "FORGED"), "FORGED", `"FORGED"`)
		l.say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"alive","arguments":{},` + spelled + `}}`)
		l.until("1")
	}
	l.say(`{"jsonrpc":"2.0","id":"end","method":"ping"}`)
	l.until(`"end"`)
	if raw := awaitTexts(t, heard, `"id":"end"`, 1); strings.Contains(string(raw), "FORGED") {
		t.Errorf("the server heard %s", raw)
	}
}

// spelledServer is a server on one SDK, with a tool that asks and returns the answer.
type spelledServer struct {
	name    string
	missing error
	command []string
	tool    string
	args    string
}

func (p parts) spelledServers() []spelledServer {
	at := func(elements ...string) string { return filepath.Join(append([]string{p.drivers}, elements...)...) }
	const empty = `{"message":"Sure?","schema":{"type":"object","properties":{}}}`
	list := []spelledServer{
		{"java", p.stamped("Java", "java/lib"), p.java()[0].command, "ask", empty},
		{"go-sdk", nil, []string{p.demo}, "deploy", `{}`},
		{"typescript-1", p.node, []string{"node", at("zod/server1.mjs")}, "visit", `{"id":"v"}`},
		{"typescript-2", p.node, []string{"node", at("zod/server2.mjs")}, "ask", `{"type":"nothing","message":"Sure?"}`},
		{"python-1", p.stamped("Python 1.x", "venv1"), []string{at("venv1/bin/python"), at("hostile/server1.py")}, "ask",
			empty},
		{"python-2", p.stamped("Python", "venv"), p.pythonServer(), "raw", empty},
		{"mcp-go", p.stamped("mcp-go", "mcpgo/bin"), []string{at("mcpgo/bin/mcpgo"), "serve"}, "ask", empty},
	}
	if vectors.Nightly() {
		rust := []string{at("rmcp/target/debug/hostile-rmcp"), "serve"}
		list = append(list, spelledServer{"rmcp", p.stamped("Rust", "rmcp/target"), rust, "ask", `{}`})
	}
	return list
}

// TestForgedAnswers sends every spelling of an answer from a client that was not asked, while a question is open. A
// person has the question in the proxy. No server gets any of them, and the question ends with the person's answer.
// Without the proxy, servers accept some of them. acts.json lists them, and the test compares that list at night.
func TestForgedAnswers(t *testing.T) {
	takesLong(t, "forged answers take half a minute")
	p := build(t)
	list := spellings(t, "forged")
	seen := readActs(t, "servers")
	t.Run("servers", func(t *testing.T) {
		for _, s := range p.spelledServers() {
			t.Run("direct/"+s.name, func(t *testing.T) {
				vectors.Night(t)
				t.Parallel()
				needs(t, s.missing)
				seen.add(s.name, s.takes(t, seen.worth(s.name, list)))
			})
			t.Run("proxied/"+s.name, func(t *testing.T) {
				t.Parallel()
				needs(t, s.missing)
				p.forgeBehindProxy(t, s, list)
			})
		}
	})
	seen.check(t, list)
}

// forged returns a spelling of an answer to the question with this id.
func (s spelling) forged(id string) string {
	bare := strings.Trim(id, `"`)
	return hostile.Put(s.line, map[string]string{"$q": id, "$t": bare, "$members": `"action":"accept","content":{}`})
}

func (s spelledServer) call(id string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call",` +
		`"params":{"name":"` + s.tool + `","arguments":` + s.args + `}}`
}

const helloAll = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25",` +
	`"capabilities":{"elicitation":{"form":{},"url":{}}},"clientInfo":{"name":"lines","version":"1"}}}`

// takes finds the lines that the server itself accepts as the person's agreement. After each line it sends a refusal
// with the id of the question, so that a server that did not accept the line continues.
func (s spelledServer) takes(t *testing.T, list []spelling) map[string]bool {
	t.Helper()
	taken := map[string]bool{}
	var l *lines
	for i, one := range list {
		if l == nil {
			l = openLines(t, s.command)
			l.greet(helloAll)
		}
		call := strconv.Itoa(1000 + i)
		l.say(s.call(call))
		id, ok := l.asked()
		if !ok {
			t.Fatalf("%s: no question before %s", s.name, one.name)
		}
		l.try(one.forged(id))
		l.try(`{"jsonrpc":"2.0","id":` + id + `,"result":{"action":"decline"}}`)
		answer, ok := l.answer(call)
		taken[one.name] = ok && !strings.Contains(answer, `"error":`) &&
			(strings.Contains(answer, "accept") || strings.Contains(answer, "Deployed"))
		if !ok || !l.works(call) {
			_ = l.cmd.Process.Kill()
			l = nil
		}
	}
	maps.DeleteFunc(taken, func(_ string, yes bool) bool { return !yes })
	return taken
}

// forgeBehindProxy sends the lines to a server behind the proxy while a person has the question. Files record the
// server's input and output.
func (p parts) forgeBehindProxy(t *testing.T, s spelledServer, list []spelling) {
	t.Helper()
	dir := t.TempDir()
	heard, said := filepath.Join(dir, "heard"), filepath.Join(dir, "said")
	taps := append([]string{"sh", "-c", `tee "$0" | "$@" | tee "` + said + `"`, heard}, s.command...)
	journal := filepath.Join(dir, "journal.jsonl")
	l := openLines(t, p.behind("browser", taps, "--no-open", "--journal", journal,
		"--per-minute", "60000", "--burst", "1000"))
	l.greet(helloAll)
	for i, one := range list {
		call := strconv.Itoa(1000 + i)
		l.say(s.call(call))
		awaitTexts(t, journal, `"event":"asked"`, i+1)
		id := awaitQuestion(t, said, i+1)
		l.say(one.forged(id), `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`+call+`}}`)
	}
	l.say(`{"jsonrpc":"2.0","id":"end","method":"tools/list"}`)
	if end, _ := l.until(`"end"`); strings.Contains(end, `"error"`) {
		t.Errorf("the session does not work any more: %s", clip(end))
	}
	raw := awaitTexts(t, heard, `"id":"end"`, 1)
	if at := bytes.Index(raw, []byte("accept")); at >= 0 {
		t.Errorf("the server heard %s", clip(string(raw[max(0, at-100):min(len(raw), at+100)])))
	}
	if got := bytes.Count(raw, []byte(`"action":"cancel"`)); got != len(list) {
		t.Errorf("%d questions of %d were cancelled with their calls", got, len(list))
	}
	text := journalText(t, journal)
	if strings.Contains(text, `"accept"`) || strings.Count(text, `"event":"asked"`) != len(list) {
		t.Errorf("the journal has an accept, or not %d questions", len(list))
	}
}

// awaitTexts waits until a file has a text n times, because the copy into the file is late.
func awaitTexts(t *testing.T, file, text string, n int) []byte {
	t.Helper()
	for deadline := time.Now().Add(patience / 2); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		if raw, _ := os.ReadFile(file); bytes.Count(raw, []byte(text)) >= n {
			return raw
		}
	}
	t.Fatalf("%s does not come %d times", text, n)
	return nil
}

// awaitQuestion waits for the n-th question in a server's output and returns its id.
func awaitQuestion(t *testing.T, file string, n int) string {
	t.Helper()
	for deadline := time.Now().Add(patience / 2); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		raw, _ := os.ReadFile(file)
		var ids []string
		for line := range bytes.Lines(raw) {
			if id, ok := questionID(string(line)); ok {
				ids = append(ids, id)
			}
		}
		if len(ids) >= n {
			return ids[n-1]
		}
	}
	t.Fatalf("no question number %d", n)
	return ""
}

func questionID(line string) (string, bool) {
	var m struct {
		ID     json.RawMessage
		Method string
	}
	ok := json.Unmarshal([]byte(line), &m) == nil && m.Method == "elicitation/create"
	return string(m.ID), ok
}

// asked waits for a question and returns its id.
func (l *lines) asked() (id string, ok bool) {
	l.skip(func(line string) bool { id, ok = questionID(line); return ok })
	return id, ok
}

// answer waits for the response to an id. ok is false when the response can no longer come.
func (l *lines) answer(id string) (text string, ok bool) {
	ok = l.skip(func(line string) bool {
		text = line
		var m struct {
			ID     json.RawMessage
			Method string
		}
		return json.Unmarshal([]byte(line), &m) == nil && m.Method == "" && string(m.ID) == id
	})
	return text, ok
}

// works reports whether the other end still answers.
func (l *lines) works(call string) bool {
	id := fmt.Sprintf(`"works %s"`, call)
	l.try(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/list"}`)
	_, ok := l.answer(id)
	return ok
}

// try writes a line to a process that may be gone.
func (l *lines) try(line string) { _, _ = l.in.Write([]byte(line + "\n")) }

// skip reads lines up to the one that is wanted. It returns false when that line can no longer come, because the
// process has ended or is at rest.
func (l *lines) skip(wanted func(string) bool) bool {
	rest, deadline := restWatch{pid: l.cmd.Process.Pid}, time.After(patience/2)
	looks := time.NewTicker(lookEvery)
	defer looks.Stop()
	for {
		select {
		case line, open := <-l.heard:
			if !open {
				return false
			}
			if wanted(line) {
				return true
			}
		case <-looks.C:
			if rest.look() && len(l.heard) == 0 {
				return false
			}
		case <-deadline:
			return false
		}
	}
}

// script is the person behind the Go client. It follows the rules of an answers file: the first unused match answers,
// and later the last match again.
type script struct {
	rules []rule
	tool  string

	mu        sync.Mutex
	used      map[int]bool
	asked     []asked
	completed []string
}

func (s *script) answer(ctx context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	r, found := s.choose(req.Params)
	if !found {
		return &mcp.ElicitResult{Action: "cancel"}, nil
	}
	a, ok := r.Answer.(answer)
	if !ok { // never
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return &mcp.ElicitResult{Action: a.Action, Content: a.Content}, nil
}

func (s *script) choose(p *mcp.ElicitParams) (rule, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	mode := p.Mode
	if mode == "" {
		mode = "form"
	}
	s.asked = append(s.asked, asked{Mode: mode, Message: p.Message, URL: p.URL})
	facts := map[string]string{"message": p.Message, "mode": mode, "tool": s.tool}
	last := -1
	for i, r := range s.rules {
		if !r.matches(facts) {
			continue
		}
		last = i
		if !s.used[i] {
			break
		}
	}
	if last < 0 {
		return rule{}, false
	}
	if s.used == nil {
		s.used = map[int]bool{}
	}
	s.used[last] = true
	return s.rules[last], true
}

// matches compares with the globs of these tests, which have no slash or bracket.
func (r rule) matches(facts map[string]string) bool {
	for k, glob := range r.When {
		if ok, err := path.Match(glob, facts[k]); err != nil || !ok {
			return false
		}
	}
	return true
}

func (s *script) complete(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.completed = append(s.completed, id)
}
