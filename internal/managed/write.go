package managed

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/internal/trustedfile"
)

// MayWrite says why Write would change nothing: this user is no administrator, or a file is there and is not to be
// replaced. It changes nothing itself.
func MayWrite(replace bool) error {
	path, err := Path()
	if err != nil {
		return fmt.Errorf("the folder ProgramData cannot be found: %w", err)
	}
	if !administrator() {
		return fmt.Errorf("only an administrator may write %s; run this again as %s", path, administratorWords)
	}
	at, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%s cannot be inspected: %w", path, err)
	case at.IsDir():
		return fmt.Errorf("%s is a directory; remove it first", path)
	case !replace:
		return fmt.Errorf("%s exists already; overwrite it with --force", path)
	}
	return nil
}

// Write puts a policy into the place of this system and reads it back as every program will. It makes the directory if
// that is missing. A text with problems, and a place in which no program would trust the file, change nothing.
func Write(text []byte, replace bool) (path string, err error) {
	if err := MayWrite(replace); err != nil {
		return "", err
	}
	if _, problems := policy.Parse(policy.Managed, text); len(problems) > 0 {
		return "", fmt.Errorf("the managed policy has problems: %s%s", problems[0].Pointer, english.Problem(problems[0]))
	}
	if path, err = Path(); err != nil {
		return "", err
	}
	if err := makeDirectory(filepath.Dir(path)); err != nil {
		return "", fmt.Errorf("cannot make the directory of the managed policy: %w", err)
	}
	// The file gets its name when it is whole, so no program reads a part of it, or declines for its mode.
	err = trustedfile.Replace(path, func(draft *os.File) error {
		_, err := draft.Write(text)
		return cmp.Or(errors.Join(err, draft.Chmod(0o644)), isKept(draft.Name(), text))
	})
	if err != nil {
		return "", fmt.Errorf("cannot write the managed policy: %w", err)
	}
	return path, isKept(path, text)
}

// makeDirectory makes a directory that others can enter and not change, whatever the mask of this process is. It leaves
// one that is there as it is.
func makeDirectory(dir string) error {
	switch err := os.Mkdir(dir, 0o755); {
	case errors.Is(err, fs.ErrExist):
		return nil
	case err != nil:
		return err
	}
	return os.Chmod(dir, 0o755)
}

// isKept reads a file as Read does, so its owner, its mode and its directories count. Other users must be able to read
// it too: a policy that they cannot read declines every question of theirs.
func isKept(path string, text []byte) error {
	got, err := read(path)
	if err == nil && !bytes.Equal(got, text) {
		err = fmt.Errorf("%s does not hold what was written to it", path)
	}
	if trustedfile.IsWrong(err) {
		return fmt.Errorf("a managed policy in this place would decline every question: %w", err)
	}
	needs := fs.FileMode(0o004)
	for at := path; err == nil; at = filepath.Dir(at) {
		info, wrong := os.Stat(at)
		switch {
		case wrong != nil:
			return wrong
		case info.Mode()&needs == 0:
			return fmt.Errorf("other users cannot read a managed policy in this place, so it would decline every question "+
				"of theirs; run `chmod a+rX %s`", at)
		case at == filepath.Dir(at):
			return nil
		}
		needs = 0o001 // to enter a directory
	}
	return err
}
