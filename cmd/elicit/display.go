package main

import (
	"os"
	"runtime"
)

// display reports whether the person would see a browser that this process starts. It is false for a session over SSH
// that does not forward a display.
func display() bool {
	switch runtime.GOOS {
	case "darwin", "windows":
		return os.Getenv("SSH_CONNECTION") == ""
	}
	return os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
}
