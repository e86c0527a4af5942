//go:build !unix

// Package group ends a program, and where the system can, everything it started.
package group

import "os/exec"

// Own leaves the program as it is: its end is its own alone.
func Own(*exec.Cmd) {}

// Kill ends the program.
func Kill(cmd *exec.Cmd) error { return cmd.Process.Kill() }
