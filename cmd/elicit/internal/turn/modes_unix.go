//go:build unix

package turn

import (
	"os"

	"golang.org/x/sys/unix"
)

// Gone reports whether the terminal was closed. A process of another session hears of it in no other way.
func Gone(terminal *os.File) bool {
	_, err := unix.IoctlGetTermios(int(terminal.Fd()), getTermios)
	return err != nil
}

// Taken says which other program uses the terminal, or "" for none. Call it with the turn: without the turn the program
// may be another process that draws a question.
//
// A terminal without line editing or echo has a reader that draws for itself: a full-screen client, a shell at its
// prompt, a question for a password. Two readers would get the typed keys at random. A process outside the foreground
// group cannot read the terminal either; the system would stop it. This rule does not hold for a terminal that is not
// the controlling one of this process, because such a terminal has no foreground group for it.
func Taken(terminal *os.File) string {
	fd := int(terminal.Fd())
	mode, err := unix.IoctlGetTermios(fd, getTermios)
	switch {
	case err != nil:
		return "the terminal does not tell its mode"
	case mode.Lflag&unix.ICANON == 0 || mode.Lflag&unix.ECHO == 0:
		return "another program reads the keys of the terminal"
	}
	if group, err := unix.IoctlGetInt(fd, unix.TIOCGPGRP); err == nil && group != unix.Getpgrp() {
		return "another program is in the foreground of the terminal"
	}
	return ""
}
