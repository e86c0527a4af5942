//go:build !linux && !darwin && !freebsd

package ownsocket

import "net"

// ofThisUser relies on the directory of the socket, which only this user can enter.
func ofThisUser(net.Conn) bool { return true }
