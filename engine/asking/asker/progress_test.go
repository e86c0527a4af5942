package asker_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/asking/asker"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// told is what the client of a call heard of its progress.
type told struct {
	count, at int64
	now       bool // a notification is on its way
}

// progress checks a notification: its number grows, ten seconds lie between two, and its call waits for a person.
func (n *node) progress(ef asker.Progress) {
	var params struct {
		ProgressToken string
		Progress      int64
	}
	before := n.told[ef.Call]
	switch err := json.Unmarshal(ef.Params, &params); {
	case err != nil || params.ProgressToken != ef.Call || params.Progress != before.count+1:
		n.t.Fatalf("%s after %d notifications: %v", ef.Params, before.count, err)
	case before.now || before.count > 0 && n.at < before.at+10_000:
		n.t.Fatalf("%s at %d, and the one before at %d", ef.Params, n.at, before.at)
	}
	waits := false
	for ref, q := range n.sends {
		waits = waits || n.waits[ref] != nil && q.name == ef.Call
	}
	if !waits {
		n.t.Fatalf("%s, and the call waits for nobody", ef.Params)
	}
	n.told[ef.Call] = told{params.Progress, n.at, true}
	n.counts["progress"]++
}

// TestHostileTokens gives the machine tokens that no JSON is, and no client sends.
func TestHostileTokens(t *testing.T) {
	for _, token := range []string{"", " ", "-", "--1", "1-", "\"", "\"\xff\"", "01x", "9e999", "{}", "nul", "\x00"} {
		m, problems := asker.New(asker.Config{Asking: asking.Config{Server: "bot"}})
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		at := int64(1000)
		step := func(ev asker.Event) []asker.Effect {
			return m.Step(asker.Input{At: at, Elapsed: at, Event: ev})
		}
		client := asker.Client{Session: "s", Version: "2025-11-25", Requests: true, Declared: elicit.Modes{Form: true}}
		step(asker.Called{Call: "c", Client: client, Target: "deploy", Token: []byte(token)})
		sent := step(asker.Posed{Ref: "q", Call: "c", Question: asking.Question{Mode: elicit.Form, Message: "?",
			Schema: []byte(`{"type":"object","properties":{}}`)}})
		at += 20_000
		for _, next := range append(sent, step(asker.Ticked{})...) {
			if p, is := next.(asker.Progress); is {
				t.Errorf("the token %q: %s", token, p.Params)
			}
		}
	}
}

// TestKinds: an end is also one of each wider kind, and of no other.
func TestKinds(t *testing.T) {
	all := []asker.Kind{asker.Declined, asker.DeclinedByPolicy, asker.Policy, asker.Cancelled, asker.Timeout,
		asker.Attempts, asker.Over, asker.Unsupported, asker.Invalid, asker.Peer, asker.Busy, asker.Other}
	got := ""
	for _, of := range all {
		for _, target := range all {
			if of.Is(target) {
				got += fmt.Sprint(of, ": ", string(target), "; ")
			}
		}
		if of.Is(asker.NoSession) {
			t.Errorf("%s is a failure", of)
		}
	}
	const end = "the question ended: "
	if want := end + "declined by policy: declined; " + end + "declined by policy: policy; " + end +
		"timeout: cancelled; " + end + "attempts: cancelled; " + end + "closed: cancelled; "; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if !asker.NoSession.Is(asker.Over) || asker.NoSession.Is(asker.Busy) || asker.NoStore.Is(asker.Over) {
		t.Error("the end of a session alone is one of its questions")
	}
}

// TestNeedsFallback: for each client, first without a page and then with one, a T stands for what the client needs
// that declares nothing, forms, URLs, and both.
func TestNeedsFallback(t *testing.T) {
	const carried, none, urls = "TTT- TT--", "TTTT TTTT", "TTTT TT--"
	for who, want := range map[asker.Client]string{
		{}: carried, {Session: "s"}: carried, {Version: asker.Rounds}: carried,
		{Version: asker.Rounds, Session: "s"}: carried,
		{Requests: true}:                      carried, {Version: "2025-11-25", Requests: true}: carried,
		{Version: "2025-06-18", Requests: true}: "TTTT TTTT", {Version: "2025-06-18", Principal: "ann"}: none,
		{Version: "2025-06-18", Session: "s"}: none, {Version: "2025-11-25"}: none,
		{Version: "2025-11-25", Session: "s"}: urls, {Version: "2025-11-25", Principal: "ann"}: urls,
	} {
		got := ""
		for _, page := range []string{"", "https://bot.example/"} {
			for _, declared := range []elicit.Modes{{}, {Form: true}, {URL: true}, {Form: true, URL: true}} {
				c := asker.Config{Asking: asking.Config{Page: page, Fallback: "f"}}
				who.Declared = declared
				got += map[bool]string{true: "T", false: "-"}[c.NeedsFallback(who)]
				if c.Asking.Fallback = ""; c.NeedsFallback(who) {
					t.Errorf("%+v needs a tool that is not there", who)
				}
			}
			got += " "
		}
		if got != want+" " {
			t.Errorf("%+v: %s, want %s", who, got, want)
		}
	}
}
