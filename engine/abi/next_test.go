package abi

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

const (
	pullOpening = `{"relay":{"server":"build","role":"client","modes":["form"],"session":{"version":"2025-11-25",` +
		`"declared":["form"]},"config":{"limits":{"answer_ttl_ms":60000}}},"pull":true,"at":1000,"elapsed":50}`
	pullQuestion = `{"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"message":"Go on?",` +
		`"requestedSchema":{"type":"object","properties":{}}}}`
)

// puller is a connection that was opened for Next.
type puller struct {
	*testing.T
	table  Table
	handle Handle
}

func newPuller(t *testing.T) *puller {
	p := &puller{T: t}
	h, out, status := p.table.Open([]byte(pullOpening), nil)
	if status != OK || string(out) != `{"effects":[]}` {
		t.Fatalf("open: %d %s", status, out)
	}
	p.handle = h
	return p
}

// next returns the JSON and the message of one call. Input has the members of the call.
func (p *puller) next(at, elapsed int, more string) (document, message string) {
	p.Helper()
	input := fmt.Sprintf(`{"at":%d,"elapsed":%d%s}`, at, elapsed, more)
	size, out, status := p.table.Call(OpNext, p.handle, []byte(input), []byte("before"))
	if status != OK || !bytes.HasPrefix(out, []byte("before")) {
		p.Fatalf("next: %d %s", status, out)
	}
	out = out[len("before"):]
	if rest := out[size:]; len(rest) > 0 {
		if rest[0] != 0 {
			p.Errorf("no zero byte after the JSON: %q", out)
		}
		message = string(rest[1:])
	}
	return string(out[:size]), message
}

// all takes the effects until the loop waits, and returns their names with the messages, and the wait.
func (p *puller) all(at, elapsed int) (story, last string) {
	p.Helper()
	for more := ""; ; {
		document, message := p.next(at, elapsed, more)
		if strings.HasPrefix(document, `{"wait":`) {
			return strings.TrimSpace(story), document
		}
		name := regexp.MustCompile(`"effect":"(\w+)"`).FindStringSubmatch(document)[1]
		if message != "" {
			name += "=" + message
		}
		story += name + " "
	}
}

func (p *puller) receive(op Op, message string) {
	p.Helper()
	bytes := []byte(message)
	if _, out, status := p.table.Call(op, p.handle, bytes, nil); status != OK || string(out) != `{"effects":[]}` {
		p.Fatalf("%s: %d %s", message, status, out)
	}
	clear(bytes) // the caller may use its memory again
}

func (p *puller) step(input string) string {
	_, out, status := p.table.Call(OpStep, p.handle, []byte(input), nil)
	return fmt.Sprint(status, " ", string(out))
}

func TestNext(t *testing.T) {
	p := newPuller(t)
	notice := `{"jsonrpc":"2.0","method":"notifications/x"}`
	p.receive(OpServer, notice)
	p.receive(OpServer, pullQuestion)
	if story, wait := p.all(2_000, 1_050); story != "append append forward="+notice+" append question show" ||
		wait != `{"wait":20000}` {
		t.Errorf("%s, then %s", story, wait)
	}
	if story, wait := p.all(9_000_000, 60_950); story != "" || wait != `{"wait":100}` {
		t.Errorf("the wall clock went ahead: %s, then %s", story, wait)
	}
	if story, wait := p.all(0, 61_050); !strings.HasPrefix(story, `append settled send={"jsonrpc":"2.0","id":7,`) ||
		wait != `{"wait":-1}` {
		t.Errorf("the time is up: %s, then %s", story, wait)
	}
}

// TestNextFails: a record that the host could not keep. The question gets an error, and is not shown.
func TestNextFails(t *testing.T) {
	for name, fails := range map[string]string{"no record": `,"failed":true`, "no random bytes": `,"no_random":true`} {
		t.Run(name, func(t *testing.T) {
			p := newPuller(t)
			p.all(1_000, 50)
			p.receive(OpServer, pullQuestion)
			if name == "no record" {
				if document, _ := p.next(2_000, 60, ""); !strings.HasPrefix(document, `{"effect":"append"`) {
					t.Fatal(document)
				}
			}
			if document, _ := p.next(2_000, 60, fails); !strings.Contains(document, "journal_failed") {
				t.Errorf("not told: %s", document)
			}
			if name == "no random bytes" { // the question was lost with them
				p.receive(OpServer, pullQuestion)
			}
			story, wait := p.all(2_000, 60)
			if !strings.Contains(story, `send={"jsonrpc":"2.0","id":7,"error"`) || strings.Contains(story, "append") ||
				strings.Contains(story, "show") || wait != `{"wait":-1}` {
				t.Errorf("%s, then %s", story, wait)
			}
		})
	}
}

func TestNextRefuses(t *testing.T) {
	p := newPuller(t)
	for input, want := range map[string]string{
		`{"event":{"event":"ticked"},"at":5}`:      `1 {"problems":[{"code":"bad_input","pointer":"/at"}]}`,
		`{"event":{"event":"ticked"},"elapsed":5}`: `1 {"problems":[{"code":"bad_input","pointer":"/at"}]}`,
		`{"event":"exploded"}`:                     `"pointer":"/event"`,
		`{"list":"grants"}`:                        `0 {"grants":[]}`,
		`{"event":"ticked"}`:                       `0 {"effects":[]}`,
	} {
		if got := p.step(input); !strings.Contains(got, want) {
			t.Errorf("%s: %s", input, got)
		}
	}
	plain, _, _ := p.table.Open([]byte(strings.Replace(pullOpening, `"pull":true,`, "", 1)), nil)
	for _, c := range []struct {
		h      Handle
		input  string
		status Status
	}{{plain, "{}", UnknownHandle}, {77, "{}", UnknownHandle}, {p.handle, "[]", Invalid}, {p.handle, `{"x":1}`, Invalid},
		{p.handle, `{"failed":1}`, Invalid}, {p.handle, `{"at":-1}`, Invalid}, {p.handle, "", OK}} {
		if _, out, status := p.table.Call(OpNext, c.h, []byte(c.input), nil); status != c.status {
			t.Errorf("%s: %d %s", c.input, status, out)
		}
	}
	if _, out, status := p.table.Call(OpOpen, 0, []byte(`{"relay":{"server":"s"},"pull":1}`), nil); status != Invalid {
		t.Errorf("open: %s", out)
	}
}
