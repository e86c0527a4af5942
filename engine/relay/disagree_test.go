package relay

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/mcp"
	"github.com/elicit-engine/elicit/engine/wire"
)

// FuzzDisagreement checks that in every message that goes on to a peer, every reader finds what the machine found. No
// reader may find a question in what the client gets, or an answer to the open question or to a round in what the
// server gets.
func FuzzDisagreement(f *testing.F) {
	for _, line := range hostileLines(f) {
		f.Add([]byte(line.text), line.from == Server)
	}
	f.Fuzz(func(t *testing.T, line []byte, fromServer bool) {
		from := Client
		if fromServer {
			from = Server
		}
		checkAgreement(t, from, line)
	})
}

// TestUnreadableRequestUnderAnOpenID shows that an error under the id of an open request would pass for its answer.
func TestUnreadableRequestUnderAnOpenID(t *testing.T) {
	for _, id := range []string{"77", "88"} {
		m := ready(t)
		line := `{"jsonrpc":"2.0","id":` + id + `,"method":"sampling/createMessage","x":1,"x":2}`
		for _, effect := range m.Step(Input{At: 2, Event: Received{From: Server}, Message: []byte(line)}) {
			if s, ok := effect.(Send); ok && !strings.Contains(string(s.Message), `"id":null`) {
				t.Errorf("the %s gets %s", s.To, s.Message)
			}
		}
	}
}

// TestReadersAct checks that the models are useful: each finds something other than the gate does in some line.
func TestReadersAct(t *testing.T) {
	acts := map[string]bool{}
	for _, line := range hostileLines(t) {
		var m gate.Message
		strict := gate.New(new(mcp.Dialogue).Vocabulary())
		problem := strict.Read(&m, []byte(line.text))
		for name, found := range findings(line.text) {
			for _, one := range found {
				if problem != nil || one.kind != m.Kind || m.Kind != gate.Batch && one.method != words(m.Name) {
					acts[name] = true
				}
			}
		}
	}
	for name := range findings("") {
		if !acts[name] {
			t.Errorf("no line is read otherwise by %s", name)
		}
	}
}

// TestHostileLinesAgree checks the lines themselves, and cuts of them, as FuzzDisagreement does.
func TestHostileLinesAgree(t *testing.T) {
	lines := hostileLines(t)
	for _, line := range lines {
		checkAgreement(t, line.from, []byte(line.text))
		for _, end := range []string{"\r", "\x00", " ", "\u2028", "\uFEFF", "}"} {
			checkAgreement(t, line.from, []byte(line.text+end))
			checkAgreement(t, line.from, []byte(end+line.text))
		}
	}
}

// TestOddSpellingsAgree checks messages whose spelling is odd, in many combinations of their members, from both ends.
func TestOddSpellingsAgree(t *testing.T) {
	ids := []string{`5`, `"5"`, `5.0`, `50e-1`, `"5e0"`, `77`, `"77"`, `77.0`, `88`, `"88"`, `8.8e1`, `1e999`,
		`-0`, `1.5`, `9007199254740993`, `null`, `"s"`}
	members := []string{`"method":"elicitation/create"`, `"method":"ping"`, `"method":null`, `"params":null`,
		`"params":{}`, `"result":null`, `"result":{"resultType":"input_required"}`, `"error":null`,
		`"error":{"code":-3.2042e4,"message":"m"}`, `"error":{"code":4294935254,"message":"m"}`}
	for _, id := range ids {
		for chosen := range 1 << len(members) {
			line := ` {"jsonrpc":"2.0","id":` + id
			for i, member := range members {
				if chosen&(1<<i) != 0 {
					line += "," + member
				}
			}
			if bits.OnesCount(uint(chosen)) <= 4 {
				checkAgreement(t, Client, []byte(line+"}\r"))
				checkAgreement(t, Server, []byte("["+line+"}] "))
				checkAgreement(t, Server, []byte(line+"}"))
			}
		}
	}
}

// findings returns what every reader finds in a line.
func findings(line string) map[string][]finding {
	all := map[string][]finding{}
	for _, r := range readers {
		all[r.name] = r.read(line)
	}
	for name, read := range realReaders {
		all[name] = read(line)
	}
	return all
}

