// Package pgserver runs a PostgreSQL of its own for a test, on a Unix socket in a temporary folder.
package pgserver

import (
	"bytes"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Server is a real server.
type Server struct {
	Dir string // of the socket and the data
	as  []string
	cmd *exec.Cmd
}

// find returns a program of the server. CI must have one.
func find(t testing.TB, name string) string {
	t.Helper()
	places, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name) // Debian's
	if path, err := exec.LookPath(name); err == nil {
		places = append(places, path)
	}
	if len(places) == 0 {
		if os.Getenv("CI") == "true" {
			t.Fatal(name + " is not installed")
		}
		t.Skip(name + ", a program of PostgreSQL, is not installed")
	}
	return places[0]
}

// Start makes empty data and starts a server on it, which ends with the test. PostgreSQL refuses to run as root, so it
// then runs as the user "postgres".
func Start(t testing.TB) *Server {
	t.Helper()
	initdb := find(t, "initdb")
	dir, err := os.MkdirTemp("", "p") // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	s := &Server{Dir: dir}
	if os.Getuid() == 0 {
		s.as = []string{"setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"}
		other, err := user.Lookup("postgres")
		if err != nil {
			t.Fatal(err)
		}
		uid, _ := strconv.Atoi(other.Uid)
		gid, _ := strconv.Atoi(other.Gid)
		if err := os.Chown(dir, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := s.command(initdb, "-D", dir+"/data", "-U", "app", "-A", "trust", "-E", "UTF8", "--no-locale",
		"--no-sync", "--no-instructions").CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	t.Cleanup(s.Kill)
	s.Run(t)
	return s
}

func (s *Server) command(program string, args ...string) *exec.Cmd {
	all := append(append([]string{}, s.as...), append([]string{program}, args...)...)
	cmd := exec.Command(all[0], all[1:]...)
	cmd.Dir = s.Dir
	return cmd
}

// URL is where the clients of all languages find the server.
func (s *Server) URL() string { return "postgres://app@/postgres?host=" + s.Dir }

// Run starts the server again, and waits until it takes connections. After a crash it waits until the processes of the
// one before have ended.
func (s *Server) Run(t testing.TB) {
	t.Helper()
	for begun := time.Now(); ; {
		said := &bytes.Buffer{}
		s.cmd = s.command(find(t, "postgres"), "-D", s.Dir+"/data", "-k", s.Dir, "-c", "listen_addresses=", "-c",
			"max_connections=200", "-c", "shared_buffers=16MB", "-c", "log_min_messages=fatal")
		s.cmd.Stderr = said
		if err := s.cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() { _ = s.cmd.Wait(); close(ended) }()
		if s.ready(ended) {
			return
		}
		s.Kill()
		<-ended
		if time.Since(begun) > time.Minute {
			t.Fatalf("the server did not start:\n%s", said)
		}
	}
}

// ready waits until the server says so in its file.
func (s *Server) ready(ended <-chan struct{}) bool {
	for {
		select {
		case <-ended:
			return false
		case <-time.After(5 * time.Millisecond): // between two looks
		}
		text, _ := os.ReadFile(s.Dir + "/data/postmaster.pid")
		lines := strings.Split(string(text), "\n")
		if len(lines) > 7 && lines[0] == strconv.Itoa(s.cmd.Process.Pid) && strings.TrimSpace(lines[7]) == "ready" {
			return true
		}
	}
}

// Kill ends the server at once, as a crash does: what was not on the disk is lost.
func (s *Server) Kill() {
	if s.cmd != nil && s.cmd.Process != nil {
		_ = s.cmd.Process.Signal(syscall.SIGQUIT) // it ends the processes of the connections, and saves nothing
		for s.cmd.Process.Signal(syscall.Signal(0)) == nil {
			time.Sleep(time.Millisecond) // between two looks
		}
	}
}
