// The command mutants changes one place of a package at a time and tells which changes no test notices.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/types"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

type options struct {
	dir     string // where the go command runs
	count   int    // mutants of a package
	seed    uint64
	own     string // what go test runs first; empty means the package's own tests
	vectors string // what go test runs for a mutant that they let live; empty means nothing
	same    string // a file with the mutants that no test can notice; empty means none
}

// A score counts the mutants of a package. Those that no test can notice are not among them.
type score struct {
	name                                 string
	mutants, own, vectors, survive, same int // same are among all of the package
}

func main() {
	o := options{}
	flag.IntVar(&o.count, "n", 10, "mutants of each package")
	flag.Uint64Var(&o.seed, "seed", 1, "the seed that draws them")
	flag.StringVar(&o.own, "own", "", "arguments of go test in place of the own tests, such as those of a swarm")
	flag.StringVar(&o.vectors, "vectors", "./engine/abi -run TestVectors", "arguments of go test after the own tests")
	flag.StringVar(&o.same, "same", "internal/mutants/same.txt", "a file with mutants that no test can notice")
	flag.Parse()
	if err := run(os.Stdout, o, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, o options, patterns []string) error {
	if len(patterns) == 0 || o.count < 1 {
		return errors.New("name packages, such as ./engine/policy, and at least one mutant")
	}
	list := exec.Command("go", append([]string{"list", "-json=ImportPath,Dir,GoFiles"}, patterns...)...)
	list.Dir, list.Stderr = o.dir, os.Stderr
	out, err := list.Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	same, err := readSame(o.same)
	if err != nil {
		return err
	}
	var scores []score
	for packages := json.NewDecoder(strings.NewReader(string(out))); packages.More(); {
		var p struct {
			ImportPath, Dir string
			GoFiles         []string
		}
		if err := packages.Decode(&p); err != nil {
			return err
		}
		imports, err := importsOf(o.dir, p.ImportPath)
		if err != nil {
			return err
		}
		sites, err := sitesOf(p.Dir, p.GoFiles, imports)
		if err != nil {
			return err
		}
		s, err := mutate(w, o, of{p.ImportPath, p.Dir, p.GoFiles, imports}, sites, same)
		if err != nil {
			return err
		}
		scores = append(scores, s)
	}
	fmt.Fprintf(w, "\n%-48s %8s %8s %8s %8s %8s %6s %6s\n", "package", "mutants", "own", "vectors", "survived", "same",
		"own %", "all %")
	for _, s := range scores {
		share := func(n int) float64 { return 100 * float64(n) / float64(max(1, s.mutants)) }
		fmt.Fprintf(w, "%-48s %8d %8d %8d %8d %8d %6.1f %6.1f\n", s.name, s.mutants, s.own, s.vectors, s.survive, s.same,
			share(s.own), share(s.own+s.vectors))
	}
	return nil
}

// readSame reads the mutants that no test can notice. A line has the file, its line, the change and, after a tab, the
// reason.
func readSame(file string) (map[string]bool, error) {
	same := map[string]bool{}
	if file == "" {
		return same, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		if name, reason, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && reason != "" {
			same[name] = true
		} else if line != "\n" {
			return nil, fmt.Errorf("%s: a line without a reason: %s", file, line)
		}
	}
	return same, nil
}

// of is the package that is changed.
type of struct {
	name, dir string
	files     []string
	imports   types.Importer
}

// mutate draws mutants of one package and runs the tests on each. One binary has those that compile together. Each of
// the others is compiled alone, and drawn again if it does not compile.
func mutate(w io.Writer, o options, p of, sites []site, same map[string]bool) (score, error) {
	s := score{name: p.name}
	temp, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return s, err
	}
	defer os.RemoveAll(temp)
	root, err := filepath.Abs(o.dir)
	if err != nil {
		return s, err
	}
	var drawn []site
	for _, i := range rand.New(rand.NewPCG(o.seed, 0)).Perm(len(sites)) {
		if same[sites[i].name(root)] {
			s.same++
			continue
		}
		drawn = append(drawn, sites[i])
	}
	together := drawn[:min(len(drawn), o.count+o.count/2)]
	overlay := filepath.Join(temp, "overlay.json")
	in, err := shared(temp, overlay, p.dir, p.files, together, p.imports)
	if err != nil {
		return s, err
	}
	fmt.Fprintf(w, "%s: %d of %d mutants compile together\n", p.name, len(in), len(together))
	own, err := newSuite(o, overlay, filepath.Join(temp, "own.test"), cmp.Or(o.own, p.name))
	if err != nil {
		return s, err
	}
	vectors, err := newSuite(o, overlay, filepath.Join(temp, "vectors.test"), o.vectors)
	if err != nil {
		return s, err
	}
	for i, at := range drawn {
		if s.mutants == o.count {
			break
		}
		alone := ""
		if !in[i] {
			alone = filepath.Join(temp, "alone.json")
			if err := at.write(temp, alone); err != nil {
				return s, err
			}
		}
		killed, built := own.kills(i+1, alone)
		if !built {
			continue
		}
		s.mutants++
		fate := "survives"
		if killed {
			fate = "own tests"
			s.own++
		} else if killed, _ := vectors.kills(i+1, alone); killed {
			fate = "vectors"
			s.vectors++
		} else {
			s.survive++
		}
		fmt.Fprintf(w, "%3d of %d  %-9s  %s:%d: %s\n", s.mutants, o.count, fate, at.file, at.line, at.says())
	}
	return s, nil
}

