// Package program asks guardians that are programs: a reviewer that calls a language model, or a program that asks a
// second person. The program gets the question on its standard input and writes its answer to its standard output. The
// answer counts when the program ends with exit code 0.
//
//	r := &program.Runner{Guardians: map[string][]string{"auto": {"./reviewer"}}, Answer: answered}
//	r.Consult(consult)
package program

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/processgroup"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
)

// Runner starts programs and gives their answers to Answer, from another goroutine. Any goroutine may call its methods.
type Runner struct {
	Guardians map[string][]string // command line by the guardian's name; Use replaces them
	Second    []string            // command line that asks a second person; nil for none
	Principal string              // the person who answers here, who cannot be the second person
	Notes     io.Writer           // gets the standard error of programs that failed, and why; nil for none
	Answer    func(event.Consulted)

	mu      sync.Mutex
	running map[*run]bool
	reviews map[review][]string // command lines that may be asked again
	closed  bool
}

// review names a request that is before a reviewer.
type review struct {
	id       elicit.ID
	guardian string
}

// run is one running program.
type run struct {
	consult effect.Consult
	stop    context.CancelFunc
}

// Consult starts the program of a guardian and returns at once. Without a program the answer is the fault unavailable.
func (r *Runner) Consult(c effect.Consult) {
	command := r.command(c)
	ctx, stop := context.WithDeadline(context.Background(), time.UnixMilli(c.Deadline))
	job := &run{c, stop}
	if !r.begin(job) || len(command) == 0 {
		stop()
		go r.Answer(c.Answer(event.Consulted{Fault: guardian.FaultUnavailable}))
		return
	}
	go func() {
		said := r.ask(ctx, command, c)
		stop()
		if r.end(job) {
			r.Answer(c.Answer(said))
		}
	}()
}

// Use replaces the command lines of guardians. A program that is at work goes on, and a reviewer whose answer could not
// be read is asked again by the command line that was asked first.
func (r *Runner) Use(guardians map[string][]string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Guardians = guardians
}

// command is whom to ask, nil for nobody.
func (r *Runner) command(c effect.Consult) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case c.Phase == effect.SecondPerson:
		return r.Second
	case c.Digest != "": // a module is meant, whatever program has its name now
		return nil
	case !c.Reviewer:
		return r.Guardians[c.Guardian]
	}
	at := review{c.ID, c.Guardian}
	if c.Attempt <= 1 {
		if r.reviews == nil {
			r.reviews = map[review][]string{}
		}
		r.reviews[at] = r.Guardians[c.Guardian]
	}
	return r.reviews[at]
}

func (r *Runner) begin(job *run) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.running == nil {
		r.running = map[*run]bool{}
	}
	if !r.closed {
		r.running[job] = true
	}
	return !r.closed
}

// end removes a run. It reports whether the answer is still wanted.
func (r *Runner) end(job *run) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	waited := r.running[job]
	delete(r.running, job)
	return waited
}

// Withdraw ends the programs of a request that has ended. Their answers are dropped.
func (r *Runner) Withdraw(id elicit.ID) {
	r.mu.Lock()
	maps.DeleteFunc(r.reviews, func(at review, _ []string) bool { return at.id == id })
	r.mu.Unlock()
	r.stopAll(func(job *run) bool { return job.consult.ID == id })
}

// Close ends all programs and drops their answers. The answer of each later Consult is a fault.
func (r *Runner) Close() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.stopAll(func(*run) bool { return true })
}

func (r *Runner) stopAll(which func(*run) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for job := range r.running {
		if which(job) {
			delete(r.running, job)
			job.stop()
		}
	}
}

// ask runs a program to its end. At the deadline it kills the program and every process that the program started.
func (r *Runner) ask(ctx context.Context, command []string, c effect.Consult) event.Consulted {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(os.Environ(), "ELICIT_GUARDIAN="+c.Guardian, "ELICIT_PHASE="+string(c.Phase),
		fmt.Sprintf("ELICIT_ATTEMPT=%d", max(c.Attempt, 1)))
	cmd.Stdin = bytes.NewReader(append(bytes.Clone(c.Question), '\n'))
	out := &capped{most: guardian.MaxReview}
	cmd.Stdout, cmd.Stderr = out, &capped{most: guardian.MaxReview}
	processgroup.Own(cmd)
	cmd.Cancel = func() error { return processgroup.Kill(cmd) }
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		r.note(c, "%v: %s", err, cmd.Stderr)
		return event.Consulted{Fault: guardian.FaultUnavailable}
	}
	said := strings.TrimSpace(out.String())
	switch {
	case out.over:
		return event.Consulted{Fault: guardian.FaultOutputTooLarge}
	case said == "":
		r.note(c, "the program wrote no answer: %s", cmd.Stderr)
		return event.Consulted{Fault: guardian.FaultBadOutput}
	case c.Phase == effect.SecondPerson:
		answer, wrong := r.approval(said)
		if wrong != "" {
			r.note(c, "the second person's answer does not count: %s", wrong)
		}
		return answer
	}
	return event.Consulted{Output: said}
}

// approval reads {"principal","decision"}, two strings and no other member, and says what is wrong with it. The engine
// interprets the decision. The engine compares the principals too, but then it would wait for another person, although
// the program has ended.
func (r *Runner) approval(said string) (answer event.Consulted, wrong string) {
	bad := event.Consulted{Fault: guardian.FaultBadOutput}
	if !utf8.ValidString(said) || ui.NotStrict([]byte(said)) != nil || !gjson.Parse(said).IsObject() {
		return bad, "it is not one JSON object, or holds a key twice"
	}
	members := map[string]string{}
	gjson.Parse(said).ForEach(func(k, v gjson.Result) bool {
		if name := k.String(); v.Type != gjson.String || name != "principal" && name != "decision" {
			wrong = "it holds more than the strings \"principal\" and \"decision\""
		}
		members[k.String()] = v.Str
		return wrong == ""
	})
	who := members["principal"]
	switch {
	case wrong != "":
	case len(members) != 2:
		wrong = "it needs \"principal\" and \"decision\""
	case guardian.Person(who) == "" || len(who) > maxPrincipal || strings.ContainsFunc(who, unicode.IsControl):
		wrong = "its principal is not a name"
	case guardian.Person(who) == guardian.Person(r.Principal):
		wrong = "its principal is " + strconv.Quote(r.Principal) + ", who gave the answer; somebody else must approve"
	default:
		verdict := `{"v":1,"decision":` + elicit.Str("", members["decision"]).Raw + `}`
		return event.Consulted{Output: verdict, Principal: who}, ""
	}
	return bad, wrong
}

// maxPrincipal is the most bytes of a name, well below the engine's limit.
const maxPrincipal = 256

func (r *Runner) note(c effect.Consult, format string, args ...any) {
	if r.Notes == nil {
		return
	}
	line := strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " ")
	if c.Withheld() {
		line = "it failed; it was shown a secret, so its output is not printed"
	}
	fmt.Fprintf(r.Notes, "elicit: guardian %s: %s\n", c.Guardian, ui.Plain(line[:min(len(line), 500)]))
}

// capped is a buffer that keeps only the first bytes. It does not embed bytes.Buffer, because io.Copy would use the
// ReadFrom of that, which has no bound.
type capped struct {
	text []byte
	most int
	over bool
}

func (b *capped) Write(p []byte) (int, error) {
	room := b.most - len(b.text)
	b.over = b.over || len(p) > room
	b.text = append(b.text, p[:min(len(p), room)]...)
	return len(p), nil
}

func (b *capped) String() string { return string(b.text) }
