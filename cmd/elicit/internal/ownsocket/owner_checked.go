//go:build linux || darwin || freebsd

package ownsocket

import (
	"net"
	"os"
)

// ofThisUser reports whether the program at the other end of a socket runs as this user or as root. The directory of
// the socket keeps others out; this holds even if somebody changes its mode.
func ofThisUser(c net.Conn) bool {
	socket, ok := c.(*net.UnixConn)
	if !ok {
		return false
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return false
	}
	uid := -1
	if raw.Control(func(fd uintptr) { uid, err = ownerOf(int(fd)) }) != nil || err != nil {
		return false
	}
	return uid == os.Geteuid() || uid == 0
}
