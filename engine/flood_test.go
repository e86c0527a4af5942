package engine

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/journal"
)

// run is an engine with the journal it has made.
type run struct {
	*Engine
	journal []byte
	counted int // steps without a record
	told    int // flooded records
}

func (r *run) step(at int64, ev event.Event) []effect.Effect {
	records, rest := effect.Records(r.Step(Input{At: at, Event: ev}))
	for _, record := range records {
		r.journal = append(append(r.journal, record...), '\n')
		if bytes.Contains(record, []byte(`"event":{"event":"flooded"`)) {
			r.told++
		}
	}
	if len(records) == 0 {
		r.counted++
	}
	return rest
}

func newRun(t rapid.TB, config string) *run {
	r := &run{Engine: New()}
	r.step(0, event.Configured{Config: []byte(config)})
	for _, session := range []string{"a", "b"} {
		if rest := r.step(0, opening(session)); len(rest) != 0 {
			t.Fatalf("opening %s: %v", session, rest)
		}
	}
	return r
}

func opening(session string) event.Opened {
	both := elicit.Modes{Form: true, URL: true}
	return event.Opened{Session: session, Server: "server of " + session, Side: elicit.Answering,
		Declared: both, Shown: both}
}

func asking(session, ref, message string) event.Asked {
	return event.Asked{Request: elicit.Request{Session: session, Ref: ref, Mode: elicit.Form, Message: message,
		Schema: []byte(`{"type":"object","properties":{}}`)}}
}

// TestFloodGrowsTheJournalSlowly asks 20,000 questions of 20 KB over twelve seconds, nearly all of them over the rate.
// Beyond what was admitted the journal may grow by 1 KB a second, and every refused question must be accounted for.
func TestFloodGrowsTheJournalSlowly(t *testing.T) {
	const questions, length, seconds = 20_000, 20_000, 12
	r := newRun(t, `{"limits":{"flood_bytes":4096}}`)
	text := strings.Repeat("x", length)
	replies := 0
	for i := range questions {
		for _, next := range r.step(int64(1000+i*seconds*1000/questions), asking("a", fmt.Sprint(i), text)) {
			if reply, ok := next.(effect.Reply); ok && reply.Cause == elicit.ByRateLimit && reply.ID != "" {
				replies++
			}
		}
	}
	r.step(14_000, event.Closed{Session: "a"})
	admitted, refused, told, size := 0, 0, int64(0), 0
	read := journal.NewReader(r.journal)
	for rec, ok := read.Next(); ok; rec, ok = read.Next() {
		line := len(rec.Event) + len(rec.Effects)
		switch given, problems := readKept(new(strict.Reader), rec); ev := given.(type) {
		case floodedEvent:
			told += ev.count
			size += line
			if ev.bytes != ev.count*int64(length+len(`{"type":"object","properties":{}}`)) || len(ev.sessions) != 1 ||
				ev.sessions[0].session != "a" {
				t.Errorf("the count tells %s", rec.Event)
			}
		case keptAsked:
			if ev.cut.digest == "" {
				admitted++
				continue
			}
			refused++
			size += line
			if ev.cut.message != length || len(ev.cut.digest) != 64 || ev.Message != "" {
				t.Errorf("a refused question is kept as %s", rec.Event)
			}
		case nil:
			t.Fatalf("%s: %v", rec.Event, problems)
		}
	}
	if replies+admitted != questions || int64(refused)+told != int64(replies) || admitted < 5 {
		t.Errorf("%d admitted, %d refused; the journal tells of %d refused and %d counted", admitted, replies, refused,
			told)
	}
	if grown := len(r.journal) - admitted*(length+2000); grown > seconds*1000+4096 {
		t.Errorf("the journal has %d bytes for %d admitted questions, %d of them for the refused", len(r.journal),
			admitted, size)
	}
	t.Logf("%d bytes, of which refused questions take about %d in %d records", len(r.journal), size, refused+r.told)
	sameOnReplay(t, r)
}

// TestFloodsReplay plays random floods amid other events. A replay must give the same bytes, and the engine that comes
// of it must be in the state of the one that saw the counted events.
func TestFloodsReplay(t *testing.T) {
	counted, told := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		r := newRun(t, rapid.SampledFrom(floodConfigs).Draw(t, "config"))
		at := int64(1000)
		for range rapid.IntRange(1, 12).Draw(t, "turns") {
			ev := floodEvent(t, r.Engine)
			pace := rapid.SampledFrom([]int64{0, 1, 40, 900}).Draw(t, "pace")
			for range rapid.IntRange(1, 30).Draw(t, "times") {
				r.step(at, ev)
				at += pace
			}
			at += rapid.SampledFrom([]int64{0, 700, 9000, -500}).Draw(t, "pause")
		}
		counted, told = counted+r.counted, told+r.told
		sameOnReplay(t, r)
	})
	if !testing.Short() && (counted < 2000 || told < 30) { // -short plays too few lives to count
		t.Errorf("%d events counted in %d records: the floods have lost their subject", counted, told)
	}
}

var floodConfigs = []string{
	`{"limits":{"flood_bytes":4096}}`,
	`{"join_duplicates":true,"limits":{"flood_bytes":0,"queue":2,"burst":9,"per_minute":600}}`,
	`{"pauses":true,"limits":{"flood_bytes":4096,"answer_ttl_ms":4000,"burst":3,"per_minute":120,` +
		`"per_minute_session":60,"burst_session":2}}`,
	`{"limits":{"flood_bytes":1,"burst":9,"per_minute":600}}`,
	`{"limits":{"flood_bytes":600,"queue":2,"burst":5,"per_minute":600}}`,
	`{"limits":{"flood_bytes":5000,"queue":2,"burst":5,"per_minute":600}}`,
	`{"limits":{"flood_bytes":2000,"shown":2,"queue":3,"page_ttl_ms":3000,"answer_ttl_ms":6000,"burst":20,` +
		`"per_minute":60}}`,
}

