package storetest

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/elicit-engine/elicit/store"
)

func loadsWhatWasCommitted(r *run) {
	s := r.store()
	r.unknown(s, "a")
	first := r.put(s, "a", 0, "one", func(c *store.Change) { c.Next = now + 5 })
	saved := r.holds(s, "a", "one", first)
	if saved.Next != now+5 {
		fail("next %d came back", saved.Next)
	}
	second := r.put(s, "a", first, "two")
	if saved = r.holds(s, "a", "two", second); saved.Next != 0 {
		fail("next %d stayed after a commit without it", saved.Next)
	}
	r.unknown(s, "b")
}

func refusesConflicts(r *run) {
	a, b := r.store(), r.store()
	first := r.put(a, "a", 0, "one")
	second := r.put(a, "a", first, "two")
	for _, from := range []uint64{0, first, second + 1} {
		_, err := b.Commit(r.ctx, store.Change{Session: "a", From: from, Now: now, State: []byte("lost"),
			Records: [][]byte{[]byte("lost")}, Next: 1,
			Entries: []store.Entry{{ID: "lost", At: now, Text: "lost"}}})
		wants(err, store.ErrConflict, fmt.Sprintf("committing on %d when %d is stored", from, second))
	}
	_, err := b.Commit(r.ctx, store.Change{Session: "new", From: 7, Now: now, State: []byte("lost")})
	wants(err, store.ErrConflict, "committing on 7 when there is no session")
	r.unknown(a, "new")
	_, err = b.Commit(r.ctx, store.Change{Session: "a", From: first, Now: now})
	wants(err, store.ErrConflict, "deleting an old version")
	if saved := r.holds(a, "a", "two", second); saved.Next != 0 {
		fail("a refused commit left next %d", saved.Next)
	}
	if lines, entries := r.journal(a, "a", 0), r.history(a, store.Query{}); len(lines)+len(entries) != 0 {
		fail("refused commits left %d records and %d entries", len(lines), len(entries))
	}
}

func versionsGrow(r *run) {
	s := r.store()
	c := store.Change{Session: "a", Now: now, State: []byte("x")}
	for range 3 {
		version, err := s.Commit(r.ctx, c)
		must(err, "committing")
		if version != c.Version() {
			fail("a commit from %d gave version %d, want %d", c.From, version, c.Version())
		}
		c.From = version
	}
	gone := store.Change{Session: "a", From: c.From, Now: now + 1}
	_, err := s.Commit(r.ctx, gone)
	must(err, "deleting")
	again := r.put(s, "a", 0, "y", func(c *store.Change) { c.Now = now + 2 })
	if again <= gone.Version() {
		fail("a session made again has version %d, and the deleted one had %d", again, gone.Version())
	}
	r.holds(s, "a", "y", again)
}

func oneCommitWins(r *run) {
	handles := []store.Store{r.store(), r.store()}
	from := r.put(handles[0], "a", 0, "0")
	const nodes, each = 8, 5
	var all sync.WaitGroup
	broken := make(chan error, nodes)
	for i := range nodes {
		all.Go(func() { broken <- r.count(handles[i%2], each) })
	}
	all.Wait()
	for range nodes {
		must(<-broken, "counting")
	}
	r.holds(handles[0], "a", strconv.Itoa(nodes*each), from+nodes*each)
}

// count adds one to the number in session a, several times, as nodes step a session.
func (r *run) count(s store.Store, times int) error {
	for done := 0; done < times; {
		saved, err := s.Load(r.ctx, "a")
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(string(saved.State))
		if err != nil {
			return err
		}
		_, err = s.Commit(r.ctx, store.Change{Session: "a", From: saved.Version, Now: now,
			State: strconv.AppendInt(nil, int64(n+1), 10)})
		switch {
		case err == nil:
			done++
		case !errors.Is(err, store.ErrConflict):
			return err
		}
	}
	return nil
}

func handlesAgree(r *run) {
	a, b := r.store(), r.store()
	first := r.put(a, "a", 0, "one")
	r.holds(b, "a", "one", first)
	second := r.put(b, "a", first, "two")
	r.holds(a, "a", "two", second)
}

func keepsCopies(r *run) {
	s := r.store()
	state, line := []byte("state"), []byte("line")
	version := r.put(s, "a", 0, "", func(c *store.Change) { c.State, c.Records = state, [][]byte{line} })
	clear(state)
	clear(line)
	for range 2 { // the second time, what the first Load gave has been cleared
		saved := r.holds(s, "a", "state", version)
		clear(saved.State)
	}
	if lines := r.journal(s, "a", 0); len(lines) != 1 || string(lines[0].Line) != "line" {
		fail("the journal is %+v", lines)
	}
}

func deletes(r *run) {
	s := r.store()
	v := r.put(s, "a", 0, "1", func(c *store.Change) {
		c.Next, c.Records = now, [][]byte{[]byte("line")}
		c.Entries = []store.Entry{{ID: "q", At: now, Text: "sure?"}}
	})
	_, err := s.Commit(r.ctx, store.Change{Session: "a", From: v, Now: now, Records: [][]byte{[]byte("end")},
		Entries: []store.Entry{{ID: "r", At: now, Text: "bye"}}})
	must(err, "deleting")
	r.unknown(s, "a")
	r.due(s, store.MaxTime, 10)
	if lines, entries := r.journal(s, "a", 0), r.history(s, store.Query{}); len(lines) != 2 || len(entries) != 2 {
		fail("%d records and %d entries stayed, want 2 and 2", len(lines), len(entries))
	}
	_, err = s.Commit(r.ctx, store.Change{Session: "a", From: v, Now: now, State: []byte("2")})
	wants(err, store.ErrConflict, "committing to a deleted session")
	r.put(s, "a", 0, "3", func(c *store.Change) { c.Now = now + 1 })
}

