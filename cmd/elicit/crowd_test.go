package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/terminaltest"
	"github.com/elicit-engine/elicit/internal/must"
)

// crowd is one MCP client with many servers, each behind a proxy of its own: crowd N DIR WHO COMMAND…. With the word
// lines for WHO it asks all the time. With screen it is a full-screen program: it reads single keys, writes them to
// DIR/keys, and asks all servers at each key.
func crowd() {
	n, err := strconv.Atoi(os.Args[1])
	dir, full := os.Args[2], os.Args[3] == "screen"
	if err != nil {
		panic(err)
	}
	var calls []chan string
	var connected sync.WaitGroup
	for i := range n {
		next := make(chan string)
		calls = append(calls, next)
		name := fmt.Sprintf("s%d", i)
		command := append([]string{"proxy", "--name", name, "--journal", filepath.Join(dir, name), "--per-minute", "60000",
			"--burst", "10000"}, os.Args[4:]...)
		stderr, err := os.Create(filepath.Join(dir, name+".err"))
		if err != nil {
			panic(err)
		}
		connected.Add(1)
		go converse(command, stderr, connected.Done, next)
		if !full {
			go func() {
				for k := 1; ; k++ {
					next <- fmt.Sprintf("%s-q%d", name, k)
					time.Sleep(10 * time.Millisecond) // a muted server has its answer at once, and would take a processor
				}
			}()
		}
	}
	if !full {
		select {}
	}
	connected.Wait() // a proxy that finds the terminal taken when it starts tells the server that nobody can be asked
	fullScreen(dir, calls)
}

// converse starts a proxy and calls the tool deploy for each service.
func converse(command []string, stderr *os.File, connected func(), services <-chan string) {
	ctx := context.Background()
	client := mcp.NewClient(&mcp.Implementation{Name: "crowd", Version: "1"}, nil)
	cmd := exec.Command("elicit", command...)
	cmd.Stderr = stderr
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		panic(err)
	}
	connected()
	for service := range services {
		_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "deploy", Arguments: map[string]any{"service": service}})
		if err != nil {
			return // the test is over
		}
	}
}

// fullScreen takes the terminal, and ends with the key x.
func fullScreen(dir string, calls []chan string) {
	if _, err := term.MakeRaw(os.Stdin.Fd()); err != nil {
		panic(err)
	}
	keys, err := os.Create(filepath.Join(dir, "keys"))
	if err != nil {
		panic(err)
	}
	fmt.Print("\x1b[?1049h\x1b[2J\x1b[Hfull-screen client\r\n")
	in := bufio.NewReader(os.Stdin)
	for k := 1; ; k++ {
		key, err := in.ReadByte()
		if err != nil {
			panic(err)
		}
		for i, call := range calls {
			call <- fmt.Sprintf("s%d-q%d", i, k)
		}
		if _, err := keys.Write([]byte{key}); err != nil || key == 'x' {
			return
		}
	}
}

// deploying finds the question on a screen.
var deploying = regexp.MustCompile(`Deploy (s\d+-q\d+) to production`)

// endOf is how a question ended, by a journal.
type endOf struct{ service, action string }

// readEnds reads from the journals of all proxies how questions ended. It skips a record that is not complete yet.
func readEnds(t *testing.T, dir string, n int) (all []endOf) {
	t.Helper()
	for i := range n {
		f, err := os.Open(filepath.Join(dir, fmt.Sprintf("s%d", i)))
		if err != nil {
			continue // the proxy has not started yet
		}
		asked := map[string]string{}
		for lines := bufio.NewReader(f); ; {
			line, err := lines.ReadBytes('\n')
			if err == io.EOF {
				break
			}
			var r struct {
				Event   struct{ Event, Message, ID, Action string }
				Effects []struct{ Effect, ID string }
			}
			must.Unmarshal(t, line, &r)
			switch r.Event.Event {
			case "asked":
				for _, e := range r.Effects {
					asked[e.ID] = r.Event.Message
				}
			case "answered":
				service := deploying.FindStringSubmatch(asked[r.Event.ID])
				if service == nil {
					t.Fatalf("an answer to no question: %s", line)
				}
				all = append(all, endOf{service[1], r.Event.Action})
			}
		}
		f.Close()
	}
	return all
}

