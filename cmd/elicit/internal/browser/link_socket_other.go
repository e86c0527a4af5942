//go:build !unix

package browser

// checkPrivate refuses every directory, because a mode does not show owners and rights on this system.
func checkPrivate(string) error { return errNoPrivateFolder }

func refusedConnection(error) bool { return false }
