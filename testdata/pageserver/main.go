// Command pageserver serves the page of package ask/page on loopback, for tests in a real browser. It reads commands
// from its input, one JSON object a line, and writes one JSON object for each. Answers come as lines of their own. Its
// clock moves only when a command says so.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/elicit-engine/elicit/ask/page"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/schema"
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
	mu        sync.Mutex
	now       time.Time
	out       *json.Encoder
	questions *page.Memory
	pages     *page.Handler
}

func main() {
	login := flag.Bool("login", false, "ask who the person is: the cookie user, which /login?user=NAME sets")
	flag.Parse()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	s := &server{now: time.Now(), out: json.NewEncoder(os.Stdout)}
	s.questions = page.NewMemory(s.time)
	base := "http://" + listener.Addr().String() + "/ask/"
	o := page.Options{Source: s.questions, Base: base, Name: "Deployments", OnError: func(err error) { log.Print(err) }}
	if *login {
		o.Principal, o.SignIn = user, "/login?user=ada"
	}
	s.pages, err = page.New(o)
	check(err)
	mux := http.NewServeMux()
	mux.Handle("/ask/", s.pages)
	mux.HandleFunc("/login", func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "user", Value: r.URL.Query().Get("user"), Path: "/"})
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><title>Signed in</title><a href="/ask/">Back</a>`))
	})
	go func() { check(http.Serve(listener, mux)) }()
	s.write(line{Base: base})
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
		return "", page.ErrSignIn
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
		s.questions.Withdraw(c.Token)
		s.write(line{})
	case "put":
		s.put(c)
	}
}

func (s *server) put(c command) {
	form, problems := schema.Compile(c.Schema, schema.Options{})
	if problems != nil {
		log.Fatal(problems)
	}
	q := page.Question{Message: c.Message, Form: form.AppendJSON(nil), Secret: c.Secret}
	if c.Seconds != 0 {
		q.Deadline = s.time().UnixMilli() + c.Seconds*1000
	}
	token, answers, err := s.questions.Put(q, c.Principal, func(a page.Answer) []elicit.Problem {
		return form.Check(a.Content)
	})
	check(err)
	s.write(line{Link: s.pages.Link(token), Token: token})
	go func() {
		for a := range answers {
			s.write(line{Token: token, Action: a.Action, Answer: a.Content})
		}
	}()
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
