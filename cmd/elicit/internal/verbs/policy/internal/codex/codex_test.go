package codex

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/internal/must"
)

const examples = "../../../../../testdata/codex/"

func example(t testing.TB, name string) *Source {
	t.Helper()
	return &Source{Name: name, Text: must.Read(t, examples+name)}
}

func source(name, text string) *Source {
	if text == "" {
		return nil
	}
	return &Source{Name: name, Text: []byte(text)}
}

// docsApproved approves every tool of the server docs; a line about one tool follows it.
const docsApproved = "[mcp_servers.docs]\ndefault_tools_approval_mode = \"approve\"\n"

// stack returns the written policies as the engine decides by them.
func stack(t testing.TB, reports []Report) policy.Stack {
	t.Helper()
	var layers []*policy.Policy
	for _, r := range reports {
		p, problems := policy.Parse(r.Layer, r.Policy)
		if problems != nil {
			t.Fatalf("%s: %v in\n%s", r.Source, problems, r.Policy)
		}
		layers = append(layers, p)
	}
	return policy.NewStack(layers...)
}

var (
	form = policy.Facts{Server: "docs", Side: elicit.Answering, Mode: elicit.Form, Kind: elicit.KindForm,
		Fields: []policy.FieldFact{{Name: "a"}}}
	confirm = policy.Facts{Server: "docs", Side: elicit.Answering, Mode: elicit.Form, Kind: elicit.KindConfirm}
	url     = policy.Facts{Server: "docs", Side: elicit.Answering, Mode: elicit.URL, Kind: elicit.KindURL,
		Host: "a.example", Scheme: "https"}
	approves = policy.Facts{Server: "docs", Tool: "search", Side: elicit.Answering, Mode: elicit.Form,
		Kind: elicit.KindApproval, Claim: elicit.ClaimApproval}
)

const grain = `sandbox_approval = true, rules = true, mcp_elicitations = `

