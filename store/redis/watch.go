package redis

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/elicit-engine/elicit/store"
	goredis "github.com/redis/go-redis/v9"
)

// hints is the one connection on which a handle hears of commits. Messages may be lost, so everyone is woken when the
// connection was lost and is there again.
type hints struct {
	mu        sync.Mutex
	pubsub    *goredis.PubSub
	confirmed map[string]chan struct{} // by channel; closed when the server has confirmed
	own       string                   // a channel on which only this handle listens
	patience  time.Duration            // how long the connection may be quiet before it is tried; 0 is patience
}

func (s *Store) channel(session string) string { return s.prefix + ":commits:" + session }

// Watch implements store.Store. It returns when the server has confirmed the subscription.
func (s *Store) Watch(ctx context.Context, session string) (<-chan uint64, func(), error) {
	channel := s.channel(session)
	s.hints.mu.Lock()
	wakes, stop, err := s.watch.Add(ctx, session, func() { s.leave(session) })
	if err != nil {
		s.hints.mu.Unlock()
		return nil, nil, err
	}
	if s.hints.pubsub == nil {
		s.hints.own = s.prefix + ":handles:" + rand.Text()
		s.hints.pubsub, s.hints.confirmed = s.client.Subscribe(s.open, s.hints.own), map[string]chan struct{}{}
		s.hints.patience = cmp.Or(s.hints.patience, patience)
		pubsub := s.hints.pubsub
		s.ended.Go(func() { s.hear(pubsub) })
	}
	confirmed := s.hints.confirmed[channel]
	if confirmed == nil {
		confirmed = make(chan struct{})
		s.hints.confirmed[channel] = confirmed
		err = s.hints.pubsub.Subscribe(ctx, channel)
	}
	s.hints.mu.Unlock()
	if err == nil {
		select {
		case <-confirmed:
			return wakes, stop, nil
		case <-ctx.Done():
			err = ctx.Err()
		case <-s.open.Done():
			err = store.ErrClosed
		case <-time.After(patience):
			err = errors.New("the server does not confirm a subscription")
		}
	}
	stop()
	return nil, nil, s.errorOf(ctx, err)
}

// patience is how long a subscription may take, and how long the connection may be quiet before it is tried.
const patience = 5 * time.Second

// leave ends the subscription to a session that nobody watches any more.
func (s *Store) leave(session string) {
	s.hints.mu.Lock()
	defer s.hints.mu.Unlock()
	if s.watch.Watches(session) || s.hints.pubsub == nil {
		return
	}
	delete(s.hints.confirmed, s.channel(session))
	_ = s.hints.pubsub.Unsubscribe(s.open, s.channel(session))
}

// hear wakes those whose sessions were committed, until the handle is closed.
func (s *Store) hear(pubsub *goredis.PubSub) {
	for tried := time.Now(); s.open.Err() == nil; {
		message, err := pubsub.ReceiveTimeout(s.open, s.hints.patience)
		var quiet net.Error
		switch m := message.(type) {
		case *goredis.Message:
			version, _ := strconv.ParseUint(m.Payload, 10, 64) // 0 of an older program
			s.watch.Wake(strings.TrimPrefix(m.Channel, s.channel("")), version)
		case *goredis.Subscription:
			s.confirm(m)
		}
		switch {
		case err == nil:
		case errors.As(err, &quiet) && quiet.Timeout():
			_ = pubsub.Ping(s.open) // finds out whether the connection is still there
		default:
			s.watch.WakeAll()
			select {
			case <-time.After(50 * time.Millisecond): // before the next attempt to connect
			case <-s.open.Done():
			}
		}
		if time.Since(tried) >= s.hints.patience {
			if s.deaf() {
				pubsub = s.listenAgain(pubsub)
			}
			tried = time.Now()
		}
	}
}

// deaf reports whether the connection ends at another server than the one that takes commits. After a failover the
// former primary keeps its connections, and messages get lost while it becomes a replica. In a cluster every server
// gets every message.
func (s *Store) deaf() bool {
	if s.copies.single == nil {
		return false
	}
	ctx, cancel := context.WithTimeout(s.open, patience)
	defer cancel()
	n, err := earScript.Run(ctx, s.client, []string{s.key(0, keyMark)}, s.hints.own).Int()
	return err == nil && n == 0
}

// listenAgain opens a new connection in place of one, and wakes everyone.
func (s *Store) listenAgain(old *goredis.PubSub) *goredis.PubSub {
	s.hints.mu.Lock()
	defer s.hints.mu.Unlock()
	if s.hints.pubsub != old { // the handle is closed
		return old
	}
	_ = old.Close()
	s.hints.pubsub = s.client.Subscribe(s.open, append(slices.Collect(maps.Keys(s.hints.confirmed)), s.hints.own)...)
	s.watch.WakeAll()
	return s.hints.pubsub
}

// confirm notes a subscription. After a reconnect it is confirmed once more, and commits may have been missed. Nobody
// waits for commits before the first time.
func (s *Store) confirm(m *goredis.Subscription) {
	s.hints.mu.Lock()
	defer s.hints.mu.Unlock()
	confirmed := s.hints.confirmed[m.Channel]
	if m.Kind != "subscribe" || confirmed == nil {
		return
	}
	select {
	case <-confirmed:
		s.watch.Wake(strings.TrimPrefix(m.Channel, s.channel("")), 0)
	default:
		close(confirmed)
	}
}

func (h *hints) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.pubsub != nil {
		_ = h.pubsub.Close()
		h.pubsub = nil
	}
}
