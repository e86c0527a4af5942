package relay

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// rig drives a machine as a host does that keeps every record.
type rig struct {
	t       *testing.T
	m       *Machine
	now     int64
	records []byte
	effects []Effect // of the last step
}

func open(t *testing.T, config Config) *rig {
	t.Helper()
	if config.Session == nil {
		config.Session = &Session{Version: "2025-11-25", Declared: elicit.Modes{Form: true, URL: true}}
	}
	config.Server, config.Modes = "backup", elicit.Modes{Form: true, URL: true}
	m, effects, problems := New(config, Input{Random: [32]byte{1}})
	if problems != nil {
		t.Fatal(problems)
	}
	r := &rig{t: t, m: m}
	r.keep(effects)
	return r
}

func (r *rig) keep(effects []Effect) {
	r.effects = append(r.effects[:0], effects...)
	for _, next := range effects {
		switch ef := next.(type) {
		case effect.Append:
			r.records = append(append(r.records, ef.Record...), '\n')
		case NewJournal:
			r.records = r.records[:0]
		}
	}
}

func (r *rig) step(ev Event, message string) {
	r.now++
	random := [32]byte{byte(r.now), byte(r.now >> 8), byte(r.now >> 16)}
	r.keep(r.m.Step(Input{At: r.now, Random: random, Event: ev, Message: []byte(message)}))
}

func (r *rig) client(message string) { r.step(Received{From: Client}, message) }
func (r *rig) server(message string) { r.step(Received{From: Server}, message) }

// said returns every effect of the last step but records, one a line.
func (r *rig) said() string {
	var b strings.Builder
	for _, next := range r.effects {
		if _, record := next.(effect.Append); !record {
			b.Write(append(next.AppendJSON(nil), '\n'))
		}
	}
	return strings.ReplaceAll(b.String(), r.m.Prefix(), "elicit-")
}

// want checks that every text is in the effects of the last step, and that no text after a "!" is.
func (r *rig) want(texts ...string) {
	r.t.Helper()
	for _, text := range texts {
		if text, not := strings.CutPrefix(text, "!"); strings.Contains(r.said(), text) == not {
			r.t.Errorf("wanted %q (not: %v) in\n%s", text, not, r.said())
		}
	}
}

func (r *rig) shown() elicit.ID {
	r.t.Helper()
	for _, next := range r.effects {
		if s, ok := next.(effect.Show); ok {
			return s.ID
		}
	}
	r.t.Fatalf("nothing is shown by\n%s", r.said())
	return ""
}

// replays checks that the records since the last new journal replay byte for byte.
func (r *rig) replays() {
	r.t.Helper()
	n := bytes.Count(r.records, []byte("\n"))
	if got := engine.Replay(r.records, nil); got.Problem != nil || int(got.Records) != n {
		r.t.Errorf("the journal of %d records replays %d of them: %v", n, got.Records, got.Problem)
	}
}

func asking(id int, text string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":{"message":%q,"requestedSchema":`+
		`{"type":"object","properties":{"day":{"type":"string"}}}}}`, id, text)
}

// breaking makes the engine fail whenever when returns true, until the test ends.
func breaking(t *testing.T, when func(event.Event) bool) {
	breaks = func(in engine.Input) {
		if when(in.Event) {
			panic("broken for a test")
		}
	}
	t.Cleanup(func() { breaks = nil })
}

func asks(text string) func(event.Event) bool {
	return func(ev event.Event) bool {
		asked, ok := ev.(event.Asked)
		return ok && asked.Message == text
	}
}

// once returns true at the first event for which when does.
func once(when func(event.Event) bool) func(event.Event) bool {
	done := false
	return func(ev event.Event) bool {
		now := !done && when(ev)
		done = done || now
		return now
	}
}

func is[E event.Event](ev event.Event) bool { _, ok := ev.(E); return ok }

func accept(id elicit.ID) event.Answered {
	return event.Answered{Session: "form+url", ID: id, Action: elicit.Accept, Content: []byte(`{"day":"Monday"}`)}
}

func TestQuestionThatBreaksTheEngine(t *testing.T) {
	breaking(t, asks("Boom?"))
	r := open(t, Config{})
	r.server(asking(1, "Which day?"))
	id := r.shown()
	r.server(asking(2, "Boom?"))
	r.want(`"effect":"new_journal"`, "engine_replaced", `{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":`,
		`"ref":"1"`, `!\"id\":1,`)
	if again := r.shown(); again != id {
		t.Errorf("the question before is shown as %s, was %s", again, id)
	}
	r.step(accept(id), "")
	r.want(`{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"accept\"`)
	r.server(asking(3, "And now?"))
	r.shown()
	r.replays()
}

