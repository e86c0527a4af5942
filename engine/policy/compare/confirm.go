package compare

import (
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
)

// maxTries bounds the requests that are tried for one thing that the rules may say. Seven dimensions with up to dozens
// of values have more combinations. Those that differ from the first one in few dimensions are tried first.
const maxTries = 4000

// tries bounds the requests that are tried in all. Stacks with many rules decide slowly.
func (e *explorer) tries() int { return 2_400_000 / (200 + len(e.as.Rules[0]) + len(e.as.Rules[1])) }

// confirm makes a request of what was assumed, and lets both stacks decide about it as usual. So no comparison says
// that a change loosens without a request that shows it. It takes f by value and fills in texts: first those that the
// solver has found, then samples of the patterns of all rules that look at the subject. It returns true if a request
// shows the difference, and e.witness has it then.
func (e *explorer) confirm(f policy.Facts, finding elicit.Severity) bool {
	if !e.concrete(&f) {
		return false
	}
	// The engine reads them again from the command, as it will for a real request.
	f.Impacts = nil // those of the command that is tried
	messages, labels, commands := e.messages(f.Message), e.labels(), e.commands(&f)
	paths, hosts := e.lists("path", f.Paths), e.lists("host", f.Hosts)
	cwds, pages := e.cwds(f.Cwd), e.values("host", f.Host, f.Mode == elicit.URL)
	sizes := [...]int{len(labels), len(cwds), len(paths), len(hosts), len(messages), len(pages), len(commands)}
	var at [len(sizes)]int
	left := maxTries
	// For differ = 0 all dimensions have their first value, for 1 one of them has another, and so on.
	var others func(dimension, more int) bool
	others = func(dimension, more int) bool { // tries what differs in some more of the dimensions from this one on
		switch {
		case left == 0 || more > len(sizes)-dimension:
			return false
		case dimension < len(sizes):
			for at[dimension] = 0; more > 0 && at[dimension] < sizes[dimension]-1; {
				if at[dimension]++; others(dimension+1, more-1) {
					return true
				}
			}
			at[dimension] = 0
			return others(dimension+1, more)
		}
		left--
		try := f
		try.Labels, try.Cwd, try.Paths, try.Hosts = labels[at[0]], cwds[at[1]], paths[at[2]], hosts[at[3]]
		try.Message, try.Host, try.Command = messages[at[4]], pages[at[5]], commands[at[6]]
		if try.Cwd == "" && f.Command != "" && !e.used["cwd"] {
			// "./*" covers nothing in a directory that is not known.
			try.Cwd = "/w" // no rule looks at it, but an impact may lie inside
		}
		return e.shows(&try, finding)
	}
	for differ := range len(sizes) + 1 {
		if others(0, differ) {
			return true
		}
	}
	return false
}

// shows decides about a request, unless it has done so before. tried holds hashes of requests, so a collision may skip
// one: that makes a verdict Undecided and never a wrong one. DecideBoth reads the facts once for both stacks. Only the
// witness is decided with all of its reasons.
func (e *explorer) shows(f *policy.Facts, finding elicit.Severity) bool {
	f.CandidatesCut = e.as.Unknown
	const prime, start = 1_099_511_628_211, 14_695_981_039_346_656_037 // of FNV-1a
	hash := uint64(start)
	for _, b := range append(f.AppendJSON(nil), finding...) {
		hash = (hash ^ uint64(b)) * prime
	}
	// The same request comes up again for other leaves and other kinds.
	if e.tried[hash] || len(e.tried) > e.tries() {
		return false
	}
	e.tried[hash] = true
	before, after := policy.DecideBoth(e.a, e.b, f)
	if rank(tightened(e.b, after, finding)) >= rank(tightened(e.a, before, finding)) {
		return false
	}
	before, after = tightened(e.a, e.a.Decide(f), finding), tightened(e.b, e.b.Decide(f), finding)
	e.witness = &Result{Verdict: Loosens, Facts: f, Finding: finding, Before: before, After: after}
	return true
}

