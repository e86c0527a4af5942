package ownsocket

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/elicit-engine/elicit/internal/must"
)

const nobody = 65534

// asNobody runs f in a thread of another user. The thread ends with it.
func asNobody(t *testing.T, f func() error) {
	t.Helper()
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked, so no other goroutine gets this thread
		// The raw call changes this thread alone.
		if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, nobody, nobody, nobody); errno != 0 {
			done <- errno
			return
		}
		done <- f()
	}()
	must.OK(t, <-done)
}

// TestOtherUsers: another user is turned away at both ends, also where the directory lets it in. Only root can act as
// another user.
func TestOtherUsers(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can act as another user")
	}
	folder := must.ShortDir(t) // others must be able to enter it
	must.OK(t, os.Chmod(folder, 0o777))
	ours, theirs := filepath.Join(folder, "ours"), filepath.Join(folder, "theirs")
	inner, err := net.Listen("unix", ours)
	must.OK(t, err)
	l := &Listener{inner, ours}
	defer l.Close()
	must.OK(t, os.Chmod(ours, 0o777))
	accepted := make(chan net.Conn)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				close(accepted)
				return
			}
			accepted <- c
		}
	}()
	foreign, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	must.OK(t, err)
	defer unix.Close(foreign)
	asNobody(t, func() error { return unix.Connect(foreign, &unix.SockaddrUnix{Name: ours}) })
	if n, err := unix.Read(foreign, make([]byte, 1)); n != 0 || err != nil {
		t.Errorf("another user is not turned away: %d, %v", n, err)
	}
	mine, err := net.Dial("unix", ours)
	must.OK(t, err)
	defer mine.Close()
	c := <-accepted // the first that came through
	defer c.Close()
	if _, err := mine.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if n, err := c.Read(make([]byte, 1)); n != 1 || err != nil {
		t.Errorf("this user is turned away: %d, %v", n, err)
	}

	listening, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	must.OK(t, err)
	defer unix.Close(listening)
	asNobody(t, func() error {
		return errors.Join(unix.Bind(listening, &unix.SockaddrUnix{Name: theirs}), unix.Listen(listening, 1))
	})
	must.OK(t, os.Chmod(folder, 0o700))
	if _, err := Dial(theirs, time.Second); !errors.Is(err, errForeign) {
		t.Errorf("a socket of another user: %v", err)
	}
	must.OK(t, os.Chmod(folder, 0o711))
	if _, err := Dial(ours, time.Second); err == nil {
		t.Error("a socket in a directory that others can enter is used")
	}
}
