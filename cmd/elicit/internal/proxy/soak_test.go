package proxy

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/journal"
	"github.com/elicit-engine/elicit/internal/must"
)

// TestSoak is a day of questions in one session: every kind of them, answered, refused, taken back, and left alone
// until their time is up. Whatever is kept about them has to go with them.
func TestSoak(t *testing.T) {
	quarter := 5_000
	if testing.Short() {
		quarter = 1_500 // more than the 1024 things the proxy and the engine remember of the past
	}
	s := newSoak(t)
	begun := time.Now()
	var heaps, sizes [4]int
	var goroutines [4]int
	for i := range 4 {
		s.cycles(quarter)
		heaps[i], goroutines[i], sizes[i] = heapInUse(), runtime.NumGoroutine(), int(s.book.size.Load())
	}
	took := time.Since(begun)
	t.Logf("%d cycles in %v (%.0f/s); after each quarter heap %v KiB, goroutines %v, journal %v KiB", 4*quarter,
		took.Round(time.Millisecond),
		float64(4*quarter)/took.Seconds(), kib(heaps), goroutines, kib(sizes))
	if heaps[3] > heaps[0]+heaps[0]/10+256<<10 {
		t.Errorf("heap grew from %d to %d bytes between 25%% and 100%%", heaps[0], heaps[3])
	}
	if goroutines[3] > goroutines[0]+4 {
		t.Errorf("goroutines grew from %d to %d", goroutines[0], goroutines[3])
	}
	first, last := sizes[1]-sizes[0], sizes[3]-sizes[2]
	if first > last+last/10 || last > first+first/10 {
		t.Errorf("the journal grew by %d bytes in the second quarter and by %d in the last", first, last)
	}
	s.wantWhole()
}

func kib(bytes [4]int) (k [4]int) {
	for i, b := range bytes {
		k[i] = b >> 10
	}
	return k
}

