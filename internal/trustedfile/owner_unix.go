//go:build unix

package trustedfile

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// nonblock makes os.OpenFile not wait for the writer of a pipe, and extraFlags also make it refuse a symbolic link.
const (
	nonblock   = syscall.O_NONBLOCK
	extraFlags = syscall.O_NOFOLLOW | nonblock
)

func checkOwner(_ *os.File, at fs.FileInfo, path string, use Use) error {
	stat, ok := at.Sys().(*syscall.Stat_t)
	if !ok {
		return &Wrong{path, "has an owner that the system does not report", "move it to a local file system"}
	}
	us, owner := os.Geteuid(), int(stat.Uid)
	forbidden, remedy, bits := fs.FileMode(0o077), "chmod 600", "read or write"
	if use != Private {
		forbidden, remedy, bits = 0o022, "chmod go-w", "write"
	}
	switch mode := at.Mode().Perm(); {
	case owner != us && use == Private:
		return &Wrong{path, fmt.Sprintf("belongs to user %d, and this program runs as user %d", owner, us),
			"give a file of your own"}
	case owner != us && owner != 0 && use == Policy:
		return &Wrong{path, fmt.Sprintf("belongs to user %d, and only root and user %d are trusted here", owner, us),
			"copy it to a file of your own"}
	case owner != 0 && use == System:
		return &Wrong{path, fmt.Sprintf("belongs to user %d, and only root is trusted here", owner),
			"an administrator runs `chown root " + path + "`"}
	case mode&forbidden != 0:
		return &Wrong{path, fmt.Sprintf("has the mode %04o, so other users may %s it", mode, bits),
			"run `" + remedy + " " + path + "`"}
	case stat.Nlink > 1:
		return &Wrong{path, fmt.Sprintf("has %d names (hard links), so it can be changed under another name", stat.Nlink),
			fmt.Sprintf("run `cp %s %s.new && mv %s.new %s`", path, path, path, path)}
	}
	return nil
}

// checkDirectory refuses a directory in which another user could replace the file. It accepts a directory that it
// cannot inspect, because opening the file then fails.
func checkDirectory(dir string, use Use) error {
	at, err := os.Stat(dir)
	if err != nil {
		return nil
	}
	stat, ok := at.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	us, owner, group := os.Geteuid(), int(stat.Uid), int(stat.Gid)
	if use == System {
		us = 0 // whoever runs this, only root is trusted
	}
	mode := at.Mode()
	// Many systems give each user a group of the same number without other members, and let this group write to new
	// directories.
	ownGroup := use != System && group == os.Getegid() && group == us
	switch {
	case owner != 0 && use == System:
		return &Wrong{dir, fmt.Sprintf("belongs to user %d, who can replace every file in it", owner),
			"an administrator runs `chown root " + dir + "`"}
	case owner != us && owner != 0:
		return &Wrong{dir, fmt.Sprintf("belongs to user %d, who can replace every file in it", owner),
			"move the file to a directory of your own"}
	case mode&fs.ModeSticky != 0: // in a sticky directory only the owner of a file can replace it
		return nil
	case mode&0o002 != 0 || mode&0o020 != 0 && !ownGroup:
		return &Wrong{dir, fmt.Sprintf("has the mode %04o, so other users can replace every file in it", mode.Perm()),
			"run `chmod go-w " + dir + "`"}
	}
	return nil
}

func checkPrivate(dir string, uid int) error {
	at, err := os.Lstat(dir) // and no link to a directory
	if err != nil {
		return err
	}
	stat, ok := at.Sys().(*syscall.Stat_t)
	switch {
	case !ok || !at.IsDir():
		return &Wrong{dir, "is not a directory of this user", "remove it"}
	case int(stat.Uid) != uid:
		return &Wrong{dir, fmt.Sprintf("belongs to user %d, and this program runs as user %d", stat.Uid, uid), "remove it"}
	case at.Mode().Perm()&0o077 != 0:
		return &Wrong{dir, fmt.Sprintf("has the mode %04o, so other users can enter it", at.Mode().Perm()),
			"run `chmod 700 " + dir + "`"}
	}
	return nil
}
