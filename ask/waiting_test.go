package ask

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/memory"
)

// requests is a connection to a client that a function answers.
type requests func(ctx context.Context, params json.RawMessage) json.RawMessage

func (f requests) Request(ctx context.Context, _ string, params json.RawMessage) (json.RawMessage, error) {
	if result := f(ctx, params); ctx.Err() == nil {
		return result, nil
	}
	return nil, ctx.Err()
}

func (requests) Notify(context.Context, string, json.RawMessage) error { return nil }

// TestWaitingIsCheap counts what an open question costs a process: one goroutine, which is the handler's, with a store
// another that watches, and its session and machine on the heap. A store in memory has the session, its journal and its
// state there too.
func TestWaitingIsCheap(t *testing.T) {
	t.Run("alone", func(t *testing.T) { waiting(t, nil, 1, 11_500, 75) })
	t.Run("store", func(t *testing.T) { waiting(t, memory.New(), 2, 17_500, 100) })
}

func waiting(t *testing.T, kept store.Store, goroutinesEach float64, bytesEach, objectsEach int) {
	const n = 2000
	a, err := New(Options{Server: "bot", Store: kept})
	must.OK(t, err)
	defer a.Close()
	type form struct {
		Region string `json:"region" title:"Region" enum:"eu,us"`
		Count  int    `json:"count" min:"1" max:"20" default:"2"`
	}
	var open, over sync.WaitGroup
	answer := make(chan struct{})
	c := requests(func(context.Context, json.RawMessage) json.RawMessage {
		open.Done()
		<-answer
		return json.RawMessage(`{"action":"decline"}`)
	})
	measure := func() (goroutines int, heap, objects uint64) {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return runtime.NumGoroutine(), m.HeapAlloc, m.HeapObjects
	}
	goroutines, heap, objects := measure()
	open.Add(n)
	for i := range n {
		over.Go(func() {
			a.Do(t.Context(), forms(fmt.Sprint("s", i), "", c), func(ctx context.Context) error {
				_, err := Form[form](ctx, "Where?")
				return err
			})
		})
	}
	open.Wait()
	moreGoroutines, moreHeap, moreObjects := measure()
	if each := float64(moreGoroutines-goroutines) / n; each > goroutinesEach+0.1 {
		t.Errorf("%.1f goroutines for each question", each)
	}
	bytes, things := int(moreHeap-heap)/n, int(moreObjects-objects)/n
	t.Logf("%d bytes and %d objects for each question", bytes, things)
	if bytes > bytesEach || things > objectsEach {
		t.Errorf("%d bytes and %d objects for each question, at most %d and %d", bytes, things, bytesEach, objectsEach)
	}
	close(answer)
	over.Wait()
}
