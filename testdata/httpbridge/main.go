// Command httpbridge lets programs that speak MCP by Streamable HTTP alone meet programs that speak it by lines on
// standard input and output. It is for tests on one machine and knows no security.
//
//	httpbridge serve COMMAND…                  a server behind a URL, which is the first line that is printed
//	httpbridge connect URL                     the server at a URL, as lines on standard input and output
//	httpbridge between CLIENT -- COMMAND…      serve COMMAND, and run CLIENT with the URL as its argument
//
// A session has a process of its own. All requests of 2026-07-28, which has no sessions, share one process. A message
// passes as it is, without the white space between its parts. serve and between end with their standard input or client.
package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		var ended *exec.ExitError
		if errors.As(err, &ended) && ended.Exited() {
			os.Exit(ended.ExitCode())
		}
		fmt.Fprintln(os.Stderr, "httpbridge:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) >= 2 && args[0] == "serve":
		return serve(args[1:], func(url string) error {
			fmt.Println(url)
			_, err := io.Copy(io.Discard, os.Stdin)
			return err
		})
	case len(args) == 2 && args[0] == "connect":
		return connect(args[1], os.Stdin, os.Stdout)
	case len(args) >= 4 && args[0] == "between" && args[2] == "--":
		return serve(args[3:], func(url string) error {
			cmd := exec.Command(args[1], url)
			cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
			return cmd.Run()
		})
	}
	return errors.New("usage: httpbridge serve COMMAND… | connect URL | between CLIENT -- COMMAND…")
}

// serve puts a command behind a URL for as long as the function runs.
func serve(command []string, during func(url string) error) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	b := &bridge{command: command, sessions: map[string]*session{}}
	server := &http.Server{Handler: b}
	go func() { _ = server.Serve(listener) }()
	err = during("http://" + listener.Addr().String() + "/mcp")
	b.end()
	_ = server.Close()
	return err
}
