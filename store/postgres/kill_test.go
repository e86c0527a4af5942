package postgres_test

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/testdata/pgserver"
)

// process is a node of a server, testdata/asknode, in a process of its own.
type process struct {
	cmd *exec.Cmd
	in  io.Writer
	out *bufio.Scanner
}

type said struct {
	Choice, Refused string
	Error           any
	Problems        *int
	Result          struct {
		RequestState  string
		InputRequests map[string]struct{ Params struct{ URL string } }
		Content       []struct{ Text string }
	}
}

// nodes are two processes over one PostgreSQL.
type nodes struct {
	t       *testing.T
	command func() *exec.Cmd
	all     [2]*process
	kills   int
}

func (n *nodes) start(i int) {
	cmd := n.command()
	in, out := must.Start(n.t, cmd)
	n.all[i] = &process{cmd, in, bufio.NewScanner(out)}
}

// kill ends a process by SIGKILL, and starts another in its place.
func (n *nodes) kill(i int) {
	_ = n.all[i].cmd.Process.Kill()
	_ = n.all[i].cmd.Wait()
	n.kills++
	n.start(i)
}

// send tells a node what to do.
func (n *nodes) send(i int, do map[string]any) {
	line, _ := json.Marshal(do)
	_, _ = n.all[i].in.Write(append(line, '\n'))
}

// do tells a node what to do, and waits for what it says.
func (n *nodes) do(i int, do map[string]any) (got said) {
	n.t.Helper()
	n.send(i, do)
	if !n.all[i].out.Scan() {
		n.t.Fatal("the node has ended", n.all[i].out.Err())
	}
	if err := json.Unmarshal(n.all[i].out.Bytes(), &got); err != nil {
		n.t.Fatalf("the node says %s: %v", n.all[i].out.Bytes(), err)
	}
	return got
}

var (
	idInText   = regexp.MustCompile(`"id":"([0-9a-f.]+)"`)
	linkInText = regexp.MustCompile(`https://bot\.example/ask/([0-9a-f.]+)`)
)

// TestKilledNodes kills a node between each question and its answer, and every fourth time while it has the answer. The
// other node takes the answer, and gives the handler what was answered.
func TestKilledNodes(t *testing.T) {
	t.Parallel()
	s := pgserver.Start(t)
	program := filepath.Join(t.TempDir(), "asknode")
	must.Run(t, exec.Command("go", "build", "-o", program,
		"github.com/elicit-engine/elicit/testdata/asknode"))
	key := base64.RawURLEncoding.EncodeToString(make([]byte, 32))
	n := &nodes{t: t, command: func() *exec.Cmd {
		return exec.Command(program, s.URL(), "nodes", key, "https://bot.example/ask/")
	}}
	for i := range n.all {
		n.start(i)
		t.Cleanup(func() { _ = n.all[i].cmd.Process.Kill(); _ = n.all[i].cmd.Wait() })
	}
	draw := rand.New(rand.NewPCG(1, 2))
	for i := range 24 {
		size := []string{"s", "l"}[draw.IntN(2)]
		if got := n.ask(i, draw.IntN(2), size); got != size {
			t.Errorf("question %d: %q was answered, and the handler got %q", i, size, got)
		}
	}
	if n.kills < 24 {
		t.Errorf("%d processes were killed", n.kills)
	}
}

// ask makes a call on a node, kills it, and answers on the other.
func (n *nodes) ask(i, on int, size string) string {
	version, modes := "2026-07-28", []string{[]string{"form", "url"}[i%2]}
	if i%3 == 2 {
		version, modes = "2025-11-25", nil // through the client's model
	}
	call := map[string]any{"Op": "call", "Version": version, "Modes": modes, "Arguments": map[string]int{"n": i}}
	asked := n.do(on, call)
	if asked.Error != nil || len(asked.Result.InputRequests)+len(asked.Result.Content) == 0 {
		n.t.Fatalf("question %d: %s", i, n.all[on].out.Bytes())
	}
	n.kill(on)
	content := map[string]any{"choice": size}
	answer := map[string]any{"Op": "submit", "Version": version, "Action": "accept"}
	for key, request := range asked.Result.InputRequests {
		answer = call
		call["State"] = asked.Result.RequestState
		call["Responses"] = map[string]any{key: map[string]any{"action": "accept", "content": content}}
		if link := linkInText.FindStringSubmatch(request.Params.URL); link != nil {
			call["Responses"] = map[string]any{key: map[string]any{"action": "accept"}}
			n.page(1-on, link[1], content)
		}
	}
	if text := asked.Result.Content; len(text) > 0 {
		answer["ID"] = idInText.FindStringSubmatch(text[0].Text)[1]
		n.page(1-on, linkInText.FindStringSubmatch(text[0].Text)[1], content)
	}
	if i%4 == 3 {
		n.send(1-on, answer)
		n.kill(1 - on)
	}
	for begun := time.Now(); time.Since(begun) < time.Minute; time.Sleep(10 * time.Millisecond) { // it may still run
		got := n.do(on, answer)
		lost := got.Error == "invalid or expired requestState"
		for _, told := range got.Result.Content {
			lost = lost || strings.HasPrefix(told.Text, "The answer was taken; the result is unknown.")
		}
		switch {
		case got.Choice != "":
			return got.Choice
		case lost && i%4 == 3:
			// The node that was killed had taken the state, and had not replied. The call begins again.
			return n.ask(i+1, on, size)
		}
	}
	return "nothing in a minute"
}

// page answers on the server's page.
func (n *nodes) page(on int, link string, content any) {
	got := n.do(on, map[string]any{"Op": "answer", "Link": link, "Action": "accept", "Content": content})
	if got.Error != nil || got.Problems == nil || *got.Problems != 0 {
		n.t.Errorf("the page says %+v", got)
	}
}
