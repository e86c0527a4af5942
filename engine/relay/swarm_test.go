package relay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/internal/swarm"
)

// TestSwarm plays lives as TestModel does, under any configuration, which may change on the way. For a long run:
// ./build.sh swarm 1m
func TestSwarm(t *testing.T) {
	defer func() { breaks = nil }()
	swarm.Run(t, swarm.Lives{Play: func(t *rapid.T, met map[string]int) int {
		if protocol := rapid.SampledFrom([]Protocol{MCP, MCP, ACP, Codex}).Draw(t, "protocol"); protocol != MCP {
			config := agentConfig(t, protocol, swarmConfig(t).Engine)
			config.AnswerWithin = patience(t)
			return playAgents(t, config, met, rapid.IntRange(0, 2).Draw(t, "reconfigures") == 2)
		}
		w := newWorld(t, swarmConfig(t), met)
		w.live()
		return len(w.inputs)
	}, Sometimes: append(append(subjects, agentSubjects...), "reconfigured", "clock jumped", "second person approved",
		"second person missing", "client given up", "call cancelled after the host left", "answer after the host left")})
}

func (w *world) live() {
	reconfigures := w.below(3) == 2
	for range rapid.IntRange(1, 80).Draw(w.t, "moves") {
		w.move()
		if reconfigures && w.below(12) == 11 {
			w.reconfigure()
		}
	}
	if w.below(3) == 2 {
		w.leaving()
	}
	w.quiet()
	w.end()
	w.replay()
	w.again()
}

// leaving lets the host leave. The server may answer what it has, and the client may go on as if nothing happened.
func (w *world) leaving() {
	w.ended(Host)
	for range 1 + w.below(8) {
		switch w.below(6) {
		case 0:
			if id := w.openAt(w.clientWaits); id != "" {
				w.met["call cancelled after the host left"]++
				w.fromClient(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`)
			}
		case 1, 2:
			if id := w.openAt(w.atServer); id != "" {
				w.met["answer after the host left"]++
				w.fromServer(w.result(id))
			}
		case 3:
			w.fromServer(w.question(w.freshID(Server)))
		default:
			w.move()
		}
	}
}

// found is what a check says of a planted bug.
type found string

// TestSwarmFindsAPlantedBug plays lives in which the machine loses the first message that it makes for one end. A
// check must notice the loss in most of them.
func TestSwarmFindsAPlantedBug(t *testing.T) {
	defer func() { breaks = nil }()
	for _, end := range []End{Client, Server} {
		lost, noticed := 0, 0
		for seed := range 40 {
			rapid.Custom(func(t *rapid.T) (ok bool) {
				w := newWorld(t, swarmConfig(t), map[string]int{})
				before := lost
				w.plant = func(effects []Effect) []Effect {
					return slices.DeleteFunc(effects, func(next Effect) bool {
						send, is := next.(Send)
						gone := is && send.To == end && lost == before
						if gone {
							lost++
						}
						return gone
					})
				}
				defer func() {
					if what := recover(); what != nil {
						text, is := what.(found)
						if !is {
							panic(what)
						}
						if lost == before {
							panic("without a bug: " + string(text))
						}
						noticed++
					}
				}()
				w.live()
				return true
			}).Example(seed)
		}
		if lost == 0 || noticed*2 < lost {
			t.Errorf("%v: %d lives lost a message, and the checks noticed %d", end, lost, noticed)
		}
		t.Logf("%v: %d lives lost a message, and the checks noticed %d", end, lost, noticed)
	}
}

func swarmConfig(t *rapid.T) Config {
	c := drawnConfig(t, rapid.SampledFrom(Askers()).Draw(t, "ask"))
	c.Engine = []byte(swarm.Config(func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "n") }, false))
	c.AnswerWithin = patience(t)
	return c
}

// patience is how long the client may think. It is mostly longer than a life. Some are shorter, and -1 has no end.
func patience(t *rapid.T) int64 {
	return rapid.SampledFrom([]int64{0, 0, 3000, 12_000, -1}).Draw(t, "patience")
}

// reconfigure gives the engine other features. What it accepted before stays accepted.
func (w *world) reconfigure() {
	config := swarm.Config(w.below, false)
	w.met["reconfigured"]++
	w.policyMayAccept = w.policyMayAccept || mayAccept([]byte(config))
	w.configured(strings.Contains(config, `"pairs"`))
	w.step(event.Configured{Config: []byte(config)}, nil)
}

// mayAccept reports whether a policy could answer a question that needs no data.
func mayAccept(config []byte) bool {
	return bytes.Contains(config, []byte(`"accept"`)) || bytes.Contains(config, []byte(`"full"`)) ||
		bytes.Contains(config, []byte(`"reviewer"`))
}

var mintedID = regexp.MustCompile(`"id":"([0-9a-f]{32})"`)

// vector spells the life as the "in" of a vector of the operation relay. Ids have the names that vectors give them.
func (w *world) vector() string {
	c := w.config
	config := map[string]any{"server": c.Server, "ask": c.Ask, "hold_calls": c.HoldCalls, "keep_alive_ms": c.KeepAlive,
		"policy_alone": c.PolicyAlone, "modes": modeNames(c.Modes), "config": json.RawMessage(c.Engine)}
	if c.Session != nil {
		config["session"] = map[string]any{"version": c.Session.Version, "declared": modeNames(c.Session.Declared)}
	}
	if c.Protocol != "" {
		config["protocol"], config["acp_chain"] = c.Protocol, c.ACPChain
	}
	for name, value := range config {
		if value == false {
			delete(config, name)
		}
	}
	var inputs []map[string]any
	for _, in := range w.inputs[1:] {
		one := map[string]any{"at": in.At, "random": fmt.Sprintf("%x", in.Random)}
		if ev, received := in.Event.(Received); received && !ev.Cut {
			one[fmt.Sprint(ev.From)] = string(in.Message)
		} else {
			one["event"] = json.RawMessage(in.Event.AppendJSON(nil))
		}
		inputs = append(inputs, one)
	}
	text, err := json.Marshal(map[string]any{"relay": config, "inputs": inputs})
	if err != nil {
		return err.Error()
	}
	out := strings.ReplaceAll(string(text), w.m.ids.Prefix, "elicit-")
	var ids []string
	for _, said := range w.said {
		for _, found := range mintedID.FindAllSubmatch(record.ReplaceAll(said, nil), -1) {
			if id := string(found[1]); !slices.Contains(ids, id) && strings.Trim(id, "0") != "" {
				ids = append(ids, id)
				out = strings.ReplaceAll(out, `"`+id+`"`, fmt.Sprintf(`"$%d"`, len(ids)))
			}
		}
	}
	return out
}

func modeNames(m elicit.Modes) (names []string) {
	names = []string{}
	if m.Form {
		names = append(names, "form")
	}
	if m.URL {
		names = append(names, "url")
	}
	return names
}
