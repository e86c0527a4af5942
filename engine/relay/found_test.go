package relay

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay/internal/mcp"
)

// TestModel found these connections. Each is as short as possible.

func TestIDsOfTheMachineAreRefused(t *testing.T) {
	r := open(t, Config{Ask: AskClient})
	next := `"` + r.m.Prefix() + `1"`
	r.server(`{"jsonrpc":"2.0","id":` + next + `,"method":"ping"}`)
	r.want(`\"id\":\"elicit-1\",\"error\"`, `!"effect":"forward"`)
	r.client(`{"jsonrpc":"2.0","id":` + next + `,"method":"ping"}`)
	r.want(`\"id\":\"elicit-1\",\"error\"`, `!"effect":"forward"`)
	r.server(asking(5, "Which day?"))
	r.want(`\"id\":\"elicit-1\",\"method\":\"elicitation/create\"`)
	r.server(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + next + `}}`)
	r.want(`!"effect":"forward"`)
}

func TestCancellationOfARequestWithAnyID(t *testing.T) {
	r := open(t, Config{})
	r.server(`{"jsonrpc":"2.0","id":1.0,"method":"ping"}`)
	r.server(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1.0}}`)
	r.want(`\"requestId\":1}`) // the client has the request under 1
	r.client(`{"jsonrpc":"2.0","id":1.0,"result":{}}`)
	r.want(`answer_unasked`, `!"effect":"forward"`)
}

func TestCancellationWhileTheHostLeaves(t *testing.T) {
	r := open(t, Config{})
	r.client(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	r.step(Ended{Host}, "")
	r.client(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	r.server(`{"jsonrpc":"2.0","id":1,"result":{}}`)
	r.want(`!"effect":"forward"`)
}

func TestRequestUnderAnOpenIDWhileTheHostLeaves(t *testing.T) {
	r := open(t, Config{})
	r.client(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	r.step(Ended{Host}, "")
	r.client(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	r.want(`ref_in_use`, `!"effect":"send"`)
}

const roundsMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}`

// entries returns the questions of a round, with the keys a, b, …
func entries(texts ...string) string {
	var list []string
	for i, text := range texts {
		list = append(list, fmt.Sprintf(`"%c":{"method":"elicitation/create","params":{"message":%q,`+
			`"requestedSchema":{"type":"object","properties":{}}}}`, 'a'+i, text))
	}
	return strings.Join(list, ",")
}

// TestRoundIsHandedOverInParts checks that a round ends even if the engine shows only one question at a time.
func TestRoundIsHandedOverInParts(t *testing.T) {
	r := open(t, Config{Ask: AskClient})
	r.client(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"save",` + roundsMeta + `}}`)
	r.server(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{` +
		entries("First?", "Second?") + `}}}`)
	r.want(`First?`, `\"requestState\":\"elicit-1\"`)
	retry := `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"save",` + roundsMeta +
		`,"requestState":"%s","inputResponses":{"%s":{"action":"accept","content":{}}}}}`
	r.client(fmt.Sprintf(retry, 2, r.m.Prefix()+"1", "a"))
	r.want(`Second?`, `!First?\",\"req`, `\"requestState\":\"elicit-2\"`, `\"id\":2`)
	r.client(fmt.Sprintf(retry, 3, r.m.Prefix()+"2", "b"))
	r.want(`"to":"server"`, `\"a\":{\"action\":\"accept\"`, `\"b\":{\"action\":\"accept\"`)
}

// TestQuestionBesideARoundThatTheJournalFails checks that no cancel is sent without a record.
func TestQuestionBesideARoundThatTheJournalFails(t *testing.T) {
	r := open(t, Config{})
	r.client(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"save",` + roundsMeta + `}}`)
	r.server(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{` + entries("First?") +
		`}}}`)
	r.server(asking(7, "Beside?"))
	r.client(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	r.step(AppendFailed{}, "")
	r.want(`\"id\":7,\"error\"`, `!\"action\":\"cancel\"`)
}

