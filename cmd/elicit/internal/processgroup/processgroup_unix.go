//go:build unix

// Package processgroup ends a program together with every process that it started.
//
//	processgroup.Own(cmd)
//	err := cmd.Start()
//	processgroup.Kill(cmd)
package processgroup

import (
	"os/exec"
	"syscall"
)

// Own gives a program its own session, and so its own process group, without a terminal (setsid(2)). Call it before
// the start. It has three effects. A wrapper (npx, uvx, sh -c) and the processes that it started end together. A signal
// from a key of the terminal reaches this process only. The program cannot open /dev/tty to draw over a question or to
// read an answer.
func Own(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// Kill sends SIGKILL to the whole process group of a started program. Own was called for it before.
func Kill(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
