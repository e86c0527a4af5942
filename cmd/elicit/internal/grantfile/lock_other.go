//go:build !unix

package grantfile

// lock does nothing, because this system has no flock. A reader still sees only complete files. When two programs
// change the file at the same time, one change may be lost.
func lock(string) (unlock func(), err error) { return func() {}, nil }
