//go:build !unix

// Package processgroup ends a program. On Unix it also ends every process that the program started.
package processgroup

import "os/exec"

// Own does nothing on this system: ending the program leaves the processes that it started.
func Own(*exec.Cmd) {}

// Kill ends the program, but not the processes that it started.
func Kill(cmd *exec.Cmd) error { return cmd.Process.Kill() }
