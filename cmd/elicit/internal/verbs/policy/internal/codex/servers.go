package codex

import (
	"slices"
	"strings"
)

// server holds the settings of config.toml that approve the tools of one MCP server.
type server struct {
	name     string
	standard *setting // default_tools_approval_mode
	tools    []setting
}

// startKeys are the keys of a server that say how to start and reach it. Their values may be secret, so no entry has
// them.
var startKeys = []string{"command", "args", "env", "env_vars", "cwd", "url", "bearer_token_env_var", "http_headers",
	"env_http_headers", "startup_timeout_sec", "startup_timeout_ms", "required", "scopes", "oauth_resource",
	"transport", "type", "identity", "experimental_environment"}

func (u *user) mcpServer(s setting) {
	if len(s.path) < 3 {
		u.enter(s, Ignored, "", "nothing is said about this server")
		return
	}
	key := s.path[2]
	standard := key == "default_tools_approval_mode" && len(s.path) == 3
	tool := key == "tools" && len(s.path) == 5 && s.path[4] == "approval_mode"
	switch {
	case standard || tool:
		u.approvalMode(s, standard)
	case slices.Contains(startKeys, key):
		u.enter(s, Ignored, "", "how the server is started and reached; not what it may ask")
	case key == "enabled_tools" || key == "disabled_tools":
		u.toolList(s)
	case key == "enabled":
		u.enter(s, NoEquivalent, "",
			"the client decides which servers exist; a policy decides about their questions")
	case key == "tool_timeout_sec":
		u.enter(s, NoEquivalent, "", "the client decides how long a call may take")
	default:
		u.enter(s, Ignored, "", notKnown)
	}
}

const noToolList = "this must be a list of names"

// toolList turns a list of tools into a rule that declines what a tool asks that Codex would not offer. No value is
// entered, because these are words of the server.
func (u *user) toolList(s setting) {
	if u.repeated(s) {
		return
	}
	fault := nameFault(s.path[1])
	if len(s.path) > 3 {
		fault = noToolList
	}
	if fault != "" {
		u.enter(s, Wrong, "", fault)
		return
	}
	list, faults := []string{}, []string(nil)
	values, isList := s.value.([]any)
	if !isList {
		faults = []string{noToolList}
	}
	for _, v := range values {
		name, ok := v.(string)
		switch fault := nameFault(name); {
		case !ok:
			faults = append(faults, "every name must be a string")
		case fault != "":
			faults = append(faults, fault)
		default:
			list = append(list, name)
		}
	}
	r := rule{Name: s.key(), When: criteria{"server": literal(s.path[1])}, Then: "decline"}
	switch only := s.path[2] == "enabled_tools"; {
	case only:
		// "?*" is every tool with a name. A question outside of a call is of no tool, so the list does not mean it.
		r.When["tool"], r.Why = "?*", "only the tools that the Codex configuration enables may ask"
		if len(list) > 0 {
			r.Unless = criteria{"tool": literals(list)}
		}
	case len(list) > 0:
		r.When["tool"], r.Why = literals(list), "the Codex configuration disables this tool"
	}
	to, why := "", "it lists no tool"
	if r.Why != "" {
		u.draft.Rules = append(u.draft.Rules, r)
		to, why = "rule "+r.Name, "the rule declines what such a tool asks; it does not hide the tool from the agent"
	}
	if faults != nil {
		u.enter(s, Wrong, to, strings.Join(slices.Compact(faults), "; "))
		return
	}
	u.enter(s, Translated, to, why)
}

// approvalMode keeps an approval mode until the approval policy of the layer is known, on which its meaning depends.
func (u *user) approvalMode(s setting, standard bool) {
	if u.repeated(s) {
		return
	}
	for i, name := range []string{s.path[1], s.path[len(s.path)-2]} {
		if fault := nameFault(name); fault != "" && (i == 0 || !standard) {
			u.enterValue(s, Wrong, "", fault)
			return
		}
	}
	at := slices.IndexFunc(u.servers, func(v *server) bool { return v.name == s.path[1] })
	if at < 0 {
		at = len(u.servers)
		u.servers = append(u.servers, &server{name: s.path[1]})
	}
	if standard {
		u.servers[at].standard = &s
	} else {
		u.servers[at].tools = append(u.servers[at].tools, s)
	}
}

// approveTools adds the entry of one server to the policy. It leaves out a server without approvals.
func (u *user) approveTools(v *server) {
	to := "servers." + v.name
	a := &serverApprovals{Tools: map[string]toolApprovals{}}
	for _, s := range v.tools {
		if word := u.approvalsOf(s, to, &a.Trust); word != "" {
			a.Tools[s.path[3]] = toolApprovals{word}
		}
	}
	if v.standard != nil {
		a.Approvals = u.approvalsOf(*v.standard, to, &a.Trust)
	}
	if a.Approvals == "" && len(a.Tools) == 0 {
		return
	}
	if u.draft.Servers == nil {
		u.draft.Servers = map[string]*serverApprovals{}
	}
	u.draft.Servers[v.name] = a
}

// approvalsOf enters one approval mode and returns the policy's word for it. It returns "" under never with full
// access, because Codex then runs every tool, and the approval policy of the file says that already.
func (u *user) approvalsOf(s setting, to string, trust *bool) string {
	switch word, _ := s.value.(string); word {
	case "approve":
		u.enterValue(s, Translated, to, u.acceptNote())
		return word
	case "auto", "writes", "prompt":
		if u.runsAll() {
			u.enterValue(s, Translated, "approval_policy", "under never with full access Codex runs every tool, also this")
			return ""
		}
		note := ""
		if word != "prompt" {
			*trust, note = true, "Codex believes what every server says about its tools, so the policy trusts this server"
		}
		u.enterValue(s, Translated, to, note)
		return word
	}
	u.enterValue(s, Wrong, to, `known are "auto", "prompt", "writes" and "approve"; its approvals are asked`)
	return "prompt"
}

func (u *user) runsAll() bool { return u.approval.name == "never" && u.access == "full" }

func (u *user) acceptNote() string {
	switch {
	case u.limits.never:
		return "without effect: the managed approval policy lets nothing below it accept"
	case u.limits.asksAll:
		return "without effect: a managed rule asks about every request"
	}
	return "what the server itself tags as an approval is accepted as well; only a confirmation can be"
}
