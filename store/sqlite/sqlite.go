// Package sqlite keeps sessions in one SQLite file, which many processes of one machine share.
//
//	s, err := sqlite.Open(ctx, "/var/lib/app/sessions.db", sqlite.Options{})
//
// A commit is on the disk when Commit returns (WAL with synchronous=FULL), and with it every one before it. One that is
// Lazy is on the disk with the next that is not (synchronous=NORMAL); the end of a process loses none. The file must be
// on a local disk, because the processes share memory. Its mode is 0600, and a file that others may read or write is
// refused.
package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/elicit-engine/elicit/store"
	driver "modernc.org/sqlite"
)

// Options are choices of one handle. The zero value is good.
type Options struct {
	Busy  time.Duration    // how long a call waits for other writers; 0 is 5 s
	Ticks <-chan time.Time // when to look for commits of other processes; nil is every 20 ms while somebody watches
}

// Store is a handle on a file. It implements store.Store.
type Store struct {
	write, read *sql.DB // one connection that writes, and some that read
	statements
	path  string
	file  os.FileInfo // what path named when it was opened
	gate  store.Gate
	calls atomic.Uint64 // for the sweep
	watch store.Wakers
	poll  poll
	ticks <-chan time.Time
	open  context.Context // ends with Close
	end   context.CancelFunc
	ended sync.WaitGroup
}

const (
	application = 0x456c6374 // "Elct": what kind of file this is
	schema      = 2
)

// Open opens a file, and makes it if it is not there. ErrNewer says that a newer program made it.
func Open(ctx context.Context, path string, o Options) (*Store, error) {
	path, err := filepath.Abs(path) // connections are opened later too, maybe in another folder
	file, wrong := private(path)
	if err = cmp.Or(err, wrong); err != nil {
		return nil, err
	}
	o.Busy = cmp.Or(o.Busy, 5*time.Second)
	dsn := fmt.Sprintf("file:%s?_txlock=immediate&_pragma=busy_timeout(%d)&_pragma=journal_mode(WAL)"+
		"&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)", url.PathEscape(path), o.Busy.Milliseconds())
	s := &Store{path: path, file: file, ticks: o.Ticks, statements: statements{}}
	s.open, s.end = context.WithCancel(context.Background())
	if s.write, err = sql.Open("sqlite", dsn); err != nil {
		return nil, err
	}
	s.write.SetMaxOpenConns(1)
	if s.read, err = sql.Open("sqlite", dsn+"&_pragma=query_only(1)"); err != nil {
		return nil, err
	}
	s.read.SetMaxOpenConns(4)
	s.read.SetMaxIdleConns(4)
	// SQLite does not wait for another connection that is about to make the same new file a WAL file.
	for limit := time.Now().Add(o.Busy); ; time.Sleep(time.Millisecond) {
		err = s.prepareFile(ctx)
		if !hasCode(err, busy) || ctx.Err() != nil || !time.Now().Before(limit) {
			break
		}
	}
	if err == nil {
		err = s.prepare(ctx, s.write, s.read)
	}
	if err != nil {
		err = s.errorOf(ctx, err)
		_ = s.Close()
		return nil, fmt.Errorf("opening the store %s: %w", path, err)
	}
	return s, nil
}

// private makes the file, if it is not there, for its owner alone. SQLite gives its other files the same mode.
func private(path string) (os.FileInfo, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err == nil && (!info.Mode().IsRegular() || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/') {
		err = fmt.Errorf("the store %s has the mode %v; it must be a file with the mode 0600", path, info.Mode())
	}
	return info, err
}

// begin lets a call begin. Processes that opened a file before and after it was deleted or replaced share nothing, so
// the earlier ones fail.
func (s *Store) begin(ctx context.Context, check error) error {
	err := s.gate.Begin(ctx, check)
	if err == nil {
		if now, gone := os.Stat(s.path); gone != nil || !os.SameFile(s.file, now) {
			err = fmt.Errorf("%w: the file %s was deleted or replaced: open it again", store.ErrUnavailable, s.path)
		}
	}
	return err
}

// prepareFile makes the tables in an empty file. Of several processes one does.
func (s *Store) prepareFile(ctx context.Context) error {
	return s.transaction(ctx, false, func(tx *sql.Tx) error {
		var kind, version, objects int
		for query, into := range map[string]*int{"PRAGMA application_id": &kind, "PRAGMA user_version": &version,
			"SELECT count(*) FROM sqlite_schema": &objects} {
			if err := tx.QueryRowContext(ctx, query).Scan(into); err != nil {
				return err
			}
		}
		steps := ""
		switch {
		case objects == 0 && kind == 0 && version == 0:
			steps = texts["tables"]
		case kind != application:
			return errors.New("the file belongs to another program")
		case version == 1:
			steps = texts["second"]
		case version != schema:
			return fmt.Errorf("%w: schema %d, and this program knows %d", store.ErrNewer, version, schema)
		}
		_, err := tx.ExecContext(ctx, steps)
		return err
	})
}

// Close implements store.Store.
func (s *Store) Close() error {
	if !s.gate.Close() {
		return nil
	}
	s.end()
	s.watch.Close()
	s.ended.Wait()
	return errors.Join(s.read.Close(), s.write.Close())
}

// errorOf turns an error of SQLite into one of the store's.
func (s *Store) errorOf(ctx context.Context, err error) error {
	return s.gate.Failed(ctx, err, func(err error) bool { return hasCode(err, full) }, store.ErrConflict,
		store.ErrRedeemed, store.ErrNewer, store.ErrUnavailable)
}

// Results of SQLite (sqlite3.h): SQLITE_BUSY, another connection has the lock, and SQLITE_FULL, the disk has no room.
const busy, full = 5, 13

func hasCode(err error, code int) bool {
	of := (*driver.Error)(nil)
	return errors.As(err, &of) && of.Code()&0xff == code
}
