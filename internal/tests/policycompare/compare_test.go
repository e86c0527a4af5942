// Package policycompare checks the verdicts of package compare by trying every request of a small world. It draws its
// policies and texts by a grammar of its own, and asks nothing but decisions of the engine.
package policycompare

import (
	"encoding/json"
	"flag"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/policy/compare"
)

var (
	rounds = flag.Int("rounds", 60, "how many pairs TestEnumerated draws")
	seed   = flag.Int64("seed", 1, "the first seed; each pair has its own")
	most   = flag.Int("requests", 400, "how many different requests of a pair are tried at most, of four times as many")
)

// TestEnumerated tries every request of a small world, or a sample if there are too many. No proof is wrong, every
// request that is shown is decided more loosely, and what cannot loosen is proved.
func TestEnumerated(t *testing.T) {
	count := map[string]int{}
	for i := range *rounds {
		at := *seed + int64(i)
		w := newWorld(rand.New(rand.NewSource(at)))
		a := w.files()
		b, equal := w.changed(a)
		before, after := stack(t, a), stack(t, b)
		got := compare.Stacks(before, after)
		count[string(got.Verdict)]++
		switch {
		case got.Verdict == compare.Undecided:
			count["undecided: "+got.Why]++
			continue
		case got.Setting != "":
			continue
		case got.Verdict == compare.Loosens:
			was, is := decide(before, got.Facts, got.Finding), decide(after, got.Facts, got.Finding)
			if !looser(was, is) || equal {
				t.Fatalf("seed %d: the request shows nothing\n%s\n%s\n%s", at, text(a), text(b), got.Facts.AppendJSON(nil))
			}
			continue
		}
		seen := map[string]bool{}
		w.requests(func(f *policy.Facts, finding elicit.Severity) {
			key := string(append(f.AppendJSON(nil), finding...))
			if seen[key] || len(seen) == *most { // most subjects change nothing in requests of other shapes
				return
			}
			seen[key], f.Impacts = true, reportOf(f)
			count["requests"]++
			is := decide(after, f, finding)
			if is.Outcome == policy.Decline { // nothing is stricter
				return
			}
			if was := decide(before, f, finding); looser(was, is) {
				t.Fatalf("seed %d: a proof is wrong\n%s\n%s\n%s finding %q\n%v %v\n%v %v", at, text(a), text(b),
					f.AppendJSON(nil), finding, was.Outcome, was.Reasons, is.Outcome, is.Reasons)
			}
		})
	}
	t.Log(count)
	for _, v := range []compare.Verdict{compare.Tightens, compare.Loosens} {
		if count[string(v)] < *rounds/10 {
			t.Error("the pairs have lost their subject")
		}
	}
	if count[string(compare.Undecided)] > 2+*rounds/20 {
		t.Errorf("%d of %d pairs are undecided", count[string(compare.Undecided)], *rounds)
	}
}

func looser(before, after policy.Decision) bool {
	return after.Outcome < before.Outcome || after.Outcome == policy.Ask && before.Outcome == policy.Ask &&
		policy.DeclinesUnasked(before.Reasons) && !policy.DeclinesUnasked(after.Reasons)
}

func decide(s policy.Stack, f *policy.Facts, finding elicit.Severity) policy.Decision {
	if d := s.Decide(f); finding == "" {
		return d
	} else {
		return s.Tighten(d, []elicit.Finding{{Code: "x", Severity: finding}})
	}
}

// reports are what deeds do. Many pairs try the same ones.
var reports = map[string]*impact.Report{}

func reportOf(f *policy.Facts) *impact.Report {
	if f.Does == elicit.DeedNone && f.Command == "" {
		return nil
	}
	deed := policy.Facts{Does: f.Does, Tool: f.Tool, Command: f.Command, Cwd: f.Cwd, Annotations: f.Annotations,
		Paths: f.Paths, Hosts: f.Hosts, ReachCut: f.ReachCut}
	key := string(deed.AppendJSON(nil))
	if reports[key] == nil {
		report := f.ReadImpacts()
		reports[key] = &report
	}
	return reports[key]
}

