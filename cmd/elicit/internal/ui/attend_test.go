package ui

import (
	"slices"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// TestWaitingCountsWhatTheEngineKeepsBack: the engine shows one question at a time, and others arrive and end
// meanwhile.
func TestWaitingCountsWhatTheEngineKeepsBack(t *testing.T) {
	term := &Terminal{}
	shown := &effect.Show{Session: "s", Ref: "1"}
	for _, c := range []struct {
		do   func()
		want int
	}{
		{func() {}, 0},
		{func() { term.Asked(elicit.Request{Session: "s", Ref: "1"}) }, 0},
		{func() { term.Asked(elicit.Request{Session: "s", Ref: "2"}) }, 1},
		{func() { term.Asked(elicit.Request{Session: "s", Ref: "3"}) }, 2},
		{func() { term.Over(elicit.Request{Session: "s", Ref: "2"}, nil) }, 1},
	} {
		c.do()
		if got := term.waiting(shown); got != c.want {
			t.Errorf("got %d, want %d", got, c.want)
		}
	}
}

// TestMoreTimeIsAddedToTheDeadline, or to the present when the deadline has passed.
func TestMoreTimeIsAddedToTheDeadline(t *testing.T) {
	events := make(chan event.Event, 1)
	term := &Terminal{clock: func() time.Time { return time.UnixMilli(1_000_000) }}
	if term.moreTime() != nil {
		t.Error("nobody listens, and it offers more time")
	}
	term.Attend(func(ev event.Event) { events <- ev })
	for deadline, want := range map[int64]int64{2_000_000: 2_300_000, 500_000: 1_300_000} {
		term.moreTime()(&effect.Show{Session: "s", ID: "a", Deadline: deadline})
		if got := <-events; got != (event.Extended{Session: "s", ID: "a", Until: want}) {
			t.Errorf("got %v, want until %d", got, want)
		}
	}
}

// TestReceipts: each receipt goes out once, and a question that waited for the screen gets the time that it waited.
func TestReceipts(t *testing.T) {
	for _, c := range []struct {
		name     string
		waited   time.Duration
		deadline int64
		extended int64 // 0 for not at all
	}{
		{"drawn at once", 0, 100_000, 0},
		{"drawn after half a second", 500 * time.Millisecond, 100_000, 0},
		{"drawn after a minute", time.Minute, 100_000, 160_000},
		{"without a deadline", time.Minute, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			now := time.UnixMilli(10_000)
			term := &Terminal{clock: func() time.Time { return now }}
			var got []event.Event
			term.Attend(func(ev event.Event) { got = append(got, ev) })
			q := &question{show: effect.Show{Session: "s", ID: "a", Deadline: c.deadline}, came: now}
			now = now.Add(c.waited)
			receipt := term.receipts(q)
			receipt(event.ReceiptShown)
			receipt(event.ReceiptFirstInput)
			receipt(event.ReceiptFirstInput)
			term.receipts(q)(event.ReceiptShown) // drawn again with the problems of its answer
			want := []event.Event{event.Noted{Session: "s", ID: "a", Receipt: event.ReceiptShown}}
			if c.extended > 0 {
				want = append(want, event.Extended{Session: "s", ID: "a", Until: c.extended})
			}
			want = append(want, event.Noted{Session: "s", ID: "a", Receipt: event.ReceiptFirstInput})
			if !slices.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}
