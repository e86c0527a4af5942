package main

import (
	"os"
	"runtime"
)

// display reports whether a browser started here would be seen by the person: on a desktop, and not on a machine that
// somebody reached over the network without bringing a display along.
func display() bool {
	switch runtime.GOOS {
	case "darwin", "windows":
		return os.Getenv("SSH_CONNECTION") == ""
	}
	return os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
}
