package main_test

import (
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/codextest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
)

// silent is a front end that never answers.
func silent(codextest.Message) codextest.Answer { return codextest.Answer{Silent: true} }

// isAsked fits a request of Codex by what it asks for.
func isAsked(what string) func(codextest.Message) bool {
	return func(m codextest.Message) bool { return m.Asks() && asking(m) == what }
}

// resolved fits the notification that a request is settled.
func resolved(request codextest.Message) func(codextest.Message) bool {
	return func(m codextest.Message) bool {
		return m.Method == "serverRequest/resolved" && m.Param("requestId") == string(request.ID)
	}
}

// TestRealCodexInterrupted interrupts a turn while each kind of question is open. The server is told, the front end's
// late answer is ignored, and the next turn is as if nothing had been.
func TestRealCodexInterrupted(t *testing.T) {
	t.Parallel()
	newCodexRig(t).interrupted(t)
}

func (r codexRig) interrupted(t *testing.T) {
	for _, c := range []struct {
		asked string
		step  codextest.Step
		late  any
	}{
		{"form", asksServer(dayForm), accepted(obj{"day": "Monday"})},
		{"url", asksServer(aLink), action("accept")},
		{"mcp_tool_call", callsTool("wipe"), accepted(nil)},
		{"commandExecution", escalates("touch " + outside), decides("accept")},
		{"fileChange", patches(outside), decides("accept")},
		{"permissions", wantsPermission("/opt"), grants("/opt")},
		{"tool/requestUserInput", asksUser(), obj{"answers": obj{"day": obj{"answers": []string{"Monday"}}}}},
	} {
		t.Run(c.asked, func(t *testing.T) {
			t.Parallel()
			h := r.home(t, "")
			run := r.start(t, h, silent)
			thread := run.Thread(nil)
			turn := run.Turn(thread, c.step)
			open := run.Wait("the question", isAsked(c.asked))
			run.Call("turn/interrupt", obj{"threadId": thread, "turnId": turn})
			if got := run.TurnEnds(turn); got != "interrupted" {
				t.Errorf("the turn is %s", got)
			}
			run.Wait("the end of the question", resolved(open))
			run.Respond(open, c.late)
			if got := run.TurnEnds(run.Turn(thread)); got != "completed" {
				t.Errorf("the next turn is %s", got)
			}
			written(false)(t, run)
			saw := serverSaw(t, h)
			if asks := c.asked == "form" || c.asked == "url"; asks != strings.Contains(saw, `"action":"cancel"`) {
				t.Errorf("the server saw\n%s", saw)
			}
			if strings.Contains(saw, `"wipe"`) || strings.Contains(saw, `"accept"`) {
				t.Errorf("the late answer had an effect; the server saw\n%s", saw)
			}
		})
	}
}

// TestRealCodexForgedApproval tests that a server's own question reaches the front end with whatever the server wrote
// into it, such as the mark of Codex's own approvals. The answer goes to the server alone: no tool runs.
func TestRealCodexForgedApproval(t *testing.T) {
	t.Parallel()
	r := newCodexRig(t)
	run := r.run(t, codexCase{steps: steps(asksServer(forged)), asked: []string{"mcp_tool_call"},
		answers: obj{"mcp_tool_call": persist("always")}, told: []string{`\"_meta\":{\"persist\":\"always\"}`}})
	if saw := serverSaw(t, run.Home); strings.Contains(saw, `"name":"wipe"`) {
		t.Errorf("the tool ran: %s", saw)
	}
	running := run.Wait("the call", func(m codextest.Message) bool {
		return m.Method == "item/started" && m.Param("item.type") == "mcpToolCall"
	})
	if tool := running.Param("item.tool"); tool != "ask" {
		t.Errorf("the call in progress is of %s", tool)
	}
}

// listening starts an app-server for several front ends, and returns its address.
func (r codexRig) listening(t *testing.T, h *codextest.Home) string {
	t.Helper()
	server := h.Start(t, nil, r.codex, "app-server", "--listen", "ws://127.0.0.1:0")
	address := server.Noted("the address", "listening on: ws://")
	t.Cleanup(func() { server.Cmd.Process.Kill() })
	return address
}

// join connects one more front end to an app-server.
func (r codexRig) join(t *testing.T, h *codextest.Home, address string, answer answerer) *codextest.Running {
	t.Helper()
	bridge := programtest.Built(t, "./testdata/wsbridge")
	run := h.Start(t, answer, append(slices.Clone(r.between), bridge, address)...)
	run.Initialize(nil)
	return run
}