func heapInUse() int {
	var m runtime.MemStats
	for range 2 { // what finalizers and pools hold goes with the second
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// soak is a session in which a few workers ask at once. Each knows its messages by its own name in them.
type soak struct {
	t     *testing.T
	p     *peers
	book  *longBook
	turns [16]turnOf
	count atomic.Int64
}

// turnOf is what a worker waits for.
type turnOf struct {
	server chan heard // replies to its questions, and its calls
	client chan heard // answers to its calls
}

// longBook is a journal in a file, without waiting for the disk.
type longBook struct {
	file *os.File
	size atomic.Int64
}

func (b *longBook) Append(record []byte) error {
	b.size.Add(int64(len(record)) + 1)
	_, err := b.file.Write(append(record[:len(record):len(record)], '\n'))
	return err
}

// crowd answers by the first word of the message.
type crowd struct{}

func (crowd) Modes() elicit.Modes      { return elicit.Modes{Form: true, URL: true} }
func (crowd) Problem(effect.Problem)   {}
func (crowd) Withdraw(effect.Withdraw) {}
func (crowd) Close() error             { return nil }
func (crowd) Show(s effect.Show, done ui.Answer) {
	switch word, name, _ := strings.Cut(s.Message, " "); word {
	case "accept":
		go done(ui.Given{Action: elicit.Accept, Content: []byte(`{"name":"` + name + `"}`)})
	case "decline":
		go done(ui.Given{Action: elicit.Decline})
	}
}

func newSoak(t *testing.T) *soak {
	file, err := os.Create(filepath.Join(t.TempDir(), "journal"))
	must.OK(t, err)
	t.Cleanup(func() { file.Close() })
	s := &soak{t: t, book: &longBook{file: file}}
	s.p = start(t, func(o *Options) {
		unlimited(o)
		o.Config = []byte(strings.Replace(generous, `{"shown"`, `{"answer_ttl_ms":20,"page_ttl_ms":20,"shown"`, 1))
		o.UI, o.CompletionWait, o.KeepAlive = crowd{}, time.Millisecond, 5*time.Millisecond
		o.Drive.Journal = s.book
	})
	s.p.client(initialize)
	s.p.server.hear.line()
	s.p.server.say(initialized + "\n")
	s.p.hear.line()
	for i := range s.turns {
		s.turns[i] = turnOf{make(chan heard, 16), make(chan heard, 16)}
	}
	go s.sort(s.p.server.hear, func(w turnOf) chan heard { return w.server })
	go s.sort(s.p.hear, func(w turnOf) chan heard { return w.client })
	return s
}

// sort hands every message to its worker: ids and tool names begin with a letter for it.
func (s *soak) sort(w *wiretap, to func(turnOf) chan heard) {
	for l := range w.lines {
		h := parse(s.t, l)
		name := strings.Trim(string(h.ID), `"`)
		if h.Method == "tools/call" {
			name = h.Params.Name
		} else if h.Method != "" {
			continue // progress
		}
		select {
		case to(s.turns[name[0]-'a']) <- h:
		default:
			s.t.Errorf("nobody waits for %s", l)
		}
	}
}

// cycles has the workers ask n times in all.
func (s *soak) cycles(n int) {
	var wait sync.WaitGroup
	for i := range s.turns {
		wait.Go(func() {
			for range n / len(s.turns) {
				s.cycle(i)
			}
		})
	}
	wait.Wait()
}

func (s *soak) cycle(worker int) {
	n := s.count.Add(1)
	w, name := s.turns[worker], fmt.Sprintf("%c%d", 'a'+worker, n)
	switch n % 8 {
	case 0, 1:
		s.ask(name, "form", "accept "+name)
		s.want(w.server, name, "accept", "cancel") // cancelled when a slow machine let its time pass
	case 2:
		s.ask(name, "form", "decline "+name)
		s.want(w.server, name, "decline", "cancel")
	case 3:
		s.ask(name, "url", "accept "+name)
		s.want(w.server, name, "accept", "cancel")
		if n%16 == 3 { // the other half of the pages lapses
			s.p.server.say(`{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"` + name +
				`"}}` + "\n")
		}
	case 4:
		s.ask(name, "form", "wait "+name)
		s.want(w.server, name, "cancel")
	case 5: // taken back; the next question of the same name is answered
		s.ask(name, "form", "wait "+name)
		s.p.server.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"` + name + `"}}` + "\n")
		s.ask(name+"x", "form", "accept "+name)
		for h := next(s.t, w.server); string(h.ID) != `"`+name+`x"`; h = next(s.t, w.server) {
		}
	case 6:
		s.call(w, name, `"error":{"code":-32042,"message":"m",`+
			`"data":{"elicitations":[{"mode":"url","message":"accept `+name+`",`+
			`"url":"https://e.example/`+name+`","elicitationId":"`+name+`"}]}}`)
	case 7:
		s.call(w, name, `"result":{"resultType":"input_required",`+
			`"inputRequests":{"k":{"method":"elicitation/create","params":{"message":"accept `+name+`",`+
			`"requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}},"requestState":"`+name+`"}`)
	}
}

func (s *soak) ask(id, mode, message string) {
	rest := `"requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}`
	if mode == "url" {
		rest = `"url":"https://e.example/` + id + `","elicitationId":"` + id + `"`
	}
	s.p.server.say(`{"jsonrpc":"2.0","id":"` + id + `","method":"elicitation/create","params":{"mode":"` + mode +
		`","message":"` + message + `",` + rest + "}}\n")
}

func (s *soak) want(from chan heard, id string, actions ...string) {
	select {
	case h := <-from:
		if string(h.ID) != `"`+id+`"` || !slices.Contains(actions, h.Result.Action) {
			s.t.Errorf("got %+v, want %v under the id %s", h, actions, id)
		}
	case <-patienceTimer().C:
		s.t.Errorf("nothing came for %s, want %v; the journal says of it\n%s", id, actions, s.recordsOf(id))
	}
}

// recordsOf returns the records that name an id.
func (s *soak) recordsOf(id string) []byte {
	lines := bytes.SplitAfter(must.Read(s.t, s.book.file.Name()), []byte("\n"))
	return bytes.Join(slices.DeleteFunc(lines, func(l []byte) bool { return !bytes.Contains(l, []byte(id+`"`)) }), nil)
}

// call makes a tool call whose first answer asks for something and whose second one is the last.
func (s *soak) call(w turnOf, name, first string) {
	s.p.client(`{"jsonrpc":"2.0","id":"` + name + `","method":"tools/call","params":{"name":"` + name +
		`","arguments":{},"_meta":{"progressToken":"` + name + `"}}}`)
	s.p.server.say(`{"jsonrpc":"2.0","id":` + string(next(s.t, w.server).ID) + `,` + first + "}\n")
	select {
	case h := <-w.server:
		s.p.server.say(`{"jsonrpc":"2.0","id":` + string(h.ID) + `,"result":{}}` + "\n")
		next(s.t, w.client)
	case h := <-w.client: // its time passed, so the error was passed on
		if h.Error == nil {
			s.t.Errorf("call %s: %+v", name, h)
		}
	case <-patienceTimer().C:
		s.t.Errorf("call %s got no answer", name)
	}
}

// wantWhole reads the journal from its beginning.
func (s *soak) wantWhole() {
	s.p.say.Close()
	s.p.server.exit(0)
	s.p.exit()
	r := journal.NewReader(must.Read(s.t, s.book.file.Name()))
	for _, ok := r.Next(); ok; _, ok = r.Next() {
	}
	if p := r.Problem(); p != nil {
		s.t.Errorf("the journal: %+v", *p)
	}
}