func TestAnswerThatBreaksTheEngine(t *testing.T) {
	r := open(t, Config{})
	r.server(asking(1, "Which day?"))
	id := r.shown()
	breaking(t, once(is[event.Answered]))
	r.step(accept(id), "")
	r.want("new_journal", `!"effect":"send"`, `!"effect":"settled"`)
	r.step(accept(r.shown()), "")
	r.want(`\"id\":1,\"result\":{\"action\":\"accept\"`)
	r.replays()
}

// TestWithdrawalThatBreaksTheEngine checks that a question leaves the screen even if the engine fails while
// withdrawing it.
func TestWithdrawalThatBreaksTheEngine(t *testing.T) {
	r := open(t, Config{})
	r.server(asking(1, "Which day?"))
	r.server(asking(2, "Next?"))
	breaking(t, once(is[event.Cancelled]))
	r.server(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	r.want("new_journal", `"effect":"withdraw"`, `"effect":"show"`, `"ref":"2"`, `!"effect":"send"`)
	r.replays()
}

func TestClientIsNotAskedAgainByANewEngine(t *testing.T) {
	breaking(t, asks("Boom?"))
	r := open(t, Config{Ask: AskClient})
	r.server(asking(1, "Which day?"))
	r.want(`{\"jsonrpc\":\"2.0\",\"id\":\"elicit-1\",\"method\":\"elicitation/create\"`)
	r.server(asking(2, "Boom?"))
	r.want("new_journal", `!elicit-2`)
	r.client(`{"jsonrpc":"2.0","id":"` + r.m.Prefix() + `1","result":{"action":"decline"}}`)
	r.want(`\"id\":1,\"result\":{\"action\":\"decline\"`)
}

// TestTaskAndANewEngine: a client that has not answered keeps the key of a question, and one that has gets another key,
// because clients ignore a key that they have answered.
func TestTaskAndANewEngine(t *testing.T) {
	r := open(t, Config{Ask: AskClient})
	lists := `,"inputRequests":{` + listsDay + `}`
	r.task(1, "t", "input_required", lists)
	r.want(`\"inputRequests\":{\"day\":`)
	breaking(t, once(asks("Boom?")))
	r.server(asking(90, "Boom?"))
	r.want("new_journal")
	r.task(2, "t", "input_required", lists)
	r.want(`\"inputRequests\":{\"day\":`)
	update := func(key string) {
		r.client(`{"jsonrpc":"2.0","id":3,"method":"tasks/update","params":{"taskId":"t","inputResponses":{"` + key +
			`":{"action":"decline"}},` + tasksMeta + `}}`)
	}
	breaking(t, once(is[event.Answered]))
	update("day")
	r.want("new_journal", `!"to":"server"`)
	r.task(4, "t", "input_required", lists)
	r.want(`\"inputRequests\":{\"elicit-1\":`)
	update(r.m.Prefix() + "1")
	r.want(`\"inputResponses\":{\"day\":{\"action\":\"decline\"}}`)
}

// TestHeldCallThatBreaksTheEngine: without a record that it is sent, no held call is sent.
func TestHeldCallThatBreaksTheEngine(t *testing.T) {
	for _, forever := range []bool{false, true} {
		r := open(t, Config{HoldCalls: true})
		r.client(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"save"}}`)
		breaking(t, func(ev event.Event) bool { return is[event.Called](ev) || forever && is[event.Configured](ev) })
		r.step(event.Answered{Session: "form", ID: r.shown(), Action: elicit.Accept}, "")
		r.want(`{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":`, `\"code\":\"internal\"`, `!"to":"server"`)
		breaks = nil
	}
}

// TestRecordsBeforeANewJournal: records of the engine that failed are kept before the journal of the new one begins.
func TestRecordsBeforeANewJournal(t *testing.T) {
	r := open(t, Config{})
	for id := range 3 {
		r.client(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"save"}}`, id))
		r.server(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32042,"message":"m","data":{"elicitations":[{`+
			`"mode":"url","message":"m","url":"https://example.com/%d","elicitationId":"e%d"}]}}}`, id, id, id))
	}
	breaking(t, once(func(ev event.Event) bool {
		cancelled, ok := ev.(event.Cancelled)
		return ok && cancelled.Parent == "1"
	}))
	r.step(Ended{Client}, "")
	r.want("new_journal", `\"id\":2,\"error\":`)
	r.replays()
}

