package codex

import "slices"

// server is what config.toml says about approving the tools of one MCP server.
type server struct {
	name     string
	standard *setting // default_tools_approval_mode
	tools    []setting
}

// Keys of a server that say how it is started and reached; their values may be secret and are never shown.
var startKeys = []string{"command", "args", "env", "env_vars", "cwd", "url", "bearer_token_env_var", "http_headers", "env_http_headers",
	"startup_timeout_sec", "startup_timeout_ms", "required", "scopes", "oauth_resource", "transport", "type", "identity", "experimental_environment"}

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
	case slices.Contains([]string{"enabled", "enabled_tools", "disabled_tools"}, key):
		u.enter(s, NoEquivalent, "", "which servers and tools there are is the client's to keep; a policy judges what they ask")
	case key == "tool_timeout_sec":
		u.enter(s, NoEquivalent, "", "how long a call may take is the client's to keep")
	default:
		u.enter(s, Ignored, "", notKnown)
	}
}

// approvalMode keeps an approval mode until the mode of the layer is known.
func (u *user) approvalMode(s setting, standard bool) {
	if u.again(s) {
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

// approveTools writes the rules of one server: its tools before the server's own word, since the first that matches
// decides. Only approve loosens what the mode says, so a stricter word needs a rule only where approve stands behind it.
func (u *user) approveTools(v *server) {
	accepts := v.standard != nil && v.standard.value == any("approve")
	for _, s := range v.tools {
		u.approveBy(s, rule{servers: []string{v.name}, tool: s.path[3]}, accepts)
	}
	if v.standard != nil {
		u.approveBy(*v.standard, rule{servers: []string{v.name}, knownTool: true}, false)
	}
}

func (u *user) approveBy(s setting, r rule, behind bool) {
	r.name, r.kinds = s.key(), []string{"approval"}
	word, _ := s.value.(string)
	r.why = "approval mode " + word
	stricter := "every approval is left to the mode"
	if behind {
		stricter = "every approval of it is asked"
	}
	switch word {
	case "approve":
		r.then = "accept"
		u.draft.rules = append(u.draft.rules, r)
		u.enterValue(s, Translated, "rule "+r.name, u.acceptNote())
		return
	case "prompt":
		u.enterValue(s, Translated, u.strict(r, behind), u.promptNote())
	case "auto", "writes":
		u.enterValue(s, NoEquivalent, u.strict(r, behind), "a policy cannot look at a tool's annotations yet; "+stricter+", which is stricter")
	default:
		r.then, r.knownTool, r.why = "ask", false, "its approval mode cannot be read"
		u.draft.rules = append(u.draft.rules, r)
		u.enterValue(s, Wrong, "rule "+r.name, `known are "auto", "prompt", "writes" and "approve"; its approvals are asked`)
	}
}

// strict writes a rule that holds off an approve behind it, and says where. Under never with full access Codex runs
// every tool, also those set to prompt, so there is nothing to hold off.
func (u *user) strict(r rule, behind bool) (to string) {
	if !behind || u.runsAll() {
		return "mode"
	}
	r.then = "ask"
	if u.reviewer == "auto_review" && u.approval.name != "never" && u.approval.name != "untrusted" {
		r.then = "review"
	}
	u.draft.rules = append(u.draft.rules, r)
	return "rule " + r.name
}

func (u *user) runsAll() bool { return u.approval.name == "never" && u.access == "full" }

func (u *user) promptNote() string {
	if u.runsAll() {
		return "under never with full access Codex runs every tool, also this"
	}
	return ""
}

func (u *user) acceptNote() string {
	switch {
	case u.limits.never:
		return "without effect: the managed mode lets nothing below it accept"
	case u.limits.asksAll:
		return "without effect: a managed rule asks about every request"
	}
	return "what the server itself tags as an approval is accepted as well; only a confirmation can be"
}