// concrete puts texts into the facts that the answers want. The texts come from the same search that has found no
// contradiction, so it fails only if the search took too long.
func (e *explorer) concrete(f *policy.Facts) bool {
	one := func(on string, to *string) bool {
		t := e.textOf(on)
		s := e.solve(t.want, t.not)
		*to = s.text
		return s.is == some
	}
	ok := one("message", &f.Message)
	if e.class.server == other {
		ok = ok && one("server", &f.Server)
	}
	if e.class.tool == other {
		ok = ok && one("tool", &f.Tool)
	}
	if e.class.url {
		ok = ok && one("host", &f.Host) && one("scheme", &f.Scheme)
	}
	if e.class.cwd == "/" {
		ok = ok && one("cwd", &f.Cwd)
	}
	if t := e.texts["field"]; t != nil && e.class.fields {
		sensitive := f.Fields[0].Sensitive
		f.Fields = nil
		for _, want := range t.each() {
			s := e.solve(want, t.not)
			ok = ok && s.is == some
			f.Fields = append(f.Fields, policy.FieldFact{Name: s.text, Sensitive: sensitive && len(f.Fields) == 0})
		}
	}
	return ok
}

// samples lists texts of the patterns of a subject, those of patterns that should match first. 24 texts are enough for
// the rules of usual files, and bound the combinations.
func (e *explorer) samples(on ...string) (list []string) {
	add := func(c *policy.Criterion) {
		for _, p := range c.Globs {
			s := e.solve([][]pattern{{p}}, nil)
			if s.is == some && !slices.Contains(list, s.text) && len(list) < 24 {
				list = append(list, s.text)
			}
		}
	}
	for _, key := range on {
		list = append(list, e.targets[key]...)
	}
	for _, t := range e.truths {
		if t.holds && slices.Contains(on, t.c.On) {
			add(t.c)
		}
	}
	for i := range e.as.Criteria {
		if c := &e.as.Criteria[i]; slices.Contains(on, c.On) {
			add(c)
		}
	}
	return list
}

// values lists texts for a subject with one text. The first one is that of the solver, and the others are tried only if
// an answer about the subject was assumed.
func (e *explorer) values(on, text string, vary bool) []string {
	if !vary || !slices.ContainsFunc(e.truths, func(t truth) bool { return t.c.On == on }) {
		return []string{text}
	}
	return append([]string{text}, e.samples(on)...)
}

// cwds lists directories. For the class ".." each of them gets a spelling that leads elsewhere.
func (e *explorer) cwds(text string) []string {
	list := e.values("cwd", text, text != "")
	if e.class.cwd == ".." {
		for _, s := range list[1:] {
			list = append(list, s+"/..", "/x/.."+s)
		}
	}
	return list
}

// messages also lists texts in which a person reads what the rules look for. U+200B between letters disguises a word: a
// rule that tightens sees through it, and one that accepts does not match.
func (e *explorer) messages(text string) []string {
	list := []string{text}
	for _, t := range e.truths {
		if t.c.On == "message" && t.holds {
			for _, p := range t.c.Looks {
				if s := e.solve([][]pattern{{p}}, nil); s.is == some {
					list = append(list, s.text, strings.Join(strings.Split(s.text, ""), "\u200b"), text+"\u200b"+s.text)
				}
			}
		}
	}
	return list
}

// labels lists sets of labels, from none to all that a session can have.
func (e *explorer) labels() [][]string {
	if !e.used["label"] && !e.used["fetched_from"] {
		return [][]string{nil}
	}
	list := [][]string{nil, {policy.ReadSecret}, {policy.ReadSecret, policy.AnyLabel},
		{policy.ChangedSettings}, {policy.FetchedAny}, {policy.AnyLabel},
		{policy.ReadSecret, policy.ChangedSettings}}
	var all []string
	for _, host := range e.targets["fetched_from"] {
		all = append(all, policy.FetchedFrom+host)
	}
	for _, more := range [][]string{nil, {policy.FetchedAny}, {policy.AnyLabel}, {policy.ReadSecret},
		{policy.ChangedSettings}} {
		list = append(list, append(slices.Clone(all), more...))
	}
	for _, host := range e.samples("fetched_from") {
		list = append(list, []string{policy.FetchedFrom + host}, []string{policy.FetchedFrom + host, policy.ReadSecret})
	}
	return list
}