func TestBrokenEngineAtTheEnd(t *testing.T) {
	r := open(t, Config{})
	r.server(asking(1, "Which day?"))
	r.server(asking(2, "Next?"))
	breaking(t, once(is[event.Closed]))
	r.step(Ended{Client}, "")
	r.want(`\"id\":1,\"error\":`, `\"id\":2,\"error\":`, `{"effect":"close","end":"server"}`)
}

// TestNewEngineHasTheLatestConfiguration checks that a policy that was tightened while the connection was open still
// holds after the engine failed.
func TestNewEngineHasTheLatestConfiguration(t *testing.T) {
	r := open(t, Config{})
	const config = `{"policy":{"user":{"version":1,"rules":[{"when":{},"then":"decline"}]}}}`
	r.step(event.Configured{Config: []byte(config)}, "")
	r.step(event.Configured{Config: []byte(`{"policy":7}`)}, "")
	r.want("problem")
	breaking(t, asks("Boom?"))
	r.server(asking(1, "Boom?"))
	r.want("new_journal")
	r.server(asking(2, "Which day?"))
	r.want(`\"id\":2,\"result\":{\"action\":\"decline\"}`)
	r.replays()
}

// TestRevokedGrantStaysRevoked makes the engine fail after a grant of the configuration was revoked.
func TestRevokedGrantStaysRevoked(t *testing.T) {
	confirm := `{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":{"message":"Go on?",` +
		`"requestedSchema":{"type":"object","properties":{}}}}`
	config := `{"policy":{"user":{"version":1,"grants":"always"}}%s}`
	always := effect.Remember{}
	r := open(t, Config{Engine: fmt.Appendf(nil, config, ""), Identity: "npx backup"})
	r.client(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"save"}}`)
	r.server(fmt.Sprintf(confirm, 1))
	answer := event.Answered{Session: "form+url", ID: r.shown(), Action: elicit.Accept, Content: []byte(`{}`),
		Remember: elicit.Wish{Scope: elicit.Always}}
	r.step(answer, "")
	for _, next := range r.effects {
		if ef, ok := next.(effect.Remember); ok {
			always = ef
		}
	}
	if always.Grant.ID == "" {
		t.Fatalf("nothing is remembered by\n%s", r.said())
	}

	r = open(t, Config{Engine: fmt.Appendf(nil, config, `,"grants":[`+string(always.Grant.AppendJSON(nil))+`]`),
		Identity: "npx backup"})
	r.client(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"save"}}`)
	r.server(fmt.Sprintf(confirm, 1))
	r.want(`\"id\":1,\"result\":{\"action\":\"accept\"`)
	r.step(event.Revoked{Grant: always.Grant.ID}, "")
	breaking(t, asks("Boom?"))
	r.server(asking(2, "Boom?"))
	r.want("new_journal")
	r.server(fmt.Sprintf(confirm, 3))
	r.shown()
	r.replays()
}

// TestGrantsOutliveAConfigurationWithoutAny breaks the engine after a configuration without a list of grants, which
// keeps those there were.
func TestGrantsOutliveAConfigurationWithoutAny(t *testing.T) {
	confirm := `{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":{"message":"Go on?",` +
		`"requestedSchema":{"type":"object","properties":{}}}}`
	config := `{"policy":{"user":{"version":1,"grants":"always"}}%s}`
	r := open(t, Config{Engine: fmt.Appendf(nil, config, ""), Identity: "npx backup"})
	r.client(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"save"}}`)
	r.server(fmt.Sprintf(confirm, 1))
	r.step(event.Answered{Session: "form+url", ID: r.shown(), Action: elicit.Accept, Content: []byte(`{}`),
		Remember: elicit.Wish{Scope: elicit.Always}}, "")
	grants := string(elicit.AppendList(nil, r.m.Grants()))
	if len(r.m.Grants()) != 1 {
		t.Fatalf("grants are %s", grants)
	}
	for _, list := range []string{"", `,"grants":[]`} {
		given := fmt.Appendf(nil, config, `,"grants":`+grants)
		r = open(t, Config{Engine: given, Identity: "npx backup"})
		r.client(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"save"}}`)
		r.step(event.Configured{Config: fmt.Appendf(nil, config, `,"limits":{"queue":9}`+list)}, "")
		breaking(t, asks("Boom?"))
		r.server(asking(2, "Boom?"))
		r.want("new_journal")
		r.server(fmt.Sprintf(confirm, 3))
		if list == "" {
			r.want(`\"id\":3,\"result\":{\"action\":\"accept\"`)
		} else {
			r.shown()
		}
		r.replays()
	}
}

