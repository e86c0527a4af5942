// Package loopback serves HTTP to the person at this machine. Every program of every user of the machine can connect,
// so the number of connections, the headers and the time to send them have bounds.
//
//	listener, err := loopback.Listen("127.0.0.1:0")
//	server := loopback.Server(handler, 5*time.Second)
//	err = server.Serve(listener)
package loopback

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	// MostConnections is how many connections a listener keeps open at a time. It closes what comes beyond.
	MostConnections = 64

	mostHeader = 16 << 10
	mostUnread = 64 << 10 // for a connection that does not read, besides the batch in work
)

// Server returns a server that waits as long as wait for the headers of a request, and that writes no log. Bodies and
// responses have no limit: a caller with handlers that end soon sets ReadTimeout and WriteTimeout.
func Server(h http.Handler, wait time.Duration) *http.Server {
	return &http.Server{Handler: h, MaxHeaderBytes: mostHeader, ReadHeaderTimeout: wait, IdleTimeout: time.Minute,
		ErrorLog: log.New(io.Discard, "", 0)}
}

// Listen listens at an address that other machines cannot reach. It also refuses names, because DNS can change their
// address.
func Listen(address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
		return nil, fmt.Errorf("%q is not on loopback; give an address such as 127.0.0.1:0 or [::1]:8421", address)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	return bound(listener, MostConnections), nil
}

// bound accepts no more than n connections at a time.
func bound(l net.Listener, n int) net.Listener { return &boundedListener{l, make(chan struct{}, n)} }

type boundedListener struct {
	net.Listener
	slots chan struct{}
}

func (l *boundedListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		select {
		case l.slots <- struct{}{}:
			if tcp, ok := c.(*net.TCPConn); ok {
				_ = tcp.SetWriteBuffer(mostUnread)
			}
			return &boundedConn{Conn: c, slots: l.slots}, nil
		default: // a flood must not displace the connections that are open
			c.Close()
		}
	}
}

type boundedConn struct {
	net.Conn
	slots chan struct{}
	once  sync.Once
}

func (c *boundedConn) Close() error {
	c.once.Do(func() { <-c.slots })
	return c.Conn.Close()
}