// TestDecisions compares the decisions of the written policies about a form, a bare confirmation, a page and a tool
// approval with those of Codex 0.169. A row with a stricter decision says why.
func TestDecisions(t *testing.T) {
	tests := []struct{ name, config, requirements, want string }{
		{"on-request", `approval_policy = "on-request"`, "", "ask ask ask ask"},
		{"on-failure is on-request", `approval_policy = "on-failure"`, "", "ask ask ask ask"},
		{"untrusted", `approval_policy = "untrusted"`, "", "ask ask ask ask"},
		{"never", `approval_policy = "never"`, "", "decline decline decline decline"},
		{"never, full access", "approval_policy = \"never\"\nsandbox_mode = \"danger-full-access\"", "",
			"decline accept decline accept"},
		{"granular on", "approval_policy = {granular = {" + grain + "true}}", "", "ask ask ask ask"},
		{"granular off; Codex asks about tool approvals", "[approval_policy.granular]\n" + strings.ReplaceAll(grain, ", ",
			"\n") + "false", "", "decline decline decline decline"},
		{"reviewer", `approvals_reviewer = "auto_review"` + "\n" + `approval_policy = "on-request"`, "",
			"ask ask ask review"},
		{"reviewer by its old name", `approvals_reviewer = "guardian_subagent"` + "\n" + `approval_policy = "on-request"`, "",
			"ask ask ask review"},
		{"unreadable policy", `approval_policy = "sometimes"` + "\n" + `sandbox_mode = "danger-full-access"`, "",
			"decline decline decline decline"},
		{"granular without a needed flag", `approval_policy = {granular = {rules = true, mcp_elicitations = true}}`, "",
			"decline decline decline decline"},
		{"reject", `approval_policy = {reject = {sandbox_approval = false, rules = false, mcp_elicitations = false}}`, "",
			"decline decline decline decline"},
		{"approve", "[mcp_servers.docs]\ndefault_tools_approval_mode = \"approve\"", "", "ask ask ask accept"},
		{"approve one tool", "[mcp_servers.docs.tools.search]\napproval_mode = \"approve\"", "", "ask ask ask accept"},
		{"approve another tool", "[mcp_servers.docs.tools.find]\napproval_mode = \"approve\"", "", "ask ask ask ask"},
		{"approve but one tool", docsApproved + "tools.search.approval_mode = \"prompt\"", "", "ask ask ask ask"},
		{"writes, without annotations", docsApproved + "tools.search.approval_mode = \"writes\"", "", "ask ask ask ask"},
		{"approve under never", "approval_policy = \"never\"\n[mcp_servers.docs]\ndefault_tools_approval_mode = \"approve\"",
			"", "decline decline decline accept"},
		{"prompt under never with full access runs",
			"approval_policy = \"never\"\nsandbox_mode = \"danger-full-access\"\n" + docsApproved +
				"tools.search.approval_mode = \"prompt\"", "", "decline accept decline accept"},
		{"prompt with a reviewer",
			"approvals_reviewer = \"auto_review\"\napproval_policy = \"on-request\"\n" + docsApproved +
				"tools.search.approval_mode = \"prompt\"", "", "ask ask ask review"},
		{"unknown approval mode", docsApproved + "tools.search.approval_mode = \"always\"", "", "ask ask ask ask"},
		{"names are no patterns", "[mcp_servers.\"*\"]\ndefault_tools_approval_mode = \"approve\"", "", "ask ask ask ask"},
		{"enabled", docsApproved + `enabled_tools = ["search", "find"]`, "", "ask ask ask accept"},
		{"not enabled", docsApproved + `enabled_tools = ["find"]`, "", "ask ask ask decline"},
		{"no tool is enabled", docsApproved + `enabled_tools = []`, "", "ask ask ask decline"},
		{"enabled and disabled", docsApproved + "enabled_tools = [\"search\"]\ndisabled_tools = [\"search\"]", "",
			"ask ask ask decline"},
		{"disabled", docsApproved + `disabled_tools = ["find", "search"]`, "", "ask ask ask decline"},
		{"another is disabled", docsApproved + `disabled_tools = ["find"]`, "", "ask ask ask accept"},
		{"none is disabled", docsApproved + `disabled_tools = []`, "", "ask ask ask accept"},
		{"of another server", docsApproved + "[mcp_servers.other]\ndisabled_tools = [\"search\"]\nenabled_tools = []", "",
			"ask ask ask accept"},
		{"disabled under never with full access", "approval_policy = \"never\"\nsandbox_mode = \"danger-full-access\"\n" +
			"[mcp_servers.docs]\ndisabled_tools = [\"search\"]", "", "decline accept decline decline"},
		{"names of tools are no patterns", docsApproved + `disabled_tools = ["s*", "?earch"]`, "", "ask ask ask accept"},
		{"an enabled name is no pattern", docsApproved + `enabled_tools = ["*"]`, "", "ask ask ask decline"},
		{"a list that is none", docsApproved + `enabled_tools = "search"`, "", "ask ask ask decline"},
		{"a list that is a table", docsApproved + `enabled_tools = {search = true, find = true}`, "", "ask ask ask ask"},
		{"a name that is none", docsApproved + `disabled_tools = [1, "search"]`, "", "ask ask ask decline"},
		{"only a name that is none", docsApproved + `disabled_tools = [""]`, "", "ask ask ask ask"},
		{"a bad line only tightens", "approval_policy = \"never\"\nsandbox_mode = \"danger-full-access\"\nmodel = gpt", "",
			"decline decline decline decline"},
		{"a bad line spoils what accepts", docsApproved + "tools.search.approval_mode = prompt", "", "ask ask ask ask"},
		{"a bad header keeps its keys apart",
			"[mcp_servers.docs]\n[mcp_servers.danger\ndefault_tools_approval_mode = \"approve\"", "", "ask ask ask ask"},

		{"only asking", "", `allowed_approval_policies = ["on-request"]`, "ask ask ask ask"},
		{"only asking, never configured", `approval_policy = "never"`, `allowed_approval_policies = ["on-request"]`,
			"ask ask ask ask"},
		{"only asking, tools approved", "[mcp_servers.docs]\ndefault_tools_approval_mode = \"approve\"",
			`allowed_approval_policies = ["on-request"]`, "ask ask ask accept"},
		{"only never", `approval_policy = "on-request"`, `allowed_approval_policies = ["never"]`,
			"decline decline decline decline"},
		{"only never; Codex accepts empty forms under full access", `sandbox_mode = "danger-full-access"`,
			`allowed_approval_policies = ["never"]`, "decline decline decline decline"},
		{"both", `approval_policy = "never"`, `allowed_approval_policies = ["on-request", "never"]`,
			"decline decline decline decline"},
		{"the same flags in another order", "approvals_reviewer = \"auto_review\"\n" +
			"approval_policy = {granular = {skill_approval = false, " + grain + "true}}",
			`allowed_approval_policies = [{granular = ` +
				`{mcp_elicitations = true, rules = true, sandbox_approval = true}}, "never"]`,
			"ask ask ask review"},
		{"other flags fall back", "approval_policy = {granular = {skill_approval = true, " + grain + "true}}",
			`allowed_approval_policies = ["never", {granular = {` + grain + `true}}]`, "decline decline decline decline"},
		{"lines may end as on Windows", "approval_policy = \"never\"\r\nsandbox_mode = \"danger-full-access\"\r\n", "",
			"decline accept decline accept"},
		{"none that can be read", "", `allowed_approval_policies = ["granular"]`, "decline decline decline decline"},
		{"one that cannot be read", `approval_policy = "on-request"`, `allowed_approval_policies = ["always", "on-request"]`,
			"ask ask ask ask"},
		{"only the user reviews", "approval_policy = \"on-request\"\napprovals_reviewer = \"auto_review\"",
			`allowed_approvals_reviewers = ["user"]`, "ask ask ask ask"},
		{"only the reviewer reviews", "approval_policy = \"on-request\"\napprovals_reviewer = \"user\"",
			`allowed_approvals_reviewers = ["auto_review"]`, "ask ask ask review"},
		{"no full access", "approval_policy = \"never\"\nsandbox_mode = \"danger-full-access\"",
			`allowed_sandbox_modes = ["read-only"]`, "decline decline decline decline"},
		{"a listed server", "", "[mcp_servers.docs]", "ask ask ask ask"},
		{"a server that is not listed", "", "[mcp_servers.other]\nidentity.command = \"x\"",
			"decline decline decline decline"},
		{"a listed server keeps the user's word", "[mcp_servers.docs]\ndefault_tools_approval_mode = \"approve\"",
			"[mcp_servers.docs]", "ask ask ask accept"},
		{"an unlisted server is declined before the policies allowed", "",
			"allowed_approval_policies = [\"on-request\"]\n[mcp_servers.other]", "decline decline decline decline"},
		{"a listed server is asked about as the policies allow",
			"approval_policy = \"never\"\nsandbox_mode = \"danger-full-access\"",
			"allowed_approval_policies = [\"on-request\"]\n[mcp_servers.docs]", "ask ask ask ask"},
		{"an empty list", "", "[mcp_servers]", "decline decline decline decline"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			reports := Import(source("config.toml", tt.config), source("requirements.toml", tt.requirements))
			s := stack(t, reports)
			var got []string
			for _, f := range []policy.Facts{form, confirm, url, approves} {
				got = append(got, s.Decide(&f).Outcome.String())
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("got  %s\nwant %s", strings.Join(got, " "), tt.want)
				for _, r := range reports {
					t.Logf("%s\n%+v", r.Policy, r.Entries)
				}
			}
		})
	}
}

