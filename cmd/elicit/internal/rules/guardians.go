package rules

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/user"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	front "github.com/elicit-engine/elicit"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/each"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/places"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/program"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/internal/trustedfile"
	"github.com/elicit-engine/elicit/plugins/host"
)

// Guardians are the guardians that --guardian names, with their modules and permits. add and addFile fill them from
// files; require checks them.
type Guardians struct {
	Paths  []string
	second string // --second-person, a program
	// Principal is the name of the person whose answers the command takes. The engine compares it with the name of a
	// second person who approves, and it keeps grants and visited hosts for each principal.
	Principal  string
	Modules    *host.Guests
	Programs   map[string][]string // by the guardian's name, the command line of each guardian that is a program
	beforeRead func(path string)   // gets the path of every file before it is read; may be nil
	List       []PermitSource
}

// PermitSource is one permit and its place in a file, for messages about it.
type PermitSource struct {
	Doc    cli.Document
	At     string // pointer into doc
	permit []byte // JSON as in an engine's configuration
}

// AddFlag adds --guardian, --second-person and --principal.
func (g *Guardians) AddFlag(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&g.Paths, "guardian", nil,
		"guardian to ask: a module `FILE.wasm`, a file of permits, a directory of both, or none; may be repeated; "+
			"by default those of `elicit guardian add`")
	cmd.Flags().StringVar(&g.second, "second-person", "",
		"`program` that asks a second person when a guardian requires one")
	cmd.Flags().StringVar(&g.Principal, "principal", "",
		"`name` of the person who answers; by default the user of the operating system")
}

// NewProgramRunner returns the runner of the guardians that are programs. It writes the programs' faults to notes.
// The caller closes it.
func (g *Guardians) NewProgramRunner(notes io.Writer) *program.Runner {
	r := &program.Runner{Guardians: g.Programs, Principal: g.Principal, Notes: notes}
	if g.second != "" {
		r.Second = []string{g.second}
	}
	return r
}

// Require reads the modules and permits for a command that answers for the person. Such a command must not run without
// a guardian that its operator named.
func (g *Guardians) Require(cmd *cobra.Command) error {
	if err := g.requirePrincipal(); err != nil {
		return err
	}
	paths, err := g.paths()
	if err != nil || len(paths) == 0 {
		return err
	}
	g.Modules = host.NewGuests(GuestOptions())
	for _, path := range paths {
		if err := g.add(cmd, path); err != nil {
			return err
		}
	}
	if len(g.List) == 0 && len(g.Paths) == 0 {
		return nil
	}
	if len(g.List) == 0 {
		return errors.New("--guardian names no guardian; " +
			"give a module, a file with at least one permit, or a directory that holds one")
	}
	if problems := g.problems(); len(problems) > 0 {
		for _, p := range problems {
			at, rest := g.sourceOf(p.Pointer)
			p.Pointer = rest
			at.PrintProblems(cmd.ErrOrStderr(), []elicit.Problem{p})
		}
		return cli.Exit(cli.Invalid, errors.New("a guardian has the problems above; correct them, then run this again"))
	}
	return nil
}

// requirePrincipal fills in the name of the person whose answers the command takes, and refuses what is no name.
func (g *Guardians) requirePrincipal() error {
	g.Principal = cmp.Or(g.Principal, osUser())
	if guardian.Person(g.Principal) == "" || len(g.Principal) > 256 {
		return errors.New("--principal does not hold a name; give a name of at most 256 bytes")
	}
	return nil
}

// osUser returns the name of the user who runs the process, looked up by the process's user id. It does not read the
// environment variable USER, because any program may set that to another name.
func osUser() string {
	id := os.Getuid()
	if id < 0 { // Windows has no numeric user ids
		if u, err := user.Current(); err == nil {
			return u.Username[strings.LastIndexByte(u.Username, '\\')+1:]
		}
		return "the user of this computer"
	}
	if u, err := user.LookupId(strconv.Itoa(id)); err == nil && guardian.Person(u.Username) != "" {
		return u.Username
	}
	return "user " + strconv.Itoa(id)
}

// paths returns the arguments of --guardian. Without one it is the directory that `elicit guardian add` fills, if that
// is there. No other user may be able to enter it, because its permits can name programs to run.
func (g *Guardians) paths() ([]string, error) {
	if len(g.Paths) == 1 && g.Paths[0] == places.None {
		return nil, nil
	}
	if len(g.Paths) > 0 {
		return g.Paths, nil
	}
	dir, err := places.Guardians()
	if err != nil {
		return nil, nil // without a configuration directory nothing was added
	}
	g.willRead(dir)
	switch err := trustedfile.CheckPrivateBelow(dir); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil && !errors.Is(err, trustedfile.ErrNoOwners):
		return nil, fmt.Errorf("the guardians cannot be trusted: %w", err)
	}
	return []string{dir}, nil
}

// GuestOptions say how this command runs guests. Machine code of one process serves the next ones, if a directory of
// this user can be trusted.
func GuestOptions() host.Options {
	dir, _ := places.MachineCode() // without such a place nothing is kept
	return host.Options{Compiler: true, Beside: true, CacheDir: dir}
}