// name is how a file of mutants that no test can notice spells a site: its file below a directory, its line and the
// change.
func (s site) name(root string) string {
	return strings.TrimPrefix(s.file, root+string(filepath.Separator)) + ": " + s.around + " // " + s.says()
}

func (s site) says() string { return strings.Join(strings.Fields(s.change), " ") }

// write makes the overlay in which the file of a site has the change.
func (s site) write(temp, overlay string) error {
	source, err := os.ReadFile(s.file)
	if err != nil {
		return err
	}
	mutant := filepath.Join(temp, "alone.go")
	text := string(source[:s.start]) + s.text + string(source[s.end:])
	if err := os.WriteFile(mutant, []byte(text), 0o600); err != nil {
		return err
	}
	return writeOverlay(overlay, map[string]string{s.file: mutant})
}

func writeOverlay(overlay string, replace map[string]string) error {
	data, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(overlay, data, 0o600)
}

// A suite is tests, and the binary that has them with the mutants that compile together.
type suite struct {
	dir, pkgDir, binary string
	args                []string // of go test; empty if there are no tests
	limit               time.Duration
}

// newSuite compiles tests and runs them without a mutant. Tests that fail then would kill each mutant.
func newSuite(o options, overlay, binary, args string) (*suite, error) {
	s := &suite{dir: o.dir, binary: binary, args: strings.Fields(args)}
	if len(s.args) == 0 {
		return s, nil
	}
	list := exec.Command("go", "list", "-f", "{{.Dir}}", s.args[0])
	list.Dir, list.Stderr = s.dir, os.Stderr // it may tell there what it downloads
	dir, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w", s.args[0], err)
	}
	s.pkgDir = strings.TrimSpace(string(dir))
	if out, err := s.goes("test", "-c", "-vet=off", "-overlay", overlay, "-o", binary, s.args[0]); err != nil {
		return nil, fmt.Errorf("go test -c %s: %w\n%s", s.args[0], err, out)
	}
	began := time.Now()
	if out, err := s.run(0); err != nil {
		return nil, fmt.Errorf("go test %s fails without a mutant: %w\n%s", args, err, out)
	}
	s.limit = 4*time.Since(began) + 20*time.Second // a mutant may take longer, but not for ever
	return s, nil
}

// kills reports whether the tests notice a mutant, and whether it compiles. alone is the overlay of one that the
// binary does not have.
func (s *suite) kills(mutant int, alone string) (killed, built bool) {
	if len(s.args) == 0 {
		return false, true
	}
	if alone == "" {
		_, err := s.run(mutant)
		return err != nil, true
	}
	flags := []string{"test", "-count=1", "-failfast", "-vet=off", "-timeout", (s.limit + time.Minute).String(),
		"-overlay", alone}
	out, err := s.goes(append(flags, s.args...)...)
	return err != nil, err == nil || !strings.Contains(out, "[build failed]") && !strings.Contains(out, "[setup failed]")
}

// run runs the binary with one of its mutants, and with none for 0.
func (s *suite) run(mutant int) (string, error) {
	flags := []string{"-test.failfast", "-test.timeout", s.limit.String()}
	for _, arg := range s.args[1:] {
		if name := strings.TrimLeft(arg, "-"); name != arg && slices.Contains([]string{"run", "short", "skip"}, name) {
			arg = "-test." + name
		}
		flags = append(flags, arg)
	}
	// A loop that the runtime cannot interrupt outlives the timeout of the tests.
	ctx, stop := context.WithTimeout(context.Background(), cmp.Or(s.limit, time.Hour)+10*time.Second)
	defer stop()
	test := exec.CommandContext(ctx, s.binary, flags...)
	test.Dir, test.Env = s.pkgDir, append(os.Environ(), "ELICIT_MUTANT="+strconv.Itoa(mutant))
	out, err := test.CombinedOutput()
	return string(out), err
}

func (s *suite) goes(args ...string) (string, error) {
	command := exec.Command("go", args...)
	command.Dir = s.dir
	out, err := command.CombinedOutput()
	return string(out), err
}
