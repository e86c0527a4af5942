package watch

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/internal/must"
)

// place is a directory with a file in it that is old enough to be told from what is written now.
type place struct {
	t    *testing.T
	path string
	now  time.Time
	w    *Watcher
}

func open(t *testing.T) *place {
	t.Helper()
	p := &place{t: t, path: filepath.Join(t.TempDir(), "file"), now: time.Now(), w: newWatcher(time.Second)}
	p.write("old", -time.Hour)
	p.watch()
	return p
}

// write gives the file a text and an age.
func (p *place) write(text string, age time.Duration) {
	p.t.Helper()
	at := p.now.Add(age)
	must.Write(p.t, text, p.path)
	must.OK(p.t, os.Chtimes(p.path, at, at))
}

// watch looks at the file and at one that is not there.
func (p *place) watch() {
	p.w.Watch(Seen{p.path: lookAt(p.path, p.now), p.path + ".not": lookAt(p.path+".not", p.now)})
}

// look has the watcher look n times, and holds whether it tells of a change in the last and in no other.
func (p *place) look(n int, tells bool) {
	p.t.Helper()
	for i := range n {
		p.now = p.now.Add(p.w.look(p.now))
		told := false
		select {
		case <-p.w.Changed:
			told = true
		default:
		}
		if told != (tells && i == n-1) {
			p.t.Fatalf("look %d of %d told of a change: %v", i+1, n, told)
		}
	}
}

func TestChanges(t *testing.T) {
	for name, change := range map[string]func(*place) error{
		"text":    func(p *place) error { p.write("longer", -time.Hour); return nil },
		"time":    func(p *place) error { p.write("old", -time.Minute); return nil },
		"mode":    func(p *place) error { return os.Chmod(p.path, 0o400) },
		"removed": func(p *place) error { return os.Remove(p.path) },
		"added":   func(p *place) error { return os.Symlink(p.path, p.path+".not") },
		"renamed": func(p *place) error {
			other := &place{t: p.t, path: p.path + ".new", now: p.now}
			other.write("old", -time.Hour)
			return os.Rename(other.path, p.path)
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t)
			p.look(3, false)
			if err := change(p); err != nil {
				t.Skip(err) // a system without links
			}
			p.look(2, true) // it has to look the same twice
			p.look(3, false)
		})
	}
}

// TestBurst holds that files which change again and again are told once, at the end or after a bounded number of looks.
func TestBurst(t *testing.T) {
	p := open(t)
	for i := range 5 {
		p.write("text", -time.Hour+time.Duration(i+1)*time.Second)
		p.look(1, false)
	}
	p.look(1, true)
	p.look(3, false)
	for i := range maxSettleLooks {
		p.write("text", -time.Minute+time.Duration(i)*time.Second)
		p.look(1, false)
	}
	p.write("text", 0)
	p.look(1, true)
}

// TestYoung holds that a file which was read right after it was written is told once more: a change in the same tick of
// the file system's clock would look the same.
func TestYoung(t *testing.T) {
	p := open(t)
	p.write("new", -time.Millisecond)
	p.watch()
	p.look(2, false)
	p.look(1, true)
	p.look(3, false)
}

// TestToldOnce holds that changes nobody reads of are one.
func TestToldOnce(t *testing.T) {
	p := open(t)
	for i := range 3 {
		p.write("text", -time.Hour+time.Duration(i+1)*time.Second)
		for range 2 {
			p.now = p.now.Add(p.w.look(p.now))
		}
	}
	<-p.w.Changed
	p.look(3, false)
}

func TestStart(t *testing.T) {
	p := open(t)
	w := Start(time.Millisecond)
	defer w.Close()
	seen := Seen{}
	seen.Add(p.path)
	w.Watch(seen)
	p.write("changed", -time.Minute)
	<-w.Changed
	w.Close()
	w.Close()
}
