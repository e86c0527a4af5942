// Command asknode is a node of a server, in Go, for the tests of other languages: their nodes and this one share the
// sessions in Redis or PostgreSQL.
//
//	asknode SOCKET PREFIX KEY [PAGE]
//	asknode postgres://USER@/BASE?host=FOLDER SCHEMA KEY [PAGE]
//
// It takes a line of JSON for each thing to do, and answers with a line. The tool "size" asks "Which size?".
package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
	goredis "github.com/redis/go-redis/v9"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/seal"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/postgres"
	"github.com/elicit-engine/elicit/store/redis"
)

func main() {
	args := append(os.Args[1:], "")
	if err := run(context.Background(), args[0], args[1], args[2], args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, socket, prefix, secret, page string) error {
	sessions, err := open(ctx, socket, prefix)
	if err != nil {
		return err
	}
	raw, err := base64.RawURLEncoding.DecodeString(secret)
	if err != nil {
		return err
	}
	key, problem := seal.NewKey("k", raw)
	if problem != nil {
		return problem
	}
	sealer, err := ask.NewSealer(key)
	if err != nil {
		return err
	}
	asker, err := ask.New(ask.Options{Server: "deploy-bot", Page: page, Store: sessions, Seal: sealer})
	if err != nil {
		return err
	}
	n := node{asker, sessions}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var d doing
		if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
			return err
		}
		said, err := n.do(ctx, d)
		if err != nil {
			said = map[string]string{"error": err.Error()}
		}
		if err := json.NewEncoder(os.Stdout).Encode(said); err != nil {
			return err
		}
	}
	return lines.Err()
}

func open(ctx context.Context, server, prefix string) (store.Store, error) {
	if !strings.HasPrefix(server, "postgres:") {
		client := goredis.NewClient(&goredis.Options{Network: "unix", Addr: server})
		return redis.New(ctx, client, redis.Options{Prefix: prefix})
	}
	pool, err := pgxpool.New(ctx, server)
	if err != nil {
		return nil, err
	}
	return postgres.New(ctx, pool, postgres.Options{Schema: prefix})
}

// doing is a line of the input.
type doing struct {
	Op        string // call, submit, answer or history
	Modes     []elicit.Mode
	Version   string
	Session   string
	Arguments json.RawMessage
	State     string
	Responses json.RawMessage
	ID, Link  string
	Action    elicit.Action
	Content   json.RawMessage
}

type node struct {
	*ask.Asker
	store store.Store
}

func (n node) do(ctx context.Context, d doing) (any, error) {
	c := ask.Client{Version: d.Version, Session: d.Session}
	for _, mode := range d.Modes {
		c.Declared.Form = c.Declared.Form || mode == elicit.Form
		c.Declared.URL = c.Declared.URL || mode == elicit.URL
	}
	switch d.Op {
	case "call":
		return n.call(ctx, ask.Call{Client: c, Target: "size", Arguments: d.Arguments, State: d.State,
			Responses: d.Responses})
	case "submit":
		again, text := n.Submit(ctx, c, ask.Submission{ID: d.ID, Action: d.Action, Content: d.Content})
		if again == nil {
			return map[string]string{"refused": text}, nil
		}
		return n.call(ctx, *again)
	case "answer":
		problems, err := n.AnswerPage(ctx, d.Link, "", d.Action, d.Content, nil)
		return map[string]any{"problems": len(problems)}, err
	case "history":
		var all []any
		for e, err := range n.store.History(ctx, store.Query{}) {
			if err != nil {
				return nil, err
			}
			all = append(all, map[string]any{"tool": e.Tool, "text": e.Text, "outcome": e.Outcome,
				"body": json.RawMessage(e.Body)})
		}
		return map[string]any{"entries": all}, nil
	}
	return nil, errors.New("nothing to do")
}

// Plan is what a call with arguments computes once.
type Plan struct {
	Steps int `json:"steps"`
}

// call runs the tool size.
func (n node) call(ctx context.Context, c ask.Call) (any, error) {
	choice := ""
	interruption, err := n.Do(ctx, c, func(ctx context.Context) (err error) {
		if strings.Contains(string(c.Arguments), "plan") {
			plan := func(context.Context) (Plan, error) { return Plan{3}, nil }
			if _, err = ask.Once(ctx, plan); err != nil {
				return err
			}
		}
		choice, err = ask.Choose(ctx, "Which size?", []ask.Choice{{Value: "s", Title: "Small"},
			{Value: "l", Title: "Large"}})
		return err
	})
	if interruption != nil {
		return map[string]any{"result": interruption.Result, "error": interruption.Error}, nil
	}
	return map[string]string{"choice": choice}, err
}