// ready returns a connection in full use: calls 5 and "s" are open, the client has the server's request 88, and a
// person has its question 77.
func ready(t testing.TB) *Machine {
	m, _, problems := New(Config{Server: "s", Modes: elicit.Modes{Form: true, URL: true}}, Input{At: 1})
	if problems != nil {
		t.Fatal(problems)
	}
	for _, said := range []struct {
		from End
		text string
	}{
		{Client, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
			`"capabilities":{"sampling":{}},` +
			`"clientInfo":{"name":"c","version":"1"}}}`},
		{Server, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},` +
			`"serverInfo":{"name":"s","version":"1"}}}`},
		{Client, `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"a","arguments":{}}}`},
		{Client, `{"jsonrpc":"2.0","id":"s","method":"tools/list"}`},
		{Server, `{"jsonrpc":"2.0","id":88,"method":"sampling/createMessage","params":{}}`},
		{Server, `{"jsonrpc":"2.0","id":77,"method":"elicitation/create","params":{"message":"Sure?",` +
			`"requestedSchema":{"type":"object","properties":{}}}}`},
	} {
		m.Step(Input{At: 1, Event: Received{From: said.from}, Message: []byte(said.text)})
	}
	if m.decider.Open() != 1 || len(m.client.asks) != 1 || len(m.calls.ByServer) != 2 {
		t.Fatalf("%d questions, %d requests and %d calls are open", m.decider.Open(), len(m.client.asks),
			len(m.calls.ByServer))
	}
	return m
}

func checkAgreement(t *testing.T, from End, line []byte) {
	t.Helper()
	for _, effect := range ready(t).Step(Input{At: 2, Event: Received{From: from}, Message: line}) {
		switch ef := effect.(type) {
		case Forward:
			checkSaid(t, line, ef.To, string(line))
		case Send:
			if string(ef.Message) != takenBackAnswer {
				checkSaid(t, line, ef.To, string(ef.Message))
			}
		}
	}
}

// takenBackAnswer is the machine's own answer when the call of the open question has ended.
const takenBackAnswer = `{"jsonrpc":"2.0","id":77,"result":{"action":"cancel"}}`

// checkSaid compares what a peer gets with what every reader finds in it.
func checkSaid(t *testing.T, line []byte, to End, said string) {
	t.Helper()
	want, err := gateFindings(said)
	if err != nil {
		t.Fatalf("%q: the %s gets %q, which the gate refuses: %v", line, to, said, err)
	}
	for name, found := range findings(said) {
		if len(found) == 0 {
			continue // this reader takes the line for no message
		}
		if len(found) != len(want) {
			t.Fatalf("%q: in %q %s finds %d messages, the gate %d", line, said, name, len(found), len(want))
		}
		for i, one := range found {
			if problem := one.differs(want[i], to); problem != "" {
				t.Fatalf("%q: in %q %s finds %s", line, said, name, problem)
			}
		}
	}
}

func (f finding) differs(want finding, to End) string {
	switch {
	case f.kind != want.kind:
		return fmt.Sprintf("a message of kind %d, the gate %d", f.kind, want.kind)
	case f.method != want.method:
		return fmt.Sprintf("method %q, the gate %q", f.method, want.method)
	case !sameID(f.id, want.id):
		return fmt.Sprintf("id %s, the gate %s", f.id, want.id)
	case to == Client && (f.asks || f.method == "elicitation/create"):
		return "a question"
	case to == Server && f.brings:
		return "answers of a round"
	case to == Server && (f.kind == gate.Result || f.kind == gate.Failure) && number77(f.id):
		return "an answer to the open question"
	}
	return ""
}

func gateFindings(said string) ([]finding, error) {
	g := gate.New(new(mcp.Dialogue).Vocabulary())
	var m gate.Message
	problem := g.Read(&m, []byte(said))
	if problem != nil {
		return nil, fmt.Errorf("%+v", *problem)
	}
	if m.Odd {
		return nil, errors.New("its spelling is odd")
	}
	all := []gate.Message{m}
	if m.Kind == gate.Batch {
		all = nil
		list, _ := wire.Elements([]byte(said), maxBatch)
		for _, raw := range list {
			var one gate.Message
			problem := g.ReadValue(&one, raw)
			if problem != nil {
				return nil, fmt.Errorf("%+v", *problem)
			}
			if one.Odd {
				return nil, errors.New("its spelling is odd")
			}
			all = append(all, one)
		}
	}
	var found []finding
	for _, m := range all {
		found = append(found, finding{kind: m.Kind, method: words(m.Name), id: string(m.ID)})
	}
	return found, nil
}

func words(raw []byte) string {
	s, _ := wire.Text(raw)
	return s
}

// sameID compares an id as read with its spelling. A reader may spell it differently.
func sameID(read, spelled string) bool {
	if read == spelled {
		return true
	}
	a, _, _ := readLenient(read)
	b, _, _ := readLenient(spelled)
	if a.kind == '"' || b.kind == '"' {
		return a.kind == b.kind && a.words == b.words
	}
	x, err := strconv.ParseFloat(read, 64)
	y, other := strconv.ParseFloat(spelled, 64)
	return err == nil && other == nil && x == y
}

// number77 reports whether some reader takes an id for 77.
func number77(id string) bool {
	n, _, _ := readLenient(id)
	for n.kind == '[' && len(n.items) == 1 {
		n = n.items[0]
	}
	text := n.text
	if n.kind == '"' {
		text = strings.ReplaceAll(strings.TrimSpace(cString(n.words)), "_", "")
	}
	x, err := strconv.ParseFloat(text, 64)
	return err == nil && math.Trunc(x) == 77
}
