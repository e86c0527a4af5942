package hook

import (
	"os"
	"path/filepath"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/journalfile"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/journals"
	"github.com/elicit-engine/elicit/engine/journal"
	"github.com/elicit-engine/elicit/engine/wire/hooks"
)

// sessionJournal opens the journal of an agent's session in a directory, which it makes if it is missing. All calls of
// a session are one journal, because a session has thousands.
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
	return journalfile.Continue(filepath.Join(dir, sessionName(host, session, now)+".jsonl"), key)
}
