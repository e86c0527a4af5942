package hostrules

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/verbs/policy/internal/codex"
	"github.com/elicit-engine/elicit/engine/policy"
)

func written(t *testing.T, host, rules string) (text string, notes []string) {
	t.Helper()
	doc := []byte(`{"version":1,"rules":[` + rules + `]}`)
	p, problems := policy.Parse(policy.User, doc)
	if problems != nil {
		t.Fatal(problems)
	}
	return Write(host, [][]byte{doc}, policy.NewStack(p))
}

func Example() {
	doc := []byte(`{"version":1,"rules":[{"name":"no-push","when":{"command":"git push*"},"then":"decline",
		"why":"CI pushes"}]}`)
	p, _ := policy.Parse(policy.User, doc)
	text, _ := Write("codex", [][]byte{doc}, policy.NewStack(p))
	fmt.Print(text)
	// Output: prefix_rule(pattern=["git", "push"], decision="forbidden", justification="CI pushes")
}

// TestSpellings: what a rule becomes in each agent, "" where it is left out.
func TestSpellings(t *testing.T) {
	for _, tt := range []struct{ when, claude, codex, gemini string }{
		{`{"command":"git push*"}`, "Bash(git push:*)", `["git", "push"]`, `commandPrefix = "git push"`},
		{`{"command":"git push"}`, "Bash(git push)", "", ""},
		{`{"command":"git * main"}`, "Bash(git * main)", "", ""},
		{`{"command":"*"}`, "Bash\"", "", ""},
		{`{"command":"git [a-p]*"}`, "", "", ""},
		{`{"command":"echo $(x)*"}`, "", "", ""},
		{`{"command":"a\"b*"}`, "", "", ""},
		{`{"runs":"curl"}`, "Bash(curl:*)", `["curl"]`, `commandPrefix = "curl"`},
		{`{"runs":"curl","does":"command"}`, "Bash(curl:*)", `["curl"]`, `commandPrefix = "curl"`},
		{`{"runs":"c*"}`, "Bash(c*)", "", ""},
		{`{"publishes":"git"}`, "Bash(git push:*)", `["git", "push"]`, `commandPrefix = "git push"`},
		{`{"reads":"~/.ssh/*"}`, "Read(~/.ssh/**)", "", `argsPattern = "`},
		{`{"reads":"/etc/shadow"}`, "Read(//etc/shadow)", "", `:\"/etc/shadow\""`},
		{`{"writes":"*/.env"}`, "Edit(**/.env)", "", `(?:[^\"]*/)?\\.env\""`},
		{`{"path":"*/.env","does":"patch"}`, "Edit(**/.env)", "", `\\.env\""`},
		{`{"path":"*/.env","does":"permissions"}`, "", "", ""},
		{`{"reads":"notes"}`, "Read(./notes)", "", ""},
		{`{"reads":"env:HOME"}`, "", "", ""},
		{`{"reads":"~ann/x"}`, "", "", ""},
		{`{"fetches":"example.com"}`, "WebFetch(domain:example.com)", "", ""},
		{`{"tool":"WebSearch"}`, "WebSearch", "", `toolName = "WebSearch"`},
		{`{"tool":"delete"}`, "", "", `toolName = "delete"`},
		{`{"server":"files","tool":"delete"}`, "mcp__files__delete", "", "mcpName = \"files\"\ntoolName = \"delete\""},
		{`{"server":"f*","tool":"delete"}`, "", "", ""},
		{`{"message":"*push*"}`, "", "", ""},
		{`{"runs":"git","writes":"./"}`, "", "", ""},
		{`{"label":"read_secret","sends":"*"}`, "", "", ""},
		{`{}`, "", "", ""},
	} {
		for host, want := range map[string]string{"claude-code": tt.claude, "codex": tt.codex, "gemini": tt.gemini} {
			for then, word := range map[string]string{"decline": `"deny"`, "ask": `"ask_user"`} {
				text, notes := written(t, host, `{"name":"r","when":`+tt.when+`,"then":"`+then+`"}`)
				empty := text == "" || strings.Contains(text, "\"ask\": [],\n    \"deny\": []\n")
				if (want == "") != empty || !strings.Contains(text, want) || want == "" && len(notes) == 0 {
					t.Errorf("%s, %s: got %q and %q, want %q", host, tt.when, text, notes, want)
				}
				if host == "gemini" && want != "" && !strings.Contains(text, word) {
					t.Errorf("%s %s: %q", then, tt.when, text)
				}
			}
		}
	}
}

