package drive

import (
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/relay"
	"github.com/elicit-engine/elicit/internal/must"
)

// slow is a guest that thinks until the test lets it go on.
type slow struct {
	oneGuest
	begun, goOn chan struct{}
}

func (s slow) Evaluate(c effect.Consult) (event.Consulted, bool) {
	if c.Digest == s.digest {
		close(s.begun) // a second evaluation panics: nobody may ask a guest that was replaced
		<-s.goOn
	}
	return s.oneGuest.Evaluate(c)
}

const (
	denies = `{"v":1,"decision":"deny"}`
	passes = `{"v":1,"decision":"pass"}`
)

var oldModule, newModule = strings.Repeat("ab", 32), strings.Repeat("cd", 32)

// TestConfigureWaitsForAGuest swaps the guests while one of them thinks: its verdict counts, and the next question goes
// to the other.
func TestConfigureWaitsForAGuest(t *testing.T) {
	r, records := newRecorder(), &kept{}
	before := slow{oneGuest{oldModule, denies}, make(chan struct{}), make(chan struct{})}
	d := start(t, string(guarded(oldModule, "")), r, Options{Guests: before, Journal: records})
	asked, swapped := make(chan error, 1), make(chan error, 1)
	go func() { asked <- d.Receive(relay.Server, question(1)) }()
	<-before.begun
	go func() {
		problems, err := d.Configure(guarded(newModule, ""), oneGuest{newModule, passes}, func() { r.note("swapped") })
		if problems != nil {
			t.Error(problems)
		}
		swapped <- err
	}()
	close(before.goOn)
	for _, done := range []chan error{asked, swapped} {
		must.OK(t, <-done)
	}
	receive(t, d, question(2))
	if got, want := r.story(), "send server 1,decline, swapped, show 2"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	records.replays(t)
}

// TestConfigureKeepsConsultsOfTheHost has a guardian of the host answer after the configuration no longer names it.
func TestConfigureKeepsConsultsOfTheHost(t *testing.T) {
	for said, want := range map[string]string{
		denies: "consult g, send server 1,decline, show 2", passes: "consult g, show 1"} {
		host := &consultingHost{recorder: newRecorder()}
		d, err := New(config(string(guarded(oldModule, `,"host":true`))), host, Options{})
		must.OK(t, err)
		t.Cleanup(d.Shutdown)
		receive(t, d, question(1))
		if problems, err := d.Configure([]byte(`{}`), nil, nil); problems != nil || err != nil {
			t.Fatal(problems, err)
		}
		must.OK(t, d.Do(host.asked[0].Answer(event.Consulted{Output: said})))
		receive(t, d, question(2)) // with one before the person, the second waits
		if got := host.story(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestConfigureTakesAllOrNothing gives a driver what it must not take: nothing changes, and there is no record.
func TestConfigureTakesAllOrNothing(t *testing.T) {
	r, records := newRecorder(), &kept{}
	d := start(t, string(guarded(oldModule, "")), r, Options{Guests: oneGuest{oldModule, denies}, Journal: records})
	length := len(records.records)
	for doc, code := range map[string]string{
		`{"policy":{"user":{"version":1,"rules":[{"when":{},"then":"allow"}]}}}`: "unknown_value",
		`{"limits":{"queue":-1}}`: "limit_out_of_range",
		`{`:                       "json_truncated",
		`{"servers":["` + strings.Repeat("a", 4<<20) + `"]}`:                             "too_large_to_keep",
		strings.Replace(string(guarded(newModule, "")), "before_show", "before_send", 1): "guardian_declared_wrong",
	} {
		problems, err := d.Configure([]byte(doc), oneGuest{newModule, passes}, func() { t.Error("it is in force") })
		if err != nil || len(problems) == 0 || problems[0].Code != code {
			t.Errorf("%.60s: %v %v, want %s", doc, problems, err, code)
		}
	}
	if len(records.records) != length {
		t.Errorf("there are records: %s", records.records[length:])
	}
	receive(t, d, question(1))
	if got, want := r.story(), "send server 1,decline"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestGuestsOfOneStep holds that a step that swaps guests can ask both, and the new ones first.
func TestGuestsOfOneStep(t *testing.T) {
	both := guests{now: oneGuest{newModule, passes}, old: oneGuest{oldModule, denies}}
	for digest, want := range map[string]string{newModule: passes, oldModule: denies, strings.Repeat("0", 64): ""} {
		said, known := both.Evaluate(effect.Consult{Digest: digest})
		_, _, held := both.Manifest(digest)
		var problems []elicit.Problem
		problems, asked := both.CheckSettings(guardian.Permit{Digest: digest})
		if said.Output != want || known != (want != "") || held != known || asked != known || problems != nil {
			t.Errorf("%s: %v %v %v %v", digest, said, known, held, asked)
		}
	}
}

// reader is a guest of newModule with one document, which is its verdict.
type reader struct{ oneGuest }

func (r reader) Holds(data string) bool { return data == r.verdict }

// TestDocumentsOfOneStep holds that a step that swaps a document asks the guests that hold the one of the consult.
func TestDocumentsOfOneStep(t *testing.T) {
	both := guests{now: reader{oneGuest{newModule, passes}}, old: reader{oneGuest{newModule, denies}}}
	for _, data := range []string{passes, denies} {
		said, _ := both.Evaluate(effect.Consult{Digest: newModule, Data: data})
		if said.Output != data || !both.Holds(data) {
			t.Errorf("%s: %s", data, said.Output)
		}
	}
	said, known := both.Evaluate(effect.Consult{Digest: newModule, Data: "elsewhere"})
	if !known || said.Output != passes {
		t.Errorf("a document that nobody holds: %v %v", said, known)
	}
	if both.Holds("elsewhere") || (&guests{}).Holds(passes) {
		t.Error("it is held")
	}
}
