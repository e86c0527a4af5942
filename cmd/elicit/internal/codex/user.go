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
	approvals []setting // approval_policy, in whatever form
}

// wordKeys are read only above the first table header.
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
			status, why := elsewhere(s.path, configKeys)
			u.enter(s, status, "", why)
		}
	}
	u.policy()
	for _, server := range u.servers {
		u.approveTools(server)
	}
}

// misplaced enters a key that somebody wrote below a table header without meaning to.
func (u *user) misplaced(s setting) {
	u.enterValue(s, Ignored, "", fmt.Sprintf("it stands below [%s], where Codex does not look for it; it belongs above the first table",
		dotted(s.path[:len(s.path)-1])))
}

// policy reads approval_policy as a word, as an inline table or as [approval_policy.granular].
func (u *user) policy() {
	if len(u.approvals) == 0 {
		return
	}
	first := u.approvals[0]
	form := ""
	if len(first.path) > 1 {
		form = first.path[1]
	}
	var same []setting // a table is one value in several settings
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
		u.settle(same, granular(same))
	case form == "granular":
		u.settle(same, granular(nil))
	case form == "reject":
		u.settle(same, approval{why: inverted})
	case form == "" && isWord:
		u.settle(same, approvalNamed(word))
	default:
		u.settle(same, approval{why: notAPolicy})
	}
}

// settle writes the mode. One that cannot be read lets nobody be asked, as the engine's own unreadable mode does; one
// that the requirements do not allow becomes the one that Codex falls back to.
func (u *user) settle(parts []setting, a approval) {
	if a.mode == "" {
		u.approval = approval{name: "never", mode: text("never")}
		u.draft.mode, u.access, u.draft.access = u.approval.mode, "sandboxed", "sandboxed"
		for _, s := range parts {
			u.enterValue(s, Wrong, "mode", a.why+"; nobody is asked until it is mended")
		}
		return
	}
	if allowed := u.limits.approvals; allowed != nil && !slices.ContainsFunc(allowed, a.equal) {
		a = approval{name: "never", mode: text("never")}
		if len(allowed) > 0 {
			a = allowed[0]
		}
		a.why = "the requirements do not allow this, so Codex falls back to " + a.name
	}
	u.approval, u.draft.mode = a, a.mode
	for i, s := range parts {
		u.part(s, a, i == 0)
	}
}

// part enters one setting of the approval policy; the first carries what there is to say of the whole.
func (u *user) part(s setting, a approval, first bool) {
	why := ""
	switch name := s.path[len(s.path)-1]; {
	case len(s.path) > 2 && slices.Contains(wordKeys, name):
		u.misplaced(s)
		return
	case len(s.path) > 2 && !slices.Contains(neededFlags, name) && !slices.Contains(allowedFlags, name):
		u.enter(s, Ignored, "", "Codex knows no such flag and ignores it")
		return
	case len(s.path) > 2 && name != "mcp_elicitations":
		why = "kept, and decides nothing: the engine sees questions of servers only"
	}
	if first && a.why != "" {
		why = a.why
	}
	u.enterValue(s, Translated, "mode", why)
}

// again enters a key that has been given before.
func (u *user) again(s setting) bool {
	if u.seen[s.key()] {
		u.enterValue(s, Wrong, "", "given twice; the first is read")
		return true
	}
	u.seen[s.key()] = true
	return false
}

func (u *user) reviews(s setting) {
	if u.again(s) {
		return
	}
	word, _ := s.value.(string)
	name, ok := reviewerNamed(word)
	if !ok {
		u.reviewer, u.draft.reviewer = "user", "user"
		u.enterValue(s, Wrong, "reviewer", notAReviewer+"; the user answers until it is mended")
		return
	}
	why := ""
	if allowed := u.limits.reviewers; allowed != nil && !slices.Contains(allowed, name) {
		name = "user"
		if len(allowed) > 0 {
			name = allowed[0]
		}
		why = "the requirements do not allow this, so Codex falls back to " + name
	}
	u.reviewer, u.draft.reviewer = name, name
	u.enterValue(s, Translated, "reviewer", why)
}

func (u *user) sandbox(s setting) {
	if u.again(s) {
		return
	}
	word, _ := s.value.(string)
	access, ok := accessOf(word)
	if !ok {
		u.access, u.draft.access = "sandboxed", "sandboxed"
		u.enterValue(s, Wrong, "access", notASandbox+"; sandboxed until it is mended")
		return
	}
	why := ""
	if allowed := u.limits.accesses; allowed != nil && !slices.Contains(allowed, access) {
		access, why = "sandboxed", "the requirements do not allow full access"
	}
	u.access, u.draft.access = access, access
	u.enterValue(s, Translated, "access", why)
}
