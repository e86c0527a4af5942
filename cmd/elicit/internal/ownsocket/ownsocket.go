// Package ownsocket connects running programs of one user with each other. A program listens at a socket in a directory
// that only its user can enter. Both ends check whose the other one is, so no other user can ask or answer there.
//
//	l, err := ownsocket.Listen("page-")
//	c, err := l.Accept() // by another program of this user
//
//	names, err := ownsocket.List("page-")
//	c, err := ownsocket.Dial(names[0], time.Second)
package ownsocket

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/elicit-engine/elicit/internal/trustedfile"
)

// errForeign says that the program at the other end belongs to another user.
var errForeign = errors.New("the program at the other end of the socket belongs to another user")

// folders are the directories in which a socket may be: the user's own runtime directory, and one for systems and
// sessions that have none. A listener uses the first that it can make. A host may start a program without the variable,
// so its usual value counts, and a reader looks into all directories.
func folders() (list []string) {
	runtime := os.Getenv("XDG_RUNTIME_DIR")
	if runtime == "" {
		runtime = fmt.Sprintf("/run/user/%d", os.Geteuid())
	}
	if filepath.IsAbs(runtime) {
		list = append(list, filepath.Join(runtime, "elicit"))
	}
	return append(list, filepath.Join(os.TempDir(), fmt.Sprintf("elicit-%d", os.Geteuid())))
}

// Listener accepts programs of this user alone.
type Listener struct {
	net.Listener
	name string
}

// Listen opens a socket whose name begins with prefix. Close removes it. The error says why there is no private
// directory for it.
func Listen(prefix string) (*Listener, error) {
	var err error
	for _, folder := range folders() {
		if err = trustedfile.MakePrivate(folder); err != nil {
			continue
		}
		name := fmt.Sprintf("%s%d-%s", prefix, os.Getpid(), rand.Text()[:8])
		// Between bind and listen, a connection is refused, and Dial would remove the socket as one that a killed
		// program left. So it gets the name that others look for when it listens.
		hidden, path := filepath.Join(folder, "."+name), filepath.Join(folder, name)
		var l *net.UnixListener
		if l, err = net.ListenUnix("unix", &net.UnixAddr{Name: hidden, Net: "unix"}); err != nil {
			continue
		}
		if err = errors.Join(os.Chmod(hidden, 0o600), os.Rename(hidden, path)); err != nil {
			l.Close()
			continue
		}
		l.SetUnlinkOnClose(false)
		return &Listener{l, path}, nil
	}
	return nil, err
}

// Addr is the socket under the name that others find.
func (l *Listener) Addr() net.Addr { return &net.UnixAddr{Name: l.name, Net: "unix"} }

// Close ends the listener and removes its socket.
func (l *Listener) Close() error { return errors.Join(l.Listener.Close(), os.Remove(l.name)) }

// Accept waits for the next program of this user. It closes the connections of others.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil || ofThisUser(c) {
			return c, err
		}
		c.Close()
	}
}

// List lists the sockets whose names begin with prefix. The error says that a directory is not private; the sockets in
// it are left out.
func List(prefix string) (names []string, err error) { return list(prefix, folders()) }

// ListBest is List in the first directory that this system can have. A program in a sandbox can often write where
// temporary files are, so where there is a better place, nobody is believed there.
func ListBest(prefix string) (names []string, err error) {
	all := folders()
	for i, folder := range all {
		if i == len(all)-1 || trustedfile.CheckPrivate(filepath.Dir(folder)) == nil {
			return list(prefix, all[i:i+1])
		}
	}
	return nil, nil
}

func list(prefix string, folders []string) (names []string, err error) {
	for _, folder := range folders {
		switch wrong := trustedfile.CheckPrivate(folder); {
		case errors.Is(wrong, fs.ErrNotExist):
			continue
		case wrong != nil:
			err = errors.Join(err, wrong)
			continue
		}
		entries, _ := os.ReadDir(folder)
		for _, entry := range entries {
			if entry.Type()&fs.ModeSocket != 0 && strings.HasPrefix(entry.Name(), prefix) {
				names = append(names, filepath.Join(folder, entry.Name()))
			}
		}
	}
	return names, err
}

// Dial connects to a socket. It removes one at which nobody listens any more, because its program was killed.
func Dial(name string, patience time.Duration) (net.Conn, error) {
	if err := trustedfile.CheckPrivate(filepath.Dir(name)); err != nil {
		return nil, err
	}
	c, err := net.DialTimeout("unix", name, patience)
	if err != nil {
		if errors.Is(err, syscall.ECONNREFUSED) {
			_ = os.Remove(name)
		}
		return nil, err
	}
	if !ofThisUser(c) {
		c.Close()
		return nil, errForeign
	}
	return c, nil
}
