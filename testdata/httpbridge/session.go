package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"
)

// session is one process and the HTTP responses that wait for its messages.
type session struct {
	stateless bool
	cmd       *exec.Cmd
	ended     chan struct{} // closed when the process has closed its output

	mu     sync.Mutex
	in     io.WriteCloser
	open   []*stream // the requests without an answer, oldest first
	get    *stream   // for messages that belong to no request
	waited []message // messages for get while there was no such stream
}

// stream is one HTTP response that messages are written to.
type stream struct {
	of   message
	said chan message // has room for all messages of a test
}

const room = 4096

func startSession(command []string) (*session, error) {
	s := &session{cmd: exec.Command(command[0], command[1:]...), ended: make(chan struct{})}
	s.cmd.Stderr = os.Stderr
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go s.hear(out)
	return s, nil
}

// end closes the input of the process and waits for it; a process that stays is killed.
func (s *session) end() {
	s.mu.Lock()
	_ = s.in.Close()
	s.mu.Unlock()
	stubborn := time.AfterFunc(10*time.Second, func() { _ = s.cmd.Process.Kill() })
	defer stubborn.Stop()
	<-s.ended
	_ = s.cmd.Wait()
}

func (s *session) write(line []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = s.in.Write(append(slices.Clip(line), '\n')) // the end of its output shows that a process is gone
}

// hear gives each message of the process to the response that it belongs to.
func (s *session) hear(out io.Reader) {
	defer close(s.ended)
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		if m, err := read(line); err == nil {
			s.route(m)
		}
	}
}

func (s *session) route(m message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	to := s.streamOf(m)
	switch {
	case to != nil:
		to.said <- m
	case !m.answers():
		s.waited = append(s.waited, m)
	}
}

// streamOf returns the response for a message of the process. A line does not say to which request a server's request
// belongs, so it goes to the latest one, because the earlier requests have got theirs.
func (s *session) streamOf(m message) *stream {
	token := m.Params.ProgressToken
	for _, o := range s.open {
		switch {
		case m.answers() && bytes.Equal(o.of.ID, m.ID),
			!m.answers() && token != nil && bytes.Equal(o.of.Params.Meta.ProgressToken, token),
			!m.answers() && m.Params.Meta.SubscriptionID != nil && sameID(o.of.ID, m.Params.Meta.SubscriptionID):
			return o
		}
	}
	if m.answers() {
		return nil
	}
	for _, o := range slices.Backward(s.open) {
		if o.of.Method != "subscriptions/listen" {
			return o
		}
	}
	return s.get
}

// sameID compares two ids, of which one may have become a string on its way.
func sameID(id, other json.RawMessage) bool {
	return string(bytes.Trim(id, `"`)) == string(bytes.Trim(other, `"`))
}

// request sends a request to the process, and writes all messages up to its answer.
func (s *session) request(w http.ResponseWriter, r *http.Request, m message) {
	mine := &stream{of: m, said: make(chan message, room)}
	s.mu.Lock()
	s.open = append(s.open, mine)
	s.mu.Unlock()
	defer s.forget(mine)
	s.write(m.line)
	for begun := false; ; begun = true {
		select {
		case said := <-mine.said:
			if said.answers() && !begun {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(s.status(said))
				_, _ = w.Write(said.line)
				return
			}
			event(w, said)
			if said.answers() {
				return
			}
		case <-r.Context().Done():
			if s.stateless {
				s.write(fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, m.ID))
			}
			return
		case <-s.ended:
			if !begun {
				refuse(w, http.StatusBadGateway, -32603, "the server has ended")
			}
			return
		}
	}
}

func (s *session) forget(o *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open = slices.DeleteFunc(s.open, func(other *stream) bool { return other == o })
}

// status returns the HTTP status of an answer. For requests without sessions some errors have their own status.
func (s *session) status(m message) int {
	switch {
	case !s.stateless || m.Error == nil:
		return http.StatusOK
	case m.Error.Code == -32601:
		return http.StatusNotFound
	}
	return http.StatusBadRequest
}

// listen writes the messages that belong to no request, while the client reads.
func (s *session) listen(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	if s.get != nil {
		s.mu.Unlock()
		w.WriteHeader(http.StatusConflict)
		return
	}
	mine := &stream{said: make(chan message, room)}
	s.get = mine
	for _, m := range s.waited {
		mine.said <- m
	}
	s.waited = nil
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.get = nil
	}()
	w.Header().Set("Content-Type", "text/event-stream")
	_ = http.NewResponseController(w).Flush()
	for {
		select {
		case said := <-mine.said:
			event(w, said)
		case <-r.Context().Done():
			return
		case <-s.ended:
			return
		}
	}
}

func event(w http.ResponseWriter, m message) {
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "event: message\ndata: %s\n\n", m.line)
	_ = http.NewResponseController(w).Flush()
}
