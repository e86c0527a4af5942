package drive

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/pull"
	"github.com/elicit-engine/elicit/engine/relay"
	"github.com/elicit-engine/elicit/internal/loops"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// scripted is the host, the journal, the clock and the random bytes of a script.
type scripted struct {
	items    []string
	keeps    int
	received string
}

func (s *scripted) add(item string) { s.items = append(s.items, item) }

func (s *scripted) Forward(to relay.End)              { s.add(to.String() + " " + s.received) }
func (s *scripted) Send(to relay.End, message []byte) { s.add(to.String() + " " + string(message)) }
func (s *scripted) Perform(next relay.Effect)         { s.add(string(next.AppendJSON(nil))) }
func (s *scripted) Consult(c effect.Consult)          { s.add(string(c.AppendJSON(nil))) }

func (s *scripted) Append(record []byte) error {
	if s.keeps == 0 {
		return errFull
	}
	s.keeps--
	s.add("append " + string(record))
	return nil
}

func (s *scripted) Restart() error {
	if s.keeps == 0 {
		return errFull
	}
	s.keeps--
	s.add("new_journal")
	return nil
}

func (s *scripted) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestVectors runs the vectors of connections through the driver.
func TestVectors(t *testing.T) {
	scripts, _, err := loops.Read(vectors.Root(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, script := range scripts {
		runScript(t, script)
	}
	t.Logf("vectors through drive: %d", len(scripts))
}

func runScript(t *testing.T, script loops.Script) {
	config, problems := relay.ReadConfig([]byte(script.Relay))
	if len(problems) > 0 {
		t.Fatalf("%s: %v", script.Name, problems)
	}
	s := &scripted{keeps: script.Keeps}
	now := script.Steps[0]
	d, err := New(config, s, Options{Journal: s, Random: s, Now: func() time.Time { return time.UnixMilli(now.At) },
		Elapsed: elapsedOf(now)})
	if d == nil {
		t.Fatalf("%s: %v", script.Name, err)
	}
	for i := range script.Steps {
		if now = script.Steps[i]; i > 0 {
			s.items = nil
			err = d.scripted(s, now)
		}
		if unkept := (*JournalError)(nil); err != nil && !errors.As(err, &unkept) {
			t.Fatalf("%s, step %d: %v", script.Name, i, err)
		}
		d.mu.Lock()
		_, _, wait := d.loop.Next(d.now(), nil)
		d.setTimer(pull.Never) // the script says when a timer ends
		d.mu.Unlock()
		if !slices.Equal(s.items, now.Want) || wait != now.Wait {
			t.Fatalf("%s, step %d: wait %d, want %d\n got %s\nwant %s", script.Name, i, wait, now.Wait,
				strings.Join(s.items, "\n     "), strings.Join(now.Want, "\n     "))
		}
	}
}

func elapsedOf(step loops.Step) func() time.Duration {
	if step.Elapsed < 0 {
		return nil
	}
	return func() time.Duration { return time.Duration(step.Elapsed) * time.Millisecond }
}

// scripted gives the driver one step of a script.
func (d *Driver) scripted(s *scripted, step loops.Step) error {
	d.mu.Lock()
	d.opts.Elapsed = elapsedOf(step)
	d.mu.Unlock()
	s.received = string(step.Bytes())
	switch step.Kind {
	case "client":
		return d.Receive(relay.Client, step.Bytes())
	case "server":
		return d.Receive(relay.Server, step.Bytes())
	case "pass":
		d.mu.Lock()
		defer d.mu.Unlock()
		return d.perform(d.now())
	}
	ev, message, err := readStep(step.Bytes())
	if err != nil {
		return err
	}
	s.received = string(message)
	return d.step(ev, message)
}

// readStep reads {"event":{…},"message"?:text}.
func readStep(document []byte) (relay.Event, []byte, error) {
	parts := gjson.ParseBytes(document)
	ev, problems := relay.ReadEvent([]byte(parts.Get("event").Raw))
	if len(problems) > 0 {
		return nil, nil, errors.New(problems[0].Code)
	}
	return ev, []byte(parts.Get("message").String()), nil
}
