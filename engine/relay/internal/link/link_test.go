package link

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
)

func TestRecentForgetsTheOldest(t *testing.T) {
	r := &Recent{}
	for i := range MaxRecent + 10 {
		r.Add(fmt.Sprint(i))
	}
	r.Drop("20")
	r.Drop("never")
	r.Add("20")
	if r.Has("9") || !r.Has("10") || !r.Has("20") || len(r.order) != MaxRecent || len(r.known) != MaxRecent {
		t.Errorf("%d in order, %d known; 9 %v, 10 %v, 20 %v", len(r.order), len(r.known), r.Has("9"), r.Has("10"),
			r.Has("20"))
	}
	for i := range MaxRecent - 1 {
		r.Add(fmt.Sprint("new ", i))
	}
	if !r.Has("20") {
		t.Error("a key that was dropped and given again is forgotten by its old place")
	}
}

// TestClock does what is due in the order of its times, and nothing that was stopped.
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
	c.Read(1030, 0)
	c.Read(900, 0) // never goes back
	for do := c.Due(); do != nil; do = c.Due() {
		do()
	}
	if done != "abc" || len(c.Timers()) != 1 {
		t.Errorf("%q was done, and %d timers are left", done, len(c.Timers()))
	}
}

// TestIDs knows its own ids in any spelling, and makes each once.
func TestIDs(t *testing.T) {
	ids := IDs{Prefix: "elicit-0-"}
	first, second := ids.Next(), ids.Next()
	if string(first) == string(second) || !ids.Own(first) || !ids.Own([]byte(`"\u0065licit-0-9"`)) {
		t.Errorf("%s and %s are not told from others", first, second)
	}
	for _, other := range []string{`"elicit-1-1"`, `1`, `"a"`} {
		if ids.Own([]byte(other)) {
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
	if c.Named([]byte(`"1"`)) != k || c.AnsweredAs([]byte(`1.0`)) != k || k.AtServer {
		t.Error("the call is not found by its id")
	}
	c.Remove(k)
	if k.Open || c.Kept != 0 || c.Free() != 1 || c.Make() != k || k.Repeats || len(k.Request) != 0 {
		t.Errorf("the forgotten call is %+v, and %d bytes are kept", k, c.Kept)
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

// TestCallsAreBounded: so many calls are open, so many bytes are kept, and so many forgotten calls wait for reuse.
func TestCallsAreBounded(t *testing.T) {
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
	for n := range MaxCalls {
		if all = append(all, add(n)); all[n] == nil {
			t.Fatalf("call %d is one too many", n)
		}
	}
	if add(MaxCalls) != nil {
		t.Error("one call too many is taken")
	}
	if !slices.Equal(c.All(), all) {
		t.Error("the calls are not in their order")
	}
	if !c.Keep(all[0], MaxKeptBytes) || c.Keep(all[0], 1) || !c.Sound(MaxKeptBytes) || c.Sound(MaxKeptBytes+1) {
		t.Errorf("%d bytes are kept", c.Kept)
	}
	for n, k := range all[:2*MaxFree+4] {
		k.Request = make([]byte, 0, 1<<20+n%2)
		if c.Remove(k); k.AtServer || c.Free() != min(n/2+1, MaxFree) {
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
