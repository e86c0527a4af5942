//go:build unix

package ui

import "syscall"

// noControl keeps a terminal that this process opens from becoming its controlling terminal.
const noControl = syscall.O_NOCTTY

// makePipe makes a named pipe that only this user can open.
func makePipe(path string) error { return syscall.Mkfifo(path, 0o600) }
