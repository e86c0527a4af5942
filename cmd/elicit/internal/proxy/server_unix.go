//go:build unix

package proxy

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup gives the server a group of its own, so that a wrapper (npx, uvx, sh -c) and the server it started end
// together, and so that a key pressed at the terminal reaches us first.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// Signal passes s on to the server's whole group.
func (c *child) Signal(s os.Signal) {
	if n, ok := s.(syscall.Signal); ok {
		_ = syscall.Kill(-c.cmd.Process.Pid, n)
	}
}

// Kill ends the server's whole group.
func (c *child) Kill() { _ = syscall.Kill(-c.cmd.Process.Pid, syscall.SIGKILL) }

func exitCode(cmd *exec.Cmd, err error) int {
	if err == nil {
		return 0
	}
	if cmd.ProcessState == nil {
		return 1
	}
	if w, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal())
	}
	return cmd.ProcessState.ExitCode()
}
