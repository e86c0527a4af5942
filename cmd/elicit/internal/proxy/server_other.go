//go:build !unix

package proxy

import (
	"os"
	"os/exec"
)

// Signal ends the server where no signal but the end can be passed on.
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
