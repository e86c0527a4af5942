package main

import (
	"os"
	"runtime"
)

// hasDisplay reports whether the person would see a browser that this process starts. It is false for a session over
// SSH that does not forward a display.
func hasDisplay() bool { return displayIn(os.Getenv) }

// displayIn is hasDisplay for a process with another environment.
func displayIn(env func(string) string) bool {
	switch runtime.GOOS {
	case "darwin", "windows":
		return env("SSH_CONNECTION") == ""
	}
	return env("DISPLAY") != "" || env("WAYLAND_DISPLAY") != ""
}
