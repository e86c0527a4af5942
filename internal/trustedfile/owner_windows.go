package trustedfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"unsafe"

	"golang.org/x/sys/windows"
)

const nonblock, extraFlags = 0, 0

// These rights let a user change, replace or remove a file. In a directory, the right to add a file is none of them,
// because Windows gives it to every user below %ProgramData%.
const (
	fileDeleteChild = 0x40 // in a directory: remove every file

	replaceRights = windows.DELETE | windows.WRITE_DAC | windows.WRITE_OWNER | windows.GENERIC_ALL |
		fileDeleteChild
	changeRights = replaceRights | windows.GENERIC_WRITE | windows.FILE_WRITE_DATA | windows.FILE_APPEND_DATA |
		windows.FILE_WRITE_EA | windows.FILE_WRITE_ATTRIBUTES
)

// checkOwner reads the owner and the access list of a file of the system. For other files the rights of the person's
// profile directory are the protection.
func checkOwner(f *os.File, _ fs.FileInfo, path string, use Use) error {
	if use != System {
		return nil
	}
	about, err := windows.GetSecurityInfo(windows.Handle(f.Fd()), windows.SE_FILE_OBJECT,
		windows.OWNER_SECURITY_INFORMATION|windows.DACL_SECURITY_INFORMATION)
	if err != nil {
		return err
	}
	return checkRights(about, path, changeRights)
}

// checkDirectory checks the directory of a file of the system. Windows itself protects the directories above it.
func checkDirectory(dir string, use Use) error {
	if program, err := windows.KnownFolderPath(windows.FOLDERID_ProgramData, windows.KF_FLAG_DEFAULT); use != System ||
		err == nil && (dir == program || len(dir) < len(program)) {
		return nil
	}
	about, err := windows.GetNamedSecurityInfo(filepath.Clean(dir), windows.SE_FILE_OBJECT,
		windows.OWNER_SECURITY_INFORMATION|windows.DACL_SECURITY_INFORMATION)
	if err != nil {
		return err
	}
	return checkRights(about, dir, replaceRights)
}

func checkRights(about *windows.SECURITY_DESCRIPTOR, path string, rights windows.ACCESS_MASK) error {
	owner, _, err := about.Owner()
	if err != nil {
		return err
	}
	if !administers(owner) {
		return &Wrong{path, "belongs to " + owner.String() + ", and only administrators are trusted here",
			`an administrator runs icacls "` + path + `" /setowner *S-1-5-32-544`}
	}
	list, _, err := about.DACL()
	if err != nil {
		return err
	}
	remedy := `an administrator runs icacls "` + path + `" /inheritance:r /grant ` +
		"*S-1-5-32-544:F *S-1-5-18:F *S-1-5-32-545:RX"
	if list == nil {
		return &Wrong{path, "has no access list, so every user may write it", remedy}
	}
	for i := range uint32(list.AceCount) {
		var entry *windows.ACCESS_ALLOWED_ACE
		if err := windows.GetAce(list, i, &entry); err != nil {
			return err
		}
		switch {
		case entry.Header.AceType == windows.ACCESS_DENIED_ACE_TYPE,
			entry.Header.AceFlags&windows.INHERIT_ONLY_ACE != 0, entry.Mask&rights == 0:
			continue
		case entry.Header.AceType != windows.ACCESS_ALLOWED_ACE_TYPE:
			return &Wrong{path, "has an access list with an entry that is not understood here", remedy}
		}
		if who := (*windows.SID)(unsafe.Pointer(&entry.SidStart)); !administers(who) {
			return &Wrong{path, "may be changed or replaced by " + who.String(), remedy}
		}
	}
	return nil
}

// trustedInstaller is the service that owns the files of Windows.
const trustedInstaller = "S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464"

func administers(who *windows.SID) bool {
	return who.IsWellKnown(windows.WinBuiltinAdministratorsSid) || who.IsWellKnown(windows.WinLocalSystemSid) ||
		who.String() == trustedInstaller
}

func checkPrivate(string, int) error { return ErrNoOwners }
