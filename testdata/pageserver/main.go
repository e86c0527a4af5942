// Command pageserver serves the pages of package ask/page on loopback, for tests in a real browser. It reads commands
// from its input, one JSON object a line, and writes one JSON object for each. Answers come as lines of their own. Its
// clock moves only when a command says so.
package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"flag"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/ask/page"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// command is one line of the input: put a question, advance the clock, or withdraw a question.
type command struct {
	Do        string
	Message   string
	Schema    json.RawMessage
	Principal string
	Secret    bool
	Seconds   int64 // until the deadline of put, and of advance
	Token     string
}

// line is one line of the output.
type line struct {
	Base   string          `json:"base,omitempty"`
	Link   string          `json:"link,omitempty"`
	Token  string          `json:"token,omitempty"`
	Answer json.RawMessage `json:"answer,omitempty"`
	Action elicit.Action   `json:"action,omitempty"`
}

type server struct {
	mu       sync.Mutex
	now      time.Time
	out      *json.Encoder
	asker    *ask.Asker
	base     string
	withdraw map[string]func() // by the token
}

func main() {
	login := flag.Bool("login", false, "ask who the person is: the cookie user, which /login?user=NAME sets")
	flag.Parse()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	s := &server{now: time.Now(), out: json.NewEncoder(os.Stdout), withdraw: map[string]func(){}}
	s.base = "http://" + listener.Addr().String() + "/ask/"
	s.asker, err = ask.New(ask.Options{Server: "Deployments", Page: s.base + "#/", SignIn: "/login?user=ada", Now: s.time,
		TTL: time.Hour})
	check(err)
	o := page.Options{Asker: s.asker, OnError: func(err error) { log.Print(err) }}
	if *login {
		o.Principal = user
	}
	mux := http.NewServeMux()
	mux.Handle("/ask/", page.New(o))
	mux.HandleFunc("/login", func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "user", Value: r.URL.Query().Get("user"), Path: "/"})
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><title>Signed in</title><a href="/ask/">Back</a>`))
	})
	go func() { check(http.Serve(listener, mux)) }()
	s.write(line{Base: s.base})
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c command
		check(json.Unmarshal(lines.Bytes(), &c))
		s.do(c)
	}
}

func user(r *http.Request) (string, error) {
	c, err := r.Cookie("user")
	if err != nil {
		return "", nil
	}
	return c.Value, nil
}

func (s *server) do(c command) {
	switch c.Do {
	case "advance":
		s.mu.Lock()
		s.now = s.now.Add(time.Duration(c.Seconds) * time.Second)
		s.mu.Unlock()
		s.write(line{})
	case "withdraw":
		s.withdraw[c.Token]()
		s.write(line{})
	case "put":
		s.put(c)
	}
}

// client is a client that opens every link, and hands it to a test.
type client chan string

func (c client) Request(_ context.Context, _ string, params json.RawMessage) (json.RawMessage, error) {
	var p struct{ URL string }
	err := json.Unmarshal(params, &p)
	c <- p.URL
	return json.RawMessage(`{"action":"accept"}`), err
}

func (client) Notify(context.Context, string, json.RawMessage) error { return nil }

// put lets a tool ask on a page.
func (s *server) put(c command) {
	links := make(client, 1)
	ctx, cancel := context.WithCancel(context.Background())
	who := ask.Client{Session: rand.Text(), Principal: c.Principal, Version: "2025-11-25",
		Declared: elicit.Modes{URL: true}, Conn: links}
	q := ask.Question{Mode: elicit.Form, Message: c.Message, Schema: c.Schema, Secret: c.Secret,
		TTL: time.Duration(c.Seconds) * time.Second}
	token := make(chan string, 1)
	go s.asker.Do(ctx, ask.Call{Client: who, Target: "put"}, func(ctx context.Context) error {
		a, err := ask.Raw(ctx, q)
		said := map[error]elicit.Action{nil: elicit.Accept, ask.ErrDeclined: elicit.Decline, ask.ErrCancelled: elicit.Cancel}
		for is, action := range said {
			if errors.Is(err, is) && ctx.Err() == nil {
				s.write(line{Token: <-token, Action: action, Answer: a.Content})
			}
		}
		return err
	})
	link := <-links
	name := strings.TrimPrefix(link, s.base+"#/")
	token <- name
	s.withdraw[name] = cancel
	s.write(line{Link: link, Token: name})
}

func (s *server) time() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

func (s *server) write(l line) {
	s.mu.Lock()
	defer s.mu.Unlock()
	check(s.out.Encode(l))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
