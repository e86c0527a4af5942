package policy

import "github.com/tidwall/gjson"

// object is one kind of object in a policy file. The parser reads by these tables and Keys lists them. So the command
// that lays out files and the published schema always match the parser. A member that is missing here does not exist
// for any of them. The order is that of the layout, and not one of evaluation: members are read in the order of the
// file.
type object []member

// member has a key of an object and the function that reads its value. The function reports problems itself.
type member struct {
	key  string
	read func(*parser, gjson.Result)
}

// root is the file itself, in the order of its layout.
var root = object{
	{"$schema", (*parser).editorSchema},
	{"version", (*parser).version},
	{"approval_policy", (*parser).approvalPolicy},
	{"access", (*parser).access},
	{"reviewer", (*parser).reviewer},
	{"findings", (*parser).findings},
	{"grants", (*parser).grants},
	{"suggestions", (*parser).suggestions},
	{"secrets", (*parser).secrets},
	{"withhold", (*parser).withhold},
	{"own_surface", (*parser).ownSurface},
	{"on_guardian_failure", (*parser).failure},
	{"late_questions", (*parser).late},
	{"unknown", (*parser).unknown},
	{"quiet", (*parser).quiet},
	{"servers", (*parser).servers},
	{"rules", (*parser).rules},
}

// These are the values of members, in the documented order.
var (
	approvalPolicyWords = []string{"untrusted", "on-request", "on-failure", "never"}
	accessWords         = []string{"sandboxed", "full"}
	reviewerWords       = []string{"user", "auto_review"}
	thresholdWords      = []string{"critical", "high", "medium", "never"}
	grantWords          = []string{"none", "session", "always"}
	suggestionWords     = []string{"none", "tool", "server"}
	serverKeys          = []string{"trust", "approval_policy", "approvals", "tools"}
	toolKeys            = []string{"approval_policy", "approvals"}
	secretWords         = []string{"refuse", "confirm", "note"}
	failureWords        = []string{"deny", "ask"}
	lateWords           = []string{"assume", "seen"}
	quietKeys           = []string{"from", "to", "offset", "then"}
	quietWords          = []string{"cancel", "decline"}
	outcomeWords        = []string{"ask", "review", "accept", "decline", "cancel"}
	// These three are required by Codex, and the two that follow have false as their default there.
	granularNeeded  = []string{"mcp_elicitations", "sandbox_approval", "rules"}
	granularAllowed = []string{"skill_approval", "request_permissions"}
	ruleKeys        = []string{"name", "when", "unless", "then", "why"}
)

// Keys lists the members of one object of a policy file in their documented order. pointer names the object: "" is the
// file, "/approval_policy", "/approval_policy/granular", "/findings", "/quiet", "/rules" a rule, "/rules/when" and
// "/rules/unless" its criteria, "/servers/*" a server, "/servers/*/tools/*" a tool. The approval policies of a server
// and a tool have the members of the file's approval policy. Any other pointer returns nil.
func Keys(pointer string) []string {
	switch pointer {
	case "":
		keys := make([]string, len(root))
		for i := range root {
			keys[i] = root[i].key
		}
		return keys
	case "/approval_policy", "/servers/*/approval_policy", "/servers/*/tools/*/approval_policy":
		return []string{"granular"}
	case "/approval_policy/granular", "/servers/*/approval_policy/granular", "/servers/*/tools/*/approval_policy/granular":
		return append(append([]string{}, granularNeeded...), granularAllowed...)
	case "/findings":
		return []string{"decline"}
	case "/quiet":
		return append([]string{}, quietKeys...)
	case "/rules":
		return append([]string{}, ruleKeys...)
	case "/servers/*":
		return append([]string{}, serverKeys...)
	case "/servers/*/tools/*":
		return append([]string{}, toolKeys...)
	case "/rules/when", "/rules/unless":
		keys := make([]string, len(subjects))
		for i := range subjects {
			keys[i] = subjects[i].key
		}
		return keys
	}
	return nil
}
