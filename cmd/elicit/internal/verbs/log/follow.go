package log

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/journals"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/watch"
)

// followEvery is how often a journal that is followed is looked at.
const followEvery = 250 * time.Millisecond

// followJournal opens a journal whose lines do not end with the file, but when the command is interrupted or the file
// is removed.
func followJournal(cmd *cobra.Command, name, keyFile string) (*journals.Input, error) {
	if name == "-" {
		return nil, errors.New("--follow needs a file; standard input is read to its end without it")
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, cli.CannotRead(name, err)
	}
	ctx, stop := untilInterrupted(cmd)
	tail := &growingFile{File: f, ctx: ctx, stop: stop, watch: watch.Start(followEvery)}
	in, err := journals.Read(tail, name, keyFile)
	if err != nil {
		tail.Close()
		return nil, err
	}
	in.File = tail
	return in, nil
}

// untilInterrupted is a context that ends when the command is interrupted.
func untilInterrupted(cmd *cobra.Command) (context.Context, context.CancelFunc) {
	base := cmd.Context()
	if base == nil {
		base = context.Background()
	}
	return signal.NotifyContext(base, os.Interrupt, syscall.SIGTERM)
}

// growingFile waits at its end for more.
type growingFile struct {
	*os.File
	ctx   context.Context
	stop  func()
	watch *watch.Watcher
}

func (g *growingFile) Read(p []byte) (int, error) {
	for {
		// The look comes before the reading, so that what is written in between counts as a change.
		seen := watch.Seen{}
		seen.Add(g.Name())
		n, err := g.File.Read(p)
		if n > 0 || err != nil && !errors.Is(err, io.EOF) {
			return n, err
		}
		if _, err := os.Stat(g.Name()); err != nil {
			return 0, io.EOF
		}
		g.watch.Watch(seen)
		select {
		case <-g.watch.Changed:
		case <-g.ctx.Done():
			return 0, io.EOF
		}
	}
}

func (g *growingFile) Close() error {
	g.stop()
	g.watch.Close()
	return g.File.Close()
}
