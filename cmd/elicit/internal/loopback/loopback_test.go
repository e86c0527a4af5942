package loopback

import (
	"errors"
	"net"
	"runtime"
	"strings"
	"testing"
)

// TestListenRefusesOtherMachines: an address that another machine can reach, a name, and no address are refused.
func TestListenRefusesOtherMachines(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", "localhost:0", "192.0.2.1:0", ":0", "127.0.0.1", "[::]:0", ""} {
		if _, err := Listen(address); err == nil || !strings.Contains(err.Error(), "loopback") {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// endlessListener is a listener with more connections than the bound. It records the depth of the stack in each Accept.
type endlessListener struct {
	net.Listener
	left   int
	depths map[int]bool
}

func (f *endlessListener) Accept() (net.Conn, error) {
	f.depths[runtime.Callers(0, make([]uintptr, 64))] = true
	if f.left--; f.left < 0 {
		return nil, net.ErrClosed
	}
	c, _ := net.Pipe()
	return c, nil
}

func TestRefusedConnectionsTakeNoStack(t *testing.T) {
	f := &endlessListener{left: 1000, depths: map[int]bool{}}
	l := bound(f, 1)
	if _, err := l.Accept(); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Fatalf("got %v", err)
	}
	if len(f.depths) != 1 {
		t.Errorf("the stack had %d depths", len(f.depths))
	}
}
