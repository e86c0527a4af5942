// Command operate lists the open questions of a server, and takes one back. It runs beside the processes of the server,
// with their store and their configuration.
//
//	operate list [PRINCIPAL]
//	operate cancel ID WHO
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/store/redis"
)

func main() {
	ctx := context.Background()
	client := goredis.NewClient(&goredis.Options{Addr: cmp.Or(os.Getenv("REDIS"), "127.0.0.1:6379")})
	kept, err := redis.New(ctx, client, redis.Options{})
	if err == nil {
		defer kept.Close()
		err = operate(ctx, ask.Options{Server: cmp.Or(os.Getenv("SERVER"), "bot"), Store: kept}, os.Args[1:], os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "operate:", err)
		os.Exit(1)
	}
}

// operate needs the Config of the server, too, if it has one: a policy decides again about what it finds in the store.
func operate(ctx context.Context, o ask.Options, args []string, out io.Writer) error {
	asker, err := ask.New(o)
	if err != nil {
		return err
	}
	defer asker.Close()
	switch args = append(args, "", "", ""); {
	case args[0] == "list":
		list, more, err := asker.OpenQuestions(ctx, args[1])
		for _, q := range list {
			fmt.Fprintf(out, "%s\t%s\t%s\t%q\tuntil %s\n", q.ID, q.Caller, q.Target, q.Message,
				time.UnixMilli(q.Expires).UTC().Format(time.RFC3339))
		}
		if more {
			fmt.Fprintln(out, "more follow when these have ended")
		}
		return err
	case args[0] == "cancel" && args[1] != "" && args[2] != "":
		return asker.Cancel(ctx, args[1], args[2])
	}
	return fmt.Errorf("usage: operate list [PRINCIPAL] | operate cancel ID WHO")
}
