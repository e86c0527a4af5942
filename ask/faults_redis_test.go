package ask

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/redis"
)

// redisServer is a real server that writes every commit to a file before it replies.
type redisServer struct {
	t      *testing.T
	args   []string
	socket string
	cmd    *exec.Cmd
	client *goredis.Client
}

func startRedis(t *testing.T) *redisServer {
	if _, err := exec.LookPath("redis-server"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("redis-server is not installed")
		}
		t.Skip("redis-server is not installed")
	}
	dir, err := os.MkdirTemp("", "r") // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	r := &redisServer{t: t, socket: filepath.Join(dir, "s")}
	r.args = []string{"--port", "0", "--save", "", "--dir", dir, "--unixsocket", r.socket, "--appendonly", "yes",
		"--appendfsync", "no"}
	goredis.SetLogger(quiet{}) // it reports every connection that fails
	r.client = goredis.NewClient(&goredis.Options{Network: "unix", Addr: r.socket})
	r.run()
	t.Cleanup(func() { _ = r.client.Close(); r.kill() })
	return r
}

type quiet struct{}

func (quiet) Printf(context.Context, string, ...any) {}

func (r *redisServer) run() {
	r.cmd = exec.Command("redis-server", r.args...)
	if err := r.cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	for r.client.Ping(context.Background()).Err() != nil {
		time.Sleep(time.Millisecond) // between two looks
	}
}

func (r *redisServer) kill() {
	_ = r.cmd.Process.Kill()
	_ = r.cmd.Wait()
}

// handle opens a handle as a node has.
func (r *redisServer) handle(t *testing.T) store.Store {
	client := goredis.NewClient(&goredis.Options{Network: "unix", Addr: r.socket, DialerRetries: 1, MaxRetryBackoff: 1,
		ReadTimeout: 200 * time.Millisecond})
	for {
		h, err := redis.New(context.Background(), client, redis.Options{})
		if err == nil {
			t.Cleanup(func() { _, _ = h.Close(), client.Close() })
			return h
		}
		time.Sleep(time.Millisecond) // between two looks
	}
}

// disturb pauses the server for longer than a handle waits, or kills it and starts it again.
func (r *redisServer) disturb(n int) {
	switch n % 4 {
	case 1:
		r.client.Do(context.Background(), "CLIENT", "PAUSE", "300", "WRITE")
	case 3:
		r.kill()
		r.run()
	}
}
