//go:build !unix

package turn

import "os"

// Taken returns "", because this system does not tell who uses a terminal.
func Taken(*os.File) string { return "" }

// Gone returns false, because this system does not tell whether a terminal was closed.
func Gone(*os.File) bool { return false }

// Flush does nothing on this system.
func Flush(*os.File) {}
