package main

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/places"
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
