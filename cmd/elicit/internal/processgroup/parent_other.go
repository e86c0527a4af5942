//go:build !linux

package processgroup

import "os/exec"

// Start starts a program. This system does not tell it if this process is killed: its input ends, and it has to notice.
func Start(cmd *exec.Cmd) (gone func(), err error) { return func() {}, cmd.Start() }
