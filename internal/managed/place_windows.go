package managed

import (
	"path/filepath"

	"golang.org/x/sys/windows"
)

const administratorWords = "administrator"

func administrator() bool { return windows.GetCurrentProcessToken().IsElevated() }

// systemPath asks Windows and not %ProgramData%, because a user can set that variable.
func systemPath() (string, error) {
	dir, err := windows.KnownFolderPath(windows.FOLDERID_ProgramData, windows.KF_FLAG_DEFAULT)
	return filepath.Join(dir, "Elicit", "managed.json"), err
}
