package codextest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"
)

// Message is one message of the app-server protocol, which is JSON-RPC 2.0 without the member "jsonrpc".
type Message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  json.RawMessage `json:"error,omitempty"`
}

// Asks is true for a request of Codex.
func (m Message) Asks() bool { return m.Method != "" && m.ID != nil }

// Param reads a member of the parameters, such as "turn.id" or "_meta.persist", as text: a string is bare, anything
// else is JSON, and what is missing is "".
func (m Message) Param(path string) string { return at(m.Params, path) }

func at(data json.RawMessage, path string) string {
	for name := range strings.SplitSeq(path, ".") {
		var o map[string]json.RawMessage
		if json.Unmarshal(data, &o) != nil {
			return ""
		}
		data = o[name]
	}
	var s string
	if json.Unmarshal(data, &s) == nil {
		return s
	}
	return string(data)
}

// Answer says what the front end does with a request of Codex.
type Answer struct {
	Result any    // sent as it is
	Error  int    // code of the error to send in place of a result, 0 for none
	Silent bool   // never answers
	Then   func() // runs after that
}

// FrontEnd is a client of the app-server that records everything.
type FrontEnd struct {
	t      testing.TB
	out    io.WriteCloser
	answer func(Message) Answer

	version string // of JSON-RPC, "" if the messages have no member for it

	mu     sync.Mutex
	moved  *sync.Cond
	nextID int
	got    []Message
	over   bool
	ended  chan struct{} // closed when nothing more can come
}

// patience is how long a test waits before it fails. Nothing waits that long when all is well.
const patience = 60 * time.Second

// NewFrontEnd speaks the protocol over a pair of streams. The function answer decides what to do with each request of
// Codex; it runs on the goroutine that reads.
func NewFrontEnd(t testing.TB, out io.WriteCloser, in io.Reader, answer func(Message) Answer) *FrontEnd {
	f := &FrontEnd{t: t, out: out, answer: answer, ended: make(chan struct{})}
	f.moved = sync.NewCond(&f.mu)
	go f.read(in)
	return f
}

func (f *FrontEnd) read(in io.Reader) {
	lines := bufio.NewReaderSize(in, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		var m Message
		if len(line) > 1 && json.Unmarshal(line, &m) == nil {
			f.note(m)
			if m.Asks() {
				f.reply(m)
			}
		}
		if err != nil {
			f.mu.Lock()
			f.over = true
			f.moved.Broadcast()
			f.mu.Unlock()
			close(f.ended)
			return
		}
	}
}

func (f *FrontEnd) note(m Message) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.got = append(f.got, m)
	f.moved.Broadcast()
}

func (f *FrontEnd) reply(m Message) {
	a := Answer{Silent: true}
	if f.answer != nil {
		a = f.answer(m)
	}
	switch {
	case a.Silent:
	case a.Error != 0:
		f.Send(object{"id": m.ID, "error": object{"code": a.Error, "message": "the front end cannot"}})
	default:
		f.Send(object{"id": m.ID, "result": a.Result})
	}
	if a.Then != nil {
		a.Then()
	}
}

// Send sends a message as it is.
func (f *FrontEnd) Send(m object) {
	if f.version != "" {
		m["jsonrpc"] = f.version
	}
	b, err := json.Marshal(m)
	if err != nil {
		f.t.Error(err)
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.out.Write(append(b, '\n')) // an end that is gone shows in what is read
}

// Respond sends a result for a request that was left open.
func (f *FrontEnd) Respond(m Message, result any) { f.Send(object{"id": m.ID, "result": result}) }

// Notify sends a notification. Without parameters it has no member for them.
func (f *FrontEnd) Notify(method string, params map[string]any) {
	m := object{"method": method}
	if params != nil {
		m["params"] = params
	}
	f.Send(m)
}

// Try calls a method and returns the response, which may be an error.
func (f *FrontEnd) Try(method string, params any) Message {
	f.t.Helper()
	f.mu.Lock()
	f.nextID++
	id := fmt.Sprintf(`"c%d"`, f.nextID)
	f.mu.Unlock()
	f.Send(object{"id": json.RawMessage(id), "method": method, "params": params})
	return f.Wait("the response to "+method, func(m Message) bool { return m.Method == "" && string(m.ID) == id })
}

// Call calls a method and returns its result.
func (f *FrontEnd) Call(method string, params any) json.RawMessage {
	f.t.Helper()
	m := f.Try(method, params)
	if m.Error != nil {
		f.t.Fatalf("%s: %s", method, m.Error)
	}
	return m.Result
}

// Wait returns the first message that fits, of all that came or will come.
func (f *FrontEnd) Wait(what string, fits func(Message) bool) Message {
	f.t.Helper()
	return f.WaitNth(what, 1, fits)
}

// WaitNth is Wait for the nth message that fits.
func (f *FrontEnd) WaitNth(what string, n int, fits func(Message) bool) Message {
	f.t.Helper()
	late := false
	timer := time.AfterFunc(patience, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		late = true
		f.moved.Broadcast()
	})
	defer timer.Stop()
	f.mu.Lock()
	defer f.mu.Unlock()
	for {
		left := n
		for _, m := range f.got {
			if fits(m) {
				if left--; left == 0 {
					return m
				}
			}
		}
		if late || f.over {
			f.t.Fatalf("%s did not come (the stream is over: %v); this came:\n%s", what, f.over, f.transcript())
		}
		f.moved.Wait()
	}
}

// Got returns everything that came so far.
func (f *FrontEnd) Got() []Message {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]Message(nil), f.got...)
}

// Requests returns what Codex asked so far.
func (f *FrontEnd) Requests() (list []Message) {
	for _, m := range f.Got() {
		if m.Asks() {
			list = append(list, m)
		}
	}
	return list
}

// Close ends the stream to Codex.
func (f *FrontEnd) Close() { f.out.Close() }

func (f *FrontEnd) transcript() string {
	var b strings.Builder
	for _, m := range f.got {
		line, _ := json.Marshal(m)
		if len(line) > 600 {
			line = append(line[:600], "…"...)
		}
		b.Write(append(line, '\n'))
	}
	return b.String()
}
