package main

import (
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"sync"
)

// bridge is the HTTP server for clients.
type bridge struct {
	command  []string
	mu       sync.Mutex
	sessions map[string]*session // by Mcp-Session-Id; the one named "" is for all requests without sessions
}

func (b *bridge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodPost:
		b.post(w, r)
	case http.MethodGet:
		if s := b.find(w, r); s != nil {
			s.listen(w, r)
		}
	case http.MethodDelete:
		if s := b.find(w, r); s != nil {
			b.mu.Lock()
			delete(b.sessions, r.Header.Get("Mcp-Session-Id"))
			b.mu.Unlock()
			s.end()
		}
	default:
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
}

func (b *bridge) post(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	m, err := read(body)
	if err != nil {
		refuse(w, http.StatusBadRequest, -32700, err.Error())
		return
	}
	var s *session
	switch {
	case m.Method == "initialize":
		name := rand.Text()
		if s = b.start(w, name); s != nil {
			w.Header().Set("Mcp-Session-Id", name)
		}
	case r.Header.Get("Mcp-Session-Id") == "" && r.Header.Get("Mcp-Protocol-Version") >= july:
		s = b.start(w, "")
	default:
		s = b.find(w, r)
	}
	switch {
	case s == nil:
	case m.asks():
		s.request(w, r, m)
	default:
		s.write(m.line)
		w.WriteHeader(http.StatusAccepted)
	}
}

// start returns the session of this name, and starts it if necessary.
func (b *bridge) start(w http.ResponseWriter, name string) *session {
	b.mu.Lock()
	defer b.mu.Unlock()
	if s := b.sessions[name]; s != nil {
		return s
	}
	s, err := startSession(b.command)
	if err != nil {
		refuse(w, http.StatusBadGateway, -32603, err.Error())
		return nil
	}
	s.stateless = name == ""
	b.sessions[name] = s
	return s
}

// find returns the session that a request names, or refuses the request.
func (b *bridge) find(w http.ResponseWriter, r *http.Request) *session {
	name := r.Header.Get("Mcp-Session-Id")
	if name == "" {
		refuse(w, http.StatusBadRequest, -32600, "the header Mcp-Session-Id is missing")
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.sessions[name]
	if s == nil {
		refuse(w, http.StatusNotFound, -32600, "there is no such session")
	}
	return s
}

func (b *bridge) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range b.sessions {
		s.end()
	}
}

func refuse(w http.ResponseWriter, status, code int, why string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%q}}`, code, why)
}