type file struct {
	settings map[string]any
	rules    []rule
}

type rule struct {
	when, unless map[string]any
	then         string
}

func text(files map[string]*file) string {
	all := map[string]any{}
	for l, f := range files {
		all[l] = json.RawMessage(f.text())
	}
	out, _ := json.Marshal(all)
	return string(out)
}

func (f *file) text() []byte {
	doc := map[string]any{"version": 1}
	for k, v := range f.settings {
		doc[k] = v
	}
	rules := []any{}
	for _, r := range f.rules {
		one := map[string]any{"when": r.when, "then": r.then}
		if r.unless != nil {
			one["unless"] = r.unless
		}
		rules = append(rules, one)
	}
	doc["rules"] = rules
	out, _ := json.Marshal(doc)
	return out
}

func stack(t *testing.T, files map[string]*file) policy.Stack {
	var list []*policy.Policy
	for _, l := range policy.Layers() {
		if f := files[l.String()]; f != nil {
			p, _ := policy.Parse(l, f.text())
			list = append(list, p)
		}
	}
	return policy.NewStack(list...)
}

// world is what the requests of a pair may differ in: few subjects, and the values of each.
type world struct {
	*rand.Rand
	keys []string
}

func newWorld(r *rand.Rand) *world {
	w := &world{Rand: r}
	all := make([]string, 0, len(values))
	for key := range values {
		all = append(all, key)
	}
	slices.Sort(all)
	for range 1 + r.Intn(4) {
		w.keys = append(w.keys, all[r.Intn(len(all))])
	}
	return w
}

func of[T any](w *world, list ...T) T { return list[w.Intn(len(list))] }

// pattern spells a pattern from the letters of the subject.
func (w *world) pattern(key string) string {
	if known := words[key]; known != nil && (w.Intn(2) == 0 || letters[key] == "") {
		return of(w, known...)
	}
	list, p := strings.Fields(letters[key]), ""
	for range 1 + w.Intn(3) {
		p += of(w, append(list, "*", "?", "*")...)
	}
	return p
}

func (w *world) when() map[string]any {
	when := map[string]any{}
	for range w.Intn(3) {
		key := of(w, w.keys...)
		switch {
		case strings.Contains(flags, " "+key+" "):
			when[key] = w.Intn(2) == 0
		case w.Intn(3) == 0:
			when[key] = []any{w.pattern(key), w.pattern(key)}
		default:
			when[key] = []any{w.pattern(key)}
		}
	}
	return when
}

func (w *world) rule() rule {
	r := rule{when: w.when(), then: of(w, "accept", "accept", "accept", "review", "ask", "cancel", "decline")}
	if w.Intn(4) == 0 {
		if r.unless = w.when(); len(r.unless) == 0 {
			r.unless = nil
		}
	}
	return r
}

func (w *world) files() map[string]*file {
	files := map[string]*file{}
	for _, l := range []string{"managed", "user", "user", "project", "session"} {
		if w.Intn(3) == 0 || l == "user" {
			f := &file{settings: map[string]any{}}
			for range w.Intn(3) {
				w.set(f)
			}
			for range w.Intn(5) {
				f.rules = append(f.rules, w.rule())
			}
			files[l] = f
		}
	}
	return files
}

