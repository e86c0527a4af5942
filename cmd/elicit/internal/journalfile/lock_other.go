//go:build !unix

package journalfile

import "os"

// Locks says whether this system has locks, which Continue needs.
const Locks = false

// lock always succeeds, because this system has no flock. If two runs take the same file, the first records of both are
// in it, and no check accepts that file.
func lock(*os.File) bool { return true }

// unlinked reports that the file has a name: this system does not remove an open file.
func unlinked(os.FileInfo) bool { return false }

// isFree reports that nothing is known to be free, so that no journal is removed that a run may still write.
func isFree(*os.File) bool { return false }
