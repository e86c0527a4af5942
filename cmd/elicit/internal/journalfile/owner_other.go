//go:build !unix

package journalfile

import "io/fs"

const noFollow = 0

func isLink(error) bool { return false }

// foreign cannot tell here: owners and rights are no part of a file's mode.
func foreign(string, string, fs.FileInfo) error { return nil }
