package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// connection is an MCP client of the server of serve, through a program in between.
type connection struct {
	to   io.WriteCloser
	from *bufio.Reader
	pid  int // of the program in between; 0 for none
	id   int
	end  func()
}

// served is the command that starts the server.
func served() []string {
	self, err := os.Executable()
	must(err)
	return []string{self, "-serve"}
}

// through starts a program that starts the server.
func through(program string, args ...string) *connection {
	cmd := exec.Command(program, append(args, served()...)...)
	to, err := cmd.StdinPipe()
	must(err)
	from, err := cmd.StdoutPipe()
	must(err)
	must(cmd.Start())
	c := &connection{to: to, from: bufio.NewReaderSize(from, 1<<20), pid: cmd.Process.Pid,
		end: func() { to.Close(); cmd.Wait() }}
	return c.begin()
}

// pipe puts only cat between the server and the client.
func pipe() *connection {
	line := served()
	server, cat := exec.Command(line[0], line[1:]...), exec.Command("cat")
	to, err := server.StdinPipe()
	must(err)
	middle, err := server.StdoutPipe()
	must(err)
	cat.Stdin = middle
	from, err := cat.StdoutPipe()
	must(err)
	must(server.Start())
	must(cat.Start())
	c := &connection{to: to, from: bufio.NewReaderSize(from, 1<<20), pid: cat.Process.Pid,
		end: func() { to.Close(); cat.Wait(); server.Wait() }}
	return c.begin()
}

func (c *connection) begin() *connection {
	c.call("initialize", `"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}`)
	return c
}

// call makes a call and reads until the result. It returns the number of bytes read.
func (c *connection) call(method, params string) (n int) {
	c.id++
	id := strconv.Itoa(c.id)
	_, err := io.WriteString(c.to, `{"jsonrpc":"2.0","id":`+id+`,"method":"`+method+`","params":{`+params+"}}\n")
	must(err)
	want := []byte(`{"jsonrpc":"2.0","id":` + id + `,`)
	for {
		part, err := c.from.ReadSlice('\n')
		n += len(part)
		found := bytes.HasPrefix(part, want)
		for err == bufio.ErrBufferFull {
			part, err = c.from.ReadSlice('\n')
			n += len(part)
		}
		must(err)
		if found {
			return n
		}
	}
}

func (c *connection) tool(name string, count, size int) int {
	return c.call("tools/call", fmt.Sprintf(`"name":"%s","arguments":{"count":%d,"size":%d}`, name, count, size))
}

// cpu returns the processor time of the program in between, in nanoseconds.
func (c *connection) cpu() float64 {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(c.pid) + "/stat")
	must(err)
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return float64(user+system) * 1e7 // ticks of 10 ms
}

// peak returns the largest resident memory of the program in between, in MB.
func (c *connection) peak() float64 {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(c.pid) + "/status")
	must(err)
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	kb, err := strconv.Atoi(strings.Fields(rest)[0])
	must(err)
	return float64(kb) * 1024 / 1e6
}

// passages measures one way to the server. fields names the parts of each sample.
type passages struct {
	name string
	open func() *connection
	asks func() *connection // the same with a client that answers questions; nil if there is none
	last sample
}

type sample struct{ flood, peak, large, largePeak, wall, question float64 }

const (
	floodCount = 200_000
	floodSize  = 1024
	largeCount = 4
	largeSize  = 60 << 20
	asked      = 2_000
)

// measure sends 205 MB of 1 KB messages, and then a result of 60 MB, each through a new program.
func (p *passages) measure() {
	c := p.open()
	before, start := c.cpu(), time.Now()
	n := c.tool("flood", floodCount, floodSize)
	mustHold(n > floodCount*floodSize, p.name+" loses messages")
	p.last.wall = float64(time.Since(start)) / floodCount
	p.last.flood, p.last.peak = (c.cpu()-before)/floodCount, c.peak()
	c.end()
	c = p.open()
	before = c.cpu()
	n = 0
	for range largeCount {
		n += c.tool("give", 1, largeSize)
	}
	mustHold(n > largeCount*largeSize, p.name+" loses bytes")
	p.last.large, p.last.largePeak = (c.cpu()-before)/largeCount/1e6, c.peak()
	c.end()
	if p.asks == nil {
		return
	}
	c = p.asks()
	start = time.Now()
	for range asked {
		c.tool("ask", 1, 0)
	}
	p.last.question = float64(time.Since(start)) / asked
	c.end()
}

