package install

import (
	"testing"

	"github.com/elicit-engine/elicit/engine/wire/hooks"
)

// TestProbesAreCalls: each host reads the marked input of each of its events as one of that event.
func TestProbesAreCalls(t *testing.T) {
	for _, host := range hooks.Hosts() {
		for _, event := range hooks.Events(host) {
			hook, problems := hooks.Decode(host, probeInput(host, event, newMark()))
			if problems != nil || hook.Event != event {
				t.Errorf("%s %s: %v %+v", host, event, problems, hook)
			}
			if hook.Asks == hooks.AboutCall && hook.Request.Command == "" && hooks.IsGate(host, event) &&
				host != hooks.Cursor {
				t.Errorf("%s %s: no command: %+v", host, event, hook.Request)
			}
		}
	}
}
