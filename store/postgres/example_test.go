package postgres_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/postgres"
	"github.com/jackc/pgx/v5/pgxpool"
)

// A server that cannot be reached is an error, and no other store takes its place.
func Example() {
	ctx := context.Background()
	pool, _ := pgxpool.New(ctx, "postgres://app@127.0.0.1:1/app")
	defer pool.Close()
	_, err := postgres.New(ctx, pool, postgres.Options{Schema: "my_server"})
	fmt.Println(errors.Is(err, store.ErrUnavailable))
	// Output: true
}
