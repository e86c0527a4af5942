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

// unseen are effects that a host may drop in every scenario, and why.
var unseen = map[string]string{
	"new_journal": "the engine in the host is the real one, and no message breaks it",
	"reply":       "only an engine has it: a connection answers the peer itself, and tells with settled",
}

// TestDroppedEffects: a host that drops one effect of the contract fails in a scenario that has it, and the mistake
// names it.
func TestDroppedEffects(t *testing.T) {
	var contract struct {
		Defs map[string]struct {
			AnyOf []struct {
				Ref string `json:"$ref"`
			}
			Properties struct{ Effect struct{ Const string } }
		} `json:"$defs"`
	}
	must.OK(t, json.Unmarshal([]byte(must.Text(t, "../../docs/contract.schema.json")), &contract))
	all := append(contract.Defs["Effect"].AnyOf, contract.Defs["RelayEffect"].AnyOf...)
	if len(all) < 30 {
		t.Fatalf("%d effects in the contract", len(all))
	}
	for _, of := range all {
		name := contract.Defs[strings.TrimPrefix(of.Ref, "#/$defs/")].Properties.Effect.Const
		scripts := slices.DeleteFunc(hostscript.Scenarios(), func(s hostscript.Script) bool {
			return !slices.Contains(s.Effects(), name) || strings.Contains(s.Name, "64-mib")
		})
		if r := played(t, "drop "+name, scripts); (r.Mistakes["it drops the effect "+name] == 0) != (unseen[name] != "") {
			t.Errorf("%q is dropped in %d scenarios: %v", name, len(scripts), r.Mistakes)
		}
	}
	names(t, "drop consult", "it does not say that it cannot ask a guardian", hostscript.Scenarios())
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

// names wants a mistake of a broken host.
func names(t *testing.T, mistake, want string, scripts []hostscript.Script) {
	r := played(t, mistake, scripts)
	if mistake == "none" && r.Passed != len(scripts) || want != "" && r.Mistakes[want] == 0 {
		var told bytes.Buffer
		r.Tell(&told)
		t.Errorf("want %q\n%s", want, told.Bytes())
	}
	t.Logf("%d of %d passed; %v", r.Passed, r.Scripts, r.Mistakes)
}

// played plays scripts through a broken host.
func played(t *testing.T, mistake string, scripts []hostscript.Script) hostscript.Report {
	t.Helper()
	given, in := io.Pipe()
	from, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- (&host{mistake: mistake, in: bufio.NewReader(given), out: out}).serve() }()
	r, err := hostscript.Play(hostscript.Host{In: in, Out: bufio.NewReader(from)}, scripts, func() {})
	in.Close()
	if err != nil {
		t.Fatalf("%v; the host: %v", err, <-ended)
	}
	return r
}

// host is a loop around a machine of the interface.
type host struct {
	mistake string
	in      *bufio.Reader
	out     io.Writer

	table   abi.Table
	relay   abi.Handle
	alone   bool
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
		if strings.HasPrefix(line, "open") || strings.HasPrefix(line, "alone") {
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
		case "open", "alone":
			h.records, h.alone = 0, kind == "alone"
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
		wait, err := h.take(at, elapsed)
		if err != nil {
			return err
		}
		h.tell(kind, wait)
	}
}

// take performs effects until the machine waits.
func (h *host) take(at, elapsed int64) (wait int64, err error) {
	failed := ""
	for {
		times := fmt.Sprintf(`{"at":%d,"random":"%064d"`, at, 0)
		if elapsed >= 0 && h.mistake != "wall clock" {
			times += fmt.Sprintf(`,"elapsed":%d`, elapsed)
		}
		size, out, status := h.table.Next(h.relay, []byte(times+failed+"}"), nil)
		if status != abi.OK {
			return -1, fmt.Errorf("next: status %d", status)
		}
		document, message := string(out[:size]), bytes.TrimPrefix(out[size:], []byte{0})
		if _, err := fmt.Sscanf(document, `{"wait":%d}`, &wait); err == nil {
			return wait, nil
		}
		failed = h.perform(document, message)
	}
}

func (h *host) perform(document string, message []byte) (failed string) {
	var ef struct{ Effect, To string }
	_ = json.Unmarshal([]byte(document), &ef)
	item := document
	if h.mistake == "drop "+ef.Effect {
		return ""
	}
	switch ef.Effect {
	case "consult":
		if h.alone {
			return `,"failed":true`
		}
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
	case h.mistake == "drop wake":
		wait = -1
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
