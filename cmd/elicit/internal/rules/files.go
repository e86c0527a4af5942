// Package rules reads the files that decide for the person: policies in layers, and guardians with their permits and
// data. The flags of a verb name them.
package rules

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/watch"
	"github.com/elicit-engine/elicit/internal/managed"
)

// Files are the files that decide for a proxy: policies, and guardians with their permits.
type Files struct {
	Layers    Layers
	Guardians Guardians
}

// Require reads the files and prints their problems. Before it reads a file it adds the file to seen, so that a later
// change is noticed; nil for a command that looks once.
func (r *Files) Require(cmd *cobra.Command, seen watch.Seen) error {
	r.Guardians.beforeRead = seen.Add
	machine, _ := managed.Path() // where there is no such place, no file can change
	for _, path := range append([]string{r.Layers.fallback, machine}, r.Layers.Files[:]...) {
		if path != "" {
			seen.Add(path)
		}
	}
	if err := r.Layers.Require(cmd); err != nil {
		return err
	}
	return r.Guardians.Require(cmd)
}

// Config returns the engine's configuration. When held is nil, the engine keeps the grants that it has.
func (r *Files) Config(limits elicit.Limits, held elicit.Grants) ([]byte, error) {
	guardians, err := r.Guardians.Config()
	if err != nil {
		return nil, err
	}
	return json.Marshal(elicit.Config{Policy: r.Layers.Policies(), OfferScopes: true, ShowChanges: true, Grants: held,
		Guardians: guardians, Limits: limits})
}

// Unread returns rules for the same files, which are not read yet.
func (r *Files) Unread() *Files {
	return &Files{Layers: r.Layers.unread(),
		Guardians: Guardians{Paths: r.Guardians.Paths, second: r.Guardians.second, Principal: r.Guardians.Principal}}
}

// Close frees the resources of the guests.
func (r *Files) Close() { r.Guardians.Close() }
