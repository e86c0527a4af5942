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
)

// rules are the files that decide for a proxy: policies, and guardians with their grants.
type rules struct {
	layers    layers
	guardians guardians
}

// require reads the files, and complains of what is wrong with them. seen has looks at them from before that.
func (r *rules) require(cmd *cobra.Command, seen watch.Seen) error {
	r.guardians.seen = seen.Add
	for _, path := range append([]string{r.layers.policy, r.layers.fallback}, r.layers.files[:]...) {
		if path != "" {
			seen.Add(path)
		}
	}
	if err := r.layers.require(cmd); err != nil {
		return err
	}
	return r.guardians.require(cmd)
}

// config is the engine's configuration. With nil for held it keeps the grants that the engine has.
func (r *rules) config(limits elicit.Limits, held elicit.Grants) ([]byte, error) {
	guardians, err := r.guardians.config()
	if err != nil {
		return nil, err
	}
	return json.Marshal(elicit.Config{Policy: r.layers.policies(), OfferScopes: true, Grants: held, Guardians: guardians,
		Limits: limits})
}

// anew are the same files, not read yet.
func (r *rules) anew() *rules {
	return &rules{layers: r.layers.anew(),
		guardians: guardians{paths: r.guardians.paths, second: r.guardians.second, whose: r.guardians.whose}}
}

// close gives back what the guests use.
func (r *rules) close() {
	if r.guardians.modules != nil {
		r.guardians.modules.Close()
	}
}

// lookEvery is how often the files are looked at.
const lookEvery = time.Second

// When the rules are read anew, as --reload says it.
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

// reloader reads the rules of a proxy anew. Its methods are called one at a time.
type reloader struct {
	inForce *rules
	config  []byte // without the grants that the engine has been given
	told    []byte // as the engine has it
	limits  elicit.Limits
	watcher *watch.Watcher // nil when nothing is watched
	notes   io.Writer
	verbose bool
}

// read reads the files and checks them as before the start. Whatever is wrong is in the error.
func (l *reloader) read() (proxy.Rules, error) {
	next, seen := l.inForce.anew(), watch.Seen{}
	var said bytes.Buffer
	cmd := &cobra.Command{}
	cmd.SetErr(&said)
	cmd.SetIn(strings.NewReader("")) // ours is the client
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
	next.guardians.listen(l.notes, l.verbose)
	return proxy.Rules{Config: config, Guests: next.guardians.guests(), Programs: programs,
		Tells: l.tells(&said, config, programs), Done: func(taken bool) {
			if !taken {
				next.close()
				return
			}
			l.inForce.close()
			l.inForce, l.config, l.told = next, config, config
		}}, nil
}

// tells says for a person what has changed, and what there is to say of the files.
func (l *reloader) tells(said *bytes.Buffer, config []byte, programs map[string][]string) (lines []string) {
	for _, c := range changes(l.told, config) {
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