func (w *world) set(f *file) {
	granular := map[string]any{"mcp_elicitations": w.Intn(2) == 0, "sandbox_approval": w.Intn(2) == 0,
		"rules": w.Intn(2) == 0}
	tool := map[string]any{"approvals": of(w, "approve", "auto", "writes", "prompt")}
	server := map[string]any{"trust": w.Intn(3) > 0, "approvals": of(w, "approve", "auto", "writes"),
		"tools": map[string]any{"a": tool}}
	switch w.Intn(8) {
	case 0:
		f.settings["access"] = of(w, "full", "sandboxed")
	case 1:
		f.settings["reviewer"] = of(w, "auto_review", "user")
	case 2:
		f.settings["unknown"] = of(w, "ask", "decline")
	case 3:
		f.settings["quiet"] = map[string]any{"from": of(w, "22:00", "10:00"), "to": "07:00", "offset": "Z",
			"then": of(w, "cancel", "decline")}
	case 4:
		f.settings["findings"] = map[string]any{"decline": of(w, "critical", "high", "medium", "never")}
	case 5:
		f.settings["servers"] = map[string]any{of(w, "a", "b"): server}
	case 6:
		f.settings["approval_policy"] = map[string]any{"granular": granular}
	default:
		f.settings["approval_policy"] = of(w, "untrusted", "on-request", "never")
	}
}

// changed makes the files after a change. equal says that the change means nothing.
func (w *world) changed(files map[string]*file) (after map[string]*file, equal bool) {
	after = map[string]*file{}
	var names []string
	for l, f := range files {
		one := &file{settings: map[string]any{}, rules: slices.Clone(f.rules)}
		for k, v := range f.settings {
			one.settings[k] = v
		}
		after[l], names = one, append(names, l)
	}
	slices.Sort(names)
	f := after[of(w, names...)]
	if w.Intn(4) == 0 && len(f.rules) > 0 {
		w.same(f)
		return after, true
	}
	for range 1 + w.Intn(2) {
		w.change(f)
	}
	return after, false
}

// same changes a file and not what it means.
func (w *world) same(f *file) {
	at := w.Intn(len(f.rules))
	r := f.rules[at]
	switch w.Intn(3) {
	case 0: // one rule for each pattern, if its list is all that it looks at, and no rule for no pattern
		for _, key := range slices.Sorted(maps.Keys(r.when)) {
			list, _ := r.when[key].([]any)
			if len(list) < 2 || alike(key) {
				continue
			}
			var parts []rule
			for _, p := range list {
				one := rule{when: map[string]any{}, unless: r.unless, then: r.then}
				for k, v := range r.when {
					one.when[k] = v
				}
				one.when[key] = []any{p}
				parts = append(parts, one)
			}
			f.rules = slices.Concat(f.rules[:at], parts, f.rules[at+1:])
			return
		}
	case 1: // neighbours that accept change places; one that declines may hide what another one asks
		if at > 0 && r.then == "accept" && f.rules[at-1].then == r.then {
			f.rules[at], f.rules[at-1] = f.rules[at-1], f.rules[at]
		}
	default: // a rule that never speaks, because the one before it says the same
		f.rules = slices.Insert(f.rules, at+1, r)
	}
}

// alike reports whether several values of the subject may have to match one list together.
func alike(key string) bool {
	return !slices.Contains([]string{"server", "tool", "message", "field", "scheme", "kind", "does", "cwd", "label",
		"fetched_from"}, key)
}

func (w *world) change(f *file) {
	at := w.Intn(len(f.rules) + 1)
	if at == len(f.rules) && w.Intn(2) == 0 || len(f.rules) == 0 {
		if w.Intn(3) == 0 {
			w.set(f)
			return
		}
		r := w.rule()
		r.then = of(w, "decline", "ask", "cancel", r.then, r.then)
		f.rules = slices.Insert(f.rules, at, r)
		return
	}
	at = min(at, len(f.rules)-1)
	r := &f.rules[at]
	switch w.Intn(5) {
	case 0:
		f.rules = slices.Delete(f.rules, at, at+1)
	case 1:
		r.then = of(w, "decline", "ask", "review", "cancel", "accept", "accept")
	case 2:
		if r.unless != nil {
			r.unless = nil
		} else if u := w.when(); len(u) > 0 {
			r.unless = u
		}
	case 3:
		r.when = w.when()
	default:
		more := w.when()
		for k, v := range r.when {
			more[k] = v
		}
		r.when = more
	}
}

