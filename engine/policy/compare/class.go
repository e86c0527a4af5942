package compare

import (
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
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
			e.shapes(tool)
			if e.stop() {
				return
			}
		}
	}
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
			e.facts, e.marks = nil, nil
			e.kinds()
			e.explore()
		}
	}
	each(class{})
	each(class{url: true})
	each(class{fields: true})
	for _, deed := range []elicit.Deed{elicit.DeedCommand, elicit.DeedPatch, elicit.DeedPermissions, elicit.DeedTool} {
		for _, command := range both(deed == elicit.DeedCommand) {
			for _, paths := range both(deed != elicit.DeedCommand || e.used["path"] || e.used["outside"]) {
				for _, hosts := range both(e.used["host"] || e.used["path"]) {
					cwds := []string{""}
					if e.used["cwd"] {
						cwds = []string{"", "/", ".."}
					}
					for _, cwd := range cwds {
						each(class{deed: deed, command: command, paths: paths, hosts: hosts, cwd: cwd})
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

// kinds lists the requests of the class that differ in what has few values.
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
	claims := []elicit.Claim{elicit.ClaimNone, elicit.ClaimApproval, elicit.ClaimMalformed, elicit.ClaimSuggestion}
	switch {
	case k.url:
		f.Mode, f.Kind, f.Host, f.Scheme = elicit.URL, elicit.KindURL, "x.example", "https"
		e.vary(f, claims, nil)
	case k.fields:
		f.Kind = elicit.KindForm
		e.vary(f, claims, func(f policy.Facts, add func(policy.Facts)) {
			for i := range 8 {
				f.Fields = []policy.FieldFact{{Name: "x", Sensitive: i&1 > 0}}
				f.Fillable, f.HostShowsForms, f.RootThread = i&2 > 0, i&4 > 0, i&4 > 0
				add(f)
			}
		})
	case k.deed != elicit.DeedNone:
		e.vary(f, claims[1:2], func(f policy.Facts, add func(policy.Facts)) {
			for i := range 12 {
				f.Dangerous, f.ReachCut = i&1 > 0, i&2 > 0
				f.Outside = []elicit.Said{elicit.Unsaid, elicit.SaidNo, elicit.SaidYes}[i/4]
				add(f)
			}
		})
	default:
		for _, kind := range []elicit.Kind{elicit.KindConfirm, elicit.KindApproval, elicit.KindForm,
			elicit.KindSuggestion} {
			f.Kind = kind
			e.vary(f, claims, func(f policy.Facts, add func(policy.Facts)) {
				add(f)
				if f.Kind == elicit.KindForm {
					f.Fillable = true
					add(f)
				}
			})
		}
	}
}

// vary adds the kinds of a request by its claim, its side, haste, and the properties of its tool.
func (e *explorer) vary(f policy.Facts, claims []elicit.Claim, more func(policy.Facts, func(policy.Facts))) {
	if more == nil {
		more = func(f policy.Facts, add func(policy.Facts)) { add(f) }
	}
	notes := []elicit.Annotations{{}}
	if e.a.Trusts(f.Server) || e.b.Trusts(f.Server) {
		notes = nil
		for i := range 16 {
			notes = append(notes, elicit.Annotations{ReadOnly: elicit.Say(i&1 > 0), Destructive: elicit.Say(i&2 > 0),
				Idempotent: elicit.Say(i&4 > 0), OpenWorld: elicit.Say(i&8 > 0)})
		}
	}
	sides := []elicit.Side{elicit.Answering}
	if e.used["side"] {
		sides = []elicit.Side{elicit.Answering, elicit.Asking, ""}
	}
	for _, f.Claim = range claims {
		more(f, func(f policy.Facts) {
			for _, f.Annotations = range notes {
				for _, f.Side = range sides {
					for _, f.Hasty = range both(e.used["hasty"]) {
						for _, f.MessageCut = range both(e.used["message"]) {
							e.facts = append(e.facts, f)
							e.marks = append(e.marks, f.Mark())
						}
					}
				}
			}
		})
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
