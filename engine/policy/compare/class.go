package compare

import (
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/engine/policy"
)

// class is the kinds of requests that have the same texts: those from one server, and those that bring a command. A
// class fixes which texts a request has, so that a criterion about a missing text is known to fail. key names the class
// in caches: two classes with one key have equal decisions for equal summaries.
type class struct {
	key          string
	server, tool string   // other stands for a name that no file has
	taken        []string // the tools of the server that some file names
	url, fields  bool
	deed         elicit.Deed
	command      bool
	paths, hosts bool
	cwd          string // "" for none, "/" for a plain one, ".." for one that leads elsewhere
}

// other is no name: names of servers and tools that files have may not contain NUL in this place.
const other = "\x00other"

// classes explores every class. Servers that no file names behave alike, and so do tools, so one stands for all of
// them. The unknown tool is one more. Without settings for servers and criteria on tools, one tool is enough.
func (e *explorer) classes() {
	names := e.a.Names()
	for server, tools := range e.b.Names() {
		names[server] = append(names[server], tools...)
	}
	for name := range names {
		e.servers = append(e.servers, name)
	}
	slices.Sort(e.servers)
	for _, server := range append(slices.Clone(e.servers), other) {
		tools := slices.Clone(names[server])
		slices.Sort(tools)
		taken := slices.DeleteFunc(slices.Compact(tools), func(t string) bool { return t == "" })
		// "" is a request without a tool. unknownTool decides as if it had any, which is another reading (policy,
		// applyUnknown).
		all := append(slices.Clone(taken), "", other, unknownTool)
		if len(names) == 0 && !e.usesTool() {
			all = []string{""} // nothing tells tools apart
		}
		for _, tool := range all {
			e.as.Unknown = tool == unknownTool
			e.class = class{server: server, tool: tool, taken: taken}
			if e.as.Unknown {
				e.class.tool = ""
			}
			// Without this, a file that names a hundred servers would be searched a hundred times for a change about
			// one of them.
			if !e.sameRules(e.fromElsewhere) {
				e.shapes(tool)
			}
			if e.stop() {
				return
			}
		}
	}
}

// usesTool reports whether some rule looks at the tool or at its traits.
func (e *explorer) usesTool() bool {
	return slices.ContainsFunc([]string{"tool", "read_only", "destructive", "idempotent", "open_world"},
		func(on string) bool { return e.used[on] })
}

// sameRules reports whether the stacks differ in rules alone, and have the same beside those that never match. never
// says that a criterion does not. Most classes end here: if the change touches a rule about one server, the other
// servers need no search.
func (e *explorer) sameRules(never func(id int) bool) bool {
	if !e.alike {
		return false
	}
	var keys [2][]string
	for n, rules := range e.as.Rules {
		for _, r := range rules {
			if !slices.ContainsFunc(r.When, never) {
				keys[n] = append(keys[n], string('0'+byte(r.Place))+r.Key)
			}
		}
	}
	return slices.Equal(keys[0], keys[1])
}

// fromElsewhere reports whether a criterion names another server or tool.
func (e *explorer) fromElsewhere(id int) bool {
	f, on := policy.Facts{Server: e.class.server, Tool: e.class.tool}, e.as.Criteria[id].On
	// For "other" the name is a text that is searched for, so its criteria are not evaluated.
	return (on == "server" && f.Server != other || on == "tool" && f.Tool != other && !e.as.Unknown) &&
		!e.as.Evaluate(&f, id, policy.Holds)
}

// elsewhere reports whether a criterion matches no request of the class, whatever the kind is. A criterion that depends
// on a feature or on a text may match some request of the class, so only those that neither decides are evaluated, with
// any request of the class.
func (e *explorer) elsewhere(id int) bool {
	c := &e.as.Criteria[id]
	if e.fromElsewhere(id) {
		return true
	}
	if c.On == "server" || c.On == "tool" || reads(c.On) != 0 {
		return false
	}
	f := e.base()
	for l := policy.Holds; l <= policy.MayHold; l++ {
		if e.sortOf(c, l) != known || e.as.Evaluate(&f, id, l) {
			return false
		}
	}
	return true
}

const unknownTool = "\x00unknown"

