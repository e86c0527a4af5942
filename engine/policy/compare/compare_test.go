package compare_test

import (
	"encoding/json"
	"flag"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/policy/compare"
)

var (
	rounds = flag.Int("rounds", 40, "how many pairs TestPairs draws")
	seed   = flag.Int64("seed", 1, "the first seed; each pair has its own")
)

func pick[T any](r *rand.Rand, list ...T) T { return list[r.Intn(len(list))] }

type object = map[string]any

// TestPairs draws pairs of stacks. Requests that it makes by a grammar of its own contradict no verdict.
func TestPairs(t *testing.T) {
	verdicts, missed := map[compare.Verdict]int{}, 0
	for i := range *rounds {
		r := rand.New(rand.NewSource(*seed + int64(i)))
		a := someFiles(r)
		b := changed(r, a)
		before, after := stackOf(a), stackOf(b)
		got := compare.Stacks(before, after)
		verdicts[got.Verdict]++
		if got.Verdict == compare.Loosens {
			if got.Setting == "" && !looser(got.Before, got.After) {
				t.Fatalf("seed %d: the request shows nothing: %v", *seed+int64(i), got)
			}
			continue
		}
		for range 400 {
			f, finding := someFacts(r), pick(r, "", "", "", elicit.Medium, elicit.High, elicit.Critical)
			was, is := decide(before, f, finding), decide(after, f, finding)
			if !looser(was, is) {
				continue
			}
			if got.Verdict == compare.Undecided {
				missed++
				break
			}
			one, _ := json.Marshal(a)
			two, _ := json.Marshal(b)
			t.Fatalf("seed %d: a proof is wrong\n%s\n%s\n%s finding %s\n%v %v\n%v %v", *seed+int64(i), one, two,
				f.AppendJSON(nil), finding, was.Outcome, was.Reasons, is.Outcome, is.Reasons)
		}
	}
	t.Logf("%v; undecided though a drawn request shows a looser decision: %d", verdicts, missed)
	if verdicts[compare.Tightens] < *rounds/10 || verdicts[compare.Loosens] < *rounds/10 ||
		verdicts[compare.Undecided] > *rounds/10 {
		t.Error("the pairs have lost their subject")
	}
}

func looser(before, after policy.Decision) bool {
	return after.Outcome < before.Outcome ||
		after.Outcome == policy.Ask && before.Outcome == policy.Ask &&
			policy.DeclinesUnasked(before.Reasons) && !policy.DeclinesUnasked(after.Reasons)
}

func decide(s policy.Stack, f *policy.Facts, finding elicit.Severity) policy.Decision {
	d := s.Decide(f)
	if finding != "" {
		d = s.Tighten(d, []elicit.Finding{{Code: "x", Severity: finding}})
	}
	return d
}

func stackOf(files map[string]object) policy.Stack {
	var list []*policy.Policy
	for _, l := range policy.Layers() {
		if f := files[l.String()]; f != nil {
			text, _ := json.Marshal(f)
			p, _ := policy.Parse(l, text)
			list = append(list, p)
		}
	}
	return policy.NewStack(list...)
}

func someFiles(r *rand.Rand) map[string]object {
	files := map[string]object{}
	for _, l := range []string{"managed", "user", "project"} {
		if r.Intn(2) == 0 {
			files[l] = someFile(r)
		}
	}
	return files
}

func someFile(r *rand.Rand) object {
	f := object{"version": 1}
	settings := map[string][]any{
		"approval_policy": {"untrusted", "on-request", "never", object{"granular": object{
			"mcp_elicitations": r.Intn(2) == 0, "sandbox_approval": r.Intn(2) == 0, "rules": r.Intn(2) == 0}}},
		"access": {"full", "sandboxed"}, "reviewer": {"auto_review", "user"}, "unknown": {"ask", "decline"},
		"findings": {object{"decline": pick(r, "high", "medium", "never")}},
		"quiet":    {object{"from": "22:00", "to": "07:00", "offset": "Z", "then": pick(r, "cancel", "decline")}},
		"grants":   {"none", "session"},
		"servers": {object{"build": object{"trust": r.Intn(2) == 0,
			"approvals": pick(r, "approve", "auto", "writes", "prompt"),
			"tools":     object{"deploy": object{"approvals": pick(r, "approve", "prompt")}}}}},
	}
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		if r.Intn(5) == 0 || key == "approval_policy" && r.Intn(2) == 0 {
			f[key] = pick(r, settings[key]...)
		}
	}
	var rules []any
	for range r.Intn(4) {
		rules = append(rules, someRule(r))
	}
	f["rules"] = append([]any{}, rules...)
	return f
}

func someRule(r *rand.Rand) object {
	rule := object{"when": someWhen(r), "then": pick(r, "accept", "accept", "review", "ask", "cancel", "decline")}
	if r.Intn(4) == 0 {
		if unless := someWhen(r); len(unless) > 0 {
			rule["unless"] = unless
		}
	}
	return rule
}

var keys = strings.Fields("server server tool tool message host scheme field kind does side command command cwd path " +
	"path outside dangerous hasty label fetched_from runs reads writes sends read_only destructive unknown sensitive")

func someWhen(r *rand.Rand) object {
	when := object{}
	for range r.Intn(3) {
		key := pick(r, keys...)
		when[key] = someValue(r, key)
	}
	return when
}

