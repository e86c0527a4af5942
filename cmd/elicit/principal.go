package main

import (
	"errors"
	"os"
	"os/user"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/engine/guardian"
)

// whose says whose answers a command takes: the engine compares this principal with that of a second person, and keeps
// grants and visited hosts by it.
type whose struct{ principal string }

func (w *whose) addFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&w.principal, "principal", "",
		"`name` of the person who answers; by default the user of the operating system")
}

func (w *whose) require() error {
	if w.principal == "" {
		w.principal = osUser()
	}
	if guardian.Person(w.principal) == "" || len(w.principal) > 256 {
		return errors.New("--principal is nobody's name; give a name of at most 256 bytes")
	}
	return nil
}

// osUser is the name of the user who runs the process, by the process's user id. The variable USER does not count, because
// anybody may set it.
func osUser() string {
	id := os.Getuid()
	if id < 0 { // Windows has no numbers
		if u, err := user.Current(); err == nil {
			return u.Username[strings.LastIndexByte(u.Username, '\\')+1:]
		}
		return "the user of this computer"
	}
	if u, err := user.LookupId(strconv.Itoa(id)); err == nil && guardian.Person(u.Username) != "" {
		return u.Username
	}
	return "user " + strconv.Itoa(id)
}
