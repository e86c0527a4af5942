package drive

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/internal/must"
)

// oneGuest has one guest, whose output is verdict.
type oneGuest struct{ digest, verdict string }

func (s oneGuest) Manifest(digest string) (guardian.Manifest, bool, bool) {
	return guardian.Manifest{Phases: []guardian.Phase{guardian.BeforeShow}}, false, digest == s.digest
}
func (s oneGuest) Holds(string) bool                                      { return false }
func (s oneGuest) CheckSettings(guardian.Permit) ([]elicit.Problem, bool) { return nil, true }
func (s oneGuest) Evaluate(c effect.Consult) (event.Consulted, bool) {
	return event.Consulted{Output: s.verdict, Fuel: 5}, c.Digest == s.digest
}

// consultingHost is a host that asks guardians itself.
type consultingHost struct {
	*recorder
	asked []effect.Consult
}

func (c *consultingHost) Consult(q effect.Consult) {
	c.note("consult %s", q.Guardian)
	c.asked = append(c.asked, q)
}

func guarded(digest, more string) []byte {
	return fmt.Appendf(nil, `{"guardians":[{"name":"g","digest":"%s","declared":{"phases":["before_show"],`+
		`"reads":[]}%s}]}`, digest, more)
}

func TestGuardians(t *testing.T) {
	digest, other := strings.Repeat("ab", 32), strings.Repeat("cd", 32)
	deny, pass := `{"v":1,"decision":"deny"}`, `{"v":1,"decision":"pass"}`
	for _, c := range []struct {
		name, config string
		guests       engine.Guests
		alone        bool // the host asks no guardians
		answer       string
		want         string
	}{
		{name: "a guest denies", config: string(guarded(digest, "")), guests: oneGuest{digest, deny},
			want: "send server 1,decline"},
		{name: "a guest passes", config: string(guarded(digest, "")), guests: oneGuest{digest, pass}, want: "show 1"},
		{name: "the host's own", config: string(guarded(digest, `,"host":true`)), guests: oneGuest{digest, deny},
			answer: pass,
			want:   "consult g, show 1"},
		{name: "not held, so the host's", config: string(guarded(other, "")), guests: oneGuest{digest, deny}, answer: deny,
			want: "consult g, send server 1,decline"},
		{name: "held by nobody", config: string(guarded(other, "")), guests: oneGuest{digest, pass}, alone: true,
			want: "send server 1,decline"},
		{name: "nobody runs any", config: string(guarded(digest, "")), alone: true, want: "send server 1,decline"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRecorder()
			host := &consultingHost{recorder: r}
			var whole Host = host
			if c.alone {
				whole = r
			}
			records := &kept{}
			d, err := New(config(c.config), whole, Options{Guests: c.guests, Journal: records})
			must.OK(t, err)
			receive(t, d, question(1))
			if c.answer != "" {
				must.OK(t, d.Do(host.asked[0].Answer(event.Consulted{Output: c.answer})))
			}
			if got := r.story(); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			records.replays(t)
		})
	}
}

// kept is a journal in memory.
type kept struct{ records []byte }

func (k *kept) Append(record []byte) error {
	k.records = append(append(k.records, record...), '\n')
	return nil
}

func (k *kept) replays(t *testing.T) {
	t.Helper()
	if r := engine.Replay(k.records, nil); r.Problem != nil || r.Records == 0 {
		t.Errorf("the journal does not replay: %d records, %v", r.Records, r.Problem)
	}
}

func TestPermitThatDoesNotFitItsModule(t *testing.T) {
	digest := strings.Repeat("ab", 32)
	spec := strings.Replace(string(guarded(digest, "")), "before_show", "before_send", 1)
	if _, err := New(config(spec), newRecorder(), Options{Guests: oneGuest{digest, ""}}); err == nil ||
		!strings.Contains(err.Error(), "/guardians/0/declared") {
		t.Errorf("got %v", err)
	}
}
