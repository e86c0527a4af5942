package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/relay"
	"github.com/elicit-engine/elicit/internal/hostscript"
	"github.com/elicit-engine/elicit/internal/loops"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// broken are hosts with one mistake each, and the sentence that must name it.
var broken = map[string]string{
	"none":           "",
	"mute opening":   "it drops the effects of opening",
	"append again":   "it gives a record again that the journal did not take",
	"silent failure": "it goes on as if the journal had not failed",
	"early timer":    "its timer ends too early",
	"late timer":     "its timer ends too late",
	"wall clock":     "its timer ends too late",
	"no ticks":       "it does not tick when its timer has ended",
	"last first":     "it performs effects in another order",
	"own spelling":   "it changes an effect or the bytes of a message",
	"own records":    "it changes the bytes of a record",
	"lost record":    "it does not keep every record",
	"only questions": "it does not perform every effect",
	"twice":          "it performs an effect twice",
}

// TestBrokenHosts: the kit names the mistake of each broken host, and finds none in the host without one.
func TestBrokenHosts(t *testing.T) {
	scripts, _, err := loops.Read(vectors.Root(t))
	must.OK(t, err)
	scripts = vectors.Some(scripts)
	for mistake, want := range broken {
		t.Run(mistake, func(t *testing.T) { names(t, mistake, want, scripts) })
		t.Run("scenarios/"+mistake, func(t *testing.T) { names(t, mistake, want, hostscript.Scenarios()) })
	}
}

// names plays scripts through a broken host.
func names(t *testing.T, mistake, want string, scripts []hostscript.Script) {
	given, in := io.Pipe()
	from, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- (&host{mistake: mistake, in: bufio.NewReader(given), out: out}).serve() }()
	r, err := hostscript.Play(hostscript.Host{In: in, Out: bufio.NewReader(from)}, scripts, func() {})
	in.Close()
	if err != nil {
		t.Fatalf("%v; the host: %v", err, <-ended)
	}
	if mistake == "none" && r.Passed != len(scripts) || want != "" && r.Mistakes[want] == 0 {
		var told bytes.Buffer
		r.Tell(&told)
		t.Errorf("want %q\n%s", want, told.Bytes())
	}
	t.Logf("%d of %d passed; %v", r.Passed, r.Scripts, r.Mistakes)
}

// host is a loop around a machine of the interface.
type host struct {
	mistake string
	in      *bufio.Reader
	out     io.Writer

	table   abi.Table
	relay   abi.Handle
	keeps   int
	records int
	items   []string
}

func (h *host) serve() error {
	for {
		line, err := h.in.ReadString('\n')
		if err != nil {
			return err
		}
		var kind string
		var at, elapsed int64
		var size int
		if strings.HasPrefix(line, "open") {
			_, err = fmt.Sscan(line, &kind, &h.keeps, &at, &elapsed, &size)
		} else {
			_, err = fmt.Sscan(line, &kind, &at, &elapsed, &size)
		}
		given := make([]byte, size)
		if _, wrong := io.ReadFull(h.in, given); err != nil || wrong != nil {
			return fmt.Errorf("%q: %v %v", line, err, wrong)
		}
		status := abi.OK
		switch kind {
		case "open":
			h.records = 0
			h.relay, _, status = h.table.Open(given, nil)
		case "client":
			_, status = h.table.Receive(h.relay, relay.Client, given, nil)
		case "server":
			_, status = h.table.Receive(h.relay, relay.Server, given, nil)
		case "event":
			_, status = h.table.Step(h.relay, given, nil)
		case "close":
			h.table.Close(h.relay)
			continue
		}
		if status != abi.OK {
			return fmt.Errorf("%q: status %d", line, status)
		}
		h.items = nil
		wait := h.take(at, elapsed)
		h.tell(kind, wait)
	}
}

// take performs effects until the machine waits.
func (h *host) take(at, elapsed int64) (wait int64) {
	failed := ""
	for {
		times := fmt.Sprintf(`{"at":%d,"random":"%064d"`, at, 0)
		if elapsed >= 0 && h.mistake != "wall clock" {
			times += fmt.Sprintf(`,"elapsed":%d`, elapsed)
		}
		size, out, _ := h.table.Next(h.relay, []byte(times+failed+"}"), nil)
		document, message := string(out[:size]), bytes.TrimPrefix(out[size:], []byte{0})
		if _, err := fmt.Sscanf(document, `{"wait":%d}`, &wait); err == nil {
			return wait
		}
		failed = h.perform(document, message)
	}
}

func (h *host) perform(document string, message []byte) (failed string) {
	var ef struct{ Effect, To string }
	_ = json.Unmarshal([]byte(document), &ef)
	item := document
	switch ef.Effect {
	case "append", "new_journal":
		record := strings.TrimSuffix(strings.TrimPrefix(document, `{"effect":"append","record":`), "}")
		if h.mistake == "own records" {
			record = respelled(record)
		}
		if item = "append " + record; ef.Effect == "new_journal" {
			item = "new_journal"
		}
		h.records++
		if h.mistake == "lost record" && h.records == 2 {
			return ""
		}
		if h.keeps == 0 {
			if h.mistake == "append again" {
				h.items = append(h.items, item)
			}
			if h.mistake == "silent failure" {
				return ""
			}
			return `,"failed":true`
		}
		h.keeps--
	case "forward", "send":
		if h.mistake == "own spelling" {
			message = []byte(respelled(string(message)))
		}
		item = ef.To + " " + string(message)
	case "show":
	default:
		if h.mistake == "only questions" {
			return ""
		}
	}
	h.items = append(h.items, item)
	if h.mistake == "twice" && ef.Effect == "show" {
		h.items = append(h.items, item)
	}
	return ""
}

// respelled is what many readers and writers of JSON make of a text.
func respelled(text string) string {
	var value any
	if json.Unmarshal([]byte(text), &value) != nil {
		return text
	}
	out, _ := json.Marshal(value)
	return string(out)
}

// tell writes what was performed.
func (h *host) tell(kind string, wait int64) {
	switch {
	case h.mistake == "mute opening" && kind == "open", h.mistake == "no ticks" && kind == "pass":
		h.items = nil
	case h.mistake == "last first":
		slices.Reverse(h.items)
	case h.mistake == "early timer" && wait > 0:
		wait--
	case h.mistake == "late timer" && wait > 0:
		wait++
	}
	for _, item := range h.items {
		fmt.Fprintf(h.out, "%d\n%s\n", len(item), item)
	}
	fmt.Fprintf(h.out, "wait %d\n", wait)
}