func keepsLargeStates(r *run) {
	s := r.store()
	large := strings.Repeat("0123456789abcde\x00", 4<<20/16)
	v := r.put(s, "a", 0, large)
	r.holds(s, "a", large, v)
	_, err := s.Commit(r.ctx, store.Change{Session: "a", From: v, Now: now, State: []byte{}})
	must(err, "committing an empty state")
	r.holds(s, "a", "", v+1)
}

// hostile are names that a careless store takes for one another, or for something else.
func hostile() []string {
	return []string{"a", "A", "a ", " a", "a\x00", "a\x00b", "a:b", "a/b", "a/../a", "{a}",
		"{", "}", "{a}b", "%", "a%", "_",
		"*", "a*",
		"'; DROP TABLE session; --", `"`, `\`, "\n", "\r\n", "é", "e\u0301", "\u202e",
		"😀", "0", "00", "-1", "null", "s", "v", "due", "EXPIRE",
		strings.Repeat("x", 512), strings.Repeat("x", 511) + "y"}
}

func keepsNamesApart(r *run) {
	s := r.store()
	versions := map[string]uint64{}
	for i, name := range hostile() {
		versions[name] = r.put(s, name, 0, "state of "+name, func(c *store.Change) {
			c.Next, c.Records = now, [][]byte{[]byte(name)}
			c.Entries = []store.Entry{{ID: name, At: now + int64(i), Tool: name, Text: name}}
		})
		must(s.Redeem(r.ctx, name, now, now+1000), "redeeming "+name)
	}
	for _, name := range hostile() {
		r.holds(s, name, "state of "+name, versions[name])
		if lines := r.journal(s, name, 0); len(lines) != 1 || string(lines[0].Line) != name {
			fail("the journal of %q is %+v", name, lines)
		}
		found := r.history(s, store.Query{Session: name, Tool: name})
		if len(found) != 1 || found[0].ID != name || found[0].Session != name {
			fail("the history of %q is %+v", name, found)
		}
	}
	all, err := s.Due(r.ctx, now, 0, store.MaxDue)
	must(err, "asking what is due")
	if len(all) != len(versions) {
		fail("%d sessions are due, want %d", len(all), len(versions))
	}
	for _, name := range all {
		if _, is := versions[name]; !is {
			fail("%q is due, and nobody committed it", name)
		}
	}
}

func refusesTheInvalid(r *run) {
	s := r.store()
	good := func(edit func(*store.Change)) store.Change {
		c := store.Change{Session: "a", Now: now, State: []byte("x")}
		edit(&c)
		return c
	}
	for what, c := range map[string]store.Change{
		"no name":                good(func(c *store.Change) { c.Session = "" }),
		"a long name":            good(func(c *store.Change) { c.Session = strings.Repeat("x", store.MaxName+1) }),
		"a name that is no text": good(func(c *store.Change) { c.Session = "\xff" }),
		"a huge state":           good(func(c *store.Change) { c.State = make([]byte, store.MaxState+1) }),
		"a negative time":        good(func(c *store.Change) { c.Next = -1 }),
		"a time beyond all":      good(func(c *store.Change) { c.Expires = store.MaxTime + 1 }),
		"an entry without id":    good(func(c *store.Change) { c.Entries = []store.Entry{{}} }),
		"a deletion of nothing":  good(func(c *store.Change) { c.State = nil }),
	} {
		_, err := s.Commit(r.ctx, c)
		wants(err, store.ErrInvalid, "committing "+what)
	}
	_, err := s.Due(r.ctx, now, 0, 0)
	wants(err, store.ErrInvalid, "asking for nothing that is due")
	_, err = s.Due(r.ctx, now, -1, 1)
	wants(err, store.ErrInvalid, "asking for what is due before the first")
	wants(s.Redeem(r.ctx, "", now, now+1), store.ErrInvalid, "redeeming no id")
	_, _, err = s.Watch(r.ctx, "")
	wants(err, store.ErrInvalid, "watching no session")
	for _, err := range s.History(r.ctx, store.Query{Limit: -1}) {
		wants(err, store.ErrInvalid, "asking for -1 entries")
	}
}

func obeysContexts(r *run) {
	s := r.store()
	v := r.put(s, "a", 0, "1")
	ctx, cancel := context.WithCancel(r.ctx)
	cancel()
	for what, err := range each(ctx, s, v) {
		wants(err, context.Canceled, what)
	}
	r.holds(s, "a", "1", v)
	must(s.Redeem(r.ctx, "id", now, now+1000), "redeeming what a cancelled call did not redeem")
}

func closes(r *run) {
	s, other := r.store(), r.store()
	v := r.put(s, "a", 0, "1")
	must(s.Close(), "closing")
	for what, err := range each(r.ctx, s, v) {
		wants(err, store.ErrClosed, what)
	}
	r.holds(other, "a", "1", v)
	r.put(other, "a", v, "2")
}

// each calls every method once on session a and returns the errors.
func each(ctx context.Context, s store.Store, version uint64) map[string]error {
	got := map[string]error{}
	_, got["Load"] = s.Load(ctx, "a")
	_, got["Commit"] = s.Commit(ctx, store.Change{Session: "a", From: version, Now: now, State: []byte("lost")})
	_, got["Due"] = s.Due(ctx, now, 0, 1)
	_, _, got["Watch"] = s.Watch(ctx, "a")
	got["Redeem"] = s.Redeem(ctx, "id", now, now+1000)
	got["Journal"], got["History"] = nil, nil
	for _, err := range s.Journal(ctx, "a", 0) {
		got["Journal"] = err
	}
	for _, err := range s.History(ctx, store.Query{}) {
		got["History"] = err
	}
	return got
}
