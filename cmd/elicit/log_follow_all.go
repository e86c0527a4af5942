package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/places"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/watch"
)

// maxFollowed bounds the old journals that are followed. New ones are followed all the same.
const maxFollowed = 50

// lockedWriter lets several journals print, one record at a time.
type lockedWriter struct {
	mu sync.Mutex
	to io.Writer
}

func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(p)
}

// followKept prints new questions of every journal at the default place that has not ended, also of those that begin
// later, until the command is interrupted.
func (l *logCommand) followKept(cmd *cobra.Command) error {
	if !l.view.filter.given() {
		l.view.filter.from = time.Now().UnixMilli()
	}
	l.view.untold = true
	dir, err := places.Journals()
	if err != nil {
		return err
	}
	base := cmd.Context()
	if base == nil {
		base = context.Background()
	}
	ctx, stop := signal.NotifyContext(base, os.Interrupt, syscall.SIGTERM)
	defer stop()
	out, notes := &lockedWriter{to: cmd.OutOrStdout()}, &lockedWriter{to: cmd.ErrOrStderr()}
	var running sync.WaitGroup
	defer running.Wait()
	begun := map[string]bool{}
	begin := func(path string) {
		begun[path] = true
		running.Go(func() {
			in, err := followJournal(cmd, path, l.key)
			if err == nil {
				defer in.Close()
				view := l.view // its filter keeps nothing of a journal
				err = view.printJournal(out, in, nil)
			}
			if err != nil {
				fmt.Fprintln(notes, ui.Plain(err.Error()))
			}
		})
	}
	dirs := watch.Start(followEvery)
	defer dirs.Close()
	for first := true; ; first = false {
		// The look comes before the list, so that a journal which begins in between counts as a change.
		seen := watch.Seen{}
		seen.Add(dir)
		_, paths, err := keptJournals()
		if err != nil {
			return err
		}
		for _, path := range paths {
			if !begun[path] && (!first || len(begun) < maxFollowed && !hasEnded(path)) {
				begin(path)
			}
			begun[path] = true
		}
		if first {
			fmt.Fprintf(notes, "waiting for questions in %s\n", cell(shortPath(dir)))
		}
		dirs.Watch(seen)
		select {
		case <-dirs.Changed:
		case <-ctx.Done():
			return nil
		}
	}
}

// hasEnded reports whether the last record of a journal closes a session, so that nothing more comes.
func hasEnded(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return true
	}
	defer f.Close()
	tail := make([]byte, 64<<10)
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return true
	}
	n, _ := f.ReadAt(tail, max(0, size-int64(len(tail))))
	last := bytes.TrimRight(tail[:n], "\n")
	last = last[bytes.LastIndexByte(last, '\n')+1:]
	return bytes.Contains(last, []byte(`"event":{"event":"closed",`))
}
