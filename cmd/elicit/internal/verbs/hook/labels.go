package hook

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/journals"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/places"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/wire/hooks"
	"github.com/elicit-engine/elicit/internal/trustedfile"
)

// labelFile holds the labels of one session of an agent between the processes of its hooks: a first line, and then one
// label a line. Processes that run at the same time only add lines. A file that cannot be read may mean anything.
type labelFile struct {
	file *os.File // nil if there is none
	held []string // what it says
	made bool     // by this process
}

const (
	labelHead = "labels of a session, written by elicit hook"
	// maxLabelFile bounds a file. The engine bounds the labels, and processes at the same time may repeat one.
	maxLabelFile = 64 << 10
	// labelDays is how long a file is kept after the last call of its session.
	labelDays = 30
)

// sessionName is the word for a session in the names of its files. The session's name is the agent's word, so it is a
// digest. Calls of an agent that names no session are one session a day.
func sessionName(host hooks.Host, session string, now time.Time) string {
	if session == "" {
		session = now.UTC().Format(time.DateOnly)
	}
	sum := sha256.Sum256([]byte(string(host) + "\x00" + session))
	return fmt.Sprintf("session-%s-%x", journals.FileWord(string(host)), sum[:12])
}

// openLabels opens the file of a session, which it makes if it is missing.
func openLabels(host hooks.Host, session string, now time.Time) (l labelFile, err error) {
	l.held = []string{policy.AnyLabel}
	dir, err := places.Labels()
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return l, err
	}
	path := filepath.Join(dir, sessionName(host, session, now)+".labels")
	if l.file, err = trustedfile.Open(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, trustedfile.Private); err != nil {
		l.file = nil
		return l, err
	}
	_ = os.Chtimes(path, now, now) // only for forgetting it one day
	text, err := io.ReadAll(io.LimitReader(l.file, maxLabelFile+1))
	switch lines := strings.Split(string(text), "\n"); {
	case err != nil:
		l.close()
		return l, err
	case len(text) == 0:
		l.held, l.made = nil, true
		_, err = l.file.WriteString(labelHead + "\n")
	case lines[0] == labelHead && lines[len(lines)-1] == "" && len(text) <= maxLabelFile:
		l.held = lines[1 : len(lines)-1]
	}
	return l, err
}

// add keeps the labels that the session has got.
func (l *labelFile) add(labels ...string) error {
	var lines strings.Builder
	for _, label := range labels {
		if !slices.Contains(l.held, label) {
			l.held = append(l.held, label)
			lines.WriteString(label + "\n")
		}
	}
	if l.file == nil || lines.Len() == 0 {
		return nil
	}
	_, err := l.file.WriteString(lines.String())
	return err
}

func (l *labelFile) close() {
	if l.file != nil {
		_ = l.file.Close() // nothing is buffered
		l.file = nil
	}
}

// pruneLabels removes the files of sessions that have ended long ago.
func pruneLabels(now time.Time) {
	dir, err := places.Labels()
	if err != nil {
		return
	}
	entries, _ := os.ReadDir(dir)
	for _, entry := range entries {
		at, err := entry.Info()
		if err == nil && at.Mode().IsRegular() && strings.HasSuffix(entry.Name(), ".labels") &&
			now.Sub(at.ModTime()) > labelDays*24*time.Hour {
			_ = os.Remove(filepath.Join(dir, entry.Name())) // the next run tries again
		}
	}
}
