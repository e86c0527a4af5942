package proxy

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// terminalGone returns a function that tells the two meanings of SIGHUP apart: it reports whether the terminal is gone.
// A terminal that closes sends SIGHUP to all programs of its session, and from then on the session has no terminal.
// A person sends SIGHUP while the terminal is there, or where there never was one. If the proxy was started with SIGHUP
// ignored, as nohup does, it is meant to outlive the terminal, and the function returns false. A system without SIGHUP
// never asks.
func terminalGone() func() bool {
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