// TestEngineThatAlwaysBreaks holds that a step ends, that everything open gets an error, and that messages still pass.
func TestEngineThatAlwaysBreaks(t *testing.T) {
	r := open(t, Config{})
	r.server(asking(1, "Which day?"))
	breaking(t, func(event.Event) bool { return true })
	r.server(asking(2, "Next?"))
	r.want(`\"id\":1,\"error\":`, `\"id\":2,\"error\":`, `"effect":"withdraw"`)
	r.server(asking(3, "Later?"))
	r.want(`\"id\":3,\"error\":`, `"code":"internal"`, "!new_journal")
	r.client(`{"jsonrpc":"2.0","id":5,"method":"ping"}`)
	r.want(`{"effect":"forward","to":"server"}`)
	r.server(`{"jsonrpc":"2.0","id":5,"result":{}}`)
	r.want(`{"effect":"forward","to":"client"}`)
	r.step(Ended{Server}, "")
	r.want(`{"effect":"close","end":"client"}`)
	if _, _, problems := New(Config{Server: "s"}, Input{}); len(problems) != 1 || problems[0].Code != "internal" {
		t.Errorf("opening with a broken engine: %v", problems)
	}
}

// TestEngineIsReplacedAFewTimes checks that a peer that can make the engine fail cannot fill a disk with journals.
func TestEngineIsReplacedAFewTimes(t *testing.T) {
	breaking(t, asks("Boom?"))
	r := open(t, Config{})
	journals := 0
	for i := range 100 {
		r.server(asking(i, "Boom?"))
		r.want(fmt.Sprintf(`\"id\":%d,\"error\":`, i))
		if strings.Contains(r.said(), "new_journal") {
			journals++
		}
	}
	if journals != 8 { // docs/reference/relay.md says so
		t.Errorf("%d new journals, want 8", journals)
	}
}

// TestAnswerBeforeTheNewEngineShows checks that a client which answers before a new engine shows its question is asked
// again when the engine does, and not over and over.
func TestAnswerBeforeTheNewEngineShows(t *testing.T) {
	const modes = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{},"url":{}}}}`
	call := func(id int, more string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"t",%s%s}}`, id, modes, more)
	}
	round := func(id int, text string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"resultType":"input_required","inputRequests":{"k":{"method":`+
			`"elicitation/create","params":{"message":%q,"requestedSchema":{"type":"object","properties":{}}}}}}}`, id, text)
	}
	m, _, _ := New(Config{Server: "backup", Ask: AskClient, Modes: elicit.Modes{Form: true, URL: true},
		Engine: []byte(`{"limits":{"shown":1}}`)}, Input{Random: [32]byte{1}})
	r := &rig{t: t, m: m}
	breaking(t, asks("broken"))
	r.client(call(1, ""))
	r.server(round(1, "first")) // opens the session of rounds, which the new engine gets first
	token, _, _ := strings.Cut(strings.SplitN(r.said(), `\"requestState\":\"`, 2)[1], `\"`)
	r.client(call(2, `,"requestState":"`+strings.Replace(token, "elicit-", r.m.Prefix(), 1)+
		`","inputResponses":{"k":{"action":"decline"}}`))
	r.client(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
		`"capabilities":{"elicitation":{}},"clientInfo":{"name":"c","version":"1"}}}`)
	r.server(`{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{},` +
		`"serverInfo":{"name":"s","version":"1"}}}`)
	r.server(asking(10, "with the client"))
	r.want("with the client")
	r.client(call(3, ""))
	r.server(round(3, "waits"))
	r.want("!input_required")
	r.server(asking(11, "broken"))
	r.want("engine_replaced", "input_required", "elicit-4")
	r.client(`{"jsonrpc":"2.0","id":"` + r.m.Prefix() + `3","result":{"action":"accept","content":{}}}`)
	r.want("not_shown", "!elicitation/create")
	r.client(call(4, `,"requestState":"`+r.m.Prefix()+`4","inputResponses":{"k":{"action":"decline"}}`))
	r.want("with the client", "elicitation/create", "!not been sent")
	r.client(`{"jsonrpc":"2.0","id":"` + r.m.Prefix() + `5","result":{"action":"accept","content":{}}}`)
	r.want(`\"id\":10,\"result\"`)
}

