package hook

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/journalfile"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/journals"
	"github.com/elicit-engine/elicit/engine/journal"
	"github.com/elicit-engine/elicit/engine/wire/hooks"
)

// sessionJournal opens the journal of an agent's session in a directory, which it makes if it is missing. All calls of
// a session are one journal, because a session has thousands. The session's name is the agent's word, so the file's
// name has a digest of it. Calls of an agent that names no session are one journal a day.
func sessionJournal(dir string, host hooks.Host, session string, key journalfile.Key) (*journalfile.File, journal.Head,
	error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, journal.Head{}, err
	}
	now := time.Now().UTC()
	if !journalfile.Locks {
		name := now.Format("20060102T150405.000Z") + "-" + journals.FileWord(string(host)) + ".jsonl"
		file, err := journalfile.Create(filepath.Join(dir, name), key)
		return file, journal.Head{}, err
	}
	if session == "" {
		session = now.Format(time.DateOnly)
	}
	sum := sha256.Sum256([]byte(string(host) + "\x00" + session))
	return journalfile.Continue(filepath.Join(dir, fmt.Sprintf("session-%s-%x.jsonl", journals.FileWord(string(host)),
		sum[:12])),
		key)
}