func TestWithdrawnCallThatBreaksTheEngine(t *testing.T) {
	r := open(t, Config{})
	r.client(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"save",` + roundsMeta + `}}`)
	r.server(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{` + entries("First?") +
		`}}}`)
	breaking(t, once(is[event.Cancelled]))
	r.client(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	r.want(`new_journal`, `"effect":"withdraw"`)
}

const aGuardian = `{"guardians":[{"name":"g","host":true,"reads":["/request"],"deadline_ms":1500}]}`

// consulted returns a guardian's output to the consult of the last step.
func (r *rig) consulted(output string) {
	r.t.Helper()
	for _, next := range r.effects {
		if c, ok := next.(effect.Consult); ok {
			r.step(c.Answer(event.Consulted{Output: output}), "")
			return
		}
	}
	r.t.Fatalf("no guardian is asked by\n%s", r.said())
}

// TestGuardianAskedAgainByANewEngine checks that a question leaves the screen if a new engine does not show it again.
func TestGuardianAskedAgainByANewEngine(t *testing.T) {
	r := open(t, Config{Engine: []byte(aGuardian)})
	r.server(asking(1, "Which day?"))
	r.consulted(`{"v":1,"decision":"pass"}`)
	r.shown()
	breaking(t, once(is[event.Answered]))
	r.step(event.Answered{Session: "form+url", ID: r.shown(), Action: elicit.Decline}, "")
	r.want("new_journal", `!"effect":"show"`)
	r.consulted(`{"v":1,"decision":"deny"}`)
	r.want(`"effect":"withdraw"`, `\"id\":1,\"result\":{\"action\":\"decline\"`)
}

// TestQuestionUnderAnOpenIDOfAnotherSession checks that the engine does not get a question whose answer could not be
// told from the answer to an earlier question.
func TestQuestionUnderAnOpenIDOfAnotherSession(t *testing.T) {
	r := open(t, Config{})
	r.server(asking(1, "First?"))
	id := r.shown()
	r.begins("2025-06-18")
	r.server(asking(1, "Second?"))
	r.want(`ref_in_use`, `\"id\":null`, `!"effect":"question"`)
	r.step(event.Answered{Session: "form+url", ID: id, Action: elicit.Decline}, "")
	r.want(`\"id\":1,\"result\":{\"action\":\"decline\"`, `!"effect":"show"`)
}

// begins makes the ends agree on another session.
func (r *rig) begins(version string) {
	r.client(fmt.Sprintf(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":%q,`+
		`"capabilities":{"elicitation":{}},"clientInfo":{"name":"c"}}}`, version))
	r.server(fmt.Sprintf(`{"jsonrpc":"2.0","id":"i","result":{"protocolVersion":%q,"capabilities":{},`+
		`"serverInfo":{"name":"s"}}}`,
		version))
}

