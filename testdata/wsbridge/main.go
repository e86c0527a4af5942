// Command wsbridge connects a program that speaks lines on standard input and output with a WebSocket server, one
// message for each line. It is for tests on one machine and has no security.
//
//	wsbridge ADDRESS
//
// The address is a host and a port. The bridge ends with its input, or with the connection.
package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
)

// Opcodes of RFC 6455.
const (
	opMore  = 0
	opText  = 1
	opClose = 8
	opPing  = 9
	opPong  = 10
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: wsbridge ADDRESS")
		os.Exit(2)
	}
	if err := bridge(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "wsbridge:", err)
		os.Exit(1)
	}
}

func bridge(address string) error {
	s, err := dial(address)
	if err != nil {
		return err
	}
	go func() {
		in := bufio.NewReaderSize(os.Stdin, 1<<20)
		for {
			line, err := in.ReadBytes('\n')
			if len(line) > 1 {
				s.write(opText, line)
			}
			if err != nil {
				s.write(opClose, nil)
				s.conn.Close()
				return
			}
		}
	}()
	for {
		message, err := s.read()
		if err != nil {
			return nil // either end may leave at any time
		}
		os.Stdout.Write(append(message, '\n'))
	}
}

// socket is the client's end of a WebSocket.
type socket struct {
	conn net.Conn
	in   *bufio.Reader
	mu   sync.Mutex // of writes
}

func dial(address string) (*socket, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"+
		"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n", address)
	in := bufio.NewReaderSize(conn, 1<<20)
	response, err := http.ReadResponse(in, nil)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusSwitchingProtocols {
		return nil, errors.New(response.Status)
	}
	return &socket{conn: conn, in: in}, nil
}

// write sends one frame, masked with zeros: a client must mask, and the mask is free.
func (s *socket) write(op byte, data []byte) {
	frame := []byte{0x80 | op}
	switch n := len(data); {
	case n < 126:
		frame = append(frame, 0x80|byte(n))
	case n < 1<<16:
		frame = binary.BigEndian.AppendUint16(append(frame, 0x80|126), uint16(n))
	default:
		frame = binary.BigEndian.AppendUint64(append(frame, 0x80|127), uint64(n))
	}
	frame = append(append(frame, 0, 0, 0, 0), data...)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conn.Write(frame) // an end that is gone shows in read
}

// read returns the next message of text.
func (s *socket) read() (message []byte, err error) {
	for {
		final, op, data, err := s.frame()
		if err != nil {
			return nil, err
		}
		switch op {
		case opText, opMore:
			if message = append(message, data...); final {
				return message, nil
			}
		case opPing:
			s.write(opPong, data)
		case opClose:
			return nil, io.EOF
		}
	}
}

func (s *socket) frame() (final bool, op byte, data []byte, err error) {
	var head [2]byte
	if _, err = io.ReadFull(s.in, head[:]); err != nil {
		return
	}
	n := uint64(head[1] & 0x7f)
	var long [8]byte
	switch n {
	case 126:
		_, err = io.ReadFull(s.in, long[6:])
		n = binary.BigEndian.Uint64(long[:])
	case 127:
		_, err = io.ReadFull(s.in, long[:])
		n = binary.BigEndian.Uint64(long[:])
	}
	if err != nil {
		return
	}
	data = make([]byte, n)
	_, err = io.ReadFull(s.in, data)
	return head[0]&0x80 != 0, head[0] & 0x0f, data, err
}