// Guests returns the modules as the engine's driver takes them, and nil when there are none.
func (g *Guardians) Guests() engine.Guests {
	if g.Modules == nil {
		return nil
	}
	return g.Modules
}

// Close frees the resources of the guests. It waits until their machine code is made, if that can be kept.
func (g *Guardians) Close() {
	if g.Modules != nil {
		g.Modules.Close()
	}
}

// LogEvaluations writes the verdict, the cost and the log of every evaluation to notes when verbose is set. Of an
// evaluation that was shown a secret it writes neither the log nor the cost, because a guest could put the secret into
// them.
func (g *Guardians) LogEvaluations(notes io.Writer, verbose bool) {
	if g.Modules == nil || !verbose {
		return
	}
	g.Modules.OnEvaluation = func(c effect.Consult, r host.Result) {
		if c.Withheld() {
			fmt.Fprintf(notes, "elicit: guardian %s, %s: it was shown a secret, "+
				"so its verdict, fuel, time and log are not printed\n", c.Guardian, c.Phase)
			return
		}
		said := gjson.GetBytes(r.Output, "decision").String()
		if r.Fault != "" {
			said = "no verdict, " + FaultWords(r)
		} else if _, p := guardian.ReadVerdict(r.Output, c.Phase); p != nil {
			said = "no verdict, " + string(guardian.FaultBadVerdict)
			if !c.Withheld() {
				said += ": " + strings.TrimSpace(p.Pointer+" "+english.Problem(*p))
			}
		}
		fmt.Fprintf(notes, "elicit: guardian %s, %s: %s; %d fuel, %.2f ms\n",
			c.Guardian, c.Phase, cli.OneLine(said), r.Fuel, float64(r.Nanoseconds)/1e6)
		for _, line := range r.Log {
			fmt.Fprintf(notes, "elicit: guardian %s logs (%s): %s\n", c.Guardian, line.Level, cli.OneLine(line.Text))
		}
	}
}

// AppendJSON appends the permits as the list "guardians" of an engine's configuration.
func (g *Guardians) AppendJSON(dst []byte) []byte {
	permits := each.Of(g.List, func(e PermitSource) string { return string(e.permit) })
	return append(dst, "["+strings.Join(permits, ",")+"]"...)
}

// problems lists why the engine would refuse the permits, and which guardians nothing in this process can run. The
// pointers begin with /guardians/N, where N is an index of g.list.
func (g *Guardians) problems() []elicit.Problem {
	list := g.AppendJSON(nil)
	permits, problems := guardian.ReadPermits(gjson.ParseBytes(list))
	for i := range problems {
		problems[i].Pointer = "/guardians" + problems[i].Pointer
	}
	if len(problems) > 0 {
		return problems
	}
	for i, permit := range permits {
		if _, _, held := g.Modules.Manifest(permit.Digest); g.Programs[permit.Name] == nil && (!held || permit.Host) {
			problems = append(problems, elicit.Problem{Code: "guardian_nobody_runs",
				Pointer: fmt.Sprintf("/guardians/%d", i), Args: []elicit.Arg{elicit.Str("guardian", permit.Name)}})
		}
	}
	return append(problems, engine.CheckGuests([]byte(`{"guardians":`+string(list)+`}`), g.Modules)...)
}

// sourceOf turns a pointer of problems into the file of the permit and a pointer into that file.
func (g *Guardians) sourceOf(pointer string) (cli.Document, string) {
	index, rest, _ := strings.Cut(strings.TrimPrefix(pointer, "/guardians/"), "/")
	n, err := strconv.Atoi(index)
	if err != nil || n >= len(g.List) {
		return cli.Document{Name: "--guardian"}, ""
	}
	if rest != "" {
		rest = "/" + rest
	}
	return g.List[n].Doc, g.List[n].At + rest
}

// Config lists the guardians in the form of an engine's configuration. The caller has called require, which refuses
// every permit that the engine would refuse.
func (g *Guardians) Config() (list []front.Guardian, err error) {
	d := json.NewDecoder(bytes.NewReader(g.AppendJSON(nil)))
	d.DisallowUnknownFields() // a member that front.Guardian lacks would be lost silently
	err = d.Decode(&list)
	return list, err
}

// VerdictWords reads a verdict, and says its decision and its obligations; ok is false for a fault, which it says then.
// To allow counts as to pass.
func VerdictWords(output []byte, fault guardian.Fault, phase guardian.Phase) (v guardian.Verdict, words string,
	ok bool,
) {
	if fault == "" {
		var problem *elicit.Problem
		if v, problem = guardian.ReadVerdict(output, phase); problem != nil {
			fault = guardian.FaultBadVerdict
		}
	}
	if fault != "" {
		return v, "fault " + string(fault), false
	}
	if v.Decision == guardian.Allow {
		v.Decision = guardian.Pass
	}
	words = v.Decision.String()
	for _, pointer := range v.Redact {
		words += " redact " + pointer
	}
	if v.Second {
		words += " second_person"
	}
	return v, words, true
}

// FaultWords returns the code of a fault, and its detail in brackets.
func FaultWords(r host.Result) string {
	if r.Detail == "" {
		return string(r.Fault)
	}
	return string(r.Fault) + " (" + cli.OneLine(r.Detail) + ")"
}
