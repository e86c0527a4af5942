//go:build unix

// Package group ends a program together with everything it started.
package group

import (
	"os/exec"
	"syscall"
)

// Own gives a program that has not been started a session of its own, and so a group of its own without a terminal. A
// wrapper (npx, uvx, sh -c) and what it started end together, a key pressed at the terminal reaches us first, and the
// program cannot open /dev/tty to draw over a question or to read what is typed.
func Own(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// Kill ends the whole group of a program that Own was called for.
func Kill(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
