package main

import (
	"bytes"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/relay"
)

const (
	relaying = `{"relay":{"server":"build","role":"client","modes":["form"],` +
		`"session":{"version":"2025-11-25","declared":["form"]}}}`
	create = `{"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"message":"Go on?",` +
		`"requestedSchema":{"type":"object","properties":{}}}}`
	hint     = `{"jsonrpc":"2.0","method":"notifications/x"}`
	passed   = `{"effects":[{"effect":"forward","to":"server"}]}`
	hostLeft = `{"event":{"event":"ended","end":"host"}}`
)

// TestConnection gives the module one question, with messages only.
func TestConnection(t *testing.T) {
	t.Parallel()
	d := newInstance(t, whole)
	connection := d.open(relaying)
	if _, got := d.call(abi.OpClient, connection, 1000, hint, abi.OK); got != passed {
		t.Errorf("a notification: %s", got)
	}
	_, shown := d.call(abi.OpServer, connection, 2000, create, abi.OK)
	id := regexp.MustCompile(`"effect":"show".*?"id":"([0-9a-f]+)"`).FindStringSubmatch(shown)
	if id == nil || !strings.Contains(shown, `"at":2000,"random":"`) {
		t.Fatalf("a question: %s", shown)
	}
	answered := `{"event":{"event":"answered","session":"form","id":"` + id[1] + `","action":"accept","content":{}}}`
	if got := d.step(connection, 3000, answered, abi.OK); !strings.Contains(got,
		`\"id\":7,\"result\":{\"action\":\"accept\"`) {
		t.Errorf("an answer: %s", got)
	}
	d.call(abi.OpServer, connection, 4000, create, abi.OK)
	if got := d.step(connection, 5000, hostLeft, abi.OK); !strings.Contains(got, `{"effect":"close","end":"server"}`) {
		t.Errorf("the end: %s", got)
	}
	d.call(abi.OpClose, connection, 0, "", abi.OK)
	d.call(abi.OpServer, connection, 6000, create, abi.UnknownHandle)
}

// TestLengthsOfMessages gives the longest possible message, lengths without written bytes, and bytes of all kinds. Each
// gets an answer, and the connection still works.
func TestLengthsOfMessages(t *testing.T) {
	t.Parallel()
	d := newInstance(t, whole)
	connection := d.open(relaying)
	head, tail := `{"jsonrpc":"2.0","method":"x","params":{"data":"`, `"}}`
	longest := head + strings.Repeat("a", relay.DefaultMaxMessage-len(head)-len(tail)) + tail
	if _, got := d.call(abi.OpClient, connection, 0, longest, abi.OK); got != passed {
		t.Errorf("the longest message: %.300s", got)
	}
	short := d.open(`{"relay":{"server":"build","max_message":1000}}`)
	if _, got := d.call(abi.OpServer, short, 0, longest[:1001], abi.OK); !strings.Contains(got,
		`"code":"message_too_long"`) || len(got) > 1000 {
		t.Errorf("a message over the connection's own limit: %.300s", got)
	}
	d.call(abi.OpClient, connection, 0, hint, abi.OK) // this releases the buffer of the longest message
	for _, n := range []uint64{0, 1, uint64(len(hint)) + 1, 5000, relay.DefaultMaxMessage, relay.DefaultMaxMessage + 1,
		math.MaxInt32, math.MaxUint32} {
		status, _, out, err := d.answer(d.perform.Call(background, uint64(abi.OpServer), connection, 0, n))
		if err != nil || status != abi.OK || !strings.HasPrefix(string(out), `{"effects":[`) {
			t.Errorf("%d bytes that were not written: status %d, %v: %.200s", n, status, err, out)
		}
	}
	for _, bytes := range []string{"", "\x00", "\xff\xfe", "{", "[]", "[{}]", `{"id":7}`, strings.Repeat("[", 100_000),
		"\xef\xbb\xbf" + hint} {
		if _, got := d.call(abi.OpServer, connection, math.MaxInt64, bytes, abi.OK); !strings.HasPrefix(got, `{"effects":[`) {
			t.Errorf("%.20q: %.200s", bytes, got)
		}
	}
	if _, got := d.call(abi.OpClient, connection, 0, hint, abi.OK); got != passed {
		t.Errorf("after all that: %s", got)
	}
}

// TestNext takes the effects of one question from the loop of the module. The host has no record kept, and says so.
func TestNext(t *testing.T) {
	t.Parallel()
	for _, keeps := range []bool{true, false} {
		d := newInstance(t, whole)
		connection := d.open(strings.Replace(relaying, `{"relay"`, `{"pull":true,"relay"`, 1))
		for op, message := range map[abi.Op]string{abi.OpClient: hint, abi.OpServer: create} {
			if _, got := d.call(op, connection, 1000, message, abi.OK); got != `{"effects":[]}` {
				t.Errorf("%d: %s", op, got)
			}
		}
		var story []string
		failed := false
		for wait := false; !wait; {
			input := `{"random":"` + strings.Repeat("01", 32) + `"}`
			if failed {
				input = `{"failed":true,` + input[1:]
			}
			size, out := d.call(abi.OpNext, connection, 2000, input, abi.OK)
			document, message, more := strings.Cut(out, "\x00")
			if int(size) != len(document) {
				t.Errorf("size %d: %q", size, out)
			}
			wait = strings.HasPrefix(document, `{"wait":`)
			failed = !keeps && strings.HasPrefix(document, `{"effect":"append"`)
			if more {
				document += " " + message
			}
			story = append(story, document)
		}
		got := strings.Join(story, "\n")
		if !strings.Contains(got, `{"effect":"forward","to":"server"} `+hint) || story[len(story)-1] != `{"wait":-1}` {
			t.Errorf("keeps %t: %s", keeps, got)
		}
		if strings.Contains(got, `{"effect":"show"`) != keeps || strings.Contains(got, "journal_failed") == keeps {
			t.Errorf("keeps %t: %s", keeps, got)
		}
	}
}

// TestSeeds copies the memory of an instance. Operation 13 changes the seeds of maps there and nothing else, each time.
func TestSeeds(t *testing.T) {
	t.Parallel()
	const stack, most = 1 << 20, 12 // bytes
	d := newInstance(t, whole)
	memory := func() []byte {
		all, _ := d.Memory().Read(stack, d.Memory().Size()-stack)
		return bytes.Clone(all)
	}
	for range 3 {
		before := memory()
		if got, err := d.perform.Call(background, 13, 0, 0, 0); err != nil || got[0] != 0 {
			t.Fatal(got, err)
		}
		changed := 0
		for i, b := range memory() {
			if b != before[i] {
				changed++
			}
		}
		if changed == 0 || changed > most {
			t.Errorf("%d bytes changed", changed)
		}
	}
}