func someValue(r *rand.Rand, key string) any {
	switch key {
	case "outside", "dangerous", "hasty", "read_only", "destructive", "unknown", "sensitive":
		return r.Intn(2) == 0
	case "kind":
		return pick(r, "confirm", "approval", "form", "url")
	case "does":
		return pick(r, "command", "patch", "permissions", "tool")
	case "side":
		return pick(r, "asking", "answering")
	case "label":
		return pick(r, "read_secret", "fetched")
	}
	one := func() string {
		switch key {
		case "host", "fetched_from", "sends":
			return pick(r, "*", "*.a.test", "b.a.test", "c.test", "*.test")
		case "command":
			return pick(r, "git *", "git push*", "rm *", "ls", "*")
		case "runs":
			return pick(r, "*", "git", "rm", "g*")
		case "path", "reads", "writes", "cwd":
			return pick(r, "/srv/*", "/srv/x", "*.md", "/etc/*", "*")
		}
		return pick(r, "b", "build", "b*", "*d", "[ab]*", "deploy", "?")
	}
	if r.Intn(3) == 0 {
		return []string{one(), one()}
	}
	return one()
}

// changed makes the stack after a change: most often a small one, and most often one that tightens.
func changed(r *rand.Rand, files map[string]object) map[string]object {
	text, _ := json.Marshal(files)
	var after map[string]object
	json.Unmarshal(text, &after)
	if r.Intn(8) == 0 {
		return someFiles(r)
	}
	for range 1 + r.Intn(2) {
		l := pick(r, "managed", "user", "project")
		f := after[l]
		if f == nil {
			after[l] = someFile(r)
			continue
		}
		rules := f["rules"].([]any)
		switch at := r.Intn(len(rules) + 1); r.Intn(6) {
		case 0, 1:
			rule := someRule(r)
			rule["then"] = pick(r, "decline", "decline", "ask")
			f["rules"] = append(rules[:at:at], append([]any{rule}, rules[at:]...)...)
		case 2:
			if at < len(rules) {
				f["rules"] = append(rules[:at:at], rules[at+1:]...)
			}
		case 3:
			if at < len(rules) {
				rules[at].(map[string]any)["then"] = pick(r, "decline", "ask")
			}
		case 4:
			if at < len(rules) {
				when := rules[at].(map[string]any)["when"].(map[string]any)
				key := pick(r, keys...)
				when[key] = someValue(r, key)
			}
		case 5:
			key := pick(r, "approval_policy", "access", "unknown", "findings", "reviewer")
			delete(f, key)
			if v := someFile(r)[key]; v != nil {
				f[key] = v
			}
		}
	}
	return after
}

func words(r *rand.Rand) string {
	text := pick(r, "b", "build", "ad", "bd", "deploy", "c", "")
	for range r.Intn(2) {
		text += string(rune('a' + r.Intn(4)))
	}
	return text
}

func someFacts(r *rand.Rand) *policy.Facts {
	f := &policy.Facts{Server: words(r), Tool: words(r), Side: pick(r, elicit.Answering, elicit.Asking), Mode: elicit.Form,
		Message: pick(r, words(r), "b\u200build", "ｂ"), At: pick(r, 0, r.Int63n(1<<42)), Granted: pick(r, "", "g"),
		Labels: pick(r, nil, []string{policy.ReadSecret}, []string{"fetched:b.a.test"}, []string{policy.FetchedAny},
			[]string{policy.AnyLabel}, []string{"fetched:c.test", policy.ReadSecret}),
		CandidatesCut: r.Intn(10) == 0}
	for _, flag := range []*bool{&f.StrictReview, &f.AutoReviewAllowed, &f.Hasty, &f.MessageCut, &f.Fillable,
		&f.HostShowsForms, &f.RootThread} {
		*flag = r.Intn(3) == 0
	}
	for _, m := range f.Annotations.Members() {
		*m.Said = pick(r, elicit.Unsaid, elicit.SaidNo, elicit.SaidYes)
	}
	if r.Intn(8) == 0 {
		f.Candidates = []elicit.Candidate{{Tool: words(r)}, {Tool: words(r), Annotations: f.Annotations}}
	}
	host := func() string { return pick(r, "b.a.test", "c.test", "a.test", "x.b.test", "other") }
	path := func() string { return pick(r, "/srv/x", "/srv/y.md", "/etc/x", "/opt/a.md", "/srv/../etc/x", "/srv") }
	switch r.Intn(5) {
	case 0:
		f.Kind = elicit.KindForm
		for range r.Intn(3) {
			f.Fields = append(f.Fields, policy.FieldFact{Name: words(r), Sensitive: r.Intn(2) == 0})
		}
	case 1:
		f.Kind, f.Mode, f.Host, f.Scheme = elicit.KindURL, elicit.URL, host(), pick(r, "https", "b", "build")
	case 2:
		f.Kind, f.Claim = pick(r, elicit.KindConfirm, elicit.KindApproval), pick(r, elicit.ClaimNone, elicit.ClaimApproval,
			elicit.ClaimMalformed)
	default:
		f.Kind, f.Claim = elicit.KindApproval, pick(r, elicit.ClaimNone, elicit.ClaimApproval)
		f.Does = pick(r, elicit.DeedCommand, elicit.DeedPatch, elicit.DeedPermissions, elicit.DeedTool)
		f.Cwd, f.ReachCut, f.Dangerous = pick(r, "", "/srv/x", "/srv/../etc/x"), r.Intn(4) == 0, r.Intn(4) == 0
		f.Outside = pick(r, elicit.Unsaid, elicit.SaidNo, elicit.SaidYes)
		for range r.Intn(3) {
			f.Paths = append(f.Paths, path())
		}
		for range r.Intn(2) {
			f.Hosts = append(f.Hosts, host())
		}
		if f.Does == elicit.DeedCommand {
			f.Command = pick(r, "", "git push", "git status", "rm /srv/x", "ls", "git add x && rm /etc/x", "$X push",
				"cat /etc/x", "curl -d x https://c.test", "sudo git push", "touch /srv/a.md", "git log > /etc/x", "if")
		}
	}
	return f
}
