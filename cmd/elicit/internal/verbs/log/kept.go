package log

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/journals"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/places"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/watch"
)

// printKept prints the journals at the default place. It goes on after a broken one, and fails at the end.
func (l *logCommand) printKept(cmd *cobra.Command) error {
	dir, paths, err := journals.Kept()
	if err != nil {
		return err
	}
	words := !l.view.json && l.view.tally == nil && l.view.page == nil
	if len(paths) == 0 && !l.view.json {
		fmt.Fprintf(cmd.OutOrStdout(), "There is no journal in %s yet.\n", cli.Cell(cli.ShortPath(dir)))
	}
	broken := 0
	for _, path := range paths {
		if words {
			fmt.Fprintf(cmd.OutOrStdout(), "── %s\n", cli.Cell(cli.ShortPath(path)))
		}
		if err := l.printOne(cmd, path, nil); err != nil {
			broken++
			fmt.Fprintln(cmd.ErrOrStderr(), ui.Plain(err.Error()))
		}
		if words {
			fmt.Fprintln(cmd.OutOrStdout())
		}
	}
	if broken > 0 {
		return fmt.Errorf("%s; the lines above say why", cli.Counted(broken, "journal is not whole",
			"journals are not whole"))
	}
	return nil
}

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
	ctx, stop := untilInterrupted(cmd)
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
		_, paths, err := journals.Kept()
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
			fmt.Fprintf(notes, "waiting for questions in %s\n", cli.Cell(cli.ShortPath(dir)))
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
