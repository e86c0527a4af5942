//go:build !unix

package turn

import "os"

// On a system without Unix terminals there are no turns: every process gets one at once.

func directory() (string, error)               { return os.TempDir(), nil }
func device(*os.File) string                   { return "console" }
func openLocked(path string) (*os.File, error) { return os.Open(os.DevNull) }
