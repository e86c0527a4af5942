//go:build !unix

package agenttest

import "os/exec"

func ownGroup(*exec.Cmd) {}

// End ends a command.
func End(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
