package event_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
)

// TestEveryEventReadsWhatItWrites: Names lists every event once, and each comes back as it was.
func TestEveryEventReadsWhatItWrites(t *testing.T) {
	all := map[string]event.Event{
		"configured": event.Configured{Config: []byte(`{"limits":{}}`), Refused: "unreadable"},
		"opened": event.Opened{Session: "s", Server: "b", Side: elicit.Answering, Declared: elicit.Modes{URL: true},
			Shown: elicit.Modes{Form: true}, Client: elicit.Modes{URL: true}, Principal: "p", Identity: "i"},
		"asked": event.Asked{Request: elicit.Request{Session: "s", Ref: "1", Parent: "2", Mode: elicit.Form, Message: "m",
			Schema: []byte(` {"type":"object"}`), Link: "l", Claim: elicit.ClaimApproval, StrictReview: true,
			Candidates:    []elicit.Candidate{{Tool: "a"}, {Tool: "b", Open: true}},
			CandidatesCut: true, For: "grace", Persistable: true, URL: "https://example.com",
			Command: "ls -l", Cwd: "/", CommandAt: "/c",
			Arguments: []byte(`{"c": "ls -l"}`), ArgumentsSchema: []byte(`{"type":"object"}`),
			HeldCall: true, Description: "d", Definition: "0b",
			Takes: elicit.TakesEdit | elicit.TakesAcceptNote}},
		"answered": event.Answered{Session: "s", ID: "0a", Principal: "p", Action: elicit.Accept, Content: []byte(`{"n":1}`),
			Cleared: []string{"x"}, Via: event.ViaClient, Remember: elicit.Wish{Scope: elicit.Always, ExpiresAt: 9}, Mute: true,
			Note: "one\ntwo", Arguments: []byte(`{ "c":"ls"}`)},
		"completed": event.Completed{Session: "s", Link: "l"},
		"called":    event.Called{Session: "s", Ref: "1", Tool: "t", Digest: "0a", Again: true},
		"cancelled": event.Cancelled{Session: "s", Ref: "1", Parent: "2", Cause: elicit.ByCallEnded},
		"closed":    event.Closed{Session: "s", Cause: elicit.ByShutdown},
		"resumed":   event.Resumed{State: []byte("not JSON")},
		"noted":     event.Noted{Session: "s", ID: "0a", Receipt: event.ReceiptShown},
		"drafted":   event.Drafted{Session: "s", ID: "0a", Draft: []byte(`{}`)},
		"extended":  event.Extended{Session: "s", ID: "0a", Until: 7},
		"preferred": event.Preferred{Session: "s", Ref: "1"},
		"revoked":   event.Revoked{Grant: "0a"},
		"unmuted":   event.Unmuted{Session: "s", Server: "b"},
		"forgotten": event.Forgotten{Session: "s", Field: "f"},
		"ticked":    event.Ticked{},
		"consulted": event.Consulted{Session: "s", ID: "0a", Round: 2, Output: "o", Fault: guardian.FaultTimeout, Fuel: 3,
			Principal: "p"},
	}
	for _, name := range event.Names() {
		want := all[name]
		if want == nil {
			t.Errorf("%s is not tried here", name)
			continue
		}
		delete(all, name)
		doc := want.AppendJSON(nil)
		if !bytes.HasPrefix(doc, []byte(`{"event":"`+name+`"`)) {
			t.Errorf("%s is spelled %s", name, doc)
		}
		if got, problems := event.Read(doc); len(problems) > 0 || !reflect.DeepEqual(got, want) {
			t.Errorf("%s came back as %#v, %s", doc, got, elicit.AppendList(nil, problems))
		}
	}
	for name := range all {
		t.Errorf("Names leaves out %s", name)
	}
}

// TestOnlyForJournals: what only a journal has is no event of a host.
func TestOnlyForJournals(t *testing.T) {
	for doc, want := range map[string]string{
		`{"event":"refused","code":"json_utf8"}`:                                                        "unknown_event",
		`{"event":"flooded","since":1,"until":2,"count":1,"bytes":1,"digest":"00"}`:                     "unknown_event",
		`{"event":"answered","session":"s","id":"0a","action":"accept","withheld":[{"pointer":""}]}`:    "unknown_member",
		`{"event":"asked","session":"s","ref":"1","mode":"form","message":"","cut_message":70000}`:      "unknown_member",
		`{"event":"asked","session":"s","ref":"1","mode":"form","message":"","cut_digest":"0000"}`:      "unknown_member",
		`{"event":"asked","session":"s","ref":"1","mode":"form","message":"","schema":{},"cut_url":50}`: "unknown_member",
	} {
		if ev, problems := event.Read([]byte(doc)); ev != nil || len(problems) == 0 || problems[0].Code != want {
			t.Errorf("%s: %#v, %s", doc, ev, elicit.AppendList(nil, problems))
		}
	}
}
