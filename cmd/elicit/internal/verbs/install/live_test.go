package install

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/clientconfig"
	"github.com/elicit-engine/elicit/engine/wire/hooks"
	"github.com/elicit-engine/elicit/internal/must"
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

// TestFileThatChangesAfterThePlan: a client may write its file while the person reads what would change. The change
// of the client stays, and the same server is wrapped. A server that is another one now is left alone.
func TestFileThatChangesAfterThePlan(t *testing.T) {
	const before = `{"mcpServers":{"a":{"command":"one"}}}`
	for _, c := range []struct{ name, now, after, fault string }{
		{"another server", `{"mcpServers":{"b":{"command":"two"},"a":{"command":"one"}}}`,
			`{"mcpServers":{"b":{"command":"two"},"a":{"command":"/bin/elicit","args":["proxy","--name","a","--","one"]}}}`, ""},
		{"another command", `{"mcpServers":{"a":{"command":"two"}}}`, `{"mcpServers":{"a":{"command":"two"}}}`,
			"the servers changed in the meantime"},
	} {
		t.Run(c.name, func(t *testing.T) {
			home := t.TempDir()
			path := filepath.Join(home, ".claude.json")
			must.Write(t, before, path)
			found := clientconfig.Find(clientconfig.Env{System: "linux", Home: home, Dir: home,
				Get: func(string) string { return "" }})
			if len(found) != 1 {
				t.Fatalf("%d files were found", len(found))
			}
			doc, err := clientconfig.Read(found[0])
			must.OK(t, err)
			v := installVerb{out: io.Discard}
			records := clientconfig.Records{Dir: filepath.Join(home, "installed")}
			p, _, err := v.plan(clientFile{found[0], doc, nil}, records, "/bin/elicit")
			must.OK(t, err)
			must.Write(t, c.now, path)
			err = p.writeUnlessChanged()
			if (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
				t.Errorf("the error is %v, want %q", err, c.fault)
			}
			got := strings.Join(strings.Fields(string(must.Read(t, path))), "")
			if got != c.after {
				t.Errorf("the file is\n%s\nwant\n%s", got, c.after)
			}
		})
	}
}
