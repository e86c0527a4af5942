package codex

import (
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// TestSubsetFailsClosed: whatever the content of an acceptance is, nothing is granted that was not offered and chosen.
// The engine has checked the content before, so most of these cannot come.
func TestSubsetFailsClosed(t *testing.T) {
	asked := `{"threadId":"t","turnId":"u","itemId":"i","cwd":"/w","permissions":{"network":{"enabled":true},` +
		`"fileSystem":{"read":["/etc"],"globScanMaxDepth":2,"entries":[` +
		`{"path":{"type":"path","path":"/a"},"access":"read"},{"path":{"type":"path","path":"/a/b"},"access":"deny"}],` +
		`"network":{"enabled":true}}}}`
	const nothing = `{}`
	for content, want := range map[string]string{
		``: nothing, `null`: nothing, `{}`: nothing, `{"allow":[]}`: nothing, `{"allow":{}}`: nothing,
		`{"allow":"read /etc"}`: nothing, `{"allow":[1]}`: nothing, `{"allow":["read /"]}`: nothing,
		`{"allow":["read /etc","read /etc"]}`: nothing, `{"allow":["deny /a/b"]}`: nothing,
		`{"allow":["read /etc","globScanMaxDepth 2"]}`: nothing,
		`{"allow":["Network: every host"]}`:            `{"network":{"enabled":true}}`,
		`{"allow":["read /a"]}`:                        nothing, // fileSystem.network is not known
	} {
		q, no := Decode(MethodPermissions, []byte(asked), nil)
		if no != nil {
			t.Fatal(no.Problems)
		}
		q.OfferSubset()
		got := string(q.AppendResult(nil, Answer{Action: elicit.Accept, Content: []byte(content)}))
		if got != `{"permissions":`+want+`,"scope":"turn"}` {
			t.Errorf("%s: %s, want %s", content, got, want)
		}
	}
}
