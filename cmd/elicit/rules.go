package main

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/watch"
	"github.com/elicit-engine/elicit/internal/managed"
)

// rules are the files that decide for a proxy: policies, and guardians with their permits.
type rules struct {
	layers    layers
	guardians guardians
}

// require reads the files and prints their problems. Before it reads a file it adds the file to seen, so that a later
// change is noticed.
func (r *rules) require(cmd *cobra.Command, seen watch.Seen) error {
	r.guardians.beforeRead = seen.Add
	machine, _ := managed.Path() // where there is no such place, no file can change
	for _, path := range append([]string{r.layers.policy, r.layers.fallback, machine}, r.layers.files[:]...) {
		if path != "" {
			seen.Add(path)
		}
	}
	if err := r.layers.require(cmd); err != nil {
		return err
	}
	return r.guardians.require(cmd)
}

// config returns the engine's configuration. When held is nil, the engine keeps the grants that it has.
func (r *rules) config(limits elicit.Limits, held elicit.Grants) ([]byte, error) {
	guardians, err := r.guardians.config()
	if err != nil {
		return nil, err
	}
	return json.Marshal(elicit.Config{Policy: r.layers.policies(), OfferScopes: true, ShowChanges: true, Grants: held,
		Guardians: guardians, Limits: limits})
}

// unread returns rules for the same files, which are not read yet.
func (r *rules) unread() *rules {
	return &rules{layers: r.layers.unread(),
		guardians: guardians{paths: r.guardians.paths, second: r.guardians.second, principal: r.guardians.principal}}
}

// close frees the resources of the guests.
func (r *rules) close() {
	if r.guardians.modules != nil {
		r.guardians.modules.Close()
	}
}
