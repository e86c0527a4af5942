package proxy

import (
	"io"
	"os"
	"sync"
)

// noServer is a Server without a program, for a proxy that has both ends on one stream. It ends when its input is
// closed.
type noServer struct {
	output *io.PipeReader
	theirs *io.PipeWriter
	once   sync.Once
	gone   chan struct{}
}

// NoServer returns a Server without a program.
func NoServer() Server {
	s := &noServer{gone: make(chan struct{})}
	s.output, s.theirs = io.Pipe()
	return s
}

func (s *noServer) Input() io.WriteCloser { return noInput{s} }
func (s *noServer) Output() io.ReadCloser { return s.output }
func (s *noServer) Signal(os.Signal)      { s.Kill() }

func (s *noServer) Kill() {
	s.once.Do(func() {
		s.theirs.Close()
		close(s.gone)
	})
}

func (s *noServer) Wait() int {
	<-s.gone
	return 0
}

// noInput is the input of a server without a program. The machine of a chain writes nothing there.
type noInput struct{ s *noServer }

func (noInput) Write(p []byte) (int, error) { return len(p), nil }

func (i noInput) Close() error {
	i.s.Kill()
	return nil
}
