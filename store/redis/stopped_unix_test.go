//go:build unix

package redis_test

import (
	"errors"
	"syscall"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/redis"
	"github.com/elicit-engine/elicit/store/storetest"
)

// TestReplicas stops the replica. A write that it does not have does not count and is not read, because a failover
// would lose it.
func TestReplicas(t *testing.T) {
	t.Parallel()
	s, replica := pair(t)
	h, plain := s.replicated(t, "", 20*time.Millisecond), s.handle(t, "")
	patient := s.replicated(t, "", time.Minute)
	version := storetest.Put(t, patient, "a", 0)
	must.OK(t, replica.cmd.Process.Signal(syscall.SIGSTOP))
	fails(t, h, version, store.ErrUnavailable, "without a replica")
	if _, err := h.Load(t.Context(), "a"); !errors.Is(err, redis.ErrReplicas) {
		t.Errorf("a load of what no replica has: %v", err)
	}
	if saved, err := plain.Load(t.Context(), "a"); err != nil || string(saved.State) != "lost" {
		t.Errorf("a load that waits for no replica: %+v, %v", saved, err)
	}
	must.OK(t, replica.cmd.Process.Signal(syscall.SIGCONT))
	if saved, err := patient.Load(t.Context(), "a"); err != nil || string(saved.State) != "lost" {
		t.Errorf("a load when the replica is there again: %+v, %v", saved, err)
	}
	s.kill()
	replica.do(t, "REPLICAOF", "NO", "ONE")
	if saved, err := replica.handle(t, "").Load(t.Context(), "a"); err != nil || string(saved.State) != "lost" {
		t.Errorf("after a failover: %+v, %v", saved, err)
	}
}
