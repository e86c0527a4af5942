//go:build !unix

package turn

import "os"

// Taken returns "", because this system does not tell who uses a terminal.
func Taken(*os.File) string { return "" }

// Flush does nothing on this system.
func Flush(*os.File) {}
