package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/testdata/hostile"
)

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
	return []spelledServer{
		{"java", p.stamped("Java", "java/lib"), p.java()[0].command, "ask", empty},
		{"go-sdk", nil, []string{p.demo}, "deploy", `{}`},
		{"typescript-1", p.node, []string{"node", at("zod/server1.mjs")}, "visit", `{"id":"v"}`},
		{"typescript-2", p.node, []string{"node", at("zod/server2.mjs")}, "ask", `{"type":"nothing","message":"Sure?"}`},
		{"python-1", p.stamped("Python 1.x", "venv1"), []string{at("venv1/bin/python"), at("hostile/server1.py")}, "ask",
			empty},
		{"python-2", p.stamped("Python", "venv"), p.pythonServer(), "raw", empty},
		{"mcp-go", p.stamped("mcp-go", "mcpgo/bin"), []string{at("mcpgo/bin/mcpgo"), "serve"}, "ask", empty},
		{"rmcp", p.stamped("Rust", "rmcp/target"), []string{at("rmcp/target/debug/hostile-rmcp"), "serve"}, "ask", `{}`},
	}
}

// TestForgedAnswers sends every spelling of an answer from a client that was not asked, while a question is open.
// Without the proxy, servers accept some of them: acts.json lists them. When a person has the question in the proxy, no
// server gets any of them, and the question ends with the person's answer.
func TestForgedAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("forged answers take half a minute")
	}
	p := build(t)
	list := spellings(t, "forged")
	seen := readActs(t, "servers")
	t.Run("servers", func(t *testing.T) {
		for _, s := range p.spelledServers() {
			t.Run("direct/"+s.name, func(t *testing.T) {
				t.Parallel()
				foreign{missing: s.missing}.need(t)
				seen.add(s.name, s.takes(t, seen.worth(s.name, list)))
			})
			t.Run("proxied/"+s.name, func(t *testing.T) {
				t.Parallel()
				foreign{missing: s.missing}.need(t)
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
