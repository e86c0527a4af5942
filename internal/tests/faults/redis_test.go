package faults

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/redis"
)

// redisServer is a real server that writes every commit to a file before it replies.
type redisServer struct {
	t      *testing.T
	args   []string
	port   string
	socket string
	cmd    *exec.Cmd
	client *goredis.Client
}

func startRedis(t *testing.T, args ...string) *redisServer {
	if _, err := exec.LookPath("redis-server"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("redis-server is not installed")
		}
		t.Skip("redis-server is not installed")
	}
	dir := must.ShortDir(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must.OK(t, err)
	_, port, _ := net.SplitHostPort(l.Addr().String())
	l.Close() // a port that no program uses
	r := &redisServer{t: t, socket: filepath.Join(dir, "s"), port: port}
	r.args = append([]string{"--port", port, "--save", "", "--dir", dir, "--unixsocket", r.socket,
		"--appendonly", "yes", "--appendfsync", "no", "--repl-diskless-sync-delay", "0",
		// A long run writes more while a replica reads everything than the server keeps for it without this.
		"--client-output-buffer-limit", "replica 0 0 0", "--repl-timeout", "600"}, args...)
	goredis.SetLogger(quiet{}) // it reports every connection that fails
	r.client = goredis.NewClient(&goredis.Options{Network: "unix", Addr: r.socket})
	r.run()
	t.Cleanup(func() { _ = r.client.Close(); r.kill() })
	return r
}

type quiet struct{}

func (quiet) Printf(context.Context, string, ...any) {}

func (r *redisServer) run(args ...string) {
	r.cmd = exec.Command("redis-server", append(r.args, args...)...)
	must.OK(r.t, r.cmd.Start())
	for r.client.Ping(context.Background()).Err() != nil {
		time.Sleep(time.Millisecond) // between two looks
	}
}

func (r *redisServer) kill() {
	_ = r.cmd.Process.Kill()
	_ = r.cmd.Wait()
}

func (r *redisServer) do(args ...any) {
	if err := r.client.Do(context.Background(), args...).Err(); err != nil {
		r.t.Errorf("%v: %v", args, err)
	}
}

// redisPair is a primary and its replica, which change places.
type redisPair struct {
	servers  [2]*redisServer
	primary  atomic.Int32
	replicas int // for which the handles wait
	changes  int
	answers  func() int64
}

// startPair starts a primary, and a replica if handles are to wait for one.
func startPair(t *testing.T) *redisPair {
	p := &redisPair{replicas: setting(t, "ELICIT_FAULT_REPLICAS", 1)}
	for i := range p.servers {
		p.servers[i] = startRedis(t)
	}
	p.servers[1].do("REPLICAOF", "127.0.0.1", p.servers[0].port)
	p.follows()
	return p
}

// follows waits until the replica has caught up.
func (p *redisPair) follows() {
	replica := p.servers[1-p.primary.Load()]
	for !strings.Contains(replica.client.Info(context.Background(), "replication").Val(), "master_link_status:up") {
		time.Sleep(time.Millisecond) // between two looks
	}
}

// persists waits until the server's file has everything. A server that was a replica writes it anew. Until that is
// done, the server would start with older data, and its replica would take them over.
func (r *redisServer) persists() {
	for {
		info := r.client.Info(context.Background(), "persistence").Val()
		if strings.Contains(info, "aof_rewrite_in_progress:0") && strings.Contains(info, "aof_rewrite_scheduled:0") {
			return
		}
		time.Sleep(time.Millisecond) // between two looks
	}
}

// handle opens a handle as a node has. It connects to the server that is the primary then.
func (p *redisPair) handle() store.Store {
	client := goredis.NewClient(&goredis.Options{DialerRetries: 1, MaxRetryBackoff: 1, ReadTimeout: 200 * time.Millisecond,
		Dialer: func(context.Context, string, string) (net.Conn, error) {
			return net.Dial("unix", p.servers[p.primary.Load()].socket)
		}})
	for {
		h, err := redis.New(context.Background(), client, redis.Options{Replicas: p.replicas, Wait: 50 * time.Millisecond})
		if err == nil {
			return redisHandle{h, client}
		}
		time.Sleep(time.Millisecond) // between two looks
	}
}

