package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/proxy"
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

// watchInterval is the time between two checks of the files for changes.
const watchInterval = time.Second

// The values of --reload: when the proxy reads the rules again.
const (
	reloadChange = "change"
	reloadSignal = "signal"
	reloadNever  = "never"
)

func checkReload(when string) error {
	switch when {
	case reloadChange, reloadSignal, reloadNever:
		return nil
	}
	return errors.New("--reload is " + quoted(when) + "; give change, signal or never")
}

// reloader reads the rules of a proxy again. Its methods are called one at a time.
type reloader struct {
	inForce      *rules
	config       []byte // without the grants that the engine has been given
	engineConfig []byte // as the engine has it
	limits       elicit.Limits
	watcher      *watch.Watcher // nil when nothing is watched
	notes        io.Writer
	verbose      bool
}

// read reads the files and checks them as before the start. The error holds all problems.
func (l *reloader) read() (proxy.Rules, error) {
	next, seen := l.inForce.unread(), watch.Seen{}
	var said bytes.Buffer
	cmd := &cobra.Command{}
	cmd.SetErr(&said)
	cmd.SetIn(strings.NewReader("")) // standard input belongs to the client
	err := next.require(cmd, seen)
	if l.watcher != nil {
		l.watcher.Watch(seen)
	}
	var config []byte
	if err == nil {
		config, err = next.config(l.limits, nil)
	}
	if err != nil {
		next.close()
		return proxy.Rules{}, errors.New(said.String() + err.Error())
	}
	programs := next.guardians.programs
	if bytes.Equal(config, l.config) && reflect.DeepEqual(programs, l.inForce.guardians.programs) {
		next.close()
		return proxy.Rules{Same: true}, nil
	}
	next.guardians.logEvaluations(l.notes, l.verbose)
	return proxy.Rules{Config: config, Guests: next.guardians.guests(), Programs: programs,
		Messages: l.describeChanges(&said, config, programs), Done: func(taken bool) {
			if !taken {
				next.close()
				return
			}
			l.inForce.close()
			l.inForce, l.config, l.engineConfig = next, config, config
		}}, nil
}

// describeChanges returns lines for a person: what has changed, and then the warnings about the files.
func (l *reloader) describeChanges(said *bytes.Buffer, config []byte, programs map[string][]string) (lines []string) {
	for _, c := range changes(l.engineConfig, config) {
		lines = append(lines, c.String())
	}
	for name, command := range programs {
		if before, was := l.inForce.guardians.programs[name]; was && !reflect.DeepEqual(before, command) {
			lines = append(lines, "guardian "+oneLine(name)+" is another command now")
		}
	}
	if text := strings.TrimSpace(said.String()); text != "" {
		lines = append(lines, strings.Split(text, "\n")...)
	}
	return lines
}
