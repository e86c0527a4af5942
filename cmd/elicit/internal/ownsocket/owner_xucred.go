//go:build darwin || freebsd

package ownsocket

import "golang.org/x/sys/unix"

const solLocal = 0 // the level of options of local sockets

// ownerOf returns the user of the program at the other end of a socket.
func ownerOf(fd int) (uid int, err error) {
	peer, err := unix.GetsockoptXucred(fd, solLocal, unix.LOCAL_PEERCRED)
	if err != nil {
		return 0, err
	}
	return int(peer.Uid), nil
}
