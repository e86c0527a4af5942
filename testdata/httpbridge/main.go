// Command httpbridge connects programs that speak MCP only by Streamable HTTP with programs that speak it by lines on
// standard input and output. It is for tests on one machine and has no security.
//
//	httpbridge serve COMMAND…                  a server behind a URL, which the first line of output names
//	httpbridge connect URL                     the server at a URL, as lines on standard input and output
//	httpbridge between CLIENT -- COMMAND…      serve COMMAND, and run CLIENT with the URL as its argument
//
// Each session has its own process. All requests of 2026-07-28, which has no sessions, share one process. A message
// passes unchanged, except for the white space between its tokens. serve ends with its standard input, and between ends
// with its client.
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

// serve serves a command at a URL while the function runs.
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