// part makes a line of one part of the samples. The first part measures all.
func (p *passages) part(unit string, first bool, of func(sample) float64) *line {
	return &line{name: p.name, unit: unit, once: func() float64 {
		if first {
			p.measure()
		}
		return of(p.last)
	}}
}

// before returns the proxy of the commit before the machine of a connection, built from the repository. It returns ""
// if the repository lacks that commit.
func before() string {
	const commit = "d57052a"
	out := absolutePath("../dist/elicit-" + commit)
	if _, err := os.Stat(out); err == nil {
		return out
	}
	dir, err := os.MkdirTemp("", "elicit-bench")
	must(err)
	defer os.RemoveAll(dir)
	script := "set -o pipefail; git -C .. archive " + commit + " | tar x -C " + dir + " && cd " + dir +
		" && go build -o " + out + " ./cmd/elicit"
	build := exec.Command("bash", "-c", script)
	if said, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "the proxy of %s cannot be built and is left out: %s\n", commit, said)
		return ""
	}
	return out
}

// proxies compares the proxy with a plain pipe and with the proxy of an earlier commit.
func proxies() ([]*contest, []row) {
	dir, err := os.MkdirTemp("", "elicit-bench")
	must(err)
	answers := filepath.Join(dir, "answers.json")
	must(os.WriteFile(answers, []byte(`[{"answer":{"action":"accept","content":{"day":"Monday"}}}]`), 0o600))
	proxy := func(name, program string, flags ...string) *passages {
		flags = append([]string{"proxy"}, flags...)
		return &passages{name: name,
			open: func() *connection {
				return through(program, append(slices.Clone(flags), "--ui", "none", "--max-message", "67108864", "--")...)
			},
			asks: func() *connection {
				return through(program, append(slices.Clone(flags), "--ui", "answers="+answers, "--")...)
			}}
	}
	today := proxy("elicit proxy", absolutePath("../dist/elicit"), "--policy", "none", "--journal", "none")
	ways := []*passages{today, {name: "a pipe through cat", open: pipe}}
	if old := before(); old != "" {
		ways = append(ways, proxy("elicit proxy of d57052a", old))
	}
	fields := []struct {
		unit string
		of   func(sample) float64
	}{{"ns", func(s sample) float64 { return s.flood }}, {"MB", func(s sample) float64 { return s.peak }},
		{"ms", func(s sample) float64 { return s.large }}, {"MB", func(s sample) float64 { return s.largePeak }},
		{"ns", func(s sample) float64 { return s.wall }}, {"ns", func(s sample) float64 { return s.question }}}
	lines := make([][]*line, len(ways))
	c := &contest{procs: 2, batches: 1}
	for i, way := range ways {
		for j, f := range fields {
			l := way.part(f.unit, j == 0, f.of)
			lines[i] = append(lines[i], l)
			c.lines = append(c.lines, l)
		}
	}
	c.close = func() { os.RemoveAll(dir) }
	ours, cat := lines[0], lines[1]
	rows := []row{
		{path: "a message of 1 KB through the proxy", ours: ours[0], most: 4000, kind: absolute,
			what: "processor time of the proxy, 200,000 notifications"},
		{path: "memory while 205 MB of them pass", ours: ours[1], most: 24, kind: absolute, what: "most resident"},
		{path: "a result of 60 MB through the proxy", ours: ours[2], most: largeSize / 500e3, kind: absolute,
			what: "processor time, 500 MB a second"},
		{path: "memory while four of them pass", ours: ours[3], most: 260, kind: absolute, what: "most resident"},
		{path: "from one 1 KB message to the next", ours: ours[4], against: cat[4], most: 12},
	}
	if len(lines) > 2 {
		old := lines[2]
		rows = append(rows, row{path: "processor time of a 1 KB message", ours: ours[0], against: old[0], most: 1},
			row{path: "processor time of a 60 MB result", ours: ours[2], against: old[2], most: 1},
			row{path: "memory while 1 KB messages pass", ours: ours[1], against: old[1], most: 1.2},
			row{path: "a question asked and answered from a file", ours: ours[5], against: old[5], most: 1.5})
	}
	return []*contest{c}, rows
}