// floodEvent is an event that a peer may repeat without end, or one of those that stand between floods.
func floodEvent(t *rapid.T, e *Engine) event.Event {
	session := rapid.SampledFrom([]string{"a", "b", "nobody"}).Draw(t, "session")
	name := rapid.SampledFrom([]string{"1", "2", "3", "4"}).Draw(t, "name")
	switch rapid.IntRange(0, 11).Draw(t, "event") {
	case 0, 1, 2, 3:
		return asking(session, name, strings.Repeat("x", rapid.SampledFrom([]int{1, 300, 70_000}).Draw(t, "length")))
	case 4:
		return event.Asked{Request: elicit.Request{Session: session, Ref: name, Mode: elicit.URL, Message: "Go",
			Link: name,
			URL:  "https://example.org/" + strings.Repeat("y", rapid.IntRange(0, 400).Draw(t, "length"))}}
	case 5:
		return event.Completed{Session: session, Link: name}
	case 6:
		return event.Cancelled{Session: session, Ref: name}
	case 7:
		return event.Cancelled{Session: session, Ref: strings.Repeat("z", maxLabel+1)}
	case 8:
		for _, it := range e.open.Open(session) {
			return event.Answered{Session: session, ID: it.ID, Action: elicit.Accept}
		}
		return event.Ticked{}
	case 9:
		return event.Configured{Config: []byte(rapid.SampledFrom(floodConfigs).Draw(t, "config"))}
	case 10:
		if _, open := e.sessions.byName.Find(session); !open {
			return opening(session)
		}
		return event.Closed{Session: session}
	}
	return event.Ticked{}
}

// sameOnReplay holds a replay of what r has recorded against r: byte for byte, and in every saved session.
func sameOnReplay(t rapid.TB, r *run) {
	t.Helper()
	r.step(0, event.Ticked{}) // so that nothing is left that has been counted and not told
	if got := Replay(r.journal, nil); got.Problem != nil {
		t.Fatalf("%s\nwant %s\ngot  %s", got.Problem.AppendJSON(nil), got.Want, got.Got)
	}
	again := New()
	read := journal.NewReader(r.journal)
	for rec, ok := read.Next(); ok; rec, ok = read.Next() {
		ev, _ := readKept(new(strict.Reader), rec)
		again.perform(Input{At: rec.At, Random: rec.Random}, ev)
	}
	if r.clock != again.clock || r.Head() != again.Head() || r.wake != again.wake ||
		fmt.Sprint(r.Sessions()) != fmt.Sprint(again.Sessions()) {
		t.Fatalf("time %d, wake %d, sessions %v; on replay %d, %d, %v", r.clock.now, r.wake, r.Sessions(), again.clock.now,
			again.wake, again.Sessions())
	}
	for _, session := range r.Sessions() {
		want, _ := r.Save(session)
		if got, _ := again.Save(session); !bytes.Equal(got, want) {
			t.Fatalf("on replay session %s is\n%s\nwant\n%s", session, got, want)
		}
	}
}

// TestForeignEvents: a type that borrows the methods of an event is no event.
func TestForeignEvents(t *testing.T) {
	type mine struct{ event.Asked }
	for _, ev := range []event.Event{nil, mine{}, &event.Ticked{}} {
		_, rest := effect.Records(New().Step(Input{Event: ev}))
		if p, ok := rest[0].(effect.Problem); !ok || p.About != effect.AboutHost ||
			p.Problems[0].Code != "unknown_event" {
			t.Errorf("%T: %s", ev, rest[0].AppendJSON(nil))
		}
	}
}

// TestFloodedIsForJournals: a host cannot say that there was a flood.
func TestFloodedIsForJournals(t *testing.T) {
	doc := floodedEvent{tally: tally{1, 2}, digest: "00"}.AppendJSON(nil)
	if ev, problems := event.Read(doc); ev != nil || problems[0].Code != "unknown_event" {
		t.Errorf("got %v, %v", ev, problems)
	}
	ev, problems := readKept(new(strict.Reader), journal.Record{Event: doc})
	if ev == nil || !bytes.Equal(ev.AppendJSON(nil), doc) {
		t.Errorf("from a journal: %v, %v", ev, problems)
	}
}

// TestFloodsOfLongNamesReplay counts events of as many sessions as a count names, each with a long name that takes more
// room where it is escaped. The record of the count then takes more than the room that ends the counting.
func TestFloodsOfLongNamesReplay(t *testing.T) {
	for _, letter := range []string{"n", "\x01"} {
		r := &run{Engine: New()}
		r.step(0, event.Configured{Config: []byte(`{"limits":{"queue":0}}`)})
		var sessions []string
		for i := range maxFloodSessions {
			sessions = append(sessions, strings.Repeat(letter, 900)+fmt.Sprint(i))
			r.step(0, opening(sessions[i]))
		}
		at := int64(1000)
		for round := range 40 {
			for i := range 30 {
				r.step(at, asking(sessions[i%len(sessions)], fmt.Sprint(i), strings.Repeat("x", 250)))
			}
			at += int64(1000 * round)
		}
		if r.counted == 0 || r.told == 0 {
			t.Fatalf("%d events counted in %d records: the test has lost its subject", r.counted, r.told)
		}
		sameOnReplay(t, r)
	}
}
