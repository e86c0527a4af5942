package link

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

func TestRecentForgetsTheOldest(t *testing.T) {
	const most = 1024
	r := &Recent{}
	for i := range most + 10 {
		r.Add(fmt.Sprint(i))
	}
	r.Drop("20")
	r.Drop("never")
	r.Add("20")
	if r.Has("9") || !r.Has("10") || !r.Has("20") || len(r.order) != most || len(r.known) != most {
		t.Errorf("%d in order, %d known; 9 %v, 10 %v, 20 %v", len(r.order), len(r.known), r.Has("9"), r.Has("10"),
			r.Has("20"))
	}
	for i := range most - 1 {
		r.Add(fmt.Sprint("new ", i))
	}
	if !r.Has("20") {
		t.Error("a key that was dropped and given again is forgotten by its old place")
	}
}

// TestClock does what is due in the order of its times, and nothing that was stopped. No time is after 2 to the 52.
func TestClock(t *testing.T) {
	var c Clock
	var done string
	c.Read(1000, 0)
	for _, one := range []struct {
		name string
		ms   int64
	}{{"b", 20}, {"a", 10}, {"c", 20}, {"later", 50}} {
		c.After(one.ms, func() { done += one.name })
	}
	c.Stop(c.After(5, func() { done += "stopped" }))
	c.Read(1020, 0)
	c.Read(900, 0) // never goes back
	for do := c.Due(); do != nil; do = c.Due() {
		do()
	}
	if done != "abc" || len(c.Timers()) != 1 {
		t.Errorf("%q was done, and %d timers are left", done, len(c.Timers()))
	}
	if c.Read(1<<60, 0); c.Now != 4_503_599_627_370_496 || c.Wall != c.Now || c.Steady || c.Steps != 4 {
		t.Errorf("after %d steps the latest moment is %d, at %d of the clock", c.Steps, c.Wall, c.Now)
	}
	if c.Read(0, 1); !c.Steady {
		t.Error("the clock does not follow the elapsed time")
	}
	if c.StopAll(); len(c.Timers()) != 0 {
		t.Error("a timer is left")
	}
}

// TestIDs knows its own ids in any spelling, and makes each once.
func TestIDs(t *testing.T) {
	ids := IDs{Prefix: "elicit-0-"}
	first, second := ids.Next(), ids.Next()
	if string(first) == string(second) || !ids.Own(first) || !ids.Own([]byte(`"\u0065licit-0-9"`)) {
		t.Errorf("%s and %s are not told from others", first, second)
	}
	for _, other := range []string{`"elicit-1-1"`, `1`, `12345678901`, `"a"`, `"\u0061licit-0-9"`} {
		if ids.Own(slices.Clip([]byte(other))) {
			t.Errorf("%s passes for one of the machine's own ids", other)
		}
	}
	if one, other := ids.Draw(), ids.Draw(); one == other {
		t.Error("two draws give the same bytes")
	}
}

// TestCalls counts what calls keep, and gives the memory of forgotten ones to others.
func TestCalls(t *testing.T) {
	c := NewCalls()
	k := c.Make()
	k.Key, k.Repeats = gate.KeyOf([]byte("1")), true
	k.First = k.Key
	if !c.Add(k, []byte("request")) || !k.Open || !k.AtServer || c.Kept != 7 || string(k.Request) != "request" {
		t.Fatalf("the call is %+v, and %d bytes are kept", k, c.Kept)
	}
	if c.Keep(k, MaxKeptBytes) || !c.Keep(k, 3) || c.Kept != 10 {
		t.Errorf("%d bytes are kept", c.Kept)
	}
	if c.Named([]byte(`"1"`)) != k || c.AnsweredAs([]byte(`1.0`)) != k || k.AtServer || c.Answered(k.Key) != nil {
		t.Error("the call is not found once by its id")
	}
	if c.SentAs(k, k.Key); !c.Sound(0) || c.Sound(1) {
		t.Error("the table of calls does not agree with what is kept")
	}
	c.Remove(k)
	if k.Open || c.Kept != 0 || c.Named([]byte("1")) != nil || c.Answered(k.Key) != nil {
		t.Errorf("the removed call is %+v, and %d bytes are kept", k, c.Kept)
	}
	if c.Free() != 1 || c.Make() != k || k.Repeats || len(k.Request) != 0 || c.Make() == k {
		t.Errorf("the forgotten call is %+v", k)
	}
	k.Shared = true
	if c.Add(k, nil); c.Free() != 0 {
		t.Error("a call that is made still waits for reuse")
	}
	if c.Remove(k); c.Free() != 0 {
		t.Error("a call to which something refers is given to another")
	}
}