// TestQuestionThatANewEngineStillHolds withdraws a question, which makes the engine fail, and uses its id in another
// session.
func TestQuestionThatANewEngineStillHolds(t *testing.T) {
	r := open(t, Config{})
	r.server(asking(1, "Shown?"))
	r.server(asking(2, "Taken back?"))
	breaking(t, once(is[event.Cancelled]))
	r.server(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`)
	id := r.shown()
	r.begins("2025-06-18")
	r.server(asking(2, "New?"))
	r.step(event.Answered{Session: "form+url", ID: id, Action: elicit.Decline}, "")
	r.want(`"message":"New?"`, `!"message":"Taken back?"`)
	r.step(event.Answered{Session: "form", ID: r.shown(), Action: elicit.Decline}, "")
	r.want(`\"id\":2,\"result\":{\"action\":\"decline\"`)
}

const (
	roundsCall  = `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"save",` + roundsMeta + `}}`
	roundsRetry = `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"save",` + roundsMeta +
		`,"requestState":"%s","inputResponses":{"%s":{"action":"accept","content":{}}}}}`
)

func asksRound(id int, texts ...string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"resultType":"input_required","inputRequests":{%s}}}`, id,
		entries(texts...))
}

// TestIDOfAHandedCallUsedAgain checks that the questions of two calls with the same id stay apart.
func TestIDOfAHandedCallUsedAgain(t *testing.T) {
	r := open(t, Config{Ask: AskClient, Engine: []byte(`{"limits":{"shown":2}}`)})
	for i, text := range []string{"First?", "Second?"} {
		r.client(fmt.Sprintf(roundsCall, 1))
		r.server(asksRound(1, text))
		r.want(text, fmt.Sprintf(`\"requestState\":\"elicit-%d\"`, i+1), `!\"error\"`)
	}
	for i, text := range []string{"First?", "Second?"} {
		r.client(fmt.Sprintf(roundsRetry, 2+i, fmt.Sprint(r.m.Prefix(), i+1), "a"))
		r.want(`"to":"server"`, `\"a\":{\"action\":\"accept\"`, `"message":"`+text)
	}
}

// TestAbandonedRoundOfAnIDUsedAgain checks that the end of a round that no client continued leaves the questions of a
// later call alone.
func TestAbandonedRoundOfAnIDUsedAgain(t *testing.T) {
	r := open(t, Config{Ask: AskClient, Engine: []byte(`{"limits":{"shown":2}}`)})
	r.client(fmt.Sprintf(roundsCall, 1))
	r.server(asksRound(1, "First?"))
	r.now += mcp.HandedFor - 10
	r.client(fmt.Sprintf(roundsCall, 1))
	r.server(asksRound(1, "Second?"))
	r.now += 10
	r.step(event.Ticked{}, "")
	r.want(`"cause":"peer_cancelled"`, `First?`, `!Second?`)
	r.client(fmt.Sprintf(roundsRetry, 2, r.m.Prefix()+"2", "a"))
	r.want(`"to":"server"`, `\"a\":{\"action\":\"accept\"`)
}

// asksForAPage makes a call that the server answers with a request for a page.
func (r *rig) asksForAPage() {
	r.client(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"save"}}`)
	r.server(`{"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"m","data":{"elicitations":[` +
		`{"mode":"url","message":"m","url":"https://example.com/1","elicitationId":"e1"}]}}}`)
}

// TestQuestionOfABrokenEngine makes the engine fail before its question is shown. In the new engine, a guardian denies
// the question.
func TestQuestionOfABrokenEngine(t *testing.T) {
	r := open(t, Config{Engine: []byte(aGuardian)})
	r.asksForAPage()
	r.consulted(`{"v":1,"decision":"pass"}`)
	id := r.shown()
	// the question may be of either call
	r.client(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"save"}}`)
	r.server(asking(7, "Which day?"))
	r.consulted(`{"v":1,"decision":"pass"}`)
	breaking(t, once(is[event.Cancelled]))
	r.step(event.Answered{Session: "form+url", ID: id, Action: elicit.Decline}, "")
	r.want("new_journal", `\"id\":1,\"error\"`, `!"effect":"show"`)
	r.consulted(`{"v":1,"decision":"deny"}`)
	r.want(`\"id\":7,\"result\":{\"action\":\"decline\"`)
}