// TestAnnotations compares auto and writes with Codex, for a tool that says that it only reads, and for one that says
// that it writes and destroys nothing.
func TestAnnotations(t *testing.T) {
	reads, writes := approves, approves
	reads.Annotations = elicit.Annotations{ReadOnly: elicit.SaidYes}
	writes.Annotations = elicit.Annotations{Destructive: elicit.SaidNo, OpenWorld: elicit.SaidNo}
	const full = "approval_policy = \"never\"\nsandbox_mode = \"danger-full-access\"\n"
	const standard, one = "[mcp_servers.docs]\ndefault_tools_approval_mode = ",
		"[mcp_servers.docs.tools.search]\napproval_mode = "
	tests := []struct{ name, config, want string }{
		{"auto", standard + `"auto"`, "ask accept accept"},
		{"writes", one + `"writes"`, "ask accept ask"},
		{"prompt", standard + `"prompt"`, "ask ask ask"},
		{"a tool's own word", standard + "\"approve\"\n" + one + `"writes"`, "ask accept ask"},
		{"auto under never", "approval_policy = \"never\"\n" + standard + `"auto"`, "decline accept accept"},
		{"auto under never with full access runs all", full + standard + `"auto"`, "accept accept accept"},
		{"nothing said", "", "ask ask ask"},
		{"a bad line", "x = [\n" + standard + `"auto"`, "ask ask ask"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := stack(t, Import(source("config.toml", tt.config+"\n"), nil))
			var got []string
			for _, f := range []policy.Facts{approves, reads, writes} {
				got = append(got, s.Decide(&f).Outcome.String())
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("got %s, want %s", strings.Join(got, " "), tt.want)
			}
		})
	}
}

