package ask

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"sync"
	"testing"
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

// TestWaitingIsCheap counts what an open question costs a process: one goroutine, which is the handler's, and at most
// 20 KB on the heap for its session and machine.
func TestWaitingIsCheap(t *testing.T) {
	const n = 2000
	a, err := New(Options{Server: "bot"})
	if err != nil {
		t.Fatal(err)
	}
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
	measure := func() (goroutines int, heap uint64) {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return runtime.NumGoroutine(), m.HeapAlloc
	}
	goroutines, heap := measure()
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
	moreGoroutines, moreHeap := measure()
	if each := float64(moreGoroutines-goroutines) / n; each > 1.1 {
		t.Errorf("%.1f goroutines for each question", each)
	}
	if each := int(moreHeap-heap) / n; each > 20<<10 {
		t.Errorf("%d bytes for each question", each)
	}
	close(answer)
	over.Wait()
}