// shapes explores what a request from the server may be. A peer can combine members in ways that no honest one does,
// such as a deed with a form. All of these are classes, since a proof must hold for hostile requests too.
func (e *explorer) shapes(tool string) {
	base := e.class
	each := func(c class) {
		c.server, c.tool, c.taken = base.server, base.tool, base.taken
		c.key = c.server + "\x00" + tool
		if !e.stop() {
			if e.class = c; e.sameRules(e.elsewhere) {
				return
			}
			e.kinds()
			e.explore()
		}
	}
	cwds := []string{""}
	if e.used["cwd"] {
		cwds = []string{"", "/", ".."}
	}
	// A peer may ask for a deed with a form or a page, and bring a command with any deed.
	commands := slices.ContainsFunc(e.as.Criteria, func(c policy.Criterion) bool {
		return onImpact(&c) || c.On == "command" || c.On == "cwd" || c.On == "unknown"
	})
	// Each deed comes with nothing, with a page and with a form.
	for _, deed := range []elicit.Deed{elicit.DeedNone, elicit.DeedCommand, elicit.DeedPatch, elicit.DeedPermissions,
		elicit.DeedTool} {
		is := deed != elicit.DeedNone
		for _, c := range []class{{deed: deed}, {deed: deed, url: true}, {deed: deed, fields: true}} {
			for _, c.command = range both(is && (commands || deed == elicit.DeedCommand)) {
				for _, c.paths = range both(is && deed != elicit.DeedCommand || e.used["path"] || e.used["outside"]) {
					for _, c.hosts = range both(e.used["host"] || e.used["path"]) {
						for _, c.cwd = range cwds {
							each(c)
						}
					}
				}
			}
		}
	}
}

// both lists the values of a flag: only false if it makes no difference.
func both(vary bool) []bool {
	if vary {
		return []bool{true, false}
	}
	return []bool{false}
}

// base is what the requests of the class have in common, and a kind of request. The texts "x", "/x" and "x.example"
// only stand for some text. Their answers are assumed, and confirm replaces them.
func (e *explorer) base() policy.Facts {
	k := &e.class
	f := policy.Facts{Server: k.server, Tool: k.tool, Mode: elicit.Form, Kind: elicit.KindApproval, Does: k.deed}
	if k.command {
		f.Command = "x"
	}
	if k.paths {
		f.Paths = []string{"/x"}
	}
	if k.hosts {
		f.Hosts = []string{"x.example"}
	}
	switch k.cwd {
	case "/":
		f.Cwd = "/x"
	case "..":
		f.Cwd = "/x/../y"
	}
	switch {
	case k.url:
		f.Mode, f.Kind, f.Host, f.Scheme = elicit.URL, elicit.KindURL, "x.example", "https"
	case k.fields:
		f.Kind, f.Fields = elicit.KindForm, []policy.FieldFact{{Name: "x"}}
	}
	return f
}

// kinds lists the requests of the class that differ in what has few values. Each suggestion is declined.
func (e *explorer) kinds() {
	k, f := &e.class, e.base()
	// A suggestion and an unknown deed are declined in any stack, so they need no class.
	kinds := []elicit.Kind{elicit.KindConfirm, elicit.KindApproval}
	switch {
	case k.url || k.fields:
		kinds = []elicit.Kind{f.Kind}
	case k.deed == elicit.DeedNone:
		kinds = append(kinds, elicit.KindForm)
	}
	e.facts, e.marks, e.features, e.first = e.facts[:0], e.marks[:0], e.features[:0], map[features][]int{}
	seen := map[marked]bool{}
	for _, f.Kind = range kinds {
		// A claim moves a request to another row of the table, which Mark tells apart.
		for _, f.Claim = range []elicit.Claim{elicit.ClaimNone, elicit.ClaimApproval, elicit.ClaimMalformed} {
			for _, f.Fillable = range both(f.Kind == elicit.KindForm) {
				for _, f.HostShowsForms = range both(k.fields) {
					f.RootThread = f.HostShowsForms
					e.vary(f, seen)
				}
			}
		}
	}
}

// features are the values of what has few of them, in bits. A feature has one or more bits, and put moves a value to
// them: at & -at is the lowest bit of the feature.
type features uint32

const (
	hasKind features = 3 << (2 * iota)
	hasSide
	hasOutside
	hasHaste
	hasCut
	hasDanger
	hasReach
	hasSecret
	hasNotes features = 15 << 16
)

// put is a value at the bits of a feature.
func (at features) put(value int) features { return features(value) * (at & -at) }

// reads are the features that a criterion looks at in a class. Its answers without an atom follow from them. It must
// name each fact that policy looks at for the subject besides texts. A feature that is missing here would make two
// kinds count as one, and the proof would have a hole. Subjects that are not listed are impacts.
func reads(on string) features {
	switch on {
	case "kind":
		return hasKind
	case "side":
		return hasSide
	case "message":
		return hasCut
	case "hasty":
		return hasHaste
	case "sensitive":
		return hasSecret
	case "outside":
		return hasOutside | hasReach
	case "dangerous":
		return hasDanger | hasReach
	case "path", "host":
		return hasReach
	case "server", "tool", "mode", "field", "scheme", "does", "command", "cwd", "label", "fetched_from":
		return 0
	case "read_only", "destructive", "idempotent", "open_world":
		return hasNotes
	}
	return hasNotes | hasReach // impacts
}

// marked is what tells two requests of a class apart.
type marked struct {
	features
	mark uint16
}

