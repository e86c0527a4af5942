//go:build unix

package agenttest

import (
	"os/exec"
	"syscall"
)

// ownGroup gives a command a process group, so that End reaches what it has started.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// End ends a command and what it has started.
func End(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
