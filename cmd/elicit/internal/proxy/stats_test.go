package proxy

import (
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/stats"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// TestStats: the counters tell what passed, what was asked and how it ended.
func TestStats(t *testing.T) {
	s := stats.New()
	p, person := talk(t, func(o *Options) { o.Stats = s })
	p.client(callDeploy)
	p.server.hear.want(callDeploy)
	p.server.say(askDeploy + "\n")
	next(t, person.shown).answer(elicit.Accept, []byte("{}"), event.ViaScript)
	p.server.hear.want(`{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{}}}`)
	p.server.say(`{"jsonrpc":"2.0","id":99,"result":{}}` + "\n") // an answer to nothing
	p.server.say(`{"jsonrpc":"2.0","id":7,"result":{"content":[]}}` + "\n")
	p.hear.want(`{"jsonrpc":"2.0","id":7,"result":{"content":[]}}`)
	r := s.Report()
	for name, want := range map[string]int64{"client_messages": 2, "server_messages": 4, "settled_accept": 1,
		"refused_messages": 1} {
		if r.Counters[name] != want {
			t.Errorf("%s: %d, want %d", name, r.Counters[name], want)
		}
	}
	if r.Counters["forwarded"] < 3 || r.Counters["written"] < 1 || r.Counters["bytes"] < int64(len(initialize)) {
		t.Error(r.Counters)
	}
	if r.Latencies["answer"].Count != 1 || r.Latencies["message"].Count < 5 {
		t.Error(r.Latencies)
	}
}
