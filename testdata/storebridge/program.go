// Package storebridge speaks to a program that serves a store which another language implements. A request is a line
// {"id","handle","data","method","args"}, and its response a line {"id","value"?,"error"?}, where error is a code.
// Handles with the same data share it. A line {"wake":ID,"version"?} wakes the watch that the request ID began. Bytes
// are in base64.
package storebridge

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"os/exec"
	"sync"
	"sync/atomic"

	"github.com/elicit-engine/elicit/engine/asking/stored"
	"github.com/elicit-engine/elicit/store"
)

// Program is the other end.
type Program struct {
	mu      sync.Mutex
	to      io.Writer
	last    int
	waits   map[int]chan reply
	watches map[int]func(version uint64)
	handles atomic.Int64
}

type reply struct {
	ID      int
	Wake    int
	Version uint64
	Value   json.RawMessage
	Error   string
}

// Start starts a program.
func Start(command *exec.Cmd) (*Program, error) {
	to, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	from, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p := &Program{to: to, waits: map[int]chan reply{}, watches: map[int]func(uint64){}}
	go p.read(bufio.NewReader(from))
	return p, command.Start()
}

func (p *Program) read(from *bufio.Reader) {
	for {
		line, err := from.ReadBytes('\n')
		var r reply
		if err == nil {
			err = json.Unmarshal(line, &r)
		}
		p.mu.Lock()
		if err != nil {
			for id, wait := range p.waits {
				wait <- reply{Error: err.Error()}
				delete(p.waits, id)
			}
			p.waits = nil
			p.mu.Unlock()
			return
		}
		if wake := p.watches[r.Wake]; wake != nil {
			wake(r.Version)
		}
		if wait := p.waits[r.ID]; wait != nil {
			delete(p.waits, r.ID)
			wait <- r
		}
		p.mu.Unlock()
	}
}

// Open opens a handle of the store at the other end.
func (p *Program) Open(data string) store.Store {
	h := &handle{Program: p, name: fmt.Sprint(p.handles.Add(1)), data: data}
	if err := h.call(context.Background(), 0, "open", nil, nil); err != nil {
		panic(err)
	}
	return h
}

type handle struct {
	*Program
	name, data string
	watching   store.Wakers
}

func (p *Program) next() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last++
	return p.last
}

// call makes a request. id is of a watch, or 0.
func (h *handle) call(ctx context.Context, id int, method string, to any, args any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if id == 0 {
		id = h.next()
	}
	line, err := json.Marshal(map[string]any{"id": id, "handle": h.name, "data": h.data, "method": method, "args": args})
	if err != nil {
		return err
	}
	wait := make(chan reply, 1)
	h.mu.Lock()
	if h.waits == nil {
		h.mu.Unlock()
		return fmt.Errorf("the program has ended")
	}
	h.waits[id] = wait
	_, err = h.to.Write(append(line, '\n'))
	h.mu.Unlock()
	if err != nil {
		return err
	}
	select {
	case r := <-wait:
		if r.Error != "" {
			return errorOf(r.Error)
		}
		if to != nil {
			return json.Unmarshal(r.Value, to)
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func errorOf(code string) error {
	known := map[string]error{"conflict": store.ErrConflict, "unavailable": store.ErrUnavailable, "full": store.ErrFull,
		"newer": store.ErrNewer, "invalid": store.ErrInvalid, "closed": store.ErrClosed}
	if err := known[code]; err != nil {
		return err
	}
	return fmt.Errorf("the program: %s", code)
}

func (h *handle) Load(ctx context.Context, session string) (saved store.Saved, err error) {
	var found *store.Saved
	if err = h.call(ctx, 0, "load", &found, []any{session}); err != nil {
		return saved, err
	}
	if found == nil {
		return saved, store.ErrUnknown
	}
	return *found, nil
}

// Commit hands over what the machine of the asking side would: a change that keeps to the rules, with its version.
func (h *handle) Commit(ctx context.Context, c store.Change) (uint64, error) {
	if err := c.Check(); err != nil {
		return 0, err
	}
	args := map[string]any{"session": c.Session, "from": c.From, "version": c.Version(), "now": c.Now,
		"records": c.Records, "next": c.Next, "entries": c.Entries, "expires": c.Expires, "keep": c.Keep,
		"keepRecords": c.KeepRecords}
	if c.State != nil {
		args["state"] = c.State
	}
	return c.Version(), h.call(ctx, 0, "commit", nil, []any{args})
}

func (h *handle) Due(ctx context.Context, now int64, skip, limit int) (names []string, err error) {
	if err := store.CheckDue(now, skip, limit); err != nil {
		return nil, err
	}
	return names, h.call(ctx, 0, "due", &names, []any{now, skip, limit})
}

func (h *handle) Watch(ctx context.Context, session string) (<-chan uint64, func(), error) {
	if err := store.CheckName("session", session); err != nil {
		return nil, nil, err
	}
	id := h.next()
	wakes, stop, err := h.watching.Add(ctx, fmt.Sprint(id), nil)
	if err != nil {
		return nil, nil, err
	}
	h.mu.Lock()
	h.watches[id] = func(version uint64) { h.watching.Wake(fmt.Sprint(id), version) }
	h.mu.Unlock()
	if err := h.call(ctx, id, "watch", nil, []any{session}); err != nil {
		stop()
		return nil, nil, err
	}
	return wakes, sync.OnceFunc(func() {
		stop()
		_ = h.call(context.Background(), 0, "unwatch", nil, []any{id})
	}), nil
}

func (h *handle) Redeem(ctx context.Context, id string, now, expires int64) error {
	until, err := stored.Redeem(id, now, expires)
	first := false
	if err == nil && until > 0 {
		err = h.call(ctx, 0, "redeem", &first, []any{id, now, until})
	}
	if err != nil {
		return err
	}
	if !first {
		return store.ErrRedeemed
	}
	return nil
}

func (h *handle) Journal(ctx context.Context, session string, after uint64) iter.Seq2[store.Record, error] {
	return list[store.Record](ctx, h, "journal", session, after)
}

func (h *handle) History(ctx context.Context, q store.Query) iter.Seq2[store.Entry, error] {
	args := map[string]any{"session": q.Session, "server": q.Server, "tool": q.Tool, "outcome": q.Outcome,
		"text": q.Text, "since": q.Since, "until": q.Until, "limit": q.Limit}
	if q.Before != nil {
		args["before"] = q.Before
	}
	return list[store.Entry](ctx, h, "history", args)
}

func list[T any](ctx context.Context, h *handle, method string, args ...any) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var all []T
		if err := h.call(ctx, 0, method, &all, args); err != nil {
			var none T
			yield(none, err)
			return
		}
		for _, one := range all {
			if !yield(one, nil) {
				return
			}
		}
	}
}

func (h *handle) Close() error {
	h.watching.Close()
	return h.call(context.Background(), 0, "close", nil, []any{})
}
