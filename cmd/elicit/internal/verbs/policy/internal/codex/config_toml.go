package codex

import (
	"fmt"
	"slices"
)

// user translates config.toml.
type user struct {
	file
	limits    limits
	approval  approval
	reviewer  string
	access    string
	servers   []*server
	seen      map[string]bool
	approvals []setting // every setting of approval_policy, in any form
}

// wordKeys are the keys that Codex reads only above the first table header.
var wordKeys = []string{"approval_policy", "approvals_reviewer", "sandbox_mode"}

func (u *user) translate() {
	u.seen = map[string]bool{}
	for _, s := range u.settings {
		last := s.path[len(s.path)-1]
		switch key := s.path[0]; {
		case key == "approval_policy":
			u.approvals = append(u.approvals, s)
		case key == "approvals_reviewer" && len(s.path) == 1:
			u.reviews(s)
		case key == "sandbox_mode" && len(s.path) == 1:
			u.sandbox(s)
		case slices.Contains(wordKeys, last) && len(s.path) > 1 && key != "profiles":
			u.misplaced(s)
		case key == "mcp_servers":
			u.mcpServer(s)
		default:
			status, why := untranslated(s.path, configKeys)
			u.enter(s, status, "", why)
		}
	}
	u.approvalPolicy()
	for _, server := range u.servers {
		u.approveTools(server)
	}
}

// misplaced enters a key that is below a table header, where Codex does not read it. That is an easy mistake.
func (u *user) misplaced(s setting) {
	u.enterValue(s, Ignored, "", fmt.Sprintf("it is below [%s], where Codex does not look for it; "+
		"move it above the first table", dotted(s.path[:len(s.path)-1])))
}

// approvalPolicy reads approval_policy: a word, an inline table or [approval_policy.granular].
func (u *user) approvalPolicy() {
	if len(u.approvals) == 0 {
		return
	}
	first := u.approvals[0]
	form := ""
	if len(first.path) > 1 {
		form = first.path[1]
	}
	var same []setting // the first value; a table has one setting for each of its members
	for _, s := range u.approvals {
		if len(same) == 0 || form != "" && len(s.path) > 2 && s.path[1] == form {
			same = append(same, s)
		} else {
			u.enterValue(s, Wrong, "", "approval_policy is given twice; the first is read")
		}
	}
	word, isWord := first.value.(string)
	switch {
	case form == "granular" && len(first.path) == 3:
		u.setApprovalPolicy(same, granular(same))
	case form == "granular":
		u.setApprovalPolicy(same, granular(nil))
	case form == "reject":
		u.setApprovalPolicy(same, approval{why: oldSpelling})
	case form == "" && isWord:
		u.setApprovalPolicy(same, approvalNamed(word))
	default:
		u.setApprovalPolicy(same, approval{why: notAPolicy})
	}
}

// setApprovalPolicy sets the approval policy. An approval policy that cannot be read becomes never, as the engine
// treats one that it cannot read. One that the requirements do not allow becomes the one that Codex uses instead.
func (u *user) setApprovalPolicy(parts []setting, a approval) {
	if a.mode == nil {
		u.approval = approval{name: "never", mode: "never"}
		u.draft.Mode, u.access, u.draft.Access = u.approval.mode, "sandboxed", "sandboxed"
		for _, s := range parts {
			u.enterValue(s, Wrong, "approval_policy", a.why+"; the approval policy is never until you correct it")
		}
		return
	}
	if allowed := u.limits.approvals; allowed != nil && !slices.ContainsFunc(allowed, a.equal) {
		a = approval{name: "never", mode: "never"}
		if len(allowed) > 0 {
			a = allowed[0]
		}
		a.why = "the requirements do not allow this, so Codex falls back to " + a.name
	}
	u.approval, u.draft.Mode = a, a.mode
	for i, s := range parts {
		u.enterPart(s, a, i == 0)
	}
}

// enterPart enters one setting of the approval policy. The entry of the first one has the note about the whole.
func (u *user) enterPart(s setting, a approval, first bool) {
	why := ""
	switch name := s.path[len(s.path)-1]; {
	case len(s.path) > 2 && slices.Contains(wordKeys, name):
		u.misplaced(s)
		return
	case len(s.path) > 2 && !slices.Contains(neededFlags, name) && !slices.Contains(allowedFlags, name):
		u.enter(s, Ignored, "", "Codex knows no such flag and ignores it")
		return
	case len(s.path) > 2 && name == "skill_approval":
		why = "kept without effect, because no question is about a skill"
	}
	if first && a.why != "" {
		why = a.why
	}
	u.enterValue(s, Translated, "approval_policy", why)
}

// repeated enters a key that the file has twice, and reports whether it did.
func (u *user) repeated(s setting) bool {
	if u.seen[s.key()] {
		u.enterValue(s, Wrong, "", "given twice; the first is read")
		return true
	}
	u.seen[s.key()] = true
	return false
}

// word reads a word that may stand once. safest stands in for a word that cannot be read, and fallback for one that the
// requirements do not allow.
func (u *user) word(s setting, to string, read func(string) (string, bool), unread, safest string, allowed []string,
	fallback func() (word, why string)) (word string, ok bool) {
	if u.repeated(s) {
		return "", false
	}
	given, _ := s.value.(string)
	if word, ok = read(given); !ok {
		u.enterValue(s, Wrong, to, unread)
		return safest, true
	}
	why := ""
	if allowed != nil && !slices.Contains(allowed, word) {
		word, why = fallback()
	}
	u.enterValue(s, Translated, to, why)
	return word, true
}

func (u *user) reviews(s setting) {
	allowed := u.limits.reviewers
	if name, ok := u.word(s, "reviewer", reviewerNamed, notAReviewer+"; the user answers until you correct it", "user",
		allowed, func() (name, why string) {
			name = append(allowed[:len(allowed):len(allowed)], "user")[0]
			return name, "the requirements do not allow this, so Codex falls back to " + name
		}); ok {
		u.reviewer, u.draft.Reviewer = name, name
	}
}

func (u *user) sandbox(s setting) {
	if access, ok := u.word(s, "access", accessOf, notASandbox+"; access is sandboxed until you correct it", "sandboxed",
		u.limits.accesses, func() (string, string) {
			return "sandboxed", "the requirements do not allow full access"
		}); ok {
		u.access, u.draft.Access = access, access
	}
}