// vary adds the kinds of a request by its tool's properties, its side, and what else is seen or said of it. It leaves
// out those that no rule and no table tells from another. There are up to 16 annotations, three sides, three places and
// 2^5 flags, and seen leaves few of them: kinds that agree in what some rule looks at, and in their mark, are one.
func (e *explorer) vary(f policy.Facts, seen map[marked]bool) {
	deed := f.Does != elicit.DeedNone
	notes := []elicit.Annotations{{}}
	// Without trust in either stack, all tools have the same traits.
	if e.a.Trusts(f.Server) || e.b.Trusts(f.Server) {
		notes = nil
		for i := range 16 {
			notes = append(notes, elicit.Annotations{ReadOnly: elicit.Say(i&1 > 0), Destructive: elicit.Say(i&2 > 0),
				Idempotent: elicit.Say(i&4 > 0), OpenWorld: elicit.Say(i&8 > 0)})
		}
	}
	sides, outside := []elicit.Side{elicit.Answering}, []elicit.Said{elicit.Unsaid}
	if e.used["side"] {
		sides = []elicit.Side{elicit.Answering, elicit.Asking, ""}
	}
	if deed || e.used["outside"] {
		outside = []elicit.Said{elicit.Unsaid, elicit.SaidNo, elicit.SaidYes}
	}
	type flag struct {
		is *bool
		at features
	}
	var flags []flag
	sensitive := false
	reach := e.used["path"] || e.used["host"] || e.used["outside"]
	for _, one := range []struct {
		flag
		vary bool
	}{{flag{&f.Hasty, hasHaste}, e.used["hasty"]}, {flag{&f.MessageCut, hasCut}, e.used["message"]},
		{flag{&f.Dangerous, hasDanger}, deed || e.used["dangerous"]}, {flag{&f.ReachCut, hasReach}, deed || reach},
		{flag{&sensitive, hasSecret}, len(f.Fields) > 0 && e.used["sensitive"]}} {
		if one.vary {
			flags = append(flags, one.flag)
		}
	}
	kind := hasKind.put(slices.Index([]elicit.Kind{elicit.KindConfirm, elicit.KindApproval, elicit.KindForm}, f.Kind) + 1)
	for n, note := range notes {
		f.Annotations = note
		for s, side := range sides {
			f.Side = side
			for o, out := range outside {
				f.Outside = out
				for i := range 1 << len(flags) {
					is := kind | hasNotes.put(n) | hasSide.put(s) | hasOutside.put(o)
					for k, flag := range flags {
						if *flag.is = i>>k&1 > 0; *flag.is {
							is |= flag.at
						}
					}
					// Bits of features that no rule looks at are dropped, so kinds that differ in them alone are one.
					one := marked{is & e.looked, f.Mark()}
					if seen[one] {
						continue
					}
					seen[one] = true
					if len(f.Fields) > 0 {
						f.Fields = []policy.FieldFact{{Name: "x", Sensitive: sensitive}}
					}
					f.Impacts = e.report(&f)
					e.facts, e.marks, e.features = append(e.facts, f), append(e.marks, one.mark), append(e.features, is)
				}
			}
		}
	}
}

// report is what the deed of a request does. Requests that do the same share it.
func (e *explorer) report(f *policy.Facts) *impact.Report {
	key := reported{f.Does, f.Tool, f.Command, f.Cwd, f.Annotations.ReadOnly, f.ReachCut, len(f.Paths), len(f.Hosts)}
	if e.reports[key] == nil {
		report := f.ReadImpacts()
		e.reports[key] = &report
	}
	return e.reports[key]
}

// reported is what the impacts of a request without texts of its own follow from.
type reported struct {
	does               elicit.Deed
	tool, command, cwd string
	readOnly           elicit.Said
	cut                bool
	paths, hosts       int
}

// leavesOut reports whether the second stack does not withhold a field that the first one withholds. unsure says that
// patterns of the second stack may only together cover one of the first. Withheld fields do not appear in decisions, so
// they are compared as sets of texts. "pass*" and "*word" may cover "password" only together, and such a cover is not
// looked for.
func (e *explorer) leavesOut(a, b policy.Stack) (leaves, unsure bool) {
	list, server := a.Withheld()
	kept, of := b.Withheld()
	every := policy.KeyOf([]policy.Step{{Star: true}})
	for i, c := range list {
		covered := false
		for j, k := range kept {
			// A pattern for a field of any server and one for "server/field" are about different texts, so only "*"
			// covers the other.
			covered = covered || server[i] == of[j] && e.covers(k.Globs, c.Globs) || !of[j] && k.Key == every
		}
		if covered {
			continue
		}
		unsure = true
		text, is := search([][]pattern{c.Globs}, nil)
		at, field := "a server", text
		if server[i] {
			at, field, _ = strings.Cut(text, "/")
		}
		if is == some && a.Withholds(at, field) && !b.Withholds(at, field) {
			return true, false
		}
	}
	return false, unsure
}
