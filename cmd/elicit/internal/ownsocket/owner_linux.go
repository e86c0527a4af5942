package ownsocket

import "golang.org/x/sys/unix"

// ownerOf returns the user of the program at the other end of a socket.
func ownerOf(fd int) (uid int, err error) {
	peer, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return 0, err
	}
	return int(peer.Uid), nil
}
