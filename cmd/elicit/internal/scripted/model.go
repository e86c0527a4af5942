// Package scripted is a model on loopback that does what a script says, in the words of several makers. With it a real
// coding agent works while nothing leaves the machine.
//
//	model, err := scripted.Start(scripted.Step{Tool: "Bash", Arguments: map[string]any{"command": "true"}})
//	defer model.Close()
package scripted

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Step is one thing that the scripted model does: it calls a tool.
type Step struct {
	Tool      string
	Arguments any
}

// Model is a scripted model behind the interfaces of Anthropic, Gemini and OpenAI. It takes one step after each result
// of a tool, and then says that it is done. Without tools in a request it says so at once.
type Model struct {
	listener net.Listener
	server   *http.Server
	steps    []Step

	mu      sync.Mutex
	told    []string
	strange []string
}

// Start starts a model.
func Start(steps ...Step) (*Model, error) {
	m := &Model{steps: steps}
	var err error
	if m.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, err
	}
	m.server = &http.Server{Handler: http.HandlerFunc(m.serve), ReadHeaderTimeout: time.Minute}
	go func() { _ = m.server.Serve(m.listener) }()
	return m, nil
}

// Close ends the model.
func (m *Model) Close() { _ = m.server.Close() }

// URL is where the model listens.
func (m *Model) URL() string { return "http://" + m.listener.Addr().String() }

// Told lists the results of the tools that the model called, the oldest first, as the model last saw them.
func (m *Model) Told() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string(nil), m.told...)
}

// Strange lists what reached the model's address and was no request for a response. Agents are told to use the address
// as the proxy for everything else, so that an attempt to reach the network is seen here and goes nowhere.
func (m *Model) Strange() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string(nil), m.strange...)
}

type object = map[string]any

func (m *Model) serve(w http.ResponseWriter, r *http.Request) {
	speaks := speakerOf(r)
	body, err := io.ReadAll(r.Body)
	var in asked
	if speaks == nil || err != nil || json.Unmarshal(body, &in) != nil {
		m.mu.Lock()
		m.strange = append(m.strange, r.Method+" "+r.RequestURI)
		m.mu.Unlock()
		http.Error(w, `{"error":{"message":"this address only serves a scripted model"}}`, http.StatusNotFound)
		return
	}
	told := in.told()
	var next *Step
	if len(in.Tools) > 0 {
		m.mu.Lock()
		m.told = told
		m.mu.Unlock()
		if len(told) < len(m.steps) {
			next = &m.steps[len(told)]
		}
	}
	speaks(&reply{w, r, len(told), next, in.Stream})
}

// speakerOf finds the interface that a request wants.
func speakerOf(r *http.Request) func(*reply) {
	path := r.URL.Path
	switch {
	case r.Method != http.MethodPost || r.URL.Host != "":
	case strings.HasSuffix(path, "/messages"):
		return (*reply).anthropic
	case strings.HasSuffix(path, "/chat/completions"):
		return (*reply).openAI
	case strings.HasSuffix(path, ":streamGenerateContent"), strings.HasSuffix(path, ":generateContent"):
		return (*reply).gemini
	}
	return nil
}

// asked is a request for a response. The three makers have different names for the same things.
type asked struct {
	Stream   bool
	Tools    []json.RawMessage
	Messages []struct {
		Role    string
		Content json.RawMessage
	}
	Contents []struct {
		Parts []struct {
			FunctionResponse json.RawMessage
		}
	}
}

// told lists the results of tools in a conversation.
func (a *asked) told() (results []string) {
	for _, m := range a.Messages {
		var blocks []struct {
			Type    string
			Content json.RawMessage
		}
		_ = json.Unmarshal(m.Content, &blocks) // a text has no blocks
		for _, b := range blocks {
			if b.Type == "tool_result" {
				results = append(results, string(b.Content))
			}
		}
		if m.Role == "tool" {
			results = append(results, string(m.Content))
		}
	}
	for _, c := range a.Contents {
		for _, p := range c.Parts {
			if p.FunctionResponse != nil {
				results = append(results, string(p.FunctionResponse))
			}
		}
	}
	return results
}