// TestAnUnknownToolIsNotApproved: an approval of a server's tools must not cover a question that belongs to no call.
func TestAnUnknownToolIsNotApproved(t *testing.T) {
	s := stack(t, Import(source("c", "[mcp_servers.docs]\ndefault_tools_approval_mode = \"approve\""), nil))
	f := approves
	f.Tool = ""
	if got := s.Decide(&f).Outcome; got != policy.Ask {
		t.Errorf("got %v, want ask", got)
	}
}

// TestEntries checks the entries of keys that are easily misunderstood.
func TestEntries(t *testing.T) {
	tests := []struct{ name, config, key, want string }{
		{"on-failure", `approval_policy = "on-failure"`, "approval_policy",
			`translated "approval_policy": Codex has dropped on-failure and reads it as on-request`},
		{"untrusted", `approval_policy = "untrusted"`, "approval_policy",
			`translated "approval_policy": Codex 0.169 refuses to start with it; here it asks about everything, as it once did`},
		{"bare granular", `approval_policy = "granular"`, "approval_policy",
			`wrong "approval_policy": granular is a table of flags, not a word: ` +
				`{granular = {sandbox_approval = …, rules = …, mcp_elicitations = …}}` +
				`; the approval policy is never until you correct it`},
		{"reject", `approval_policy = {reject = {rules = true}}`, "approval_policy.reject.rules",
			`wrong "approval_policy": ` + oldSpelling + `; the approval policy is never until you correct it`},
		{"missing flag", `approval_policy = {granular = {rules = true, mcp_elicitations = true}}`,
			"approval_policy.granular.rules",
			`wrong "approval_policy": granular lacks sandbox_approval, which Codex requires; ` +
				`the approval policy is never until you correct it`},
		{"unknown flag", `approval_policy = {granular = {` + grain + `true, more = 1}}`, "approval_policy.granular.more",
			`ignored "": Codex knows no such flag and ignores it`},
		{"misplaced", "[tui]\napprovals_reviewer = \"user\"", "tui.approvals_reviewer",
			`ignored "": it is below [tui], where Codex does not look for it; move it above the first table`},
		{"misplaced below the flags", "[approval_policy.granular]\n" + strings.ReplaceAll(grain, ", ", "\n") +
			"true\napprovals_reviewer = \"user\"", "approval_policy.granular.approvals_reviewer",
			`ignored "": it is below [approval_policy.granular], where Codex does not look for it; ` +
				`move it above the first table`},
		{"misplaced below a server", "[mcp_servers.x]\nsandbox_mode = \"read-only\"", "mcp_servers.x.sandbox_mode",
			`ignored "": it is below [mcp_servers.x], where Codex does not look for it; move it above the first table`},
		{"profile", "[profiles.ci]\napproval_policy = \"never\"", "profiles.ci.approval_policy",
			`no_equivalent "": a policy file is one profile; import each from a file of its own`},
		{"unknown", "wibble = 1", "wibble", `ignored "": ` + notKnown},
		{"empty table", "[mcp_servers.x]", "mcp_servers.x", `ignored "": nothing is said about this server`},
		{"empty tool name", "[mcp_servers.x.tools.\"\"]\napproval_mode = \"approve\"", `mcp_servers.x.tools."".approval_mode`,
			`wrong "": an empty name would match everything`},
		{"a number for a word", "sandbox_mode = 3", "sandbox_mode", `wrong "access": ` + notASandbox +
			`; access is sandboxed until you correct it`},
		{"a table for a word", "[sandbox_mode]\nx = 1", "sandbox_mode.x", `wrong "": ` + notASandbox},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := Import(source("config.toml", tt.config), nil)[0]
			at := slices.IndexFunc(r.Entries, func(e Entry) bool { return e.Key == tt.key })
			if at < 0 {
				t.Fatalf("no entry for %s among %+v", tt.key, r.Entries)
			}
			e := r.Entries[at]
			if got := fmt.Sprintf("%s %q: %s", e.Status, e.To, e.Why); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestEveryKeyHasAnEntry: no key is lost without an entry. It tries the examples and every prefix of their lines, so
// that it also covers tables and strings that are cut off.
func TestEveryKeyHasAnEntry(t *testing.T) {
	tried := 0
	for _, name := range []string{"config.toml", "build-server.toml", "legacy.toml", "requirements.toml",
		"lockdown.toml"} {
		lines := strings.SplitAfter(string(example(t, name).Text), "\n")
		for n := range lines {
			for _, tail := range []string{"", "x = [\n", "[broken\n", "y = \"\"\"\n", "approval_policy = \"never\"\n"} {
				src := source(name, strings.Join(lines[:n+1], "")+tail)
				config, requirements := src, (*Source)(nil)
				if name == "requirements.toml" || name == "lockdown.toml" {
					config, requirements = nil, src
				}
				r := Import(config, requirements)[0]
				checkWhole(t, src, r)
				tried++
			}
		}
	}
	if tried < 500 {
		t.Errorf("only %d files tried", tried)
	}
}

func checkWhole(t testing.TB, src *Source, r Report) {
	t.Helper()
	settings, faults := readTOML(src.Text)
	for _, s := range settings {
		if !slices.ContainsFunc(r.Entries, func(e Entry) bool { return e.Key == s.key() && e.Line == s.line }) {
			t.Fatalf("%d: %s has no entry\n%s", s.line, s.key(), src.Text)
		}
	}
	if len(faults) > 0 && !r.Wrong() {
		t.Fatalf("faults %v and nothing wrong\n%s", faults, src.Text)
	}
	s := stack(t, []Report{r})
	for _, f := range []policy.Facts{form, confirm, url, approves} {
		if got := s.Decide(&f).Outcome; r.Wrong() && (got == policy.Accept || got == policy.Review) {
			t.Fatalf("%v although something is wrong\n%s\n%s", got, src.Text, r.Policy)
		}
	}
	for _, e := range r.Entries {
		if e.Line < 1 || e.Column < 1 || e.Status == "" || strings.Contains(e.Value, "hunter2") {
			t.Fatalf("entry %+v", e)
		}
	}
}

func TestTooManyTools(t *testing.T) {
	var b strings.Builder
	b.WriteString("[mcp_servers.docs.tools]\n")
	for i := range policy.MaxServers + 1 {
		fmt.Fprintf(&b, "t%d.approval_mode = \"approve\"\n", i)
	}
	r := Import(source("config.toml", b.String()), nil)[0]
	f := approves
	f.Tool = "t1"
	if got := stack(t, []Report{r}).Decide(&f).Outcome; got != policy.Ask || !r.Wrong() {
		t.Errorf("got %v, wrong %v; want ask, true", got, r.Wrong())
	}
}

func FuzzImport(f *testing.F) {
	f.Add(string(example(f, "config.toml").Text))
	f.Add(string(example(f, "requirements.toml").Text))
	f.Add("[mcp_servers.docs]\n[x\n[mcp_servers.docs]\n")
	f.Add("[mcp_servers.docs\ndefault_tools_approval_mode = \"approve\"\n[[a]]\n[a.b]\nc = {}\n")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4000 {
			return
		}
		for i, r := range Import(&Source{"c", []byte(text)}, &Source{"r", []byte(text)}) {
			if _, problems := policy.Parse(r.Layer, r.Policy); problems != nil {
				t.Fatalf("report %d: %v in %s", i, problems, r.Policy)
			}
			checkWhole(t, &Source{"x", []byte(text)}, r)
		}
	})
}
