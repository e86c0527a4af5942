package store_test

import (
	"testing"

	"github.com/elicit-engine/elicit/store"
)

// TestQueryMatches checks each member of a query against one entry.
func TestQueryMatches(t *testing.T) {
	e := store.Entry{Session: "s", ID: "m", At: 10, Server: "db", Tool: "drop", Outcome: "accept", Text: "Drop Größe?"}
	before := func(at int64, session, id string) store.Query {
		return store.Query{Before: &store.Entry{At: at, Session: session, ID: id}}
	}
	for _, c := range []struct {
		q    store.Query
		want bool
	}{
		{store.Query{}, true}, {store.Query{Limit: 1}, true},
		{store.Query{Session: "s"}, true}, {store.Query{Session: "S"}, false},
		{store.Query{Server: "db"}, true}, {store.Query{Server: "d"}, false},
		{store.Query{Tool: "drop"}, true}, {store.Query{Tool: "dro"}, false},
		{store.Query{Outcome: "accept"}, true}, {store.Query{Outcome: "decline"}, false},
		{store.Query{Text: "GRÖ"}, true}, {store.Query{Text: "%"}, false}, {store.Query{Text: "drop größe?"}, true},
		{store.Query{Since: 10}, true}, {store.Query{Since: 11}, false},
		{store.Query{Until: 11}, true}, {store.Query{Until: 10}, false},
		{store.Query{Tool: "drop", Server: "x"}, false},
		{before(11, "s", "m"), true}, {before(10, "s", "m"), false}, {before(9, "s", "m"), false},
		{before(10, "s", "n"), true}, {before(10, "s", "l"), false},
		{before(10, "t", "a"), true}, {before(10, "r", "z"), false},
	} {
		if got := c.q.Matches(&e); got != c.want {
			t.Errorf("%+v: %v, want %v", c.q, got, c.want)
		}
	}
}

// TestVersion checks how versions follow one another.
func TestVersion(t *testing.T) {
	for _, c := range []struct {
		change store.Change
		want   uint64
	}{
		{store.Change{}, 1}, {store.Change{Now: 3}, 3 << 10}, {store.Change{From: 7, Now: 3}, 8},
	} {
		if got := c.change.Version(); got != c.want {
			t.Errorf("from %d at %d: version %d, want %d", c.change.From, c.change.Now, got, c.want)
		}
	}
}
