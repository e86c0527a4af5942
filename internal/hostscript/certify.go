package hostscript

import (
	"bufio"
	"cmp"
	_ "embed" // the scenarios
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
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

// Patience is how long a program may take for one script before it counts as stuck.
const Patience = time.Minute

// Certify starts the program of a host and runs scripts through it. It ends a program that takes longer for one.
func Certify(scripts []Script, args []string, patience time.Duration) (r Report, err error) {
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
	stuck := time.AfterFunc(patience, func() {
		_ = run.Process.Kill()
		_ = pipe.Close() // a child of the program may hold it open
	})
	r, failed := Play(Host{In: in, Out: bufio.NewReaderSize(pipe, 1<<20)}, scripts, func() { stuck.Reset(patience) })
	_ = in.Close() // the host has ended if this fails
	ended := run.Wait()
	switch killed := !stuck.Stop(); {
	case killed: // failed has the script, or is nil after the last one
		failed = fmt.Errorf("it took more than %s: %w", patience, cmp.Or(failed, ended))
	case failed == nil:
		failed = ended
	}
	r.Host = strings.Join(args, " ")
	return r, failed
}

// Play runs the scripts until the host ends. It calls begins before each.
func Play(host Host, scripts []Script, begins func()) (r Report, err error) {
	r = Report{Scripts: len(scripts), Mistakes: map[string]int{}, Failed: []string{}, first: map[string]*Wrong{}}
	for _, script := range scripts {
		begins()
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