// TestSessions names a session for each pair of modes, and reads the names.
func TestSessions(t *testing.T) {
	form, both, none := elicit.Modes{Form: true}, elicit.Modes{Form: true, URL: true}, elicit.Modes{}
	a := Audience{Ask: AskEither, Server: "s", Identity: "command"}
	a.Modes.Form = true
	for name, want := range map[string]string{
		a.SessionOf(both, form, ""):      "form+url/form",
		a.SessionOf(form, none, "other"): "form/none other",
	} {
		if name != want {
			t.Errorf("the session is %q, want %q", name, want)
		}
	}
	ev := a.Opening("form+url/form other")
	if ev.Server != "other" || ev.Identity != "command server other" || !ev.Declared.URL || ev.Shown.URL || ev.Client.URL {
		t.Errorf("the session opens as %+v", ev)
	}
}

// TestWhoIsAsked: every audience has those who may be asked, and what they can show.
func TestWhoIsAsked(t *testing.T) {
	for ask, want := range map[string]string{
		AskHost:   "host only, maybe host, shows url",
		AskClient: "client only, maybe client, asks client, shows form, shows url",
		AskEither: "maybe host, maybe client, shows url, of client form",
		AskPolicy: "",
		AskNobody: "",
	} {
		a := Audience{Ask: ask, Modes: elicit.Modes{URL: true}}
		ev := a.Opening(a.SessionOf(elicit.Modes{Form: true, URL: true}, elicit.Modes{Form: true}, ""))
		var got []string
		for _, one := range []struct {
			is   bool
			says string
		}{
			{a.Host(), "host only"}, {a.Client(), "client only"}, {a.MaybeHost(), "maybe host"},
			{a.MaybeClient(), "maybe client"}, {a.MaybeClient() && a.AsksClient(&effect.Show{}), "asks client"},
			{ev.Shown.Form, "shows form"}, {ev.Shown.URL, "shows url"}, {ev.Client.Form, "of client form"},
			{ev.Client.URL, "of client url"},
		} {
			if one.is {
				got = append(got, one.says)
			}
		}
		if got := strings.Join(got, ", "); got != want {
			t.Errorf("%s: %s, want %s", ask, got, want)
		}
		if !a.AsksClient(&effect.Show{ByClient: true}) {
			t.Errorf("%s: the client does not get the question that it alone can show", ask)
		}
	}
	a := Audience{Ask: AskHost, Modes: elicit.Modes{Form: true, URL: true}}
	for name, want := range map[string]elicit.Modes{"none": {}, "form": {Form: true}, "url": {URL: true},
		"form+url": {Form: true, URL: true}, "url form+url/form": {URL: true}} {
		if ev := a.Opening(name); ev.Declared != want || ev.Shown != want {
			t.Errorf("%s opens with %+v, of which %+v are shown", name, ev.Declared, ev.Shown)
		}
	}
}

// TestDeclare: a server reads the modes that somebody can be shown. A declaration that already says so keeps its bytes.
func TestDeclare(t *testing.T) {
	first, _ := mcp.Lookup("2025-06-18")
	with, _ := mcp.Lookup("2025-11-25")
	form, url, both := elicit.Modes{Form: true}, elicit.Modes{URL: true}, elicit.Modes{Form: true, URL: true}
	for _, c := range []struct {
		who      Audience
		dialect  mcp.Dialect
		in, want string
	}{
		{Audience{Ask: AskClient, Modes: both}, with, `{ "elicitation":{}}`, `{ "elicitation":{}}`},
		{Audience{Ask: AskClient, Modes: both}, with, `{}`, `{}`},
		{Audience{Ask: AskHost, Modes: form}, with, `{}`, `{"elicitation":{"form":{}}}`},
		{Audience{Ask: AskHost, Modes: url}, with, `{"elicitation":{}}`, `{"elicitation":{"url":{}}}`},
		{Audience{Ask: AskHost}, with, `{ "roots":{},"elicitation":{}}`, `{ "roots":{}}`},
		{Audience{Ask: AskHost}, with, `{ }`, `{ }`},
		{Audience{Ask: AskNobody, Modes: both}, with, `{"elicitation":{}}`, `{}`},
		{Audience{Ask: AskPolicy}, with, `{}`, `{"elicitation":{"form":{},"url":{}}}`},
		{Audience{Ask: AskEither, Modes: form}, with, `{"elicitation":{"url":{}}}`, `{"elicitation":{"form":{},"url":{}}}`},
		{Audience{Ask: AskEither, Modes: url}, with, `{"elicitation":{"form":{}}}`,
			`{"elicitation":{"form":{},"url":{}}}`},
		{Audience{Ask: AskEither, Modes: form}, with, `{}`, `{"elicitation":{"form":{}}}`},
		{Audience{Ask: AskEither, Modes: form}, with, `{ "elicitation":{}}`, `{ "elicitation":{}}`},
		{Audience{Ask: AskEither, Modes: both}, first, `{ "elicitation":{}}`, `{ "elicitation":{}}`},
		{Audience{Ask: AskEither}, with, `{ }`, `{ }`},
		{Audience{Ask: AskEither, Alone: true}, with, `{}`, `{"elicitation":{"form":{},"url":{}}}`},
		{Audience{Ask: AskEither, Alone: true}, with, `{"elicitation":{"url":{}}}`, `{"elicitation":{"url":{}}}`},
		{Audience{Ask: AskEither, Alone: true, Modes: form}, with, `{}`, `{"elicitation":{"form":{}}}`},
	} {
		at := Declaration{c.dialect, []string{"params", "capabilities"}}
		in, want := `{"params":{"capabilities":`+c.in+`}}`, `{"params":{"capabilities":`+c.want+`}}`
		out, declared, client := c.who.Declare([]byte(in), at)
		if string(out) != want || declared != at.Read([]byte(want)) || client != at.Read([]byte(in)) {
			t.Errorf("%+v makes %s of %s, and reads %+v, and %+v of the client", c.who, out, in, declared, client)
		}
	}
	nowhere := `{"params":[]}`
	out, declared, _ := (&Audience{Ask: AskNobody}).Declare([]byte(nowhere), Declaration{with, []string{"params", "x"}})
	if string(out) != nowhere || declared != (mcp.Modes{}) {
		t.Errorf("a request without a place is %s, and declares %+v", out, declared)
	}
}

