package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/journal"
)

// narrator prints the new records of a journal in words.
type narrator struct {
	journal string
	told    int
}

// tell prints the records since the last call, and returns how the questions in them ended, in their order.
func (n *narrator) tell() (outcomes string, err error) {
	raw, err := os.ReadFile(n.journal)
	if err != nil {
		return "", err
	}
	var ended []string
	r := journal.NewReader(raw)
	for i := 0; ; i++ {
		rec, ok := r.Next()
		if !ok {
			break
		}
		if i < n.told {
			continue
		}
		n.told = i + 1
		replies, err := narrate(rec)
		if err != nil {
			return "", err
		}
		ended = append(ended, replies...)
	}
	if p := r.Problem(); p != nil {
		return "", fmt.Errorf("the journal: %s", english.Problem(*p))
	}
	return strings.Join(ended, " "), nil
}

type event struct {
	Event, Mode, Message, URL, Action, Via string
	Content                                json.RawMessage
	Schema                                 struct {
		Properties map[string]json.RawMessage
	}
	Withheld []struct{ Pointer string }
}

type effect struct {
	Effect, Outcome, Cause, URL, Resolution string
	Content                                 json.RawMessage
	Problems                                []problem
	Reasons                                 []reason
	Findings                                []finding
}

func (ef *effect) reasons() (list []elicit.Reason) {
	for _, r := range ef.Reasons {
		list = append(list, elicit.Reason{Code: r.Code, Layer: r.Layer, Rule: r.Rule, Args: args(r.Args)})
	}
	return list
}

type problem struct {
	Code, Pointer string
	Args          map[string]json.RawMessage
}

type reason struct {
	Code, Layer, Rule string
	Args              map[string]json.RawMessage
}

type finding struct {
	Code, Severity, Evidence string
	Args                     map[string]json.RawMessage
}

// narrate prints one record, and returns the outcomes of the questions that it ends.
func narrate(rec journal.Record) (outcomes []string, err error) {
	var ev event
	var effects []effect
	if err := json.Unmarshal(rec.Event, &ev); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(rec.Effects, &effects); err != nil {
		return nil, err
	}
	switch ev.Event {
	case "asked":
		line("asked", question(ev))
	case "answered":
		line("answered", answer(ev))
	case "completed":
		line("completed", "the server says that the page is finished")
	}
	for _, ef := range effects {
		tell(ef, ev.Event == "answered")
		if ef.Effect == "reply" {
			outcomes = append(outcomes, ef.Outcome)
		}
	}
	return outcomes, nil
}

func question(ev event) string {
	words := strings.Join(strings.Fields(ev.Message), " ")
	if ev.Mode == "url" {
		return fmt.Sprintf("%q, to be done at %s", words, ev.URL)
	}
	if n := len(ev.Schema.Properties); n > 0 {
		return fmt.Sprintf("%q, a form of %d field%s", words, n, "s"[:min(1, n-1)])
	}
	return fmt.Sprintf("%q, yes or no", words)
}

func answer(ev event) string {
	who := map[string]string{"": "by the person", "script": "by the file of answers", "no_ui": "by nobody"}[ev.Via]
	text := ev.Action + " " + who
	if len(ev.Content) > 0 {
		text += ": " + string(ev.Content)
	}
	return text
}

func tell(ef effect, answered bool) {
	for _, f := range ef.Findings {
		if answered {
			break // it was printed when the question was shown
		}
		finding := elicit.Finding{Code: f.Code, Evidence: f.Evidence, Args: args(f.Args)}
		line("noticed", "("+f.Severity+") "+english.Finding(finding))
	}
	decided := func(outcome string) {
		reasons := ef.reasons()
		if outcome != "ask" && len(reasons) > 1 && reasons[0].Code == "approval_policy_asks" {
			reasons = reasons[1:] // something else decided, so nobody is asked
		}
		for _, r := range reasons {
			line("decided", outcome+", "+english.Why(r))
			outcome = "because"
		}
	}
	switch ef.Effect {
	case "show":
		decided("ask")
		text := "to the person"
		if len(ef.Findings) > 0 {
			text += ", with a warning for each finding"
		}
		line("shown", text)
	case "reply":
		if !answered {
			decided(ef.Outcome)
		}
		text := ef.Outcome
		if len(ef.Content) > 0 {
			text += " " + string(ef.Content)
		}
		line("replied", text+", because "+english.Ended(elicit.Cause(ef.Cause), ef.reasons()))
	case "open_url":
		line("opened", ef.URL)
	case "resolve":
		line("page", ef.Resolution)
	}
	for _, p := range ef.Problems {
		line("problem", p.Pointer+" "+english.Problem(elicit.Problem{Code: p.Code, Args: args(p.Args)}))
	}
}

func args(raw map[string]json.RawMessage) (list []elicit.Arg) {
	for name, value := range raw {
		list = append(list, elicit.Raw(name, string(value)))
	}
	return list
}

func say(lines ...string) {
	for _, l := range lines {
		fmt.Println(l)
	}
}

func heading(title, command string) {
	fmt.Printf("\n━━ %s %s\n   $ %s\n", title, strings.Repeat("━", max(3, 76-len(title))), command)
}

func actHeading(n int, a act) {
	fmt.Printf("\n%2d  %s: %s\n", n, a.tool, a.about)
}

// line prints one line, shortened; the journal has the whole text.
func line(what, text string) {
	const most = 150
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "…"
	}
	fmt.Printf("    %-10s %s\n", what, text)
}
