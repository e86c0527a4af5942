// The command mutants changes one place of a package at a time and tells which changes no test notices.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
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
	mutants, own, vectors, survive, same int
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
		sites, err := sitesOf(p.Dir, p.GoFiles)
		if err != nil {
			return err
		}
		s, err := mutate(w, o, p.ImportPath, sites, same)
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

// readSame reads the mutants that no test can notice. A line has the line of the source, the change and, after a tab,
// the reason.
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

// mutate draws mutants of one package and runs the tests on each. A mutant that does not compile is drawn again.
func mutate(w io.Writer, o options, name string, sites []site, same map[string]bool) (score, error) {
	s := score{name: name}
	temp, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return s, err
	}
	defer os.RemoveAll(temp)
	overlay := filepath.Join(temp, "overlay.json")
	own, vectors := []string{name}, strings.Fields(o.vectors)
	if o.own != "" {
		own = strings.Fields(o.own)
	}
	// Tests that fail without a mutant would kill each one. A mutant may take longer, but not for ever.
	limit := map[bool]time.Duration{}
	for isOwn, args := range map[bool][]string{true: own, false: vectors} {
		if len(args) == 0 {
			continue
		}
		began := time.Now()
		if out, err := goTest(o.dir, 0, args...); err != nil {
			return s, fmt.Errorf("go test %s fails without a mutant: %w\n%s", strings.Join(args, " "), err, out)
		}
		limit[isOwn] = 3*time.Since(began) + time.Minute
	}
	for _, i := range rand.New(rand.NewPCG(o.seed, 0)).Perm(len(sites)) {
		if s.mutants == o.count {
			break
		}
		at := sites[i]
		change := strings.Join(strings.Fields(at.change), " ")
		if same[at.around+" // "+change] {
			s.same++
			continue
		}
		if err := at.write(temp, overlay); err != nil {
			return s, err
		}
		out, err := goTest(o.dir, limit[true], append([]string{"-overlay", overlay}, own...)...)
		if err != nil && (strings.Contains(out, "[build failed]") || strings.Contains(out, "[setup failed]")) {
			continue
		}
		s.mutants++
		fate := "survives"
		if err != nil {
			fate = "own tests"
			s.own++
		} else if len(vectors) > 0 {
			if _, err := goTest(o.dir, limit[false], append([]string{"-overlay", overlay}, vectors...)...); err != nil {
				fate = "vectors"
				s.vectors++
			}
		}
		if fate == "survives" {
			s.survive++
		}
		fmt.Fprintf(w, "%3d of %d  %-9s  %s:%d: %s\n", s.mutants, o.count, fate, at.file, at.line, change)
	}
	return s, nil
}

// write makes the overlay in which the file of a site has the change.
func (s site) write(temp, overlay string) error {
	source, err := os.ReadFile(s.file)
	if err != nil {
		return err
	}
	mutant := filepath.Join(temp, "mutant.go")
	text := string(source[:s.start]) + s.text + string(source[s.end:])
	if err := os.WriteFile(mutant, []byte(text), 0o600); err != nil {
		return err
	}
	data, err := json.Marshal(map[string]map[string]string{"Replace": {s.file: mutant}})
	if err != nil {
		return err
	}
	return os.WriteFile(overlay, data, 0o600)
}

// goTest runs go test. With a limit of 0 the tests have as long as they need.
func goTest(dir string, limit time.Duration, args ...string) (string, error) {
	flags := []string{"test", "-count=1", "-failfast", "-vet=off", "-timeout", limit.String()}
	test := exec.Command("go", append(flags, args...)...)
	test.Dir = dir
	out, err := test.CombinedOutput()
	return string(out), err
}
