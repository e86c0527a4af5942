package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// stdio is the interface for programs that cannot load a library: a process that takes one call a line.
type stdio struct {
	in  *bufio.Writer
	out *bufio.Reader
	end func()
}

func newStdio() *stdio {
	cmd := exec.Command("../dist/elicit", "--stdio")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	must(err)
	out, err := cmd.StdoutPipe()
	must(err)
	must(cmd.Start())
	return &stdio{bufio.NewWriterSize(in, 1<<16), bufio.NewReaderSize(out, 1<<16), func() { in.Close(); cmd.Wait() }}
}

// call waits for each answer before it makes the next call, as an editor would.
func (s *stdio) call(line string) []byte {
	s.in.WriteString(line)
	s.in.WriteByte('\n')
	must(s.in.Flush())
	answer, err := s.out.ReadSlice('\n')
	must(err)
	mustHold(bytes.Contains(answer, []byte(`"status":"ok"`)), "a line is refused")
	return answer
}

func (s *stdio) eval() *line {
	asked := `{"op":"check","input":` + checkInput() + `}`
	return &line{name: "by lines", unit: "ns", run: func(n int) {
		for range n {
			s.call(asked)
		}
	}}
}

// engine opens an engine with a session and returns the beginning of a line that steps it.
func (s *stdio) engine(inputs []string) string {
	opened := s.call(`{"op":"open","input":` + wholeConfig + `}`)
	_, rest, _ := strings.Cut(string(opened), `"handle":"`)
	step := `{"op":"step","handle":"` + rest[:16] + `","input":`
	s.call(step + inputs[0] + "}")
	return step
}

func (s *stdio) tick(inputs []string) *line {
	asked := s.engine(inputs) + tickInput + "}"
	return &line{name: "by lines", unit: "ns", run: func(n int) {
		for range n {
			s.call(asked)
		}
	}}
}

func (s *stdio) question(inputs []string) *line {
	step := s.engine(inputs)
	at := 4_102_444_800_000 // later than the clock of the process, which the engine started with
	return &line{name: "by lines", unit: "ns", run: func(n int) {
		for range n {
			at += 20
			now := `"at":` + strconv.Itoa(at)
			id := shownID.FindSubmatch(s.call(step + strings.Replace(inputs[1], `"at":0`, now, 1) + "}"))
			mustHold(id != nil, "the question is not shown")
			answer := strings.Replace(strings.Replace(inputs[2], `"at":0`, now, 1), "$1", string(id[1]), 1)
			mustHold(bytes.Contains(s.call(step+answer+"}"), []byte(`"effect":"reply"`)), "the answer is refused")
		}
	}}
}
