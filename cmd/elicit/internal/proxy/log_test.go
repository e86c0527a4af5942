package proxy

import (
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// viewer is someone who tells when a question is on the screen.
type viewer struct {
	*someone
	do func(event.Event)
}

func (v *viewer) Attend(do func(event.Event))        { v.do = do }
func (v *viewer) Asked(elicit.Request)               {}
func (v *viewer) Over(elicit.Request, *effect.Reply) {}
func (v *viewer) Extend(effect.Extend)               {}
func (v *viewer) Resolve(effect.Resolve)             {}

// TestTheLogSaysShownOnlyOfWhatIsOnTheScreen: a question that waits behind another was not shown.
func TestTheLogSaysShownOnlyOfWhatIsOnTheScreen(t *testing.T) {
	v := &viewer{someone: newSomeone()}
	p, _ := talk(t, func(o *Options) { o.UI = v })
	p.server.say(askDeploy + "\n" + askName + "\n")
	first, second := next(t, v.shown), next(t, v.shown)
	seen := func(q shown) {
		v.do(event.Noted{Session: q.Session, ID: q.ID, Receipt: event.ReceiptShown})
	}
	seen(first)
	seen(first) // as a page does that is loaded again
	first.answer(elicit.Decline, nil, event.ViaPerson)
	p.server.hear.want(`{"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}`)
	second.answer(elicit.Cancel, nil, event.ViaPerson)
	p.server.hear.want(`{"jsonrpc":"2.0","id":2,"result":{"action":"cancel"}}`)
	seen(second) // too late
	p.client(callDeploy)
	p.server.hear.want(callDeploy) // by now the receipt was read
	for text, times := range map[string]int{`"Deploy?": waits for an answer`: 1, `"Name?": waits for an answer`: 1,
		`"Deploy?": shown`: 1, `"Name?": shown`: 0, "decline, cause user": 1, "cancel, cause user": 1} {
		if n := strings.Count(p.notes.String(), text); n != times {
			t.Errorf("%q stands %d times in the log, want %d:\n%s", text, n, times, p.notes)
		}
	}
}
