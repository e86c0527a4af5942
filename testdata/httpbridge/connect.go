package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// link is the side that speaks HTTP to a server.
type link struct {
	url string
	ctx context.Context

	mu      sync.Mutex
	out     io.Writer
	session string
	version string // the negotiated protocol date; requests without sessions have their own
}

// connect sends lines to the server at a URL, and writes the server's messages, until the lines end.
func connect(url string, in io.Reader, out io.Writer) error {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	l := &link{url: url, ctx: ctx, out: out}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			l.leave()
			return nil
		}
		m, err := read(line)
		switch {
		case err != nil:
		case m.asks() && m.Method != "initialize":
			go l.post(m)
		default:
			l.post(m)
			if m.Method == "notifications/initialized" {
				// The stream must stand before the next message leaves. A server drops what belongs to no request
				// when nobody listens, and a question of a tool may be such a message.
				resp, err := l.do(http.MethodGet, message{}, "")
				go l.follow(message{}, resp, err)
			}
		}
	}
}

// leave ends the session.
func (l *link) leave() {
	if l.session == "" {
		return
	}
	if resp, err := l.do(http.MethodDelete, message{}, ""); err == nil {
		_ = resp.Body.Close()
	}
}

func (l *link) do(verb string, m message, last string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(l.ctx, verb, l.url, bytes.NewReader(m.line))
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	session, version := l.session, l.version
	l.mu.Unlock()
	if own, ok := m.Params.Meta.Version.(string); ok {
		version = own
	}
	name, _ := cmp.Or(m.Params.Name, m.Params.URI).(string)
	for header, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Last-Event-Id": last,
		"Mcp-Session-Id": session, "Mcp-Protocol-Version": version, "Mcp-Method": m.Method, "Mcp-Name": name,
	} {
		if value != "" {
			req.Header.Set(header, value)
		}
	}
	return http.DefaultClient.Do(req)
}

// post sends a message and writes the server's messages to it.
func (l *link) post(m message) {
	resp, err := l.do(http.MethodPost, m, "")
	if err != nil {
		l.fail(m, err.Error())
		return
	}
	defer resp.Body.Close()
	if id := resp.Header.Get("Mcp-Session-Id"); id != "" {
		l.mu.Lock()
		l.session = id
		l.mu.Unlock()
	}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if kind == "text/event-stream" {
		l.follow(m, resp, nil)
		return
	}
	body, _ := io.ReadAll(resp.Body)
	answer, err := read(body)
	switch {
	case !m.asks():
	case err == nil && bytes.Equal(answer.ID, m.ID):
		l.hear(answer)
	default:
		l.fail(m, "HTTP "+resp.Status)
	}
}

// follow reads the stream with the answer to m. For the zero message it reads the stream that belongs to no request.
// After the stream breaks it connects again, as long as the server sends ids of events from which to continue.
func (l *link) follow(m message, resp *http.Response, err error) {
	for err == nil && resp.StatusCode == http.StatusOK {
		last, pause, done := l.events(m, resp.Body)
		_ = resp.Body.Close()
		if done {
			return
		} else if last == "" {
			break
		}
		time.Sleep(pause)
		resp, err = l.do(http.MethodGet, message{}, last)
	}
	l.fail(m, "the server's answer broke off")
}

// events writes the messages of a stream. It returns the id of the last event, the pause before the next connection,
// and whether m has its answer.
func (l *link) events(m message, body io.Reader) (last string, pause time.Duration, done bool) {
	var data []string
	lines := bufio.NewReader(body)
	for {
		line, err := lines.ReadString('\n')
		field, value, _ := strings.Cut(strings.TrimRight(line, "\r\n"), ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "data":
			data = append(data, value)
		case "id":
			last = value
		case "retry":
			if ms, err := strconv.Atoi(value); err == nil {
				pause = time.Duration(ms) * time.Millisecond
			}
		case "":
			said, bad := read([]byte(strings.Join(data, "\n")))
			data = nil
			if bad == nil {
				l.hear(said)
				done = done || m.asks() && said.answers() && bytes.Equal(said.ID, m.ID)
			}
		}
		if err != nil || done {
			return last, pause, done
		}
	}
}

// hear writes a message of the server, and reads the negotiated date from it.
func (l *link) hear(m message) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if m.Result != nil && l.version == "" {
		l.version, _ = m.Result.ProtocolVersion.(string)
	}
	_, _ = l.out.Write(append(m.line, '\n'))
}

func (l *link) fail(m message, why string) {
	if m.asks() {
		l.hear(message{line: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":%q}}`, m.ID, why)})
	}
}
