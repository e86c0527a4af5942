package hook

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/clientconfig"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/each"
	"github.com/elicit-engine/elicit/engine/wire/hooks"
)

// hookEnd is how long before the host's time limit a hook gives up by itself.
const hookEnd = 3 * time.Second

// printConfiguration prints what the person puts into the host's file.
func (v *hookVerb) printConfiguration(cmd *cobra.Command, host hooks.Host) error {
	own, err := cli.OwnProgram()
	if err != nil {
		return err
	}
	given, err := givenFlags(cmd)
	if err != nil {
		return err
	}
	events := hooks.Events(host)
	for _, event := range v.events {
		if !slices.Contains(events, event) {
			return fmt.Errorf("--event is %s; %s has %s", cli.Quoted(event), host, strings.Join(events, ", "))
		}
	}
	if host == hooks.Opencode {
		fmt.Fprintf(cmd.ErrOrStderr(), "elicit: write this to %s\n", clientconfig.UsualHookFile(string(host)))
		_, err := cmd.OutOrStdout().Write(clientconfig.Plugin(clientconfig.HookCommand(host, own, given), v.eventsOf(host)))
		return err
	}
	setting := clientconfig.HookSetting(host, own, given, v.answerWithin)
	entries := each.Of(v.eventsOf(host), func(event string) clientconfig.HookEntry {
		return clientconfig.HookEntry{Event: event, Entry: setting}
	})
	fmt.Fprintf(cmd.ErrOrStderr(), "elicit: add this to %s\n", clientconfig.UsualHookFile(string(host)))
	_, err = cmd.OutOrStdout().Write(clientconfig.HookText(entries, clientconfig.HookVersions[host]))
	return err
}

// eventsOf are the events that a host's configuration gets.
func (v *hookVerb) eventsOf(host hooks.Host) []string {
	if len(v.events) > 0 {
		return v.events
	}
	return hooks.Events(host)
}

// placeFlags are the flags that name a file or a directory. A host runs the hook in the directory of a project, so the
// places are written absolute.
var placeFlags = []string{"grants", "guardian", "journal", "journal-key", "managed", "policy", "project", "session",
	"user"}

// givenFlags are the flags of the hook itself, as a shell reads them. The value none names no place.
func givenFlags(cmd *cobra.Command) (given []string, err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Name == "print-config" || f.Name == "event" {
			return
		}
		for _, value := range cli.FlagValues(f) {
			if slices.Contains(placeFlags, f.Name) && value != "none" {
				place, no := filepath.Abs(value)
				if value, err = place, cmp.Or(err, no); err != nil {
					return
				}
			}
			given = append(given, "--"+f.Name, clientconfig.HookWord(value))
		}
	})
	return given, err
}
