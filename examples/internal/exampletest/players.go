package exampletest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"testing"
)

// players are clients on other SDKs. testdata/realparts has them.
var players = []struct {
	name, date string
	command    []string
}{
	{"TypeScript 1", "2025-11-25", []string{"node", "players/player1.mjs"}},
	{"TypeScript 2", "2025-11-25", []string{"node", "players/player2.mjs"}},
	{"TypeScript 2", "2026-07-28", []string{"node", "players/player2.mjs"}},
	{"Python 1", "2025-11-25", []string{"venv1/bin/python", "players/player.py"}},
	{"Python 2", "2025-11-25", []string{"venv/bin/python", "players/player.py"}},
	{"Python 2", "2026-07-28", []string{"venv/bin/python", "players/player.py"}},
}

// declarations are the kinds of clients, as players spell them.
var declarations = []string{"none", "form", "both"}

const parts = "../../testdata/realparts/"

// eachPlayer runs a test with every player and declaration, over standard input.
func eachPlayer(t *testing.T, program string, p Person, test func(t *testing.T, s *Session)) {
	if testing.Short() {
		return // the players take half a minute
	}
	for _, of := range []string{"node_modules", "venv", "venv1"} {
		if _, err := os.Stat(parts + of); err != nil {
			t.Run("players", func(t *testing.T) {
				if os.Getenv("CI") == "true" {
					t.Fatal(err)
				}
				t.Skipf("%v; run testdata/realparts/setup.sh", err)
			})
			return
		}
	}
	for _, one := range players {
		for _, declared := range declarations {
			t.Run(one.name+" "+one.date+" "+declared, func(t *testing.T) {
				s := &Session{t: t, person: p}
				command := append([]string{}, one.command...)
				for i, word := range command {
					if _, err := os.Stat(parts + word); err == nil {
						command[i] = parts + word
					}
				}
				s.client = s.play(append(command, one.date, declared, "--", program), one.date)
				t.Cleanup(s.visit.Wait)
				test(t, s)
			})
		}
	}
}

// player is a client in another process.
type player struct {
	session *Session
	mu      sync.Mutex
	to      io.WriteCloser
	last    int
	waits   map[int]chan line
}

// line is what a player prints.
type line struct {
	ID     int
	Ready  string
	Asked  int
	Params struct{ Mode, Message, URL string }
	Text   string
	Failed bool
	Tools  []string
	Error  string
}

func (s *Session) play(command []string, date string) client {
	c := exec.Command(command[0], command[1:]...)
	c.Stderr = os.Stderr
	to, err := c.StdinPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	from, err := c.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		s.t.Fatal(err)
	}
	p := &player{session: s, to: to, waits: map[int]chan line{}}
	ready, over := make(chan string, 1), make(chan struct{})
	go func() {
		defer close(over)
		p.read(bufio.NewReader(from), ready)
	}()
	s.t.Cleanup(func() {
		to.Close()
		<-over
		c.Wait()
	})
	if got := <-ready; got != date {
		s.t.Fatalf("the player speaks %q, want %s", got, date)
	}
	return p
}

func (p *player) read(from *bufio.Reader, ready chan<- string) {
	defer close(ready)
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		for id, wait := range p.waits {
			wait <- line{Error: "the player has ended"}
			delete(p.waits, id)
		}
	}()
	for {
		text, err := from.ReadBytes('\n')
		if err != nil {
			return
		}
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			p.session.t.Errorf("the player says %s", text)
			return
		}
		switch {
		case l.Ready != "":
			ready <- l.Ready
		case l.Asked != 0:
			go p.answer(l)
		default:
			p.mu.Lock()
			wait := p.waits[l.ID]
			delete(p.waits, l.ID)
			p.mu.Unlock()
			if wait != nil {
				wait <- l
			}
		}
	}
}

func (p *player) answer(l line) {
	action, content := p.session.asks(l.Params.Mode, l.Params.Message, l.Params.URL)
	result := map[string]any{"action": action}
	if content != nil {
		result["content"] = content
	}
	if err := p.write(map[string]any{"answer": l.Asked, "result": result}); err != nil {
		p.session.t.Error(err)
	}
}

func (p *player) write(v any) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return json.NewEncoder(p.to).Encode(v)
}

// do makes a request.
func (p *player) do(ctx context.Context, request map[string]any) (line, error) {
	wait := make(chan line, 1)
	p.mu.Lock()
	p.last++
	request["id"] = p.last
	p.waits[p.last] = wait
	p.mu.Unlock()
	if err := p.write(request); err != nil {
		return line{}, err
	}
	select {
	case l := <-wait:
		if l.Error != "" {
			return l, fmt.Errorf("the player: %s", l.Error)
		}
		return l, nil
	case <-ctx.Done():
		return line{}, ctx.Err()
	}
}

func (p *player) call(ctx context.Context, tool string, arguments map[string]any) (string, bool, error) {
	l, err := p.do(ctx, map[string]any{"call": tool, "arguments": arguments})
	return l.Text, l.Failed, err
}

func (p *player) tools(ctx context.Context) ([]string, error) {
	l, err := p.do(ctx, map[string]any{"list": true})
	return l.Tools, err
}
