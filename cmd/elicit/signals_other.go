//go:build !unix

package main

import (
	"os"
	"syscall"
)

// writeFailures are the signals of writes that fail.
var writeFailures = []os.Signal{syscall.SIGPIPE}
