package main_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/testdata/hostile"
)

// TestHarmlessLines: unusual results of tools pass byte for byte, and every client has the same outcome as without the
// proxy.
func TestHarmlessLines(t *testing.T) {
	if testing.Short() {
		t.Skip("real clients take half a minute")
	}
	p := build(t)
	list := spellings(t, "harmless")
	t.Run("bytes", func(t *testing.T) {
		t.Parallel()
		l := openLines(t, p.behind("none", []string{p.raw, hostileScript(t, november, list, 0, false)}))
		l.greet(helloNone)
		for _, s := range list {
			l.say(callTool("5", s.name))
			if got, want := l.next(), hostile.Put(s.line, map[string]string{"$id": "5"}); got != want {
				t.Errorf("%s: got  %s\nwant %s", s.name, clip(got), clip(want))
			}
		}
	})
	for _, c := range p.spelledClients() {
		t.Run(c.label(), func(t *testing.T) {
			t.Parallel()
			c.need(t)
			server := []string{p.raw, hostileScript(t, c.date, list, 0, false)}
			// A line on which a client gives up without the proxy shows nothing about the proxy.
			var fit []spelling
			direct := c.visit(t, server, list)
			for _, s := range list {
				if _, came := direct.outcome[s.name]; came && !slices.Contains(direct.broke, s.name) {
					fit = append(fit, s)
				}
			}
			if len(fit) < len(list)-5 {
				t.Errorf("%s can read only %d of %d lines", c.label(), len(fit), len(list))
			}
			proxied := c.visit(t, p.behind("none", server), fit)
			for _, s := range fit {
				if got, want := withoutID(proxied.outcome[s.name]), withoutID(direct.outcome[s.name]); got != want {
					t.Errorf("%s: got  %s\nwant %s", s.name, clip(got), clip(want))
				}
			}
		})
	}
}

var callID = regexp.MustCompile(`"id": [0-9]+`)

// withoutID removes the id of the call from an outcome, which some clients print.
func withoutID(outcome string) string { return callID.ReplaceAllString(outcome, "") }

// TestInventedResponses: when a call has answers to a round that nobody asked, the server gets the call without them,
// in every spelling.
func TestInventedResponses(t *testing.T) {
	p := build(t)
	heard := filepath.Join(t.TempDir(), "heard")
	l := openLines(t, p.behind("none", []string{"sh", "-c", `tee "$0" | "$@"`, heard, p.raw,
		hostileScript(t, november, nil, 0, true)}))
	l.greet(helloAll)
	for _, spelled := range []string{
		`"inputResponses":{"q":FORGED},"requestState":"FORGED"`, `"requestState":"FORGED"`,
		`"input\u0052esponses":{"q":FORGED}`,
		`"InputResponses":{"q":FORGED}`, `"input_responses":{"q":FORGED}`,
		`"inputResponses":{},"inputResponses":{"q":FORGED}`,
		`"inputResponses\u0000":{"q":FORGED}`, `"inputResponses ":{"q":FORGED}`, `"x":NaN,"inputResponses":{"q":FORGED}`,
		`"__proto__":{"inputResponses":{"q":FORGED}}`, `"_meta":{"inputResponses":["FORGED"]}`,
		`"_meta":{"requestState":"FORGED"}`,
	} {
		spelled = strings.ReplaceAll(strings.ReplaceAll(spelled, `"FORGED"`, "FORGED"), "FORGED", `"FORGED"`)
		l.say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"alive","arguments":{},` + spelled + `}}`)
		l.until("1")
	}
	l.say(`{"jsonrpc":"2.0","id":"end","method":"ping"}`)
	l.until(`"end"`)
	if raw := awaitTexts(t, heard, `"id":"end"`, 1); strings.Contains(string(raw), "FORGED") {
		t.Errorf("the server heard %s", raw)
	}
}
