package main_test

import (
	"slices"
	"testing"
)

// TestRealClientsAreNoWorseOff calls a tool that asks, with each client as it is and behind the proxy that
// `elicit install` writes, where Elicit has no surface of its own. The client is asked in both, and the call ends
// alike. A client without forms is not asked, and its server is told that there are none.
func TestRealClientsAreNoWorseOff(t *testing.T) {
	if testing.Short() {
		t.Skip("real clients take half a minute")
	}
	p := build(t)
	calls := []spelling{{name: "deploy"}}
	for _, c := range p.spelledClients() {
		t.Run(c.label(), func(t *testing.T) {
			t.Parallel()
			c.need(t)
			server := []string{p.demo, "-protocol", c.date}
			alone, behind := c.visit(t, server, calls), c.visit(t, p.behindAuto(t, server), calls)
			if len(alone.acted) == 0 || len(behind.acted) != len(alone.acted) {
				t.Errorf("asked: alone %v, behind the proxy %v", alone.acted, behind.acted)
			}
			got, want := withoutID(behind.outcome["deploy"]), withoutID(alone.outcome["deploy"])
			if got != want || want == "" {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
	for _, client := range []string{"go", "ts1", "ts2"} {
		t.Run(client+"-without-forms", func(t *testing.T) {
			t.Parallel()
			v := visit{client: client, tool: "deploy", server: []string{p.demo, "-protocol", november}}
			alone := v.run(t, p)
			v.server = p.behindAuto(t, v.server)
			behind := v.run(t, p)
			same := func(a, b outcome) bool { return a.text() == b.text() && (a.Error == nil) == (b.Error == nil) }
			if !slices.EqualFunc(alone.Outcomes, behind.Outcomes, same) || len(behind.Asked) != 0 {
				t.Errorf("alone %s, behind the proxy %s", alone.Outcomes[0].text(), behind.Outcomes[0].text())
			}
		})
	}
}
