//go:build unix

package program

import (
	"os/exec"
	"syscall"
)

// ownGroup lets the end of a program be the end of everything it started.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
