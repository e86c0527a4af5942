package proxy

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/changes"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/each"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/proxy"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/rules"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/watch"
)

// watchInterval is the time between two checks of the files for changes.
const watchInterval = time.Second

// The values of --reload: when the proxy reads the rules again.
const (
	reloadChange = "change"
	reloadSignal = "signal"
	reloadNever  = "never"
)

// reloader reads the rules of a proxy again. Its methods are called one at a time.
type reloader struct {
	inForce      *rules.Files
	config       []byte // without the grants that the engine has been given
	engineConfig []byte // as the engine has it
	limits       elicit.Limits
	watcher      *watch.Watcher // nil when nothing is watched
	notes        io.Writer
	verbose      bool
}

// read reads the files and checks them as before the start. The error holds all problems.
func (l *reloader) read() (proxy.Rules, error) {
	next, seen := l.inForce.Unread(), watch.Seen{}
	var said bytes.Buffer
	cmd := &cobra.Command{}
	cmd.SetErr(&said)
	cmd.SetIn(strings.NewReader("")) // standard input belongs to the client
	err := next.Require(cmd, seen)
	if l.watcher != nil {
		l.watcher.Watch(seen)
	}
	var config []byte
	if err == nil {
		config, err = next.Config(l.limits, nil)
	}
	if err != nil {
		next.Close()
		return proxy.Rules{}, errors.New(said.String() + err.Error())
	}
	programs := next.Guardians.Programs
	if bytes.Equal(config, l.config) && reflect.DeepEqual(programs, l.inForce.Guardians.Programs) {
		next.Close()
		return proxy.Rules{Same: true}, nil
	}
	next.Guardians.LogEvaluations(l.notes, l.verbose)
	return proxy.Rules{Config: config, Guests: next.Guardians.Guests(), Programs: programs,
		Messages: l.describeChanges(&said, config, programs), Done: func(taken bool) {
			if !taken {
				next.Close()
				return
			}
			l.inForce.Close()
			l.inForce, l.config, l.engineConfig = next, config, config
		}}, nil
}

// describeChanges returns lines for a person: what has changed, and then the warnings about the files.
func (l *reloader) describeChanges(said *bytes.Buffer, config []byte, programs map[string][]string) (lines []string) {
	lines = each.Of(changes.Between(l.engineConfig, config), changes.Change.String)
	for name, command := range programs {
		if before, was := l.inForce.Guardians.Programs[name]; was && !reflect.DeepEqual(before, command) {
			lines = append(lines, "guardian "+cli.OneLine(name)+" is another command now")
		}
	}
	if text := strings.TrimSpace(said.String()); text != "" {
		lines = append(lines, strings.Split(text, "\n")...)
	}
	return lines
}
