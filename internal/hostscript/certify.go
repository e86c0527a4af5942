package hostscript

import (
	"bufio"
	_ "embed" // the scenarios
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
)

//go:embed scenarios.json
var scenarios []byte

// Scenarios are the scripts that certify a host. Each has a name and says what the host has to get right.
func Scenarios() (scripts []Script) {
	if err := json.Unmarshal(scenarios, &scripts); err != nil {
		panic(err) // a test reads the file
	}
	return scripts
}

// Report is the result of a host.
type Report struct {
	Host     string         `json:"host"`
	Scripts  int            `json:"scripts"`
	Passed   int            `json:"passed"`
	Mistakes map[string]int `json:"mistakes"`
	Failed   []string       `json:"failed"` // the names of the scripts

	first map[string]*Wrong
}

// Certify starts the program of a host and runs scripts through it.
func Certify(scripts []Script, args []string) (r Report, err error) {
	run := exec.Command(args[0], args[1:]...)
	run.Stderr = os.Stderr
	in, err := run.StdinPipe()
	if err != nil {
		return r, err
	}
	pipe, err := run.StdoutPipe()
	if err != nil {
		return r, err
	}
	if err := run.Start(); err != nil {
		return r, err
	}
	r, failed := Play(Host{In: in, Out: bufio.NewReaderSize(pipe, 1<<20)}, scripts)
	_ = in.Close() // the host has ended if this fails
	if ended := run.Wait(); failed == nil {
		failed = ended
	}
	r.Host = strings.Join(args, " ")
	return r, failed
}

// Play runs the scripts until the host ends.
func Play(host Host, scripts []Script) (r Report, err error) {
	r = Report{Scripts: len(scripts), Mistakes: map[string]int{}, Failed: []string{}, first: map[string]*Wrong{}}
	for _, script := range scripts {
		wrong, err := host.Run(script)
		if err != nil {
			r.Failed = append(r.Failed, script.Name)
			return r, err
		}
		if wrong == nil {
			r.Passed++
			continue
		}
		r.Failed = append(r.Failed, script.Name)
		if r.Mistakes[wrong.Why]++; r.Mistakes[wrong.Why] == 1 {
			r.first[wrong.Why] = wrong
		}
	}
	return r, nil
}

// Good reports whether every script passed.
func (r Report) Good() bool { return r.Passed == r.Scripts }

// Tell writes the mistakes of the host, each with the first script that shows it.
func (r Report) Tell(out io.Writer) {
	for _, why := range slices.Sorted(maps.Keys(r.Mistakes)) {
		fmt.Fprintf(out, "%s, in %d scripts. The first:\n%s\n\n", why, r.Mistakes[why], r.first[why].Error())
	}
	fmt.Fprintf(out, "%d of %d scripts passed: %s\n", r.Passed, r.Scripts, r.Host)
}
