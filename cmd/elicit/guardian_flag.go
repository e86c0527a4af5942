package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	front "github.com/elicit-engine/elicit"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/program"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/host"
)

// guardians are the guardians that --guardian names, with their modules and permits. add and addFile fill them from
// files; require checks them.
type guardians struct {
	paths      []string
	second     string // --second-person, a program
	principal  principalFlag
	modules    *host.Guests
	programs   map[string][]string // by the guardian's name, the command line of each guardian that is a program
	beforeRead func(path string)   // gets the path of every file before it is read; may be nil
	list       []permitSource
}

// permitSource is one permit and its place in a file, for messages about it.
type permitSource struct {
	doc    document
	at     string // pointer into doc
	permit []byte // JSON as in an engine's configuration
}

func (g *guardians) addFlag(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&g.paths, "guardian", nil,
		"guardian to ask: a module `FILE.wasm`, a file of permits, or a directory of both; may be repeated")
	cmd.Flags().StringVar(&g.second, "second-person", "",
		"`program` that asks a second person when a guardian requires one")
	g.principal.addFlag(cmd)
}

// newProgramRunner returns the runner of the guardians that are programs. It writes the programs' faults to notes.
// The caller closes it.
func (g *guardians) newProgramRunner(notes io.Writer) *program.Runner {
	r := &program.Runner{Guardians: g.programs, Principal: g.principal.name, Notes: notes}
	if g.second != "" {
		r.Second = []string{g.second}
	}
	return r
}

// require reads the modules and permits for a command that answers for the person. Such a command must not run without
// a guardian that its operator named.
func (g *guardians) require(cmd *cobra.Command) error {
	if err := g.principal.require(); err != nil {
		return err
	}
	if len(g.paths) == 0 {
		return nil
	}
	g.modules = host.NewGuests(host.Options{})
	for _, path := range g.paths {
		if err := g.add(cmd, path); err != nil {
			return err
		}
	}
	if len(g.list) == 0 {
		return errors.New("--guardian names no guardian; " +
			"give a module, a file with at least one permit, or a directory that holds one")
	}
	if problems := g.problems(); len(problems) > 0 {
		for _, p := range problems {
			at, rest := g.sourceOf(p.Pointer)
			p.Pointer = rest
			at.printProblems(cmd.ErrOrStderr(), []elicit.Problem{p})
		}
		return exitWith(exitInvalid, errors.New("a guardian has the problems above; correct them, then run this again"))
	}
	return nil
}

// guests returns the modules as the engine's driver takes them, and nil when there are none.
func (g *guardians) guests() engine.Guests {
	if g.modules == nil {
		return nil
	}
	return g.modules
}

// logEvaluations writes the verdict, the cost and the log of every evaluation to notes when verbose is set. Of an
// evaluation that was shown a secret it writes neither the log nor the cost, because a guest could put the secret into
// them.
func (g *guardians) logEvaluations(notes io.Writer, verbose bool) {
	if g.modules == nil || !verbose {
		return
	}
	g.modules.OnEvaluation = func(c effect.Consult, r host.Result) {
		if c.Withheld() {
			fmt.Fprintf(notes, "elicit: guardian %s, %s: it was shown a secret, "+
				"so its verdict, fuel, time and log are not printed\n", c.Guardian, c.Phase)
			return
		}
		said := gjson.GetBytes(r.Output, "decision").String()
		if r.Fault != "" {
			said = "no verdict, " + faultWords(r)
		} else if _, p := guardian.ReadVerdict(r.Output, c.Phase); p != nil {
			said = "no verdict, " + string(guardian.FaultBadVerdict)
			if !c.Withheld() {
				said += ": " + strings.TrimSpace(p.Pointer+" "+english.Problem(*p))
			}
		}
		fmt.Fprintf(notes, "elicit: guardian %s, %s: %s; %d fuel, %.2f ms\n",
			c.Guardian, c.Phase, oneLine(said), r.Fuel, float64(r.Nanoseconds)/1e6)
		for _, line := range r.Log {
			fmt.Fprintf(notes, "elicit: guardian %s logs (%s): %s\n", c.Guardian, line.Level, oneLine(line.Text))
		}
	}
}

// AppendJSON appends the permits as the list "guardians" of an engine's configuration.
func (g *guardians) AppendJSON(dst []byte) []byte {
	dst = append(dst, '[')
	for i, e := range g.list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, e.permit...)
	}
	return append(dst, ']')
}

// problems lists why the engine would refuse the permits, and which guardians nothing in this process can run. The
// pointers begin with /guardians/N, where N is an index of g.list.
func (g *guardians) problems() []elicit.Problem {
	list := g.AppendJSON(nil)
	permits, problems := guardian.ReadPermits(gjson.ParseBytes(list))
	for i := range problems {
		problems[i].Pointer = "/guardians" + problems[i].Pointer
	}
	if len(problems) > 0 {
		return problems
	}
	for i, permit := range permits {
		if _, _, held := g.modules.Manifest(permit.Digest); g.programs[permit.Name] == nil && (!held || permit.Host) {
			problems = append(problems, elicit.Problem{Code: "guardian_nobody_runs",
				Pointer: fmt.Sprintf("/guardians/%d", i), Args: []elicit.Arg{elicit.Str("guardian", permit.Name)}})
		}
	}
	return append(problems, engine.CheckGuests([]byte(`{"guardians":`+string(list)+`}`), g.modules)...)
}

// sourceOf turns a pointer of problems into the file of the permit and a pointer into that file.
func (g *guardians) sourceOf(pointer string) (document, string) {
	index, rest, _ := strings.Cut(strings.TrimPrefix(pointer, "/guardians/"), "/")
	n, err := strconv.Atoi(index)
	if err != nil || n >= len(g.list) {
		return document{name: "--guardian"}, ""
	}
	if rest != "" {
		rest = "/" + rest
	}
	return g.list[n].doc, g.list[n].at + rest
}

// config lists the guardians in the form of an engine's configuration. The caller has called require, which refuses
// every permit that the engine would refuse.
func (g *guardians) config() (list []front.Guardian, err error) {
	d := json.NewDecoder(bytes.NewReader(g.AppendJSON(nil)))
	d.DisallowUnknownFields() // a member that front.Guardian lacks would be lost silently
	err = d.Decode(&list)
	return list, err
}

// faultWords returns the code of a fault, and its detail in brackets.
func faultWords(r host.Result) string {
	if r.Detail == "" {
		return string(r.Fault)
	}
	return string(r.Fault) + " (" + oneLine(r.Detail) + ")"
}
