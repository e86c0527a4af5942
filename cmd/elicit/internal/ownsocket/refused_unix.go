//go:build unix

package ownsocket

import (
	"errors"
	"syscall"
)

// refusedConnection reports that nobody listens at a socket any more.
func refusedConnection(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }
