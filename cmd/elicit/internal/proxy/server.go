package proxy

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/processgroup"
)

// Server is the program behind the proxy.
type Server interface {
	Input() io.WriteCloser
	Output() io.ReadCloser
	// Signal sends a signal to the server and every process that it started.
	Signal(os.Signal)
	// Kill ends the server and every process that it started at once.
	Kill()
	// Wait returns the exit code, 128 plus the signal number when a signal ended the server.
	Wait() int
}

// child is a Server that Start has started.
type child struct {
	cmd    *exec.Cmd
	input  *os.File
	output *os.File
	gone   func() // the program has ended
}

// errorsAfterExit is how long the proxy waits for the error stream of an ended server. A process that the server
// started may hold the stream open. There is no wait when the stream is a file.
const errorsAfterExit = time.Second

// Start runs a command as a server whose error stream goes to stderr. When stderr is a file, the server gets that file
// itself.
func Start(command []string, stderr io.Writer) (Server, error) {
	c := &child{cmd: exec.Command(command[0], command[1:]...)}
	theirIn, ourIn, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	ourOut, theirOut, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c.input, c.output = ourIn, ourOut
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = theirIn, theirOut, stderr
	c.cmd.WaitDelay = errorsAfterExit
	processgroup.Own(c.cmd)
	c.gone, err = processgroup.Start(c.cmd)
	theirIn.Close()
	theirOut.Close()
	if err != nil {
		ourIn.Close()
		ourOut.Close()
		return nil, startError(command[0], err)
	}
	return c, nil
}

func startError(name string, err error) error {
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("cannot start the server: no program %q on PATH; give its full path after `--`", name)
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("cannot start the server: there is no file %s; check the path after `--`", name)
	case errors.Is(err, os.ErrPermission):
		return fmt.Errorf("cannot start the server: %s may not be executed; check its permissions", name)
	}
	return fmt.Errorf("cannot start the server: %w", err)
}

func (c *child) Input() io.WriteCloser { return c.input }
func (c *child) Output() io.ReadCloser { return c.output }

// Kill ends the server's whole process group.
func (c *child) Kill() { _ = processgroup.Kill(c.cmd) }

// Signal sends s to the server's whole process group.
func (c *child) Signal(s os.Signal) { _ = processgroup.Signal(c.cmd, s) }

func (c *child) Wait() int {
	_ = c.cmd.Wait() // the state of the process says more
	c.gone()
	if at := c.cmd.ProcessState; at != nil {
		if w, ok := at.Sys().(syscall.WaitStatus); ok && w.Signaled() {
			return 128 + int(w.Signal())
		}
		if code := at.ExitCode(); code >= 0 {
			return code
		}
	}
	return 1
}
