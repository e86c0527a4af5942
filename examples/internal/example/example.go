// Package example is what the example servers share: flags, transports, pages and a first asker.
package example

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/ask/gosdk"
	"github.com/elicit-engine/elicit/ask/page"
)

// Bot is a server, and what its tools need.
type Bot struct {
	*mcp.Server
	Asker *ask.Asker
	Pages *http.ServeMux // of the web server beside the tools
	Base  string         // its address, with a slash at the end

	// Principal says who looks at a page. People sign in at /login. A Bot without logins knows User alone.
	Principal func(*http.Request) (string, error)
}

// Tool adds a tool whose result is a text. Its handler may ask.
func Tool[In any](b *Bot, name, description string, handler func(ctx context.Context, in In) (string, error)) {
	mcp.AddTool(b.Server, &mcp.Tool{Name: name, Description: description}, func(
		ctx context.Context, _ *mcp.CallToolRequest, in In,
	) (*mcp.CallToolResult, any, error) {
		text, err := handler(ctx, in)
		if err != nil {
			return nil, nil, err // also ask.ErrInterrupted: the handler runs again later
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
	})
}

// User is who calls the tools in every example. A real server takes it from its authorization: see gosdk.Principal.
const User = "ada"

// Main runs an example: over standard input and output, or over Streamable HTTP with --http ADDRESS. addTools gives the
// server its tools. In both cases a web server on loopback has the pages.
func Main(name string, addTools func(*Bot) error) {
	address := flag.String("http", "", "serve Streamable HTTP at this loopback `address`, at the path /mcp")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, name, *address, addTools); err != nil && ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, name+":", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, name, address string, addTools func(*Bot) error) error {
	at := address
	if at == "" {
		at = "127.0.0.1:0"
	}
	listener, err := net.Listen("tcp", at)
	if err != nil {
		return err
	}
	b, err := newBot(name, "http://"+listener.Addr().String()+"/")
	if err != nil {
		return err
	}
	defer b.Asker.Close()
	if err := addTools(b); err != nil {
		return err
	}
	b.Pages.Handle("/ask/", page.New(page.Options{Asker: b.Asker, Principal: b.Principal}))
	web := &http.Server{Handler: b.Pages}
	if address != "" {
		b.Pages.Handle("/mcp", gosdk.Handler(func(*http.Request) *mcp.Server { return b.Server }, nil))
		fmt.Fprintln(os.Stderr, name+": serving "+b.Base+"mcp")
		context.AfterFunc(ctx, func() { web.Close() })
		return web.Serve(listener)
	}
	defer web.Close()
	go web.Serve(listener)
	err = b.Run(ctx, &mcp.StdioTransport{})
	if errors.Is(err, mcp.ErrConnectionClosed) {
		return nil
	}
	return err
}

// newBot makes a server whose handlers can ask.
func newBot(name, base string) (*Bot, error) {
	b := &Bot{Pages: http.NewServeMux(), Base: base}
	b.Principal = func(*http.Request) (string, error) { return User, nil }
	b.Server = mcp.NewServer(&mcp.Implementation{Name: name, Version: "1"}, nil)
	var err error
	b.Asker, err = ask.New(ask.Options{Server: name, Page: base + "ask/#/", SignIn: "/login"})
	if err != nil {
		return nil, err
	}
	gosdk.Install(b.Server, b.Asker, gosdk.Principal(func(mcp.Request) string { return User }))
	return b, nil
}