// TestNothingIsWider: a rule is left out if another one decides about some of what the agent would forbid, and no rule
// that accepts is ever written.
func TestNothingIsWider(t *testing.T) {
	const push = `{"when":{"command":"git push*"},"then":"decline"}`
	for name, rules := range map[string]string{
		"an exception":           `{"when":{"command":"git push*"},"unless":{"cwd":"/x"},"then":"decline"}`,
		"a narrower rule before": `{"when":{"command":"git push origin*"},"then":"accept"},` + push,
		"a wider rule before":    `{"when":{"command":"git *"},"then":"accept"},` + push,
		"impacts before":         `{"when":{"runs":"*","reads":"*"},"then":"accept"},` + push,
		"another criterion":      `{"when":{"cwd":"/x"},"then":"accept"},` + push,
		"it accepts":             `{"when":{"command":"git push*"},"then":"accept"}`,
		"asks before":            `{"when":{"command":"git *"},"then":"ask"},` + push,
	} {
		for _, host := range Hosts() {
			if text, notes := written(t, host, rules); strings.Contains(text, "push") || len(notes) == 0 {
				t.Errorf("%s, %s: %s%q", host, name, text, notes)
			}
		}
	}
	for name, rules := range map[string]string{
		"another program":   `{"when":{"runs":"ls"},"then":"accept"},` + push,
		"other first words": `{"when":{"command":"git status*"},"then":"accept"},` + push,
		"a tool":            `{"when":{"tool":"x"},"then":"accept"},` + push,
	} {
		for _, host := range Hosts() {
			if text, notes := written(t, host, rules); !strings.Contains(text, "push") {
				t.Errorf("%s, %s: %s%q", host, name, text, notes)
			}
		}
	}
}

// TestFilesAreRead: whatever a reason holds, a reader of the agent's language reads the file. One bad line makes an
// agent drop all rules.
func TestFilesAreRead(t *testing.T) {
	rules := `{"name":"a\"]\n","when":{"command":["rm *","git push*"]},"then":"decline",` +
		`"why":"\\ \" ' \u0001 \u007f \u2028 ü <&> {{ ''' \"\"\" \ud83d\ude00 # ]"},` +
		`{"when":{"reads":["~/.ssh/*","*/a.b+c/*"]},"then":"ask","why":"x"}`
	text, _ := written(t, "claude-code", rules)
	var settings struct{ Permissions struct{ Ask, Deny []string } }
	if err := json.Unmarshal([]byte(text), &settings); err != nil || len(settings.Permissions.Deny) != 2 ||
		!slices.Contains(settings.Permissions.Ask, "Read(~/.ssh/**)") {
		t.Errorf("%v: %s", err, text)
	}
	text, _ = written(t, "gemini", rules)
	var file struct {
		Rule []struct{ CommandPrefix, ArgsPattern, DenyMessage string }
	}
	if err := toml.Unmarshal([]byte(text), &file); err != nil || len(file.Rule) != 4 {
		t.Fatalf("%v: %s", err, text)
	}
	if p := regexp.MustCompile(file.Rule[3].ArgsPattern); !p.MatchString(`{"file_path":"/x/a.b+c/d"}`) ||
		p.MatchString(`{"file_path":"/x/aXb+c/d"}`) || p.MatchString(`{"content":"/a.b+c/"}`) {
		t.Errorf("%s", p)
	}
	text, _ = written(t, "codex", rules)
	for _, report := range codex.Import(nil, nil, &codex.Source{Name: "elicit.rules", Text: []byte(text)}) {
		if report.Wrong() || strings.Count(text, "prefix_rule(") != 2 {
			t.Errorf("%s%+v", text, report)
		}
	}
}
