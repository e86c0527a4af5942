package browser

import (
	"net"
	"os"
	"syscall"
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
	var peer *syscall.Ucred
	if raw.Control(func(fd uintptr) {
		peer, err = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	}) != nil {
		return false
	}
	return err == nil && (int(peer.Uid) == os.Geteuid() || peer.Uid == 0)
}
