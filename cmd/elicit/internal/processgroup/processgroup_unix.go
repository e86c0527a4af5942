//go:build unix

// Package processgroup ends a program together with every process that it started.
//
//	processgroup.Own(cmd)
//	err := cmd.Start()
//	processgroup.Kill(cmd)
package processgroup

import (
	"os"
	"os/exec"
	"syscall"
)

// Own gives a program its own session, and so its own process group, without a terminal (setsid(2)). Call it before
// the start. It has three effects. A wrapper (npx, uvx, sh -c) and the processes that it started end together. A signal
// from a key of the terminal reaches this process only. The program cannot open /dev/tty to draw over a question or to
// read an answer.
func Own(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// Signal sends a signal to the whole process group of a started program. Own was called for it before.
func Signal(cmd *exec.Cmd, s os.Signal) error {
	return syscall.Kill(-cmd.Process.Pid, s.(syscall.Signal))
}

// Kill is Signal with SIGKILL.
func Kill(cmd *exec.Cmd) error { return Signal(cmd, syscall.SIGKILL) }
