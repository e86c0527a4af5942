package redis_test

import (
	"context"
	"fmt"

	"github.com/elicit-engine/elicit/store/redis"
	goredis "github.com/redis/go-redis/v9"
)

// A server that cannot be reached is an error, and no other store takes its place.
func Example() {
	client := goredis.NewClient(&goredis.Options{Addr: "127.0.0.1:1", MaxRetries: -1, DialerRetries: 1})
	defer client.Close()
	_, err := redis.New(context.Background(), client, redis.Options{Prefix: "my-server"})
	fmt.Println(err != nil)
	// Output: true
}