// TestAnswerInTheStepOfANewEngine checks that a question is not shown again in the step that takes its answer.
func TestAnswerInTheStepOfANewEngine(t *testing.T) {
	r := open(t, Config{CallOver: 1000})
	breaking(t, func(ev event.Event) bool { _, ok := ev.(event.Cancelled); return ok })
	r.server(asking(10, "stays"))
	id := r.shown()
	r.client(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}`)
	r.server(asking(11, "ends with its call"))
	r.server(`{"jsonrpc":"2.0","id":1,"result":{}}`)
	r.now += 5000
	r.step(event.Answered{Session: "form+url", ID: id, Action: elicit.Decline}, "")
	r.want("engine_replaced", `"settled"`, `"outcome":"decline"`,
		"!"+`{"effect":"show","session":"form+url","id":"`+string(id))
}

// TestEndOfAQuestionBreaksTheEngine checks that a question leaves the screen if the engine fails for good while the
// reply to that question is performed.
func TestEndOfAQuestionBreaksTheEngine(t *testing.T) {
	ended := false
	breaking(t, func(ev event.Event) bool {
		ended = ended || is[event.Ticked](ev)
		return ended && !is[event.Ticked](ev)
	})
	r := open(t, Config{Engine: []byte(`{"limits":{"answer_ttl_ms":9000}}`)})
	r.client(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}`)
	r.server(`{"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"m","data":{"elicitations":[{"mode":"url",` +
		`"message":"Sign in.","url":"https://u.example/q","elicitationId":"e"}]}}}`)
	r.want(`"effect":"show"`, "https://u.example/q")
	id := r.shown()
	r.now += 9000
	r.step(event.Ticked{}, "")
	r.want(`"effect":"settled"`, "engine_replaced", `{"effect":"withdraw","session":"form+url","id":"`+string(id))
}

// TestWithdrawalBreaksTheEngine checks that a question which an agent took back leaves its place to the next one, also
// if the engine fails at that: the new engine still has the question, and must be told as well.
func TestWithdrawalBreaksTheEngine(t *testing.T) {
	r := open(t, Config{Protocol: ACP, Session: &Session{Version: "1", Declared: elicit.Modes{Form: true}}})
	once := true
	breaking(t, func(ev event.Event) bool {
		fails := once && is[event.Cancelled](ev)
		once = once && !fails
		return fails
	})
	for id := range 2 {
		r.server(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":{"sessionId":"s",`+
			`"mode":"form","message":"question %[1]d","requestedSchema":{"type":"object","properties":{}}}}`, id))
	}
	r.server(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":0}}`)
	r.want("engine_replaced", `\"id\":0,\"result\"`, `"message":"question 1"`, `"effect":"show"`)
}

// TestOneMistakeInAConfiguration has no machine for a Go host that makes a single mistake.
func TestOneMistakeInAConfiguration(t *testing.T) {
	for code, c := range map[string]Config{"missing": {}, "acp_only": {Server: "s", ACPChain: true},
		"limit_out_of_range": {Server: "s", CallOver: -1}} {
		m, effects, problems := New(c, Input{})
		if m != nil || effects != nil || len(problems) != 1 || problems[0].Code != code {
			t.Errorf("%s: %v, %d effects", code, problems, len(effects))
		}
	}
}

// TestLinesOfALongAnswer has an answer over lines that are looked at up to 256 KiB, and not beyond.
func TestLinesOfALongAnswer(t *testing.T) {
	for size, fails := range map[int]bool{256<<10 - 100: true, 256<<10 + 1: false} {
		r := open(t, Config{})
		r.client(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
		r.server(`{"jsonrpc":"2.0",`)
		r.server(`"x":"` + strings.Repeat("a", size) + `",`)
		r.server(`"id":1,"result":{}}`)
		r.now += 2000
		r.step(event.Ticked{}, "")
		if got := strings.Contains(r.said(), "-32603"); got != fails {
			t.Errorf("%d bytes fail the call: %v", size, got)
		}
	}
}