func startCrowd(t *testing.T, n int, who, flags string) (p *terminaltest.Terminal, dir string) {
	t.Helper()
	dir = t.TempDir()
	server := programtest.DemoServer(t)
	return terminaltest.Open(t, 90, 24,
		fmt.Sprintf("unset DISPLAY WAYLAND_DISPLAY TMUX TMUX_PANE; export XDG_CONFIG_HOME=%s; "+
			"crowd %d %s %s %s -- %s; echo crowd ended", dir, n, dir, who, flags, server)), dir
}

// TestNoAnswerToAQuestionThatIsNotOnTheScreen: several proxies ask on one terminal at the same time. Random keys, also
// typed faster than a screen is drawn, only ever end the question that was on the screen.
func TestNoAnswerToAQuestionThatIsNotOnTheScreen(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		proxies, sequences int
		seed               uint64
		ui                 string
	}{{2, 40, 1, "auto"}, {2, 40, 2, "terminal"}, {5, 40, 3, "auto"}, {5, 40, 4, "terminal"}} {
		t.Run(fmt.Sprintf("%d proxies, %s", c.proxies, c.ui), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(c.seed, 1))
			p, dir := startCrowd(t, c.proxies, "lines", "--ui "+c.ui)
			p.Wait(fmt.Sprintf("%d more waiting", c.proxies-1)) // each of the others has a question
			askers, over := map[string]bool{}, map[string]bool{}
			for i := range c.sequences {
				var on string
				p.Until("shows a question whose keys count", func(screen string) bool {
					found := deploying.FindStringSubmatch(screen)
					if found == nil || over[found[1]] || strings.Contains(screen, terminaltest.NotReady) {
						return false
					}
					on = found[1]
					return true
				})
				for range random.IntN(3) { // more could reach "Decline and mute", which ends the questions of a server
					p.KeysNow([]string{"Left", "Right", "Tab", "Space", "Down", "Up", "y", "n", "a"}[random.IntN(9)])
				}
				// The first Enter ends the question if a button is selected, and else the second one does. The rest comes
				// too early for the next question.
				p.KeysNow("Enter", "Right", "Enter", "Right", "Enter", "y", "Enter")
				over[on] = true
				var all []endOf
				p.Until("ended one more question", func(string) bool {
					all = readEnds(t, dir, c.proxies)
					return len(all) > i
				})
				if len(all) != i+1 {
					t.Fatalf("%s was on the screen, and %d questions ended, such as %v", on, len(all)-i, all[:min(len(all), 5)])
				}
				for _, e := range all {
					if !over[e.service] {
						t.Fatalf("%s was on the screen, and the answer %s went to %s", on, e.action, e.service)
					}
				}
				asker, _, _ := strings.Cut(on, "-")
				askers[asker] = true
			}
			if len(askers) != c.proxies {
				t.Errorf("only %d of %d proxies had a turn: %v", len(askers), c.proxies, askers)
			}
			accepted := 0
			for _, e := range readEnds(t, dir, c.proxies) {
				if e.action == "accept" {
					accepted++
				}
			}
			if accepted == 0 {
				t.Error("no question was accepted, so this test showed nothing")
			}
		})
	}
}

// TestAFullScreenClientKeepsItsKeys: with --ui auto, the proxies of a full-screen client do not draw on its terminal.
// The client gets every key, and nothing is accepted.
func TestAFullScreenClientKeepsItsKeys(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 1))
	const proxies, sequences = 3, 40
	p, dir := startCrowd(t, proxies, "screen", "--ui auto")
	p.Wait("full-screen client")
	typed := ""
	for range sequences {
		keys := make([]byte, 1+random.IntN(5))
		for i := range keys {
			keys[i] = "yn\r\t ab"[random.IntN(7)]
		}
		for _, key := range keys {
			p.KeysNow("-H", fmt.Sprintf("%x", key))
		}
		typed += string(keys)
	}
	p.KeysNow("x")
	screen := p.Wait("crowd ended")
	got := must.Read(t, dir, "keys")
	if string(got) != typed+"x" {
		t.Errorf("the client got %q of %q", got, typed+"x")
	}
	if deploying.MatchString(screen) {
		t.Errorf("a question is on its screen:\n%s", screen)
	}
	all := readEnds(t, dir, proxies)
	for _, e := range all {
		if e.action != "cancel" {
			t.Errorf("%s: %s", e.service, e.action)
		}
	}
	if len(all) < proxies*len(typed) {
		t.Errorf("%d questions ended, want at least %d", len(all), proxies*len(typed))
	}
}
