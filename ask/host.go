package ask

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"github.com/elicit-engine/elicit/engine/asking/asker"
	"github.com/elicit-engine/elicit/engine/seal"
	"github.com/elicit-engine/elicit/store"
)

// step gives the machine an event and performs the effects. What takes time has a goroutine of its own, which steps
// the machine with the result.
func (a *Asker) step(ev asker.Event) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.locked(ev)
}

func (a *Asker) locked(ev asker.Event) {
	in := asker.Input{At: a.options.Now().UnixMilli(), Elapsed: time.Since(a.begun).Milliseconds(), Event: ev}
	a.options.Random(&in.Random)
	for _, next := range a.machine.Step(in) {
		switch ef := next.(type) {
		case asker.Reply:
			if w := a.waits[ef.To]; w != nil {
				delete(a.waits, ef.To)
				w.reply = &ef
				w.tell()
			}
		case asker.Send:
			if w := a.waits[ef.To]; w != nil {
				ctx, cancel := context.WithCancel(w.ctx)
				a.sends[ef.Ref] = cancel
				w.sends = append(w.sends, request{ef, ctx})
				w.tell()
			}
		case asker.CancelSent:
			a.sent(ef.Ref)
		case asker.Watch:
			ctx, cancel := context.WithCancel(context.Background())
			a.watches[ef.Session] = cancel
			go a.watch(ctx, ef.Session)
		case asker.Unwatch:
			a.watches[ef.Session]()
			delete(a.watches, ef.Session)
		case asker.Opened: // nobody is told
		case asker.Wake:
			a.timer.Stop()
			if ef.In >= 0 {
				a.timer.Reset(time.Duration(ef.In) * time.Millisecond)
			}
		default:
			go func() { a.step(a.perform(next)) }()
		}
	}
}

// sent forgets a request. If it has no answer yet, the client is told that none is wanted.
func (a *Asker) sent(ref string) {
	if cancel := a.sends[ref]; cancel != nil {
		cancel()
		delete(a.sends, ref)
	}
}

// storeWait bounds one call of the store.
const storeWait = 10 * time.Second

// perform does what takes time, and returns the result.
func (a *Asker) perform(next asker.Effect) asker.Event {
	ctx, cancel := context.WithTimeout(context.Background(), storeWait)
	defer cancel()
	switch ef := next.(type) {
	case asker.Load:
		saved, err := a.options.Store.Load(ctx, ef.Session)
		return result(err, ef.Session, "", asker.Loaded{Session: ef.Session, Version: saved.Version, State: saved.State})
	case asker.Commit:
		version, err := a.options.Store.Commit(ctx, ef.Change)
		return result(err, ef.Session, "", asker.Committed{Session: ef.Session, Version: version})
	case asker.Redeem:
		err := a.options.Store.Redeem(ctx, ef.ID, ef.Now, ef.Expires)
		return result(err, "", ef.Call, asker.Redeemed{Call: ef.Call})
	case asker.Due:
		names, err := a.options.Store.Due(ctx, ef.Now, ef.Skip, ef.Limit)
		if len(names) > 0 {
			err = nil // it is about some of them
		}
		return result(err, "", "", asker.Found{Sessions: names})
	case asker.Unseal:
		c, _ := a.options.Seal.Open([]byte(ef.State), seal.State, ef.Expected)
		return asker.Unsealed{Call: ef.Call, ID: c.ID, Body: c.Body, Expires: c.ExpiresAt}
	case asker.Seal:
		state, err := a.options.Seal.Seal(nil, ef.Random, seal.State, ef.Claims)
		return asker.Sealed{Call: ef.Call, State: string(state), Why: err}
	case asker.Progress:
		if notify, ok := a.notices.Load(ef.Call); ok {
			notify.(func(asker.Progress))(ef)
		}
		return asker.Progressed{Call: ef.Call}
	case asker.Append:
		var why error
		for i := 0; i < len(ef.Records) && why == nil; i++ {
			why = a.options.Journal(ef.Session, ef.Records[i])
		}
		return asker.Appended{Session: ef.Session, Why: why}
	}
	return nil
}

