package drive

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/pull"
	"github.com/elicit-engine/elicit/engine/relay"
	"github.com/elicit-engine/elicit/internal/hostscript"
	"github.com/elicit-engine/elicit/internal/loops"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// scripted is the host, the journal, the clock and the random bytes of a script.
type scripted struct {
	items    []string
	alone    bool // it asks no guardians
	keeps    int
	received []byte
	now      loops.Step
}

func (s *scripted) add(item string) { s.items = append(s.items, item) }

func (s *scripted) Forward(to relay.End)              { s.add(to.String() + " " + string(s.received)) }
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

// TestVectors runs the vectors of connections and the scenarios of the kit through the driver.
func TestVectors(t *testing.T) {
	scripts, _, err := loops.Read(vectors.Root(t))
	must.OK(t, err)
	calls, in := io.Pipe()
	out, performed := io.Pipe()
	go func() { performed.CloseWithError(serve(bufio.NewReader(calls), performed)) }()
	host := hostscript.Host{In: in, Out: bufio.NewReader(out)}
	scripts = append(scripts, hostscript.Scenarios()...)
	report, err := hostscript.Play(host, scripts, func() {})
	if err != nil || !report.Good() {
		var told strings.Builder
		report.Tell(&told)
		t.Error(err, told.String())
	}
	must.OK(t, loops.KeepScripts("Go", scripts, report.Failed))
	t.Logf("vectors through drive: %d", report.Passed)
}

// serve is a host of hostscript.Host.
func serve(in *bufio.Reader, out io.Writer) error {
	var s *scripted
	var d *Driver
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return err
		}
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if kind == "open" || kind == "alone" {
			s = &scripted{alone: kind == "alone"}
			var keeps string
			keeps, rest, _ = strings.Cut(rest, " ")
			s.keeps, _ = strconv.Atoi(keeps)
		}
		step := loops.Step{Kind: kind}
		var size int
		if _, err := fmt.Sscan(rest, &step.At, &step.Elapsed, &size); err != nil {
			return fmt.Errorf("%q: %w", line, err)
		}
		input := make([]byte, size)
		if _, err := io.ReadFull(in, input); err != nil {
			return err
		}
		s.now, s.items = step, nil
		switch kind {
		case "close":
			continue
		case "open", "alone":
			d, err = s.open(input)
		default:
			err = d.scripted(s, kind, input)
		}
		if unkept := (*JournalError)(nil); err != nil && !errors.As(err, &unkept) {
			return err
		}
		d.mu.Lock()
		_, _, wait := d.loop.Next(d.now(), nil)
		d.setTimer(pull.Never) // the script says when a timer ends
		d.mu.Unlock()
		for _, item := range s.items {
			fmt.Fprintf(out, "%d\n%s\n", len(item), item)
		}
		fmt.Fprintf(out, "wait %d\n", wait)
	}
}

func (s *scripted) open(document []byte) (*Driver, error) {
	config, problems := relay.ReadConfig([]byte(gjson.GetBytes(document, "relay").Raw))
	if len(problems) > 0 {
		return nil, errors.New(problems[0].Code)
	}
	host := Host(s)
	if s.alone {
		host = struct{ Host }{s}
	}
	return New(config, host, Options{Journal: s, Random: s, Now: func() time.Time { return time.UnixMilli(s.now.At) },
		Elapsed: elapsedOf(s.now)})
}

func elapsedOf(step loops.Step) func() time.Duration {
	if step.Elapsed < 0 {
		return nil
	}
	return func() time.Duration { return time.Duration(step.Elapsed) * time.Millisecond }
}

// scripted gives the driver one step of a script.
func (d *Driver) scripted(s *scripted, kind string, input []byte) error {
	d.mu.Lock()
	d.opts.Elapsed = elapsedOf(s.now)
	d.mu.Unlock()
	s.received = input
	switch kind {
	case "client":
		return d.Receive(relay.Client, input)
	case "server":
		return d.Receive(relay.Server, input)
	case "pass":
		d.mu.Lock()
		defer d.mu.Unlock()
		return d.perform(d.now())
	}
	ev, message, err := readStep(input)
	if err != nil {
		return err
	}
	s.received = message
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