// peer is the machine for a dialogue: it keeps what is sent.
type peer struct {
	Link
	sent []string
}

func (p *peer) Send(_ End, text []byte, _ func()) { p.sent = append(p.sent, string(text)) }

// TestReply sends an answer, after which the request is settled. A client that gave none was waited for in seconds.
func TestReply(t *testing.T) {
	p := &peer{}
	c := Connection{Link: p, Answered: &Recent{}}
	if c.Reply("7", []byte("answer"), nil); !slices.Equal(p.sent, []string{"answer"}) || !c.Answered.Has("7") {
		t.Errorf("%v was sent, and the request is answered: %v", p.sent, c.Answered.Has("7"))
	}
	for ms, want := range map[int64]string{0: "1", 999: "1", 1999: "1", 2000: "2"} {
		if got := NoAnswer(ms).Args[0].Raw; got != want {
			t.Errorf("%d ms are %s seconds, want %s", ms, got, want)
		}
	}
	if n := (Plain{}).Handed(); n != 0 {
		t.Errorf("%d bytes are kept of no call", n)
	}
}

// TestCallsAreBounded: so many calls are open, so many bytes are kept, and so many forgotten calls wait for reuse.
func TestCallsAreBounded(t *testing.T) {
	const calls, bytes, free = 65_536, 268_435_456, 64
	c := NewCalls()
	add := func(n int) *Call {
		k := c.Make()
		k.Key = gate.KeyOf(strconv.AppendInt(nil, int64(n), 10))
		if k.First = k.Key; !c.Add(k, nil) {
			return nil
		}
		return k
	}
	var all []*Call
	for n := range calls {
		if all = append(all, add(n)); all[n] == nil {
			t.Fatalf("call %d is one too many", n)
		}
	}
	if add(calls) != nil {
		t.Error("one call too many is taken")
	}
	if !slices.Equal(c.All(), all) {
		t.Error("the calls are not in their order")
	}
	if !c.Keep(all[0], bytes) || c.Keep(all[0], 1) || !c.Sound(bytes) || c.Sound(bytes+1) {
		t.Errorf("%d bytes are kept", c.Kept)
	}
	for n, k := range all[:2*free+4] {
		k.Request = make([]byte, 0, 1<<20+n%2)
		if c.Remove(k); k.AtServer || c.Free() != min(n/2+1, free) {
			t.Fatalf("after call %d, %d calls wait for reuse", n, c.Free())
		}
	}
}

// TestSound finds a table that does not agree, with as many calls as it looks at one by one, and only totals with more.
func TestSound(t *testing.T) {
	for open, looks := range map[int]bool{MaxFree: true, MaxFree + 1: false} {
		for name, spoil := range map[string]func(*Calls, *Call){
			"closed":        func(_ *Calls, k *Call) { k.Open = false },
			"another key":   func(_ *Calls, k *Call) { k.Key = gate.KeyOf([]byte("-1")) },
			"not at server": func(_ *Calls, k *Call) { k.AtServer = false },
		} {
			c := NewCalls()
			var last *Call
			for n := range open {
				last = c.Make()
				last.Key = gate.KeyOf(strconv.AppendInt(nil, int64(n), 10))
				last.First = last.Key
				c.Add(last, nil)
			}
			if !c.Sound(0) {
				t.Fatalf("%d calls do not agree", open)
			}
			if spoil(c, last); c.Sound(0) == looks {
				t.Errorf("%d calls, of which one is %s: %v", open, name, !looks)
			}
		}
	}
	c := NewCalls()
	k := c.Make()
	k.Key = gate.KeyOf([]byte("1"))
	k.First = k.Key
	c.Add(k, nil)
	if delete(c.ByClient, k.Key); c.Sound(0) {
		t.Error("the server has a call that the client has not")
	}
}
