package drive

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/relay"
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

// guardHost says what becomes of each question. It asks guardians itself when it is behind a consultingHost.
type guardHost struct {
	*recorder
	fates []string
}

func (h *guardHost) Send(_ relay.End, message []byte) {
	var ref int
	var action string
	if n, _ := fmt.Sscanf(string(message), `{"jsonrpc":"2.0","id":%d,"result":{"action":%q`, &ref, &action); n == 2 {
		h.fates = append(h.fates, fmt.Sprintf("%d %s", ref, action))
	}
}

func (h *guardHost) Perform(next relay.Effect) {
	switch ef := next.(type) {
	case effect.Show:
		h.fates = append(h.fates, ef.Ref+" shown")
	case effect.Reply:
		h.fates = append(h.fates, fmt.Sprintf("%s %s", ef.Ref, ef.Outcome))
	}
}

// playGuardians asks questions that a guardian looks at, on a connection or in an engine alone. A guest that is held
// decides. A guardian that is not held, or that is the host's, is asked of a host that can ask, once. Any other
// guardian fails, and one that does not answer in time fails too. Then the question is declined. Configure changes the
// guardian.
func playGuardians(p *plan) (wrong string) {
	host := &guardHost{recorder: newRecorder()}
	asks := &consultingHost{recorder: host.recorder}
	var whole Host = host
	consults := p.below(2) == 1
	if consults {
		whole = struct {
			*guardHost
			Consulter
		}{host, asks}
	}
	var guest oneGuest
	var module string
	var own, bad bool // the guardian is the host's; its permit asks for a phase that the module does not have
	drawn := func() (document []byte, guests engine.Guests) {
		guest = oneGuest{oldModule, []string{passes, denies, "{"}[p.below(3)]}
		module, own, bad = []string{oldModule, newModule}[p.below(2)], p.below(3) == 1, p.below(6) == 5
		more := `,"deadline_ms":1500`
		if own {
			more += `,"host":true`
		}
		text := string(guarded(module, more))
		if bad = bad && module == guest.digest; bad {
			p.met["permit refused"]++
			text = strings.Replace(text, "before_show", "before_send", 1)
		}
		return []byte(strings.Replace(text, "{", `{"limits":{"shown":200,"burst":50,"per_minute":6000},`, 1)), guest
	}
	records := &kept{}
	begun := time.Now()
	o := Options{Journal: records, Elapsed: func() time.Duration { return time.Since(begun) }}
	var document []byte
	document, o.Guests = drawn()
	var d *Driver
	var err error
	ask := func(id int) error { return d.Receive(relay.Server, question(id)) }
	alone := p.below(2) == 1
	if alone {
		guests := o.Guests
		if o.Guests = nil; p.below(2) == 1 {
			o.Guests = guests
		}
		d, err = NewEngine(engine.New(), nil, whole, o)
		if err != nil {
			return err.Error()
		}
		problems, err := d.Configure(document, guests, nil)
		if (len(problems) > 0) != bad || err != nil {
			return fmt.Sprintf("%s: %v %v", document, problems, err)
		}
		form := elicit.Modes{Form: true}
		err = d.Do(event.Opened{Session: "a", Server: "s", Side: elicit.Answering, Declared: form, Shown: form})
		if err != nil {
			return err.Error()
		}
		ask = func(id int) error {
			return d.Do(event.Asked{Request: elicit.Request{Session: "a", Ref: fmt.Sprint(id), Mode: elicit.Form,
				Message: "Go on?", Schema: []byte(`{"type":"object","properties":{}}`)}})
		}
	} else {
		d, err = New(config(string(document)), whole, o)
		if bad {
			if d != nil || err == nil || !strings.Contains(err.Error(), "/guardians/0/declared") {
				return fmt.Sprintf("a permit that does not fit: %v", err)
			}
			return ""
		}
		if err != nil {
			return err.Error()
		}
	}
	defer d.Shutdown()
	for id := 1; !p.over() && wrong == ""; id++ {
		if bad || p.below(4) == 3 {
			before := []any{guest, module, own}
			document, guests := drawn()
			problems, err := d.Configure(document, guests, nil)
			if (len(problems) > 0) != bad || err != nil {
				return fmt.Sprintf("%s: %v %v", document, problems, err)
			}
			if bad {
				guest, module, own = before[0].(oneGuest), before[1].(string), before[2].(bool)
			}
			continue
		}
		host.fates, asks.asked = nil, nil
		if err := ask(id); err != nil {
			return err.Error()
		}
		verdict := ""
		switch {
		case !own && module == guest.digest:
			p.met["guest decided"]++
			verdict = guest.verdict
		case consults:
			if len(host.fates) > 0 || len(asks.asked) != 1 || asks.asked[0].Guardian != "g" {
				return fmt.Sprintf("consulted %v, and then %q", asks.asked, host.fates)
			}
			p.met["host consulted"]++
			if verdict = []string{passes, denies, ""}[p.below(3)]; verdict == "" {
				p.met["consult timed out"]++
				time.Sleep(2 * time.Second)
				synctest.Wait()
				break
			}
			if err := d.Do(asks.asked[0].Answer(event.Consulted{Output: verdict})); err != nil {
				return err.Error()
			}
		default:
			p.met["nobody to consult"]++
		}
		want := fmt.Sprintf("%d decline", id)
		if verdict == passes {
			want = fmt.Sprintf("%d shown", id)
		}
		if !slices.Equal(host.fates, []string{want}) {
			wrong = fmt.Sprintf("%q, want %s", host.fates, want)
		}
		time.Sleep(time.Second) // below every rate
	}
	if got := engine.Replay(records.records, nil); got.Problem != nil || got.Records == 0 {
		wrong = fmt.Sprintf("the journal does not replay: %d records, %v", got.Records, got.Problem)
	}
	return wrong
}
