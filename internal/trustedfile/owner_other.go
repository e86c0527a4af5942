//go:build !unix && !windows

package trustedfile

import (
	"io/fs"
	"os"
)

const nonblock, extraFlags = 0, 0

// checkOwner checks nothing, because a mode does not show owners and rights on this system. The rights of the person's
// profile directory protect a file in it.
func checkOwner(*os.File, fs.FileInfo, string, Use) error { return nil }

// checkDirectory checks nothing, for the reason of checkOwner.
func checkDirectory(string, Use) error { return nil }

func checkPrivate(string, int) error { return ErrNoOwners }
