//go:build !windows

package managed

import (
	"os"
	"runtime"
)

const administratorWords = "root, such as with sudo"

func administrator() bool { return os.Geteuid() == 0 }

func systemPath() (string, error) {
	if runtime.GOOS == "darwin" {
		return "/Library/Application Support/Elicit/managed.json", nil
	}
	return "/etc/elicit/managed.json", nil
}
