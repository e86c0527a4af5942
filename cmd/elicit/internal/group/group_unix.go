//go:build unix

// Package group ends a program together with everything it started.
package group

import (
	"os/exec"
	"syscall"
)

// Own gives a program that has not been started a group of its own, so that a wrapper (npx, uvx, sh -c) and what it
// starts end together, and so that a key pressed at the terminal reaches us first.
func Own(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// Kill ends the whole group of a program that Own was called for.
func Kill(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
