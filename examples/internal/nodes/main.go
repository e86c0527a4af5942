// Command nodes is one process of a server that runs as many processes behind a balancer. Any process takes any
// request: the sessions are in Redis, and what clients carry is sealed with a key that all processes have.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	goredis "github.com/redis/go-redis/v9"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/ask/gosdk"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/seal"
	"github.com/elicit-engine/elicit/store/redis"
)

const user = "ada"

type in struct {
	Call string `json:"call"`
}

type name struct {
	Name string `json:"name"`
}

// greet asks two questions. Each of them may be answered at another process.
func greet(ctx context.Context, _ *mcp.CallToolRequest, in in) (*mcp.CallToolResult, any, error) {
	first, err := ask.Form[name](ctx, "First name of "+in.Call+"?")
	if err != nil {
		return nil, nil, err
	}
	last, err := ask.Form[name](ctx, "Last name of "+in.Call+"?")
	if err != nil {
		return nil, nil, err
	}
	text := fmt.Sprintf("Hello %s %s", first.Name, last.Name)
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
}

// answer takes what a person types on a page. Package ask/page has the real pages.
func answer(asker *ask.Asker) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var said struct {
			Token   string
			Content json.RawMessage
		}
		if err := json.NewDecoder(r.Body).Decode(&said); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		problems, err := asker.AnswerPage(r.Context(), said.Token, user, elicit.Accept, said.Content, nil)
		switch {
		case errors.Is(err, ask.ErrStore):
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
		case err != nil, len(problems) > 0:
			http.Error(w, fmt.Sprint(err, problems), http.StatusConflict)
		}
	}
}

func run() error {
	socket := flag.String("redis", "", "the `socket` of Redis")
	secret := flag.String("secret", "", "the `secret` that all processes have")
	page := flag.String("page", "", "the `beginning` of links to pages, at the balancer")
	flag.Parse()
	client := goredis.NewClient(&goredis.Options{Network: "unix", Addr: *socket})
	sessions, err := redis.New(context.Background(), client, redis.Options{})
	if err != nil {
		return err
	}
	key, err := seal.NewKey("1", []byte(*secret))
	if err != nil {
		return err
	}
	sealer, err := ask.NewSealer(key)
	if err != nil {
		return err
	}
	asker, err := ask.New(ask.Options{Server: "nodes", Page: *page, Seal: sealer, Store: sessions,
		Config: json.RawMessage(`{"limits":{"per_minute":60000,"burst":60000}}`)}) // one principal asks everything
	if err != nil {
		return err
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "nodes", Version: "1"}, nil)
	gosdk.Install(server, asker, gosdk.Stateless(), gosdk.Principal(func(mcp.Request) string { return user }))
	mcp.AddTool(server, &mcp.Tool{Name: "greet", Description: "Greets somebody."}, greet)
	web := http.NewServeMux()
	web.Handle("/mcp", mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true}))
	web.HandleFunc("/answer", answer(asker))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println("http://" + listener.Addr().String())
	return http.Serve(listener, web)
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "nodes:", err)
		os.Exit(1)
	}
}
