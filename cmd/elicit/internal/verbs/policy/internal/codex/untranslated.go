package codex

import (
	"slices"
	"strings"
)

// untranslatedKey is the result for a key without a translation, and for every key below it.
type untranslatedKey struct {
	prefix string
	status Status
	why    string
}

const (
	notKnown          = "not known here; make sure that it limits nothing"
	notAboutQuestions = "it has nothing to do with questions of servers"
	aboutCommands     = "it is about how commands run; a policy judges questions"
	noProfiles        = "permission profiles are not read; set access in the policy, else it is sandboxed"
)

// configKeys are the keys of config.toml without a translation. The first match counts, so a longer prefix is before a
// shorter one.
var configKeys = []untranslatedKey{
	{"approvals_reviewer", Wrong, notAReviewer},
	{"sandbox_mode", Wrong, notASandbox},
	{"apps", NoEquivalent, "connectors are no MCP servers that a policy could name"},
	{"plugins", NoEquivalent, "a policy knows no plugins; name their servers under mcp_servers"},
	{"auto_review", NoEquivalent, "the host of the reviewer has its instructions"},
	{"features.guardian_approval", NoEquivalent, "the host of the reviewer decides whether there is one"},
	{"features.guardianv2", NoEquivalent, "the host of the reviewer decides whether there is one"},
	{"hooks", NoEquivalent, "there are no hooks; rules decide"},
	{"profiles", NoEquivalent, "a policy file is one profile; import each from a file of its own"},
	{"profile", NoEquivalent, "a policy file is one profile; import each from a file of its own"},
	{"default_permissions", NoEquivalent, noProfiles},
	{"permissions", NoEquivalent, noProfiles},
	{"projects", NoEquivalent, "a policy knows no folders; put a project's rules into a policy of its own"},
	{"sandbox_workspace_write", Ignored, aboutCommands},
	{"shell_environment_policy", Ignored, aboutCommands},
	{"allow_login_shell", Ignored, aboutCommands},
	{"rules", NoEquivalent, "rules are in files of their own; give them to the command"},
}

// otherKeys of config.toml have nothing to do with questions of servers.
var otherKeys = strings.Fields(`
	features model model_provider model_providers model_reasoning_effort model_reasoning_summary
	model_verbosity model_context_window review_model personality service_tier notify tui history otel
	analytics feedback web_search tools file_opener notice project_doc_max_bytes
	project_doc_fallback_filenames developer_instructions model_instructions_file hide_agent_reasoning
	show_raw_agent_reasoning check_for_update_on_startup cli_auth_credentials_store
	mcp_oauth_credentials_store chatgpt_base_url openai_base_url log_dir agents skills memories windows
	desktop`)

// requirementKeys are the keys of requirements.toml without a translation.
var requirementKeys = []untranslatedKey{
	{"allowed_approval_policies", Wrong, "this must be one list of approval policies"},
	{"allowed_approvals_reviewers", Wrong, "this must be one list of reviewers"},
	{"allowed_sandbox_modes", Wrong, "this must be one list of sandbox modes"},
	{"guardian_policy_config", NoEquivalent, "the host of the reviewer has its instructions"},
	{"guardian_extra_policy", NoEquivalent, "the host of the reviewer has its instructions"},
	{"auto_review.required_on_models", NoEquivalent, "a policy does not know the model"},
	{"auto_review", NoEquivalent, "the host of the reviewer has its instructions"},
	{"apps", NoEquivalent, "connectors are no MCP servers that a policy could name"},
	{"plugins", NoEquivalent, "a policy knows no plugins; name their servers under mcp_servers"},
	{"hooks", NoEquivalent, "there are no hooks; rules decide"},
	{"allow_managed_hooks_only", NoEquivalent, "there are no hooks; rules decide"},
	{"features", NoEquivalent, "a policy pins no features"},
	{"rules", NoEquivalent, "known is only rules.prefix_rules"},
	{"permissions", NoEquivalent, noProfiles},
	{"allowed_web_search_modes", Ignored, notAboutQuestions},
	{"enforce_residency", Ignored, notAboutQuestions},
	{"experimental_network", Ignored, aboutCommands},
}

// untranslated returns the result for a key without a translation.
func untranslated(path []string, keys []untranslatedKey) (Status, string) {
	if path[0] == unreadable {
		return Wrong, "the header of its table cannot be read, so its meaning is unknown"
	}
	key := strings.Join(path, ".") + "."
	for _, k := range keys {
		if strings.HasPrefix(key, k.prefix+".") {
			return k.status, k.why
		}
	}
	if slices.Contains(otherKeys, path[0]) {
		return Ignored, notAboutQuestions
	}
	return Ignored, notKnown
}
