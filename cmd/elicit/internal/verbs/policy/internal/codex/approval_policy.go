package codex

import (
	"fmt"
	"slices"
)

// approval is one approval policy of Codex.
type approval struct {
	mode    any    // the policy's approval_policy, nil when the value cannot be read
	name    string // by which Codex compares it with the allowed ones
	prompts bool   // questions of servers may be shown
	why     string // a note about it, or why it cannot be read
	flags   [5]bool
}

const notAPolicy = `known are "on-request", "never", "untrusted", "on-failure" and {granular = {…}}`

func approvalNamed(word string) approval {
	a := approval{name: word, mode: word, prompts: true}
	switch word {
	case "on-request":
	case "never":
		a.prompts = false
	case "on-failure":
		a.name, a.mode = "on-request", "on-request"
		a.why = "Codex has dropped on-failure and reads it as on-request"
	case "untrusted":
		a.why = "Codex 0.169 refuses to start with it; here it asks about everything, as it once did"
	case "granular":
		return approval{why: "granular is a table of flags, not a word: " +
			"{granular = {sandbox_approval = …, rules = …, mcp_elicitations = …}}"}
	default:
		return approval{why: notAPolicy}
	}
	return a
}

// Flags of a granular approval policy. True allows the prompts of its kind, and false rejects them.
var (
	neededFlags  = []string{"sandbox_approval", "rules", "mcp_elicitations"}
	allowedFlags = []string{"request_permissions", "skill_approval"}
)

// granular reads the flags below the key granular. It ignores unknown flags, as Codex does.
func granular(flags []setting) approval {
	given := map[string]bool{}
	for _, s := range flags {
		name := s.path[len(s.path)-1]
		if !slices.Contains(neededFlags, name) && !slices.Contains(allowedFlags, name) {
			continue
		}
		on, ok := s.value.(bool)
		if _, again := given[name]; again || !ok {
			return approval{why: fmt.Sprintf("%s must be given once, as true or false", name)}
		}
		given[name] = on
	}
	for _, name := range neededFlags {
		if _, ok := given[name]; !ok {
			return approval{why: fmt.Sprintf("granular lacks %s, which Codex requires", name)}
		}
	}
	a := approval{name: "granular", mode: map[string]any{"granular": given},
		prompts: given["mcp_elicitations"]}
	for i, name := range append(neededFlags[:len(neededFlags):len(neededFlags)], allowedFlags...) {
		a.flags[i] = given[name]
	}
	if !a.prompts {
		a.why = "mcp_elicitations = false rejects; Codex still asks about tool approvals, which are declined here as well"
	}
	return a
}

// oldSpelling is the message about the key reject, which granular replaced.
const oldSpelling = "reject is the old, inverted spelling and an error in Codex today; " +
	"write granular with each flag inverted: reject true is granular false"

// reviewerNamed returns the policy's word for a reviewer.
func reviewerNamed(word string) (name string, ok bool) {
	name, ok = map[string]string{"user": "user", "auto_review": "auto_review", "guardian_subagent": "auto_review"}[word]
	return name, ok
}

const notAReviewer = `known are "user" and "auto_review"`

// accessOf returns the policy's access for a sandbox mode.
func accessOf(word string) (access string, ok bool) {
	access, ok = map[string]string{"read-only": "sandboxed", "workspace-write": "sandboxed",
		"danger-full-access": "full"}[word]
	return access, ok
}

const notASandbox = `known are "read-only", "workspace-write" and "danger-full-access"`

// equal reports whether two approval policies are the same for Codex. A missing flag counts as false.
func (a approval) equal(b approval) bool { return a.name == b.name && a.flags == b.flags }
