package proxy

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// callWith is a tool call that asks for progress under a token, raw; an empty one asks for none.
func callWith(id int, token string) string {
	meta := ""
	if token != "" {
		meta = `,"_meta":{"progressToken":` + token + `}`
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"deploy","arguments":{}%s}}`, id,
		meta)
}

type progress struct {
	Method string
	Params struct {
		ProgressToken json.RawMessage
		Progress      float64
		Total         *float64
	}
}

// progress reads the next line, which must tell of progress.
func (w *wiretap) progress() (g progress) {
	w.t.Helper()
	l := w.line()
	if err := json.Unmarshal([]byte(l), &g); err != nil || g.Method != "notifications/progress" {
		w.t.Fatalf("heard %s, want progress", l)
	}
	return g
}

// often makes signs of life follow the clock of the test, which in a bubble of synctest is not that of the system.
func often(o *Options) { o.KeepAlive, o.Drive.Now = time.Millisecond, time.Now }

// settle lets many signs of life fall due and returns every line the client heard meanwhile. Only a test in a bubble
// of synctest can call it.
func (p *peers) settle() (heard string) {
	p.t.Helper()
	time.Sleep(20 * time.Millisecond)
	synctest.Wait()
	for len(p.hear.lines) > 0 {
		heard += p.hear.line()
	}
	return heard
}

func TestCallThatAskedForProgressShowsSomeWhileItsQuestionIsOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, ui := talk(t, often)
		p.client(callWith(7, `"a\/b"`))
		p.server.hear.line()
		p.server.say(askDeploy + "\n")
		q := next(t, ui.shown)
		before := math.Inf(-1)
		rises := func(low, high float64) (g progress) {
			t.Helper()
			for range 5 {
				g = p.hear.progress()
				if n := g.Params.Progress; n <= before || n <= low || n >= high || string(g.Params.ProgressToken) != `"a\/b"` {
					t.Fatalf("progress %v of %s after %v, want between %v and %v", n, g.Params.ProgressToken, before, low, high)
				}
				before = g.Params.Progress
			}
			return g
		}
		rises(-1, 0)
		said := `{"jsonrpc":"2.0","method":"notifications/progress",` +
			`"params":{"progressToken":"a/b","progress":3,"total":10.0}}`
		p.server.say(said + "\n")
		for l := p.hear.line(); l != said+"\n"; l = p.hear.line() {
		}
		if g := rises(3, 3.001); g.Params.Total == nil || *g.Params.Total != 10 {
			t.Errorf("total: got %v want the server's", g.Params.Total)
		}
		q.answer(elicit.Accept, nil, event.ViaPerson)
		p.server.hear.line()
		p.server.say(marker + "\n")
		for l := p.hear.line(); l != marker+"\n"; l = p.hear.line() {
		}
		if heard := p.settle(); heard != "" {
			t.Errorf("after the answer the client heard %s", heard)
		}
		p.server.say(askDeploy + "\n") // and again with the next question
		next(t, ui.shown)
		rises(3, 3.001)
	})
}

func TestProgressIsForThoseWhoAskedAndMayBeWaitingForAnAnswer(t *testing.T) {
	cases := []struct {
		name   string
		before []string // calls when the question is asked
		after  []string // calls made later
		want   []string // tokens that hear of progress
	}{
		{"no token", []string{callWith(7, "")}, nil, nil},
		{"empty text", []string{callWith(7, `""`)}, nil, []string{`""`}},
		{"number", []string{callWith(7, "0")}, nil, []string{"0"}},
		{"odd token", []string{callWith(7, `{"a":1}`)}, nil, nil},
		{"two calls, one token", []string{callWith(7, "7"), callWith(8, "")}, nil, []string{"7"}},
		{"two calls", []string{callWith(7, "7"), callWith(8, "8")}, nil, []string{"7", "8"}},
		{"the call came later", []string{callWith(7, "7")}, []string{callWith(8, "8")}, []string{"7"}},
		{"one of two came later", []string{callWith(7, "7"), callWith(8, "8")}, []string{callWith(9, "9")},
			[]string{"7", "8"}},
		{"no tool call", []string{`{"jsonrpc":"2.0","id":7,"method":"resources/list",` +
			`"params":{"_meta":{"progressToken":7}}}`}, nil, nil},
		{"no call", nil, []string{callWith(7, "7")}, nil},
	}
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p, ui := talk(t, often)
				for _, c := range tt.before {
					p.client(c)
					p.server.hear.line()
				}
				p.server.say(askDeploy + "\n")
				next(t, ui.shown)
				for _, c := range tt.after {
					p.client(c)
					p.server.hear.line()
				}
				heard := p.settle()
				for _, token := range tt.want {
					if !strings.Contains(heard, `"progressToken":`+token+`,`) {
						t.Errorf("token %s heard nothing", token)
					}
					heard = strings.ReplaceAll(heard, `"progressToken":`+token+`,`, "")
				}
				if strings.Contains(heard, "progressToken") {
					t.Errorf("somebody else heard of progress: %s", heard[:min(200, len(heard))])
				}
			})
		})
	}
}

func TestCallInOurHandsShowsProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, ui := talk(t, often)
		p.client(callWith(7, "7"))
		p.server.hear.line()
		p.server.say(required("7", "x") + "\n")
		first, second := next(t, ui.shown), next(t, ui.shown)
		first.answer(elicit.Accept, nil, event.ViaPerson)
		second.answer(elicit.Accept, nil, event.ViaPerson)
		p.hear.progress() // while the pages are visited
		p.hear.progress()
		p.client(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
		p.server.say(marker + "\n")
		for l := p.hear.line(); l != marker+"\n"; l = p.hear.line() {
		}
		p.client(marker) // behind the cancellation
		p.server.hear.want(marker)
		p.settle()
		if heard := p.settle(); heard != "" {
			t.Errorf("after the client took the call back it heard %s", heard)
		}
	})
}

func TestWithoutAnIntervalThereIsNoProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, ui := talk(t, nil)
		p.client(callWith(7, "7"))
		p.server.hear.line()
		p.server.say(askDeploy + "\n")
		next(t, ui.shown)
		if heard := p.settle(); heard != "" {
			t.Errorf("the client heard %s", heard)
		}
	})
}