const flags = " sensitive outside dangerous hasty read_only destructive open_world unknown "

// letters are what patterns of a subject are made of.
var letters = map[string]string{
	"server": "a b [ab] [!a]", "tool": "a b ab", "message": "a B [a-b] \u00e9 e", "field": "a b _",
	"host": "a. b. x", "scheme": "http s", "command": "a b \\  git", "cwd": "/s / a", "path": "/s /S / a b .md",
	"fetched_from": "a. b. x", "runs": "a b git rm", "reads": "/s / a ~ ./", "writes": "/s / a ./", "deletes": "/s / a",
	"sends": "a. x", "fetches": "a. x", "executes": "a /s / project",
}

// words are patterns that matter as a whole.
var words = map[string][]string{
	"side": {"asking", "answering"}, "mode": {"form", "url"}, "kind": {"form", "confirm", "url", "approval", "*"},
	"does": {"command", "patch", "permissions", "tool", "p*"}, "label": {"read_secret", "fetched", "*"},
	"host": {"*", "a.x", "*.x", "x", "127.0.0.1"}, "command": {"*", "git *", "a", "a*", "git push*"},
	"path": {"/s/*", "*", "/s/a", "/s/", "*/"}, "changes": {"package", "*"}, "publishes": {"git", "*"}, "runs": {"*"},
	"reads": {"*", "/s/*", "./*"}, "writes": {"*", "/s/*", "./*"}, "deletes": {"*", "*/"}, "sends": {"*"},
	"scheme": {"https"}, "fetches": {"*"},
}

type set func(*policy.Facts)

func each[T any](put func(*policy.Facts, T), list ...T) (sets []set) {
	for _, v := range list {
		sets = append(sets, func(f *policy.Facts) { put(f, v) })
	}
	return sets
}

func list(all ...string) []string { return all }

func deed(does elicit.Deed) set {
	return func(f *policy.Facts) { f.Kind, f.Does, f.Claim = elicit.KindApproval, does, elicit.ClaimApproval }
}

// deedWith is a deed whose question has a page or a form.
func deedWith(does elicit.Deed, page bool) set {
	return func(f *policy.Facts) {
		deed(does)(f)
		if f.Claim = elicit.ClaimNone; page {
			f.Kind, f.Mode, f.Host, f.Scheme = elicit.KindURL, elicit.URL, "a.x", "https"
		} else {
			f.Kind, f.Fillable, f.Fields = elicit.KindForm, true, []policy.FieldFact{field("a", false)}
		}
	}
}

func field(name string, sensitive bool) policy.FieldFact {
	return policy.FieldFact{Name: name, Sensitive: sensitive}
}

// shapes are the kinds of requests.
var shapes = []set{
	func(f *policy.Facts) { f.Kind = elicit.KindConfirm },
	func(f *policy.Facts) { f.Kind, f.Claim = elicit.KindApproval, elicit.ClaimApproval },
	func(f *policy.Facts) { f.Kind, f.Claim = elicit.KindConfirm, elicit.ClaimMalformed },
	func(f *policy.Facts) { f.Kind = elicit.KindForm; f.Fields = []policy.FieldFact{field("a", false)} },
	func(f *policy.Facts) {
		f.Kind, f.HostShowsForms, f.RootThread = elicit.KindForm, true, true
		f.Fields = []policy.FieldFact{field("b", true), field("a_b", false)}
	},
	func(f *policy.Facts) { f.Kind, f.Fillable = elicit.KindForm, true },
	func(f *policy.Facts) {
		f.Kind, f.Mode, f.Host, f.Scheme = elicit.KindURL, elicit.URL, "a.x", "https"
	},
	func(f *policy.Facts) { f.Kind = elicit.KindSuggestion },
	deed(elicit.DeedCommand), deed(elicit.DeedCommand), deed(elicit.DeedPatch), deed(elicit.DeedPermissions),
	deed(elicit.DeedTool), deedWith(elicit.DeedCommand, true), deedWith(elicit.DeedTool, true),
	deedWith(elicit.DeedPatch, false), deedWith(elicit.DeedPermissions, false), func(f *policy.Facts) {
		deed(elicit.DeedPatch)(f)
		f.Command = "git push"
	},
}