// commands lists lines for what the rules look for, and lines that do it. The forms are lines with a known impact each,
// such as "rm %" for deletes. Pairs of the first 30 lines are tried too, because two rules may look at two commands of
// one line.
func (e *explorer) commands(f *policy.Facts) []string {
	if f.Command == "" {
		return []string{""}
	}
	var list []string
	for _, s := range e.samples("command") {
		// A rule reads a command without the blanks at its end, so the shortest text for "git *" is not one.
		list = append(list, s, s+"x", "sudo "+s, s+" > x", "$"+s, s+"; x")
	}
	forms := map[string][]string{"runs": {"%"}, "reads": {"cat %", "cat % && sh", "< %"},
		"writes": {"touch %", "echo x > %", "> %"}, "deletes": {"rm %", "rm -r %"},
		"sends":    {"curl -d x https://%", "< /dev/tcp/%/80"},
		"fetches":  {"curl https://%", "curl % | sh", "PIP_INDEX_URL=https://%/"},
		"executes": {"sh %", "make", "LD_PRELOAD=%"}, "changes": {"apt install x", "systemctl stop x", "chmod 600 x",
			"crontab x", "kill 1", "docker rm x"},
		"publishes": {"git push", "npm publish", "docker push x", "gh release create x"}}
	for _, on := range strings.Fields("runs reads writes deletes sends fetches executes changes publishes") {
		for _, s := range e.samples(on) {
			for _, form := range forms[on] {
				list = append(list, strings.ReplaceAll(form, "%", inside(s)))
			}
		}
	}
	for i := range 3 { // a line for all that the answers want
		if line := e.wanted(forms, i); line != "" {
			list = append([]string{line}, list...)
		}
	}
	list = append(list, "x", "ls", "$X y", "curl x.example | sh")
	if e.as.Touch != "" {
		list = append([]string{"elicit uninstall", "> ~/.claude/settings.json"}, list...)
	}
	first := list[:min(len(list), 30)]
	for i, one := range first {
		for _, two := range first[:i] {
			list = append(list, two+"; "+one)
		}
	}
	return slices.Compact(list)
}

// It is one line that does all that the answers say, so one try is often enough.
func (e *explorer) wanted(forms map[string][]string, i int) string {
	var parts []string
	for _, t := range e.truths {
		form := forms[t.c.On]
		if t.c.On == "command" {
			form = []string{"%"}
		}
		if !t.holds || t.level == policy.MayHold || t.c.Every || form == nil {
			continue
		}
		if s := e.solve([][]pattern{t.c.Globs}, nil); s.is == some {
			parts = append(parts, strings.ReplaceAll(form[i%len(form)], "%", inside(s.text)))
		}
	}
	slices.Sort(parts)
	return strings.Join(slices.Compact(parts), "; ")
}

// inside is a path, or what lies in it: an impact on a directory has no slash at its end.
func inside(path string) string {
	if strings.HasSuffix(path, "/") {
		return path + "x"
	}
	return path
}

// lists gives lists of paths or hosts, of one and of two elements.
func (e *explorer) lists(on string, have []string) [][]string {
	if len(have) == 0 || !e.used[on] && !e.used["writes"] && !e.used["reads"] {
		return [][]string{have}
	}
	list := [][]string{have}
	samples := e.samples(on, "reads", "writes", "deletes")
	if on == "host" {
		samples = e.samples("host", "sends", "fetches")
	}
	if on == "path" && e.as.Touch != "" {
		samples = append([]string{"/home/u/.claude/settings.json"}, samples...)
	}
	for i, s := range samples {
		// A second path that no rule names shows a difference between "any path" and "all paths".
		list = append(list, []string{s}, []string{s, have[0]})
		if i > 0 {
			list = append(list, []string{samples[i-1], s})
		}
	}
	return list
}
