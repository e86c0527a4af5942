package compare

import (
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/engine/policy"
)

// class is the kinds of requests that have the same texts: those from one server, and those that bring a command.
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

// classes explores every class.
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
		for _, tool := range append(slices.Clone(taken), "", other, unknownTool) {
			e.as.Unknown = tool == unknownTool
			e.class = class{server: server, tool: tool, taken: taken}
			if e.as.Unknown {
				e.class.tool = ""
			}
			if !e.sameRules() {
				e.shapes(tool)
			}
			if e.stop() {
				return
			}
		}
	}
}

// sameRules reports whether the stacks have the same rules for the server and the tool, and differ in nothing else.
func (e *explorer) sameRules() bool {
	f := policy.Facts{Server: e.class.server, Tool: e.class.tool}
	var keys [2][]string
	for n, rules := range e.as.Rules {
		for _, r := range rules {
			if !slices.ContainsFunc(r.When, func(id int) bool {
				on := e.as.Criteria[id].On
				return (on == "server" && f.Server != other || on == "tool" && f.Tool != other && !e.as.Unknown) &&
					!e.as.Evaluate(&f, id, policy.Holds)
			}) {
				keys[n] = append(keys[n], string('0'+byte(r.Place))+r.Key)
			}
		}
	}
	return e.alike && slices.Equal(keys[0], keys[1])
}

const unknownTool = "\x00unknown"

// shapes explores what a request from the server may be.
func (e *explorer) shapes(tool string) {
	base := e.class
	each := func(c class) {
		c.server, c.tool, c.taken = base.server, base.tool, base.taken
		c.key = c.server + "\x00" + tool
		if !e.stop() {
			e.class = c
			e.facts, e.marks = e.facts[:0], e.marks[:0]
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

func both(vary bool) []bool {
	if vary {
		return []bool{true, false}
	}
	return []bool{false}
}

// kinds lists the requests of the class that differ in what has few values. Each suggestion is declined.
func (e *explorer) kinds() {
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
	f.Cwd = map[string]string{"/": "/x", "..": "/x/../y"}[k.cwd]
	kinds := []elicit.Kind{elicit.KindConfirm, elicit.KindApproval}
	switch {
	case k.url:
		f.Mode, f.Host, f.Scheme, kinds = elicit.URL, "x.example", "https", []elicit.Kind{elicit.KindURL}
	case k.fields:
		f.Fields, kinds = []policy.FieldFact{{Name: "x"}}, []elicit.Kind{elicit.KindForm}
	case k.deed == elicit.DeedNone:
		kinds = append(kinds, elicit.KindForm)
	}
	for _, f.Kind = range kinds {
		for _, f.Claim = range []elicit.Claim{elicit.ClaimNone, elicit.ClaimApproval, elicit.ClaimMalformed} {
			for _, f.Fillable = range both(f.Kind == elicit.KindForm) {
				for _, f.HostShowsForms = range both(k.fields) {
					f.RootThread = f.HostShowsForms
					e.vary(f)
				}
			}
		}
	}
}

// vary adds the kinds of a request by its tool's properties, its side, and what else is seen or said of it.
func (e *explorer) vary(f policy.Facts) {
	deed := f.Does != elicit.DeedNone
	reports := map[[3]elicit.Said]*impact.Report{} // requests that do the same share what they do
	notes := []elicit.Annotations{{}}
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
	var flags []*bool
	sensitive := false
	reach := e.used["path"] || e.used["host"] || e.used["outside"]
	for _, flag := range []struct {
		is   *bool
		vary bool
	}{{&f.Hasty, e.used["hasty"]}, {&f.MessageCut, e.used["message"]}, {&f.Dangerous, deed || e.used["dangerous"]},
		{&f.ReachCut, deed || reach}, {&sensitive, len(f.Fields) > 0 && e.used["sensitive"]}} {
		if flag.vary {
			flags = append(flags, flag.is)
		}
	}
	for _, f.Annotations = range notes {
		for _, f.Side = range sides {
			for _, f.Outside = range outside {
				for i := range 1 << len(flags) {
					for k, flag := range flags {
						*flag = i>>k&1 > 0
					}
					if len(f.Fields) > 0 {
						f.Fields = []policy.FieldFact{{Name: "x", Sensitive: sensitive}}
					}
					does := [3]elicit.Said{f.Annotations.ReadOnly, f.Annotations.Destructive, elicit.Say(f.ReachCut)}
					if f.Impacts = reports[does]; f.Impacts == nil {
						report := f.ReadImpacts()
						f.Impacts, reports[does] = &report, &report
					}
					e.facts, e.marks = append(e.facts, f), append(e.marks, f.Mark())
				}
			}
		}
	}
}

// leavesOut reports whether the second stack does not withhold a field that the first one withholds. unsure says that
// patterns of the second stack may only together cover one of the first.
func (e *explorer) leavesOut(a, b policy.Stack) (leaves, unsure bool) {
	list, server := a.Withheld()
	kept, of := b.Withheld()
	every := policy.KeyOf([]policy.Step{{Star: true}})
	for i, c := range list {
		covered := false
		for j, k := range kept {
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
