package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/places"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
)

// keptJournals lists the journals at the default place, that with the newest record first.
func keptJournals() (dir string, paths []string, err error) {
	if dir, err = places.Journals(); err != nil {
		return "", nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", nil, err
	}
	var found []fs.FileInfo
	for _, entry := range entries {
		if !entry.Type().IsRegular() || strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		if at, err := entry.Info(); err == nil { // else it was removed just now
			found = append(found, at)
		}
	}
	slices.SortFunc(found, func(a, b fs.FileInfo) int {
		return cmp.Or(b.ModTime().Compare(a.ModTime()), cmp.Compare(b.Name(), a.Name()))
	})
	for _, at := range found {
		paths = append(paths, filepath.Join(dir, at.Name()))
	}
	return dir, paths, nil
}

// printKept prints the journals at the default place. It goes on after a broken one, and fails at the end.
func (l *logCommand) printKept(cmd *cobra.Command) error {
	dir, paths, err := keptJournals()
	if err != nil {
		return err
	}
	words := !l.view.json && l.view.tally == nil && l.view.page == nil
	if len(paths) == 0 && !l.view.json {
		fmt.Fprintf(cmd.OutOrStdout(), "There is no journal in %s yet.\n", cell(shortPath(dir)))
	}
	broken := 0
	for _, path := range paths {
		if words {
			fmt.Fprintf(cmd.OutOrStdout(), "── %s\n", cell(shortPath(path)))
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
		return fmt.Errorf("%s; the lines above say why", counted(broken, "journal is not whole", "journals are not whole"))
	}
	return nil
}