// result is what the machine hears of a call of the store.
func result(err error, session, call string, ok asker.Event) asker.Event {
	switch {
	case err == nil:
		return ok
	case errors.Is(err, store.ErrUnknown):
		return asker.Missing{Session: session}
	case errors.Is(err, store.ErrConflict):
		return asker.Conflicted{Session: session}
	case errors.Is(err, store.ErrRedeemed):
		return asker.Redeemed{Call: call, Again: true}
	}
	return asker.StoreFailed{Session: session, Call: call, Why: err,
		Away: errors.Is(err, store.ErrUnavailable) || errors.Is(err, context.DeadlineExceeded)}
}

// watch tells the machine of commits to a session until the context ends.
func (a *Asker) watch(ctx context.Context, session string) {
	tell := func(ev asker.Event) {
		a.mu.Lock()
		defer a.mu.Unlock()
		if ctx.Err() == nil {
			a.locked(ev)
		}
	}
	hints, end, err := a.options.Store.Watch(ctx, session)
	if err == nil {
		defer end()
		tell(asker.Watched{Session: session})
		for version := range hints {
			tell(asker.Hinted{Session: session, Version: version})
		}
	}
	tell(asker.Unwatched{Session: session})
}

// wait is somebody who waits for a reply. Its own goroutine carries the requests of a question to the client, so that
// an open question costs one goroutine. The mutex of the Asker guards all but the channel and the context.
type wait struct {
	ctx   context.Context
	wake  chan struct{} // holds one value when there is something new
	sends []request
	reply *asker.Reply
}

// request is a request on its way to the client.
type request struct {
	asker.Send
	ctx context.Context // ends when the answer is no longer wanted
}

func (w *wait) tell() {
	select {
	case w.wake <- struct{}{}:
	default: // a wake is already there
	}
}

// tell steps the machine with an event and waits for its reply.
func (a *Asker) tell(name string, ev asker.Event) asker.Reply {
	return a.await(context.Background(), name, ev, nil)
}

// await steps the machine with an event and waits for the reply to it under a name, while carry takes the requests for
// the client. A step needs a deep stack, which the goroutine of a handler would keep for as long as the person thinks.
// So it has one of its own.
func (a *Asker) await(ctx context.Context, name string, ev asker.Event, carry func(request)) asker.Reply {
	w := &wait{ctx: ctx, wake: make(chan struct{}, 1)}
	stepped := make(chan struct{})
	go func() {
		defer close(stepped)
		a.mu.Lock()
		defer a.mu.Unlock()
		a.waits[name] = w
		a.locked(ev)
	}()
	<-stepped
	for done := ctx.Done(); ; {
		select {
		case <-w.wake:
		case <-done:
			done = nil
			a.step(asker.GivenUp{Ref: name})
			continue
		}
		a.mu.Lock()
		sends, reply := w.sends, w.reply
		w.sends = nil
		a.mu.Unlock()
		if reply != nil {
			return *reply
		}
		for _, one := range sends {
			carry(one)
		}
	}
}

func (a *Asker) ref() string { return strconv.FormatInt(a.refs.Add(1), 10) }

// carry carries a request to the client, and brings its answer back as an event.
func (a *Asker) carry(c Client, one request) {
	var result json.RawMessage
	err := errors.New("this call cannot carry requests to the client") // as an earlier one of its session could
	if c.Conn != nil {
		result, err = c.Conn.Request(one.ctx, one.Method, one.Params)
	}
	ev := asker.Responded{Ref: one.Ref, Result: result}
	if err != nil {
		failed := &ClientError{}
		if !errors.As(err, &failed) {
			failed = &ClientError{Code: asker.CodeInternal, Message: err.Error()}
		}
		ev.Result, ev.Error = nil, encoded(failed)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if err != nil && one.ctx.Err() != nil {
		return // it was taken back, or the call is over
	}
	a.sent(one.Ref)
	a.locked(ev)
}