// TestWakeOfABrokenEngine makes the engine fail before its last wake is performed, and loses its session.
func TestWakeOfABrokenEngine(t *testing.T) {
	r := open(t, Config{Engine: []byte(`{"limits":{"shown":2,"answer_ttl_ms":9000}}`)})
	r.asksForAPage()
	id, cancelled, resumed := r.shown(), once(is[event.Cancelled]), once(is[event.Resumed])
	r.now += 100
	r.server(asking(7, "Which day?"))
	breaking(t, func(ev event.Event) bool { return cancelled(ev) || resumed(ev) })
	r.step(event.Answered{Session: "form+url", ID: id, Action: elicit.Decline}, "")
	r.want("new_journal", `\"id\":1,\"error\"`, `\"id\":7,\"error\"`)
	r.now += 20_000
	r.step(event.Ticked{}, "")
	if r.m.decider.Wake != 0 || r.m.time.wake != 0 {
		t.Errorf("nothing is due, and the machine waits for %d and asked for %d", r.m.decider.Wake, r.m.time.wake)
	}
}

// forGood makes the engine fail at the first event for which when returns true, and also the engine that replaces it.
func forGood(t *testing.T, when func(event.Event) bool) {
	first := once(when)
	breaking(t, func(ev event.Event) bool { return first(ev) || is[event.Configured](ev) })
}

// TestAnswerThatBreaksTheEngineForGood checks that a call is answered once.
func TestAnswerThatBreaksTheEngineForGood(t *testing.T) {
	r := open(t, Config{})
	forGood(t, is[event.Opened])
	r.begins("2025-06-18")
	r.want(`\"id\":\"i\",\"error\"`, `!"effect":"forward"`)
}

// TestCancelledCallThatBreaksTheEngineForGood checks that a call that the client cancelled gets no answer.
func TestCancelledCallThatBreaksTheEngineForGood(t *testing.T) {
	r := open(t, Config{})
	r.client(fmt.Sprintf(roundsCall, 1))
	r.server(asksRound(1, "First?"))
	forGood(t, is[event.Cancelled])
	r.client(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	r.want(`"effect":"withdraw"`, `!"effect":"send"`)
}

// TestNothingIsSentBehindTheEndOfAnInput checks that a server whose input is closed gets no errors either.
func TestNothingIsSentBehindTheEndOfAnInput(t *testing.T) {
	r := open(t, Config{})
	r.step(Ended{Host}, "")
	r.want(`{"effect":"close","end":"server"}`)
	for _, line := range []string{`{"jsonrpc":"2.0","id":1,"method":"ping","Method":"x"}`,
		`{"jsonrpc":"2.0","id":"` + r.m.Prefix() + `1","method":"ping"}`} {
		r.server(line)
		r.want(`"effect":"note"`, `!"effect":"send"`)
	}
}

// TestQuestionTakenBackThatBreaksTheEngineForGood checks that the question leaves the screen.
func TestQuestionTakenBackThatBreaksTheEngineForGood(t *testing.T) {
	r := open(t, Config{})
	r.server(asking(1, "Which day?"))
	forGood(t, is[event.Cancelled])
	r.server(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	r.want(`"effect":"withdraw"`, `!"effect":"send"`)
}

// TestBrokenInvariant plants one bug after another. Each must give the host a problem that names the invariant, and the
// server an error in place of an answer.
func TestBrokenInvariant(t *testing.T) {
	for name, plant := range map[string]func(m *Machine){
		"calls_agree, bytes": func(m *Machine) { m.calls.Kept++ },
		"calls_agree, held":  func(m *Machine) { m.calls.All()[0].AtServer = false },
		"calls_agree, stray": func(m *Machine) { clear(m.calls.ByClient) },
		"ids_differ": func(m *Machine) {
			for key := range m.client.asked {
				m.client.asks[key] = passed{}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := open(t, Config{Ask: AskClient})
			r.client(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"deploy"}}`)
			r.server(asking(5, "Which day?"))
			r.want(`\"elicitation/create\"`, `!invariant_broken`)
			plant(r.m)
			r.step(event.Ticked{}, "")
			invariant, _, _ := strings.Cut(name, ",")
			r.want(`"invariant_broken"`, `"`+invariant+`"`, `\"id\":5,\"error\"`)
			r.step(event.Ticked{}, "")
			r.want(`!invariant_broken`)
		})
	}
}