// values are the requests that a subject tells apart.
var values = map[string][]set{
	"server": each(func(f *policy.Facts, v string) { f.Server = v }, "", "a", "b", "ab", "ba", "aa", "c", "abb", "B"),
	"tool":   each(func(f *policy.Facts, v string) { f.Tool = v }, "", "a", "b", "ab", "aab", "c"),
	"side":   each(func(f *policy.Facts, v elicit.Side) { f.Side = v }, elicit.Answering, elicit.Asking),
	"mode":   {func(*policy.Facts) {}},
	"kind":   {func(*policy.Facts) {}},
	"does":   {func(*policy.Facts) {}},
	"message": append(each(func(f *policy.Facts, v string) { f.Message = v }, "", "a", "A", "ab", "a\u200bb", "\u00e9",
		"e", "ｂ"), func(f *policy.Facts) { f.Message, f.MessageCut = "b", true }),
	"field": each(func(f *policy.Facts, v []policy.FieldFact) {
		if len(f.Fields) > 0 {
			f.Fields = v
		}
	}, []policy.FieldFact{field("", false)}, []policy.FieldFact{field("a", true), field("b", false)},
		[]policy.FieldFact{field("ab", false)}, []policy.FieldFact{field("_", true)}),
	"sensitive": each(func(f *policy.Facts, v bool) {
		f.Fields = slices.Clone(f.Fields)
		for i := range f.Fields {
			f.Fields[i].Sensitive = v && i == 0
		}
	}, false, true),
	"host": append(each(func(f *policy.Facts, v string) {
		if f.Mode == elicit.URL {
			f.Host = v
		}
	}, "", "a.x", "b.x", "x", "a.b.x", "A.X.", "b\u00fc.x", "xn--b-xka.x", "127.0.0.1", "0x7f.1"),
		each(func(f *policy.Facts, v []string) {
			if f.Does != elicit.DeedNone {
				f.Hosts = v
			}
		}, nil, list("a.x"), list("b.x", "a.x"), list("*"), list("A.X."))...),
	"scheme": each(func(f *policy.Facts, v string) {
		if f.Mode == elicit.URL {
			f.Scheme = v
		}
	}, "http", "HTTPS", "s"),
	"command": each(func(f *policy.Facts, v string) {
		if f.Does == elicit.DeedCommand {
			f.Command = v
		}
	}, "", "a", "b", "a b", "git push", "git a", "sudo a", "a && b", "a > /s/a", "$X a", "g?t push", "a; git push", "if"),
	"cwd": each(func(f *policy.Facts, v string) { f.Cwd = v }, "", "/s", "/s/a", "/s/../a", "/s/./a", "/s/"),
	"path": each(func(f *policy.Facts, v []string) {
		if f.Does != elicit.DeedNone {
			f.Paths = v
		}
	}, nil, list("/s/a"), list("/s/"), list("/s"), list("/S/A"), list("/s/../a"), list("/s/a", "/b"), list("a.md"),
		list("/")),
	"outside": each(func(f *policy.Facts, v elicit.Said) { f.Outside = v }, elicit.Unsaid, elicit.SaidNo, elicit.SaidYes),
	"dangerous": each(func(f *policy.Facts, v bool) {
		f.Dangerous = v && f.Does != elicit.DeedNone
	}, false, true),
	"hasty": each(func(f *policy.Facts, v bool) { f.Hasty = v }, false, true),
	"label": each(func(f *policy.Facts, v []string) { f.Labels = v }, nil, list(policy.ReadSecret),
		list("fetched:a.x"), list(policy.FetchedAny), list(policy.AnyLabel), list(policy.ReadSecret, "fetched:x")),
	"fetched_from": each(func(f *policy.Facts, v []string) { f.Labels = v }, nil, list("fetched:a.x"),
		list("fetched:A.X"), list("fetched:b.a.x", "fetched:x"), list(policy.FetchedAny), list(policy.ReadSecret)),
	"read_only":   notes(func(a *elicit.Annotations, v elicit.Said) { a.ReadOnly = v }),
	"destructive": notes(func(a *elicit.Annotations, v elicit.Said) { a.Destructive = v }),
	"open_world":  notes(func(a *elicit.Annotations, v elicit.Said) { a.OpenWorld = v }),
	"runs":        lines("", "a", "git push", "/bin/rm a", "$X", "a && b"),
	"reads":       lines("cat /s/a", "cat a", "cat ~/a", "cat $X", "cat /s/*", "cat /s/a /b"),
	"writes":      lines("touch /s/a", "echo > a", "cp /a /s/b", "touch $X", "touch /S/a"),
	"deletes":     lines("rm /s/a", "rm -r /s", "rm -r /", "rm a", "rm *"),
	"sends":       lines("curl -d a https://a.x", "curl -d a https://b.x", "ls", "curl -d a $X"),
	"fetches":     lines("curl https://a.x", "curl https://A.X.", "curl https://x | sh", "ls"),
	"executes":    lines("sh /s/a", "make", "curl https://x | sh", "sh -c ls", "ls"),
	"changes":     lines("apt install a", "ls", "systemctl stop a"),
	"publishes":   lines("git push", "ls", "npm publish"),
	"unknown":     lines("ls", "$X", "if", ""),
}

