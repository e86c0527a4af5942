// Package codextest drives the real Codex in tests: a scripted model on loopback, a home directory, an MCP server that
// asks, and a front end of the app-server protocol that records everything. Nothing leaves the machine.
package codextest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Step is one thing that the scripted model does: it calls a tool, or says something.
type Step struct {
	Tool      string `json:"tool,omitempty"`
	Namespace string `json:"namespace,omitempty"` // of an MCP server's tools, such as mcp__asks
	Arguments any    `json:"arguments,omitempty"`
	Input     string `json:"input,omitempty"` // of a tool that takes free text, in place of Arguments
	Say       string `json:"say,omitempty"`
}

// scriptMark begins the user's text that names the steps of a turn. The model finds the name in the conversation and
// counts the results that follow it.
const scriptMark = "Script "

// Model is a scripted model behind the Responses API.
type Model struct {
	server *httptest.Server

	mu      sync.Mutex
	seen    []Asked
	strange []string
	scripts [][]Step
	review  string
}

// Asked is one request for a response.
type Asked struct {
	Tools []json.RawMessage `json:"tools"`
	Input []Item            `json:"input"`
	Raw   []byte            `json:"-"`
}

// Item is one part of a conversation.
type Item struct {
	Type    string          `json:"type"`
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
	CallID  string          `json:"call_id"`
	Output  json.RawMessage `json:"output"`
}

// NewModel starts a model, which ends with the test.
func NewModel(t testing.TB) *Model {
	m := &Model{}
	m.server = httptest.NewServer(http.HandlerFunc(m.serve))
	t.Cleanup(m.server.Close)
	return m
}

// URL is where the model listens.
func (m *Model) URL() string { return m.server.URL }

// Strange lists what reached the model's address and was no request for a response. Codex is told to use the address
// as the proxy for everything else, so that an attempt to reach the network is seen here and goes nowhere.
func (m *Model) Strange() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string(nil), m.strange...)
}

// Script keeps steps, and returns the text of a user that makes the model take them.
func (m *Model) Script(steps ...Step) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.scripts = append(m.scripts, steps)
	return scriptMark + strconv.Itoa(len(m.scripts)-1)
}

// Reviews makes the model say a text when Codex wants an action reviewed, which is a conversation of its own.
func (m *Model) Reviews(text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.review = text
}

// Asked returns all requests for a response so far.
func (m *Model) Asked() []Asked {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]Asked(nil), m.seen...)
}

func (m *Model) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || r.URL.Host != "" || !strings.HasSuffix(r.URL.Path, "/responses") {
		m.mu.Lock()
		m.strange = append(m.strange, r.Method+" "+r.RequestURI)
		m.mu.Unlock()
		http.Error(w, "this address only serves a scripted model", http.StatusNotFound)
		return
	}
	body, err := io.ReadAll(r.Body)
	asked := Asked{Raw: body}
	if err == nil {
		err = json.Unmarshal(body, &asked)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	m.mu.Lock()
	m.seen = append(m.seen, asked)
	n, step := len(m.seen), m.next(asked)
	m.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range events(n, step) {
		b, _ := json.Marshal(e)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", e["type"], b)
	}
}

type object = map[string]any

// events are the stream of one response with one item.
func events(n int, s Step) []object {
	id := fmt.Sprint("resp_", n)
	item := object{"type": "message", "role": "assistant", "id": fmt.Sprint("msg_", n),
		"content": []object{{"type": "output_text", "text": s.Say}}}
	switch {
	case s.Tool != "" && s.Input != "":
		item = object{"type": "custom_tool_call", "call_id": fmt.Sprint("call_", n), "name": s.Tool, "input": s.Input}
	case s.Tool != "":
		arguments, _ := json.Marshal(s.Arguments)
		item = object{"type": "function_call", "call_id": fmt.Sprint("call_", n), "name": s.Tool,
			"arguments": string(arguments)}
		if s.Namespace != "" {
			item["namespace"] = s.Namespace
		}
	}
	usage := object{"input_tokens": 1, "input_tokens_details": nil, "output_tokens": 1, "output_tokens_details": nil,
		"total_tokens": 2}
	return []object{
		{"type": "response.created", "response": object{"id": id}},
		{"type": "response.output_item.done", "output_index": 0, "item": item},
		{"type": "response.completed", "response": object{"id": id, "usage": usage}},
	}
}

// next is the step that follows a conversation.
func (m *Model) next(a Asked) Step {
	var steps []Step
	done := 0
	for _, it := range a.Input {
		if n, err := strconv.Atoi(it.script()); err == nil && n < len(m.scripts) {
			steps, done = m.scripts[n], 0
		}
		if strings.HasSuffix(it.Type, "_call_output") {
			done++
		}
	}
	switch {
	case done < len(steps):
		return steps[done]
	case steps == nil && m.review != "":
		return Step{Say: m.review}
	}
	return Step{Say: "That is all."}
}

// script returns the name in a user's text, or "".
func (it Item) script() (name string) {
	var parts []struct{ Text string }
	if it.Role != "user" || json.Unmarshal(it.Content, &parts) != nil {
		return ""
	}
	for _, p := range parts {
		if text, is := strings.CutPrefix(p.Text, scriptMark); is {
			name = text
		}
	}
	return name
}

// Told lists the results of the tools that the model called, the oldest first, as the model last saw them. Codex may
// ask the model beside the turn, and such a request has no results.
func (m *Model) Told() (texts []string) {
	for _, a := range slices.Backward(m.Asked()) {
		for _, it := range a.Input {
			if strings.HasSuffix(it.Type, "_call_output") {
				texts = append(texts, string(it.Output))
			}
		}
		if texts != nil {
			break
		}
	}
	return texts
}
