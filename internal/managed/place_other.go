//go:build !windows

package managed

import "runtime"

func systemPath() (string, error) {
	if runtime.GOOS == "darwin" {
		return "/Library/Application Support/Elicit/managed.json", nil
	}
	return "/etc/elicit/managed.json", nil
}
