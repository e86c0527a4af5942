package codex

import "strings"

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
	{"features", Ignored, notAboutQuestions}, {"model", Ignored, notAboutQuestions},
	{"model_provider", Ignored, notAboutQuestions},
	{"model_providers", Ignored, notAboutQuestions}, {"model_reasoning_effort", Ignored, notAboutQuestions},
	{"model_reasoning_summary", Ignored, notAboutQuestions}, {"model_verbosity", Ignored, notAboutQuestions},
	{"model_context_window", Ignored, notAboutQuestions}, {"review_model", Ignored, notAboutQuestions},
	{"personality", Ignored, notAboutQuestions}, {"service_tier", Ignored, notAboutQuestions},
	{"notify", Ignored, notAboutQuestions}, {"tui", Ignored, notAboutQuestions},
	{"history", Ignored, notAboutQuestions}, {"otel", Ignored, notAboutQuestions},
	{"analytics", Ignored, notAboutQuestions}, {"feedback", Ignored, notAboutQuestions},
	{"web_search", Ignored, notAboutQuestions}, {"tools", Ignored, notAboutQuestions},
	{"file_opener", Ignored, notAboutQuestions}, {"notice", Ignored, notAboutQuestions},
	{"project_doc_max_bytes", Ignored, notAboutQuestions},
	{"project_doc_fallback_filenames", Ignored, notAboutQuestions},
	{"developer_instructions", Ignored, notAboutQuestions}, {"model_instructions_file", Ignored, notAboutQuestions},
	{"hide_agent_reasoning", Ignored, notAboutQuestions}, {"show_raw_agent_reasoning", Ignored, notAboutQuestions},
	{"check_for_update_on_startup", Ignored, notAboutQuestions},
	{"cli_auth_credentials_store", Ignored, notAboutQuestions},
	{"mcp_oauth_credentials_store", Ignored, notAboutQuestions},
	{"chatgpt_base_url", Ignored, notAboutQuestions}, {"openai_base_url", Ignored, notAboutQuestions},
	{"log_dir", Ignored, notAboutQuestions}, {"agents", Ignored, notAboutQuestions},
	{"skills", Ignored, notAboutQuestions}, {"memories", Ignored, notAboutQuestions},
	{"windows", Ignored, notAboutQuestions}, {"desktop", Ignored, notAboutQuestions},
}

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
	return Ignored, notKnown
}
