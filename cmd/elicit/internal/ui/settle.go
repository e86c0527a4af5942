package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/event"
)

// begin prepares the screen to be drawn, for the first time or again with a rejected answer.
func (s *screen) begin(waiting func() int, moreTime func(*effect.Show), receipt func(event.Receipt),
	clock func() time.Time,
) {
	s.waiting, s.moreTime, s.receipt, s.clock = waiting, moreTime, receipt, clock
	s.given, s.drawnAt, s.ready = Given{}, time.Time{}, false
}

// ignoreKeys is how long keys do not count after a question has appeared. A person who was typing something else, or
// who was about to answer the question before, has not read this one.
const ignoreKeys = 600 * time.Millisecond

// readyMsg tells the screen that its question may have been there for long enough.
type readyMsg struct{}

// appear counts the time from the first drawing. It returns a command that ends the time.
func (s *screen) appear() tea.Cmd {
	if !s.drawnAt.IsZero() {
		return nil
	}
	s.drawnAt = s.clock()
	s.receipt(event.ReceiptShown)
	return readyIn(ignoreKeys)
}

func readyIn(d time.Duration) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return readyMsg{} })
}

// settle lets keys count when the question was there for long enough.
func (s *screen) settle() tea.Cmd {
	if left := ignoreKeys - s.clock().Sub(s.drawnAt); left > 0 {
		return readyIn(left)
	}
	s.ready = true
	return nil
}

// notChosen is the status after Enter without a selected button.
const notChosen = "choose first: arrows, y or n"

// notReady is the footer while keys do not count.
const notReady = "read first: keys count in a moment"
