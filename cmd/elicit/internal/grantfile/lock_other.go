//go:build !unix

package grantfile

import "io/fs"

// lock locks nothing where there is no flock; files still change whole.
func lock(string) (unlock func(), err error) { return func() {}, nil }

// othersMayWrite cannot be told from the mode here; a person's configuration directory is their own.
func othersMayWrite(fs.FileInfo) bool { return false }
