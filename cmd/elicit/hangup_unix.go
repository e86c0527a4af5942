//go:build unix

package main

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// hangsUp returns what tells the two meanings of SIGHUP apart. A terminal that closes sends it to all programs of its
// session, and from then on the session has no terminal. A person sends it while the terminal is there, or where there
// never was one. Who started the proxy with SIGHUP ignored, as nohup does, wants it to outlive the terminal.
func hangsUp() func() bool {
	had := openTerminal() == nil && !signal.Ignored(syscall.SIGHUP)
	return func() bool {
		err := openTerminal() // any other error, such as too many open files, says nothing of the terminal
		return had && (errors.Is(err, syscall.ENXIO) || errors.Is(err, syscall.EIO))
	}
}

// openTerminal says why this process has no controlling terminal, nil when it has one.
func openTerminal() error {
	f, err := os.OpenFile("/dev/tty", os.O_RDWR|syscall.O_NOCTTY|syscall.O_NONBLOCK, 0)
	if err == nil {
		f.Close()
	}
	return err
}
