// Command demoserver is a small, real MCP server over stdio, written with the official Go SDK. Each of its tools asks
// the person behind the client in one particular way: honestly, badly, twice, or without waiting for the answer.
//
// The demonstration and the tests put this server behind the proxy. For messages that the SDK does not send they use
// testdata/rawserver.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	dates := mcp.SupportedProtocolVersions()
	protocol := flag.String("protocol", "", "speak only this protocol date: "+strings.Join(dates, ", ")+" (default: all)")
	refuse := flag.Bool("refuse-initialize", false,
		"answer initialize with an error, as a server does that supports only 2026-07-28")
	flag.Parse()

	var options mcp.ServerOptions
	if *protocol != "" {
		if !slices.Contains(dates, *protocol) {
			fmt.Fprintf(os.Stderr, "demoserver: -protocol %q is none of %s\n", *protocol, strings.Join(dates, ", "))
			os.Exit(2)
		}
		options.SupportedProtocolVersions = []string{*protocol}
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "demo", Title: "Demo server", Version: "1.0.0"}, &options)
	if *refuse {
		server.AddReceivingMiddleware(refuseInitialize(*protocol))
	}
	for _, t := range tools() {
		server.AddTool(&mcp.Tool{Name: t.name, Description: t.about, InputSchema: t.arguments()}, t.handle)
	}
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil && !errors.Is(err, io.EOF) {
		fmt.Fprintln(os.Stderr, "demoserver:", err)
		os.Exit(1)
	}
}

// refuseInitialize refuses initialize, for which the SDK has no option. When only 2026-07-28 is allowed, the SDK still
// answers initialize with 2025-11-25, and then serves the whole session in that older protocol.
func refuseInitialize(protocol string) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method != "initialize" {
				return next(ctx, method, req)
			}
			requested := ""
			if p, ok := req.GetParams().(*mcp.InitializeParams); ok {
				requested = p.ProtocolVersion
			}
			return nil, unsupportedVersion(protocol, requested)
		}
	}
}
