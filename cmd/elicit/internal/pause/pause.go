// Package pause keeps for how long the person wants their own policy to rest. Hooks read it.
//
//	if until := pause.Until(time.Now()); !until.IsZero() { … }
package pause

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/places"
	"github.com/elicit-engine/elicit/internal/trustedfile"
)

// Longest is how long a pause may be. A file that names a later end counts as none, so that nothing written long ago
// begins to hold.
const Longest = time.Hour

// note is what the file says.
type note struct {
	Until int64 `json:"until"` // milliseconds since 1970
}

// Until returns the end of the pause that holds now, and the zero time when there is none. A file that cannot be
// trusted or read is none.
func Until(now time.Time) time.Time {
	path, err := places.Pause()
	if err != nil {
		return time.Time{}
	}
	f, err := trustedfile.Open(path, os.O_RDONLY, trustedfile.Policy)
	if err != nil {
		return time.Time{}
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 1<<10))
	var n note
	if err != nil || json.Unmarshal(text, &n) != nil {
		return time.Time{}
	}
	until := time.UnixMilli(n.Until)
	if !until.After(now) || until.After(now.Add(Longest)) {
		return time.Time{}
	}
	return until
}

// Begin writes the end of a pause.
func Begin(until time.Time) error {
	path, err := places.Pause()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	text, err := json.Marshal(note{until.UnixMilli()})
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o600)
}

// End ends a pause. It is no failure that there is none.
func End() error {
	path, err := places.Pause()
	if err == nil {
		err = os.Remove(path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
