package encrypted_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/seal"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/encrypted"
	"github.com/elicit-engine/elicit/store/memory"
	"github.com/elicit-engine/elicit/store/storetest"
)

func key(id, letter string) seal.Key {
	k, err := seal.NewKey(id, bytes.Repeat([]byte(letter), 32))
	if err != nil {
		panic(err)
	}
	return k
}

func ring(ids ...string) *seal.Ring {
	keys := make([]seal.Key, len(ids))
	for i, id := range ids {
		keys[i] = key(id, id[:1])
	}
	return ringOf(keys...)
}

func ringOf(keys ...seal.Key) *seal.Ring {
	r, err := seal.NewRing(keys...)
	if err != nil {
		panic(err)
	}
	return r
}

func wrap(t *testing.T, inner store.Store, r *seal.Ring) *encrypted.Store {
	t.Helper()
	s, err := encrypted.New(inner, key("names", "n"), r)
	must.OK(t, err)
	return s
}

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) func() store.Store {
		first := memory.New()
		return func() store.Store { return wrap(t, first.Handle(), ring("a", "b")) }
	})
}

// whole is a change with a part of every kind.
func whole(session string) store.Change {
	return store.Change{Session: session, Now: 7, Next: 1, State: []byte("the secret state"), Records: [][]byte{
		[]byte("secret one"), []byte("secret two")},
		Entries: []store.Entry{{ID: "secret-q", At: 5, Server: "secret server", Tool: "secret tool",
			Outcome: "secret outcome", Text: "secret text", Body: []byte("secret")}}}
}

func commit(t *testing.T, s store.Store, c store.Change) uint64 {
	t.Helper()
	version, err := s.Commit(t.Context(), c)
	must.OK(t, err)
	return version
}

// read reads everything of a session and returns the first error.
func read(t *testing.T, s store.Store, session string) error {
	_, err := s.Load(t.Context(), session)
	for _, e := range s.Journal(t.Context(), session, 0) {
		err = errors.Join(err, e)
	}
	for _, e := range s.History(t.Context(), store.Query{}) {
		err = errors.Join(err, e)
	}
	_, e := s.Due(t.Context(), 100, 0, 10)
	return errors.Join(err, e)
}

// TestNothingIsReadable looks for every text in the inner store.
func TestNothingIsReadable(t *testing.T) {
	inner := memory.New()
	s := wrap(t, inner, ring("a"))
	commit(t, s, whole("secret session"))
	names, err := inner.Due(t.Context(), 100, 0, 10)
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	saved, err := inner.Load(t.Context(), names[0])
	must.OK(t, err)
	all := fmt.Sprintf("%s %s", names, saved.State)
	for r := range inner.Journal(t.Context(), names[0], 0) {
		all += string(r.Line)
	}
	for e := range inner.History(t.Context(), store.Query{}) {
		all += fmt.Sprintf("%s %s %s %s %s %s %s", e.Session, e.ID, e.Server, e.Tool, e.Outcome, e.Text, e.Body)
	}
	if len(all) < 500 || strings.Contains(all, "secret") {
		t.Errorf("the inner store holds %q", all)
	}
	if err := read(t, s, "secret session"); err != nil {
		t.Error(err)
	}
}

// TestKeysRotate seals with a new key and opens with old ones.
func TestKeysRotate(t *testing.T) {
	inner := memory.New()
	commit(t, wrap(t, inner, ring("a")), whole("s"))
	both := wrap(t, inner, ring("b", "a"))
	saved, err := both.Load(t.Context(), "s")
	if err != nil || string(saved.State) != "the secret state" {
		t.Fatal(saved, err)
	}
	if err := read(t, wrap(t, inner, ring("b")), "s"); !errors.Is(err, encrypted.ErrKey) {
		t.Errorf("without the old key: %v", err)
	}
	commit(t, both, store.Change{Session: "s", From: saved.Version, State: []byte("new")})
	if _, err := wrap(t, inner, ring("a")).Load(t.Context(), "s"); !errors.Is(err, encrypted.ErrKey) {
		t.Errorf("without the new key: %v", err)
	}
	if err := read(t, wrap(t, inner, ringOf(key("a", "x"))), "s"); !errors.Is(err, encrypted.ErrTampered) {
		t.Errorf("with another secret: %v", err)
	}
}

// capture keeps what an encrypted store would commit.
type capture struct {
	store.Store
	got *store.Change
}

func (c capture) Commit(_ context.Context, change store.Change) (uint64, error) {
	*c.got = change
	return change.Version(), nil
}

// sealed is a change as the inner store gets it.
func sealed(t *testing.T, change store.Change) (got store.Change) {
	t.Helper()
	commit(t, wrap(t, capture{got: &got}, ring("a")), change)
	return got
}

// TestTampering changes or moves what is at rest, one part at a time.
func TestTampering(t *testing.T) {
	for what, c := range map[string]struct {
		change func(a, b *store.Change) // the inner change of session a, and one of another session or version
		want   error
	}{
		"a flipped bit":         {func(a, _ *store.Change) { a.State[len(a.State)-1] ^= 1 }, encrypted.ErrTampered},
		"a flipped bit of salt": {func(a, _ *store.Change) { a.State[10] ^= 1 }, encrypted.ErrTampered},
		"a cut state":           {func(a, _ *store.Change) { a.State = a.State[:20] }, encrypted.ErrTampered},
		"a plain state":         {func(a, _ *store.Change) { a.State = []byte("plain") }, encrypted.ErrPlain},
		"an empty state":        {func(a, _ *store.Change) { a.State = []byte{} }, encrypted.ErrPlain},
		"another's state":       {func(a, b *store.Change) { a.State = b.State }, encrypted.ErrTampered},
		"a record as a state":   {func(a, _ *store.Change) { a.State = a.Records[0] }, encrypted.ErrTampered},
		"swapped records": {func(a, _ *store.Change) {
			a.Records[0], a.Records[1] = a.Records[1], a.Records[0]
		}, encrypted.ErrTampered},
		"a plain record":  {func(a, _ *store.Change) { a.Records[0] = []byte("{}") }, encrypted.ErrPlain},
		"another's entry": {func(a, b *store.Change) { a.Entries[0].Body = b.Entries[0].Body }, encrypted.ErrTampered},
		"an entry's time": {func(a, _ *store.Change) { a.Entries[0].At++ }, encrypted.ErrTampered},
		"a plain entry":   {func(a, _ *store.Change) { a.Entries[0].Body = []byte("{}") }, encrypted.ErrPlain},
	} {
		for _, other := range []store.Change{whole("b"), {Session: "a", From: 7<<10 + 1, Now: 8, State: []byte("older"),
			Entries: []store.Entry{{ID: "x", At: 5}}}} {
			inner := memory.New()
			a, b := sealed(t, whole("a")), sealed(t, other)
			c.change(&a, &b)
			commit(t, inner, a)
			if err := read(t, wrap(t, inner, ring("a")), "a"); !errors.Is(err, c.want) {
				t.Errorf("%s: %v, want %v", what, err, c.want)
			} else if errors.Is(err, store.ErrUnknown) {
				t.Errorf("%s counts as absent", what)
			}
		}
	}
}
