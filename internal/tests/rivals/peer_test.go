package rivals

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
)

var (
	runs = flag.Int("runs", 4000, "how much the tests draw that compare the engine with programs in other languages")
	seed = flag.Int64("seed", 1, "what is drawn")
)

const parts = "../../../testdata/realparts"

// peer is a program that answers each line with a line.
type peer struct {
	name string
	in   io.WriteCloser
	out  *bufio.Reader
}

// startPeer skips the test when the program is missing, but never in CI, because a skipped test proves nothing.
func startPeer(t *testing.T, name string, needs string, command ...string) *peer {
	t.Helper()
	path, err := exec.LookPath(command[0])
	if _, missing := os.Stat(needs); err == nil && needs != "" {
		err = missing
	}
	if err != nil {
		why := fmt.Sprintf("%v; run testdata/realparts/setup.sh", err)
		if os.Getenv("CI") == "true" {
			t.Fatal(why)
		}
		t.Skip(why)
	}
	c := exec.Command(path, command[1:]...)
	c.Stderr = os.Stderr
	in, out := must.Start(t, c)
	t.Cleanup(func() {
		in.Close()
		if err := c.Wait(); err != nil {
			t.Error(name, err)
		}
	})
	return &peer{name, in, bufio.NewReader(out)}
}

func node(t *testing.T, kind string) *peer {
	modules, err := filepath.Abs(parts + "/node_modules")
	must.OK(t, err)
	return startPeer(t, "Node", modules, "node", "testdata/peer.mjs", kind, modules)
}

func python(t *testing.T, kind string) *peer {
	return startPeer(t, "Python", parts+"/venv", parts+"/venv/bin/python", "testdata/peer.py", kind)
}

func (p *peer) line(t *testing.T, asked string) string {
	t.Helper()
	go io.WriteString(p.in, asked+"\n") // it may answer before it has read all
	answer, err := p.out.ReadString('\n')
	if err != nil {
		t.Fatalf("%s: %v", p.name, err)
	}
	return strings.TrimSuffix(answer, "\n")
}

// judged asks for the verdicts on all cases.
func judged[V, C any](t *testing.T, p *peer, cases []C) (verdicts []V) {
	t.Helper()
	asked, err := json.Marshal(cases)
	must.OK(t, err)
	if err := json.Unmarshal([]byte(p.line(t, string(asked))), &verdicts); err != nil || len(verdicts) != len(cases) {
		t.Fatalf("%s: %d verdicts on %d cases, %v", p.name, len(verdicts), len(cases), err)
	}
	return verdicts
}

// batches calls judge with numbers from the seed on, some at a time.
func batches(of int, judge func(r []*rand.Rand)) {
	const most = 500
	for from := 0; from < of; from += most {
		list := make([]*rand.Rand, min(most, of-from))
		for i := range list {
			list[i] = rand.New(rand.NewSource(*seed<<32 + int64(from+i)))
		}
		judge(list)
	}
}

// difference is one way in which a rival reads otherwise, and why that is right. A row that nothing shows must go.
type difference struct {
	rival, why string
	seen       int
}

// allow reports that the difference has a row.
func allow(rows []*difference, rival, why string) bool {
	for _, d := range rows {
		if d.rival == rival && d.why == why {
			d.seen++
			return true
		}
	}
	return false
}

// shown logs how often each difference was seen, and fails for one that no large run shows.
func shown(t *testing.T, rows []*difference) {
	t.Helper()
	for _, d := range rows {
		if t.Logf("%s: %s: %d times", d.rival, d.why, d.seen); d.seen == 0 && *runs >= 100_000 {
			t.Errorf("%s no longer reads otherwise: %s", d.rival, d.why)
		}
	}
}

func pick[T any](r *rand.Rand, list ...T) T { return list[r.Intn(len(list))] }
