//go:build !unix

package proxy

import (
	"os"
	"os/exec"
)

// Signal ends the server, because this system cannot send other signals.
func (c *child) Signal(os.Signal) { c.Kill() }

func exitCode(cmd *exec.Cmd, err error) int {
	if err == nil {
		return 0
	}
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() < 0 {
		return 1
	}
	return cmd.ProcessState.ExitCode()
}
