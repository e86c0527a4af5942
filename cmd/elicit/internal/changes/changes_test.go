package changes

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/engine/journal"
)

func hexDigest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func TestChanges(t *testing.T) {
	const (
		links = `{"name":"links","digest":"aa","declared":{"phases":["before_show"]},"settings":{"allow":[]}}`
		auto  = `{"name":"auto","host":true}`
	)
	for _, c := range []struct{ name, before, after, text, json string }{
		{"policies", `{"policy":{"user":{"version":1},"managed_text":"{}"}}`,
			`{"policy":{"user":{"version":2},"session":{}}}`,
			"policy managed is gone: " + hexDigest("{}") + "\npolicy user " + hexDigest(`{"version":1}`) + " → " +
				hexDigest(`{"version":2}`) + "\npolicy session is new: " + hexDigest("{}"),
			`{"what":"policy","name":"managed","from":"` + hexDigest("{}") + `","gone":true}`},
		{"the text of a policy", `{"policy":{"user_text":"{}"}}`, `{"policy":{"user":{}}}`, "", ""},
		{"a module", `{"guardians":[` + links + `]}`,
			`{"guardians":[` + strings.NewReplacer("aa", "bb", "before_show", "before_send").Replace(links) + `]}`,
			"guardian links aa → bb", `{"what":"guardian","name":"links","from":"aa","to":"bb"}`},
		{"a permit", `{"guardians":[` + links + `]}`, `{"guardians":[` + strings.Replace(links, "[]", `["a"]`, 1) + `]}`,
			"guardian links has another permit", `{"what":"permit","name":"links"}`},
		{"guardians come and go", `{"guardians":[` + links + `]}`, `{"guardians":[` + auto + `]}`,
			"guardian links is gone: aa\nguardian auto is new", `{"what":"guardian","name":"auto","new":true}`},
		{"a program for a module", `{"guardians":[` + links + `]}`,
			`{"guardians":[` + strings.Replace(links, `"digest":"aa",`, "", 1) + `]}`,
			"guardian links aa → no module", `{"what":"guardian","name":"links","from":"aa"}`},
		{"other members", `{"join_duplicates":true,"limits":{"queue":1},"grants":[]}`, `{"limits":{"queue":2},"a\u001bb":1}`,
			"join_duplicates changed\nlimits changed\na<U+001B>b changed", `{"what":"limits"}`},
		{"grants that are given", `{"grants":[]}`, `{"grants":[{}]}`, "grants changed", `{"what":"grants"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			whole := "configuration " + hexDigest(c.before) + " → " + hexDigest(c.after)
			var lines []string
			list := Between([]byte(c.before), []byte(c.after))
			for _, one := range list {
				lines = append(lines, one.String())
			}
			if got := strings.Join(lines[1:], "\n"); lines[0] != whole || got != c.text {
				t.Errorf("got\n%s\n%s\nwant\n%s\n%s", lines[0], got, whole, c.text)
			}
			if got := cli.JSON(list); !strings.Contains(got, c.json) {
				t.Errorf("%s is not in %s", c.json, got)
			}
		})
	}
}

// TestChangesInBrief: the short log names what changed, and prints no digest.
func TestChangesInBrief(t *testing.T) {
	list := Between([]byte(`{"policy":{"user":{"version":1},"managed":{}},"guardians":[{"name":"g","digest":"aa"}]}`),
		[]byte(`{"policy":{"user":{"version":2},"session":{}},"guardians":[{"name":"g","digest":"bb","settings":{}}]}`))
	var told []string
	for _, one := range list {
		told = append(told, one.Brief())
	}
	want := []string{"", "policy managed is gone", "policy user changed", "policy session is new", "guardian g changed",
		"guardian g has another permit"}
	if !slices.Equal(told, want) {
		t.Errorf("got %q, want %q", told, want)
	}
}

// TestConfigured follows configurations, of which some are not taken.
func TestConfigured(t *testing.T) {
	var c Tracker
	for _, step := range []struct{ event, want string }{
		{`{"event":"configured","config":{"quue":1}}`, ""},
		{`{"event":"configured","config":{}}`, ""},
		{`{"event":"configured","refused":"no"}`, ""},
		{`{"event":"ticked"}`, ""},
		{`{"event":"configured","config":{"limits":{"queue":-1}}}`, ""},
		{`{"event":"configured","config_text":"{ }"}`, "configuration " + hexDigest("{}") + " → " + hexDigest("{ }")},
		{`{"event":"configured","config":{"policy":{"user":{"version":1,"mood":1}}}}`, "policy user is new"},
	} {
		var said []string
		for _, one := range c.Add(journal.Record{Event: []byte(step.event)}) {
			said = append(said, one.String())
		}
		if got := strings.Join(said, "\n"); !strings.Contains(got, step.want) || (got == "") != (step.want == "") {
			t.Errorf("%s: got %q, want %q", step.event, got, step.want)
		}
	}
}