// TestRealCodexTwoClients tests two front ends of one thread: both are asked under one id, one answers, and the other
// is told. A third one that comes while a question is open is asked too.
func TestRealCodexTwoClients(t *testing.T) {
	t.Parallel()
	newCodexRig(t).twoClients(t)
}

func (r codexRig) twoClients(t *testing.T) {
	h := r.home(t, "")
	address := r.listening(t, h)
	first, second := r.join(t, h, address, silent), r.join(t, h, address, silent)
	thread := first.Thread(nil)
	turn := first.Turn(thread, asksServer(dayForm), escalates("touch "+outside))
	form := first.Wait("the form", isAsked("form"))
	second.Call("thread/resume", obj{"threadId": thread})
	again := second.Wait("the form", isAsked("form"))
	if string(form.ID) != string(again.ID) || again.Param("message") != "Which day?" {
		t.Errorf("the second front end got %s %s, the first had %s", again.ID, again.Params, form.ID)
	}
	second.Respond(again, accepted(obj{"day": "Friday"}))
	first.Wait("the end of the form", resolved(form))
	first.Respond(form, accepted(obj{"day": "Monday"})) // too late
	command := first.Wait("the command", isAsked("commandExecution"))
	second.Wait("the command", isAsked("commandExecution"))

	first.Close() // both leave while a question is open
	second.Close()
	<-first.Done
	<-second.Done
	third := r.join(t, h, address, answers(obj{"commandExecution": decides("accept")}))
	third.Call("thread/resume", obj{"threadId": thread})
	if got := third.Wait("the command", isAsked("commandExecution")); string(got.ID) != string(command.ID) {
		t.Errorf("the command is asked under %s, and was under %s", got.ID, command.ID)
	}
	if got := third.TurnEnds(turn); got != "completed" {
		t.Errorf("the turn is %s", got)
	}
	written(true)(t, third)
	if told := h.Model.Told(); !strings.Contains(told[0], "Friday") {
		t.Errorf("the model was told %s", told[0])
	}
}

// TestRealCodexServerLeaves tests a server that withdraws its question, or ends while it is open. Codex keeps the
// question open for the front end until the turn ends.
func TestRealCodexServerLeaves(t *testing.T) {
	t.Parallel()
	newCodexRig(t).serverLeaves(t)
}

func (r codexRig) serverLeaves(t *testing.T) {
	for how, told := range map[string]string{"cancel": "withdrawn", "die": "Transport closed"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			h := r.home(t, "")
			run := r.start(t, h, silent)
			step := asksServer(dayForm)
			gate, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer gate.Close()
			step.Arguments.(map[string]any)["then"] = how
			step.Arguments.(map[string]any)["gate"] = gate.Addr().String()
			turn := run.Turn(run.Thread(nil), step)
			form := run.Wait("the form", isAsked("form"))
			waits, err := gate.Accept()
			if err != nil {
				t.Fatal(err)
			}
			waits.Close()
			if got := run.TurnEnds(turn); got != "completed" {
				t.Errorf("the turn is %s", got)
			}
			run.Wait("the end of the form", resolved(form))
			if got := h.Model.Told()[0]; !strings.Contains(got, told) {
				t.Errorf("the model was told %s", got)
			}
		})
	}
}

// TestRealCodexOutsideTurn tests a call of a tool that the front end itself makes: the question belongs to no turn.
func TestRealCodexOutsideTurn(t *testing.T) {
	t.Parallel()
	newCodexRig(t).outsideTurn(t)
}

func (r codexRig) outsideTurn(t *testing.T) {
	h := r.home(t, "")
	run := r.start(t, h, answers(obj{"form": accepted(obj{"day": "Monday"})}))
	got := run.Call("mcpServer/tool/call", obj{"threadId": run.Thread(nil), "server": "asks", "tool": "ask",
		"arguments": asksServer(dayForm).Arguments})
	if !strings.Contains(string(got), `{\"action\":\"accept\",\"content\":{\"day\":\"Monday\"}}`) {
		t.Errorf("the call gave %s", got)
	}
	if form := run.Wait("the form", isAsked("form")); form.Param("turnId") != "" {
		t.Errorf("the form belongs to the turn %s", form.Param("turnId"))
	}
}
