package redis_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store/redis"
	"github.com/elicit-engine/elicit/store/storetest"
	goredis "github.com/redis/go-redis/v9"
)

// TestSentinel lets Sentinel fail over, while a handle commits through a client that follows Sentinel.
func TestSentinel(t *testing.T) {
	t.Parallel()
	s, replica := pair(t)
	config := filepath.Join(t.TempDir(), "sentinel.conf")
	watched := fmt.Appendf(nil, "sentinel monitor main 127.0.0.1 %s 1\n", s.port())
	must.Write(t, watched, config)
	at := port(t)
	sentinel := start(t, "redis-server", "--port", at)
	sentinel.kill()
	sentinel.args = []string{"redis-server", config, "--sentinel", "--port", at, "--unixsocket", sentinel.socket}
	sentinel.run(t)
	// It looks at servers every ten seconds, and waits for eight until it tells the former primary, if it cannot be told.
	_ = sentinel.client.Do(t.Context(), "SENTINEL", "DEBUG", "INFO-PERIOD", 500, "PUBLISH-PERIOD", 200)
	client := goredis.NewFailoverClient(&goredis.FailoverOptions{MasterName: "main",
		SentinelAddrs: []string{"127.0.0.1:" + at}, ReadTimeout: 2 * time.Minute})
	defer client.Close()
	h, err := redis.New(t.Context(), client, redis.Options{Replicas: 1, Wait: time.Minute})
	must.OK(t, err)
	defer h.Close()
	version := storetest.Put(t, h, "a", 0)
	for !strings.Contains(sentinel.client.Info(t.Context(), "sentinel").Val(), "slaves=1") {
		time.Sleep(time.Millisecond) // between two looks
	}
	for {
		// It gives a failover up if it has not looked at the replica lately. Asked in this order, because a second failover
		// after one that was just made would undo it.
		state := fmt.Sprint(sentinel.client.Do(t.Context(), "SENTINEL", "MASTER", "main").Val())
		if strings.Contains(replica.client.Info(t.Context(), "replication").Val(), "role:master") {
			break
		}
		if !strings.Contains(state, "failover_in_progress") {
			_ = sentinel.client.Do(t.Context(), "SENTINEL", "FAILOVER", "main").Err()
		}
		time.Sleep(10 * time.Millisecond) // between two looks
	}
	s.follows(t)
	for {
		saved, err := h.Load(t.Context(), "a")
		if err == nil && saved.Version != version {
			t.Fatalf("version %d, want %d", saved.Version, version)
		}
		if err == nil {
			break
		}
	}
	storetest.Put(t, h, "a", version)
	if saved, err := replica.handle(t, "").Load(t.Context(), "a"); err != nil || saved.Version != version+1 {
		t.Errorf("on the new primary: %+v, %v", saved, err)
	}
}
