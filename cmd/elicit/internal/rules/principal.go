package rules

import (
	"cmp"
	"errors"
	"os"
	"os/user"
	"strconv"
	"strings"

	"github.com/elicit-engine/elicit/engine/guardian"
)

// requirePrincipal fills in the name of the person whose answers the command takes, and refuses what is no name.
func (g *Guardians) requirePrincipal() error {
	g.Principal = cmp.Or(g.Principal, osUser())
	if guardian.Person(g.Principal) == "" || len(g.Principal) > 256 {
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
