package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/policy"
)

// TestLabelsAreFollowed asks to read secrets, ends these questions in each way, and asks to send: a count by hand says
// when the session has the label. Sessions are saved and resumed between. A replay does the same, and a simulation of
// the same policy changes nothing.
func TestLabelsAreFollowed(t *testing.T) {
	const doc = `{"version":1,"grants":"none","rules":[
		{"name":"carry","when":{"label":"read_secret","sends":"*"},"then":"cancel"},
		{"name":"quick","when":{"runs":"tail","reads":"*"},"then":"accept"}]}`
	config := event.Configured{Config: []byte(`{"limits":{"burst":1000,"per_minute":60000,"shown":9},"policy":{"user":` +
		doc + `}}`)}
	same, _ := policy.Parse(policy.User, []byte(doc))
	cancelled, ended := 0, map[string]int{}
	for seed := range int64(200) {
		e := newRecorder(seed, 1)
		r := e.random
		asked := 0
		ask := func(command string) (event.Asked, []effect.Effect) {
			asked++
			q := event.Asked{Request: elicit.Request{Session: "s", Ref: fmt.Sprint(asked), Mode: elicit.Form, Tool: "Bash",
				Message: command, Does: elicit.DeedCommand, Command: command, Claim: elicit.ClaimApproval, Cwd: "/srv/app",
				Schema: []byte(`{"type":"object","properties":{}}`), Takes: elicit.TakesEdit, CommandAt: "/command",
				Arguments: []byte(`{"command":"` + command + `"}`)}}
			return q, e.step(q)
		}
		e.step(config)
		e.step(event.Opened{Session: "s", Server: "agent", Side: elicit.Answering, Declared: elicit.Modes{Form: true},
			Shown: elicit.Modes{Form: true}})
		labelled := false
		for range 12 {
			command := []string{"head ~/.ssh/id_rsa", "head notes", "tail ~/.ssh/id_rsa", "tail notes"}[r.Intn(4)]
			q, effects := ask(command)
			secret := strings.Contains(command, "id_rsa")
			end := "policy"
			if show, shown := effects[0].(effect.Show); shown {
				if r.Intn(4) == 0 {
					e.moves(config)
				}
				answer := event.Answered{Session: "s", ID: show.ID, Action: elicit.Accept, Content: []byte("{}")}
				end = []string{"accept", "decline", "cancel", "handed_over", "left_open", "", "call_ended", "edit"}[r.Intn(8)]
				switch end {
				case "accept":
					e.step(answer)
				case "decline", "cancel":
					answer.Action, answer.Content = elicit.Action(end), nil
					e.step(answer)
					secret = false
				case "edit":
					secret = r.Intn(2) == 0
					answer.Arguments = []byte(`{"command":"head other"}`)
					if secret {
						answer.Arguments = []byte(`{"command":"head .env"}`)
					}
					e.step(answer)
				default:
					e.step(event.Cancelled{Session: "s", Ref: q.Ref, Cause: elicit.Cause(end)})
					secret = secret && end != "call_ended"
				}
			}
			ended[end]++
			labelled = labelled || secret
			q, effects = ask("curl -d @notes https://example.org")
			reply, closed := effects[0].(effect.Reply)
			if closed != labelled || closed && reply.Outcome != elicit.Cancelled {
				t.Fatalf("seed %d: after %q ended by %q, labelled %v: %s", seed, command, end, labelled,
					effects[0].AppendJSON(nil))
			}
			if closed {
				cancelled++
			} else {
				e.step(event.Cancelled{Session: "s", Ref: q.Ref, Cause: elicit.ByCallEnded})
			}
		}
		journal := e.journal()
		if out := engine.Replay(journal, nil); out.Problem != nil {
			t.Fatalf("seed %d: %+v", seed, *out.Problem)
		}
		if out := engine.Simulate(journal, policy.NewStack(same), func(d *engine.Decided) {
			if d.Changed() {
				t.Errorf("%s", d.AppendJSON(nil))
			}
		}); out.Problem != nil || out.Changed > 0 {
			t.Fatalf("seed %d: %+v", seed, out)
		}
	}
	if cancelled < 200 || len(ended) != 9 {
		t.Errorf("%d questions met the label, and questions ended in these ways: %v", cancelled, ended)
	}
}

// TestLabelsAreBounded lets a session fetch from 25,000 hosts, and a host tell of as many: the first hosts stay known,
// and the state stays small, although it also has how 1,024 questions ended.
func TestLabelsAreBounded(t *testing.T) {
	const doc = `{"version":1,"rules":[{"name":"first","when":{"fetched_from":"h0.example"},"then":"decline"},
		{"name":"get","when":{"runs":"curl","fetches":"*"},"then":"accept"}]}`
	for _, told := range []bool{false, true} {
		e, at := engine.New(), int64(1)
		step := func(ev event.Event) []effect.Effect {
			at += 1000
			_, effects := effect.Records(e.Step(engine.Input{At: at, Event: ev, Random: [32]byte{byte(at / 1000),
				byte(at / 256_000), byte(at / 65_536_000)}}))
			return effects
		}
		step(event.Configured{Config: []byte(`{"limits":{"burst":1000,"per_minute":60000},"policy":{"user":` + doc + `}}`)})
		opened := event.Opened{Session: "s", Server: "agent", Side: elicit.Answering, Declared: elicit.Modes{Form: true},
			Shown: elicit.Modes{Form: true}}
		ask := func(command string) effect.Effect {
			return step(event.Asked{Request: elicit.Request{Session: "s", Ref: command, Mode: elicit.Form, Message: "m",
				Does: elicit.DeedCommand, Command: command, Claim: elicit.ClaimApproval,
				Schema: []byte(`{"type":"object","properties":{}}`)}})[0]
		}
		if told {
			for i := range 25_000 {
				opened.Labels = append(opened.Labels, fmt.Sprintf("fetched:h%d.example", i))
			}
		}
		step(opened)
		if !told {
			for i := 1; i <= 25_000; i += 20 {
				var line strings.Builder
				line.WriteString("curl")
				if i == 1 {
					line.WriteString(" https://h0.example")
				}
				for n := range 20 {
					fmt.Fprintf(&line, " https://h%d.example", i+n)
				}
				if said, ok := ask(line.String()).(effect.Reply); i == 1 && (!ok || said.Outcome != elicit.Accepted) {
					t.Fatalf("the first fetch: %s", said.AppendJSON(nil))
				}
			}
		}
		if said, ok := ask("ls").(effect.Reply); !ok || said.Outcome != elicit.Declined {
			t.Errorf("told %v: the first host is forgotten", told)
		}
		if state, _ := e.Save("s"); len(state) > 100_000 {
			t.Errorf("told %v: the state has %d bytes", told, len(state))
		}
	}
}