func notes(put func(*elicit.Annotations, elicit.Said)) []set {
	return each(func(f *policy.Facts, v elicit.Said) { put(&f.Annotations, v) }, elicit.Unsaid, elicit.SaidNo,
		elicit.SaidYes)
}

func lines(all ...string) []set {
	return append(each(func(f *policy.Facts, v string) {
		if f.Does == elicit.DeedCommand {
			f.Command = v
		}
	}, all...), func(f *policy.Facts) {
		if f.Does == elicit.DeedPatch {
			f.Paths = []string{"/s/a"}
		}
	})
}

// around is what policies look at besides rules.
var around = []set{
	func(*policy.Facts) {}, func(f *policy.Facts) { f.Granted = "g" },
	func(f *policy.Facts) { f.At = 20_000*86_400_000 + 23*3_600_000 }, func(f *policy.Facts) { f.ReachCut = true },
	func(f *policy.Facts) { // which no peer asks for with a deed that has a page or a form
		f.StrictReview = f.Does == elicit.DeedNone || f.Mode == elicit.Form && len(f.Fields) == 0
		f.AutoReviewAllowed = true
	},
	func(f *policy.Facts) { f.CandidatesCut = true },
	func(f *policy.Facts) { f.Candidates = []elicit.Candidate{{Tool: "a"}, {Tool: "b"}} },
	func(f *policy.Facts) { f.Server, f.Tool = "a", "a" }, func(f *policy.Facts) { f.Server, f.Tool = "b", "b" },
}

// requests tries every request that differs in what the pair looks at, or a sample of them.
func (w *world) requests(try func(*policy.Facts, elicit.Severity)) {
	dimensions := [][]set{shapes}
	for _, key := range w.keys {
		dimensions = append(dimensions, values[key])
	}
	dimensions = append(dimensions, around)
	all := 1
	for _, d := range dimensions {
		all *= len(d)
	}
	for i := range min(all, 4**most) {
		if all > 4**most {
			i = w.Intn(all)
		}
		f := policy.Facts{Server: "c", Mode: elicit.Form, Side: elicit.Answering, Tool: "c", Cwd: "/w",
			Annotations: elicit.Annotations{}}
		for _, d := range dimensions {
			d[i%len(d)](&f)
			i /= len(d)
		}
		try(&f, of(w, "", "", "", elicit.Medium, elicit.High, elicit.Critical))
	}
}
