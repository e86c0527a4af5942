// Command hostkit certifies the loop of a host: a program that holds a connection of the engine and performs its
// effects. It plays both peers, the clock, the timers and the disk, with scripts that it makes of all vectors of
// connections: as they are, with a journal that fails, and with a wall clock that is set while timers end.
//
//	go run ./internal/hostkit [-json FILE] PROGRAM ARGUMENTS...
//
// The program drives the loop of the host and speaks as loops.Host says: lines and bytes on its standard streams.
// cabi/test/loop.c, bindings/python/tests/hostkit.py and bindings/lua/tests/hostkit.lua are such programs, of 40 to 90
// lines. hostkit prints what the host did wrong, with the first script for each mistake, and ends with 1. -json leaves
// {"host","scripts","passed","mistakes":{…}} in a file.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/internal/loops"
)

func main() {
	root := flag.String("vectors", "testdata/vectors", "the directory of the vectors")
	result := flag.String("json", "", "a file for the result")
	flag.Parse()
	good, err := certify(*root, *result, flag.Args(), os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "hostkit:", err)
		os.Exit(2)
	}
	if !good {
		os.Exit(1)
	}
}

// report is the result of a host.
type report struct {
	Host     string         `json:"host"`
	Scripts  int            `json:"scripts"`
	Passed   int            `json:"passed"`
	Mistakes map[string]int `json:"mistakes"`

	first map[string]*loops.Wrong
}

func certify(root, result string, args []string, out io.Writer) (good bool, err error) {
	if len(args) == 0 {
		return false, fmt.Errorf("name the program of the host")
	}
	scripts, _, err := loops.Read(root)
	if err != nil {
		return false, err
	}
	if len(scripts) == 0 {
		return false, fmt.Errorf("no vectors in %s: run it at the top of the repository", root)
	}
	run := exec.Command(args[0], args[1:]...)
	run.Stderr = os.Stderr
	in, err := run.StdinPipe()
	if err != nil {
		return false, err
	}
	pipe, err := run.StdoutPipe()
	if err != nil {
		return false, err
	}
	if err := run.Start(); err != nil {
		return false, err
	}
	r, failed := play(loops.Host{In: in, Out: bufio.NewReaderSize(pipe, 1<<20)}, scripts)
	in.Close()
	if ended := run.Wait(); failed == nil {
		failed = ended
	}
	r.Host = strings.Join(args, " ")
	r.tell(out)
	if text, err := json.Marshal(r); result != "" && err == nil {
		err = os.WriteFile(result, append(text, '\n'), 0o644)
		failed = errorOf(failed, err)
	}
	return r.Passed == r.Scripts, failed
}

func errorOf(first, second error) error {
	if first != nil {
		return first
	}
	return second
}

// play runs the scripts until the host ends.
func play(host loops.Host, scripts []loops.Script) (r report, err error) {
	r = report{Scripts: len(scripts), Mistakes: map[string]int{}, first: map[string]*loops.Wrong{}}
	for _, script := range scripts {
		wrong, err := host.Run(script)
		if err != nil {
			return r, err
		}
		if wrong == nil {
			r.Passed++
			continue
		}
		if r.Mistakes[wrong.Why]++; r.Mistakes[wrong.Why] == 1 {
			r.first[wrong.Why] = wrong
		}
	}
	return r, nil
}

func (r report) tell(out io.Writer) {
	for _, why := range slices.Sorted(maps.Keys(r.Mistakes)) {
		fmt.Fprintf(out, "%s, in %d scripts. The first:\n%s\n\n", why, r.Mistakes[why], r.first[why].Error())
	}
	fmt.Fprintf(out, "%d of %d scripts passed: %s\n", r.Passed, r.Scripts, r.Host)
}