// redisHandle closes the client, too.
type redisHandle struct {
	*redis.Store
	client *goredis.Client
}

func (h redisHandle) Close() error { return errors.Join(h.Store.Close(), h.client.Close()) }

// disturb pauses the primary for longer than a handle waits, kills it and starts it again, or lets the replica take its
// place.
func (p *redisPair) disturb(n int) string {
	primary := p.servers[p.primary.Load()]
	switch n % 6 {
	case 1:
		primary.do("CLIENT", "PAUSE", "300", "WRITE")
		return "pause"
	case 3:
		primary.persists()
		primary.kill()
		primary.run()
		return "kill"
	case 5:
		p.failover()
		return "failover"
	}
	return ""
}

// failover lets the replica take the place of the primary: after the primary's end, while it still works, or while it
// works and keeps its connections.
func (p *redisPair) failover() {
	p.follows()
	old, next := p.servers[p.primary.Load()], p.servers[1-p.primary.Load()]
	p.changes++
	if p.changes%3 == 1 {
		old.kill()
		next.do("REPLICAOF", "NO", "ONE")
		p.primary.Store(1 - p.primary.Load())
		old.run("--replicaof", "127.0.0.1 "+next.port)
		return
	}
	next.do("REPLICAOF", "NO", "ONE")
	until := p.answers() + 20
	for range 100 { // both are primaries, until somebody has answered or everybody waits
		if p.answers() > until {
			break
		}
		time.Sleep(time.Millisecond) // between two looks
	}
	p.primary.Store(1 - p.primary.Load())
	old.do("REPLICAOF", "127.0.0.1", next.port)
	if p.changes%3 == 2 { // as Sentinel does
		old.do("CLIENT", "KILL", "TYPE", "pubsub")
		old.do("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
	}
}

// proxied is a pair of servers behind a socket that leads to the primary. Its connections can be cut.
type proxied struct {
	*redisPair
	socket string
	mu     sync.Mutex
	open   map[net.Conn]bool
}

func startProxied(t *testing.T) *proxied {
	p := &proxied{redisPair: startPair(t), open: map[net.Conn]bool{}}
	p.socket = p.servers[0].socket + "p"
	listener, err := net.Listen("unix", p.socket)
	must.OK(t, err)
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go p.pass(client)
		}
	}()
	return p
}

// pass connects a client with the server that is the primary now.
func (p *proxied) pass(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("unix", p.servers[p.primary.Load()].socket)
	if err != nil {
		return
	}
	defer server.Close()
	p.mu.Lock()
	p.open[client] = true
	p.mu.Unlock()
	go func() {
		_, _ = io.Copy(server, client)
		server.Close()
	}()
	_, _ = io.Copy(client, server)
	p.mu.Lock()
	delete(p.open, client)
	p.mu.Unlock()
}

// disturb pauses the primary, kills it and starts it again, cuts every connection, or lets the replica take its place
// when it has everything. It says which.
func (p *proxied) disturb(n int) string {
	primary, next := p.servers[p.primary.Load()], p.servers[1-p.primary.Load()]
	switch n % 4 {
	case 0:
		p.cut()
		return "cut"
	case 1:
		p.follows()
		primary.do("FAILOVER", "TO", "127.0.0.1", next.port)
		for !strings.Contains(next.client.Info(context.Background(), "replication").Val(), "role:master") {
			time.Sleep(time.Millisecond) // between two looks
		}
		p.primary.Store(1 - p.primary.Load())
		p.cut()
		return "failover"
	case 2:
		primary.do("CLIENT", "PAUSE", "600", "WRITE")
		return "pause of the store"
	}
	primary.persists()
	primary.kill()
	primary.run()
	return "kill of the store"
}

// cut ends every connection to a client.
func (p *proxied) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for client := range p.open {
		client.Close()
	}
}
