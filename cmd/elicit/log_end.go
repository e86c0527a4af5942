package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/journal"
)

// parseHead reads the hash of a record; it is nil for the text "".
func parseHead(text string) (*[32]byte, error) {
	if text == "" {
		return nil, nil
	}
	var hash [32]byte
	raw, err := hex.DecodeString(strings.ToLower(text))
	if err != nil || len(raw) != len(hash) {
		return nil, errors.New("--head is not a hash; give the 64 hex digits that `elicit log` printed as the head")
	}
	copy(hash[:], raw)
	return &hash, nil
}

// runEnd follows the records of a journal to find out whether its run ended in order: the last record closes the last
// open session.
type runEnd struct {
	open   map[string]bool // sessions
	closed bool            // the last record closes a session
}

func (e *runEnd) add(rec journal.Record) {
	ev := gjson.ParseBytes(rec.Event)
	session := ev.Get("session").String()
	if e.open == nil {
		e.open = map[string]bool{}
	}
	if e.closed = false; gjson.GetBytes(rec.Effects, `#(effect=="problem")`).Exists() {
		return // the engine refused the event
	}
	switch ev.Get("event").String() {
	case "begun":
		clear(e.open)
	case "opened":
		e.open[session] = true
	case "resumed":
		state := ev.Get("state")
		if text := ev.Get("state_text"); text.Exists() {
			state = gjson.Parse(text.String())
		}
		e.open[state.Get("opened.session").String()] = true
	case "closed":
		delete(e.open, session)
		e.closed = true
	}
}

func (e *runEnd) inOrder() bool { return e.closed && len(e.open) == 0 }

func (e *runEnd) String() string {
	if e.inOrder() {
		return "ended in order: the last record closes the last session"
	}
	return "no closing record: the run continues, or it was stopped, or records were cut from the end"
}

// brokenJournal makes the error for a broken journal: what is wrong, where, and what to do about it.
func brokenJournal(name string, p elicit.Problem) error {
	for _, a := range p.Args {
		if a.Name == "line" {
			name += ":" + a.Raw
		}
	}
	return fmt.Errorf("%s: %s\n  %s", name, ui.Plain(english.Problem(p)), english.Remedy(p.Code, p.Args))
}
