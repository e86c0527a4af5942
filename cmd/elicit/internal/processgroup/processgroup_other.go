//go:build !unix

// Package processgroup ends a program. On Unix it also ends every process that the program started.
package processgroup

import (
	"os"
	"os/exec"
)

// Own does nothing on this system: ending the program leaves the processes that it started.
func Own(*exec.Cmd) {}

// Signal is Kill, because this system cannot send other signals.
func Signal(cmd *exec.Cmd, _ os.Signal) error { return Kill(cmd) }

// Kill ends the program, but not the processes that it started.
func Kill(cmd *exec.Cmd) error { return cmd.Process.Kill() }
