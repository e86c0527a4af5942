package codex

import "strings"

// known is what becomes of a key, or of every key below it, that has no translation.
type known struct {
	prefix string
	status Status
	why    string
}

const (
	notKnown = "not known here; make sure that it limits nothing"
	unasked  = "it has nothing to do with questions of servers"
	commands = "it is about commands and files; a policy judges questions of servers"
)

// configKeys of config.toml. A longer prefix stands before a shorter one.
var configKeys = []known{
	{"approvals_reviewer", Wrong, notAReviewer},
	{"sandbox_mode", Wrong, notASandbox},
	{"apps", NoEquivalent, "connectors are no MCP servers that a policy could name"},
	{"plugins", NoEquivalent, "a policy knows no plugins; name their servers under mcp_servers"},
	{"auto_review", NoEquivalent, "what the reviewer is told is kept by the host that has the reviewer"},
	{"features.guardian_approval", NoEquivalent, "whether there is a reviewer is said by the host that has it"},
	{"features.guardianv2", NoEquivalent, "whether there is a reviewer is said by the host that has it"},
	{"hooks", NoEquivalent, "there are no hooks; rules decide"},
	{"profiles", NoEquivalent, "a policy file is one profile; import each from a file of its own"},
	{"profile", NoEquivalent, "a policy file is one profile; import each from a file of its own"},
	{"default_permissions", NoEquivalent, "permission profiles are not read; say access yourself, it is sandboxed when nobody does"},
	{"permissions", NoEquivalent, "permission profiles are not read; say access yourself, it is sandboxed when nobody does"},
	{"projects", NoEquivalent, "a policy knows no folders; put a project's rules into a policy of its own"},
	{"sandbox_workspace_write", Ignored, commands},
	{"shell_environment_policy", Ignored, commands},
	{"allow_login_shell", Ignored, commands},
	{"rules", Ignored, commands},
	{"features", Ignored, unasked}, {"model", Ignored, unasked}, {"model_provider", Ignored, unasked},
	{"model_providers", Ignored, unasked}, {"model_reasoning_effort", Ignored, unasked}, {"model_reasoning_summary", Ignored, unasked},
	{"model_verbosity", Ignored, unasked}, {"model_context_window", Ignored, unasked}, {"review_model", Ignored, unasked},
	{"personality", Ignored, unasked}, {"service_tier", Ignored, unasked}, {"notify", Ignored, unasked}, {"tui", Ignored, unasked},
	{"history", Ignored, unasked}, {"otel", Ignored, unasked}, {"analytics", Ignored, unasked}, {"feedback", Ignored, unasked},
	{"web_search", Ignored, unasked}, {"tools", Ignored, unasked}, {"file_opener", Ignored, unasked}, {"notice", Ignored, unasked},
	{"project_doc_max_bytes", Ignored, unasked}, {"project_doc_fallback_filenames", Ignored, unasked}, {"developer_instructions", Ignored, unasked},
	{"model_instructions_file", Ignored, unasked}, {"hide_agent_reasoning", Ignored, unasked}, {"show_raw_agent_reasoning", Ignored, unasked},
	{"check_for_update_on_startup", Ignored, unasked}, {"cli_auth_credentials_store", Ignored, unasked}, {"mcp_oauth_credentials_store", Ignored, unasked},
	{"chatgpt_base_url", Ignored, unasked}, {"openai_base_url", Ignored, unasked}, {"log_dir", Ignored, unasked}, {"agents", Ignored, unasked},
	{"skills", Ignored, unasked}, {"memories", Ignored, unasked}, {"windows", Ignored, unasked}, {"desktop", Ignored, unasked},
}

// requirementKeys of requirements.toml.
var requirementKeys = []known{
	{"allowed_approval_policies", Wrong, "this must be one list of approval policies"},
	{"allowed_approvals_reviewers", Wrong, "this must be one list of reviewers"},
	{"allowed_sandbox_modes", Wrong, "this must be one list of sandbox modes"},
	{"guardian_policy_config", NoEquivalent, "what the reviewer is told is kept by the host that has the reviewer"},
	{"guardian_extra_policy", NoEquivalent, "what the reviewer is told is kept by the host that has the reviewer"},
	{"auto_review.required_on_models", NoEquivalent, "a policy does not know the model"},
	{"auto_review", NoEquivalent, "what the reviewer is told is kept by the host that has the reviewer"},
	{"apps", NoEquivalent, "connectors are no MCP servers that a policy could name"},
	{"plugins", NoEquivalent, "a policy knows no plugins; name their servers under mcp_servers"},
	{"hooks", NoEquivalent, "there are no hooks; rules decide"},
	{"allow_managed_hooks_only", NoEquivalent, "there are no hooks; rules decide"},
	{"features", NoEquivalent, "a policy pins no features"},
	{"rules", NoEquivalent, "prefix rules judge commands; a policy judges questions of servers"},
	{"permissions", NoEquivalent, "permission profiles are not read; say access yourself, it is sandboxed when nobody does"},
	{"allowed_web_search_modes", Ignored, unasked},
	{"enforce_residency", Ignored, unasked},
	{"experimental_network", Ignored, commands},
}

// elsewhere says what becomes of a key without a translation.
func elsewhere(path []string, keys []known) (Status, string) {
	if path[0] == unreadable {
		return Wrong, "the header of its table cannot be read, so nobody knows what it means"
	}
	key := strings.Join(path, ".") + "."
	for _, k := range keys {
		if strings.HasPrefix(key, k.prefix+".") {
			return k.status, k.why
		}
	}
	return Ignored, notKnown
}
