package exampletest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
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
	running := map[string]*player{}
	for _, one := range players {
		key := fmt.Sprint(one.command)
		for _, declared := range declarations {
			t.Run(one.name+" "+one.date+" "+declared, func(inner *testing.T) {
				s := &Session{t: inner, person: p}
				if running[key] == nil || running[key].ended() {
					running[key] = startPlayer(t, one.command)
				}
				running[key].open(s, one.date, declared, program)
				s.client = running[key]
				inner.Cleanup(s.visit.Wait)
				test(inner, s)
			})
		}
	}
}

// player is a process that plays clients one after the other, because an SDK takes long to load.
type player struct {
	t       *testing.T // of all its clients
	mu      sync.Mutex
	session *Session // of the open client
	to      io.WriteCloser
	last    int
	waits   map[int]chan line
	ready   chan line     // that the player is ready, or has closed a client
	over    chan struct{} // closed when the player has ended
}

// line is what a player prints.
type line struct {
	ID     int
	Ready  string
	Closed bool
	Asked  int
	Params struct{ Mode, Message, URL string }
	Text   string
	Failed bool
	Tools  []string
	Error  string
}

func startPlayer(t *testing.T, words []string) *player {
	command := slices.Clone(words)
	for i, word := range command {
		if _, err := os.Stat(parts + word); err == nil {
			command[i] = parts + word
		}
	}
	c := exec.Command(command[0], command[1:]...)
	c.Stderr = os.Stderr
	to, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	from, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	p := &player{t: t, to: to, waits: map[int]chan line{}, ready: make(chan line, 1), over: make(chan struct{})}
	go func() {
		defer close(p.over)
		p.read(bufio.NewReader(from))
	}()
	t.Cleanup(func() {
		to.Close()
		<-p.over
		c.Wait()
	})
	return p
}

func (p *player) ended() bool {
	select {
	case <-p.over:
		return true
	default:
		return false
	}
}

// open opens a client for the time of a test.
func (p *player) open(s *Session, date, declared, program string) {
	p.mu.Lock()
	p.session = s
	p.mu.Unlock()
	opening := map[string]any{"date": date, "declared": declared, "command": []string{program}}
	if got := p.tell(s.t, map[string]any{"open": opening}).Ready; got != date {
		s.t.Fatalf("the player speaks %q, want %s", got, date)
	}
	s.t.Cleanup(func() {
		if !p.ended() && !p.tell(s.t, map[string]any{"close": true}).Closed {
			s.t.Error("the player does not close")
		}
	})
}

// tell writes a line that the player answers with one about itself.
func (p *player) tell(t *testing.T, what map[string]any) (said line) {
	if err := p.write(what); err != nil {
		t.Fatal(err)
	}
	select {
	case said = <-p.ready:
	case <-p.over:
		t.Fatal("the player has ended")
	}
	return said
}

func (p *player) read(from *bufio.Reader) {
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
			p.t.Errorf("the player says %s", text)
			return
		}
		switch {
		case l.Ready != "" || l.Closed:
			p.ready <- l
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
	p.mu.Lock()
	s := p.session
	p.mu.Unlock()
	action, content := s.asks(l.Params.Mode, l.Params.Message, l.Params.URL)
	result := map[string]any{"action": action}
	if content != nil {
		result["content"] = content
	}
	if err := p.write(map[string]any{"answer": l.Asked, "result": result}); err != nil {
		s.t.Error(err)
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
