package rules

import (
	"errors"
	"os"
	"os/user"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/engine/guardian"
)

// PrincipalFlag is the flag --principal: the name of the person whose answers a command takes. The engine compares it
// with the name of a second person who approves, and it keeps grants and visited hosts for each principal.
type PrincipalFlag struct{ Name string }

func (w *PrincipalFlag) addFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&w.Name, "principal", "",
		"`name` of the person who answers; by default the user of the operating system")
}

func (w *PrincipalFlag) require() error {
	if w.Name == "" {
		w.Name = osUser()
	}
	if guardian.Person(w.Name) == "" || len(w.Name) > 256 {
		return errors.New("--principal does not hold a name; give a name of at most 256 bytes")
	}
	return nil
}

// osUser returns the name of the user who runs the process, looked up by the process's user id. It does not read the
// environment variable USER, because any program may set that to another name.
func osUser() string {
	id := os.Getuid()
	if id < 0 { // Windows has no numeric user ids
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
