package sqlite_test

import (
	"bytes"
	"database/sql"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/sqlite"
)

// BenchmarkCommit compares a commit with a bare transaction that inserts a row of the same state with the same
// durability. They take turns, so that both meet the same disk, and the medians count.
func BenchmarkCommit(b *testing.B) {
	state := bytes.Repeat([]byte("x"), 4096)
	bare := bareInsert(b, state)
	s, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "s.db"), sqlite.Options{})
	must.OK(b, err)
	defer s.Close()
	c := store.Change{Session: "s", State: state, Next: 1, Now: 1}
	commit := func() error {
		c.From, err = s.Commit(b.Context(), c)
		return err
	}
	var took [2][]time.Duration
	for b.Loop() {
		for i, do := range []func() error{bare, commit} {
			begin := time.Now()
			must.OK(b, do())
			took[i] = append(took[i], time.Since(begin))
		}
	}
	median := func(all []time.Duration) float64 {
		slices.Sort(all)
		return float64(all[len(all)/2].Microseconds())
	}
	b.ReportMetric(median(took[0]), "µs/insert")
	b.ReportMetric(median(took[1]), "µs/commit")
	b.ReportMetric(median(took[1])/median(took[0]), "ratio")
}

// bareInsert returns a function that inserts a row in a transaction of its own.
func bareInsert(b *testing.B, state []byte) func() error {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(b.TempDir(), "s.db")+
		"?_txlock=immediate&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)")
	must.OK(b, err)
	b.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("CREATE TABLE t(id INTEGER PRIMARY KEY, state BLOB)"); err != nil {
		b.Fatal(err)
	}
	insert, err := db.Prepare("INSERT INTO t(state) VALUES (?)")
	must.OK(b, err)
	return func() error {
		tx, err := db.BeginTx(b.Context(), nil)
		if err != nil {
			return err
		}
		if _, err = tx.Stmt(insert).ExecContext(b.Context(), state); err != nil {
			return err
		}
		return tx.Commit()
	}
}
