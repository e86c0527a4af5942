// Package hostrules writes rules of a policy as the own rules of a coding agent, so that they hold where a hook fails.
//
//	text, notes := hostrules.Write("codex", policies, stack)
//
// It writes only what an agent's rules can say, and only rules that ask, decline or cancel. What an agent's rule would
// forbid beyond the policy is left out, so that ordinary calls go on as before. The notes say what was left out.
package hostrules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
)

// Hosts lists the agents that have rules.
func Hosts() []string { return []string{"claude-code", "codex", "gemini"} }

// kind says what a rule of an agent is about.
type kind uint8

const (
	command kind = iota // a command line
	read                // a path that a tool reads
	write               // a path that a tool writes
	tool                // a tool by its name
	fetch               // a host that a tool fetches from
)

// entry is one pattern of a rule of a policy.
type entry struct {
	kind   kind
	deny   bool   // else ask
	rule   string // its name
	why    string
	text   string // the pattern
	prefix bool   // text is the first words of a command, and any others may follow
	server string // of a tool, "" if it is the agent's own
}

// writer is the spelling of one agent.
type writer struct {
	one  func(e *entry) (text, unfit string) // unfit says why an entry has no spelling
	file func(entries []entry, texts []string) string
}

var writers = map[string]writer{"claude-code": {claudeRule, claudeFile}, "codex": {codexRule, codexFile},
	"gemini": {geminiRule, geminiFile}}

// Write writes the rules of policies for an agent. The stack has the same policies. Each note names a rule that was
// left out, or the part of it.
func Write(host string, policies [][]byte, stack policy.Stack) (text string, notes []string) {
	w := writers[host]
	var entries []entry
	var texts []string
	for _, doc := range policies {
		var before []gjson.Result // rules that accept
		for i, r := range gjson.GetBytes(doc, "rules").Array() {
			name := r.Get("name").String()
			if name == "" {
				name = "#" + strconv.Itoa(i+1)
			}
			if r.Get("then").String() == policy.Accept.String() {
				before = append(before, r)
				notes = append(notes, name+": it accepts, and "+host+" asks or accepts by its own rules")
				continue
			}
			list, left := entriesOf(r, name)
			if left != "" {
				notes = append(notes, name+": "+left)
			}
			unfits := map[string][]string{} // patterns, by what is wrong
			var order []string
			for i := range list {
				e := &list[i]
				spelled, unfit := w.one(e)
				if earlier := acceptedBefore(before, e); unfit == "" && earlier != "" {
					unfit = "the rule " + earlier + " before it may accept some of it"
				}
				if unfit == "" && !decides(stack, e, host) {
					unfit = "another rule decides"
				}
				switch {
				case unfit != "":
					if unfits[unfit] == nil {
						order = append(order, unfit)
					}
					unfits[unfit] = append(unfits[unfit], e.text)
				case !slices.Contains(texts, spelled):
					entries, texts = append(entries, *e), append(texts, spelled)
				}
			}
			for _, unfit := range order {
				note := name + ", " + unfits[unfit][0]
				if n := len(unfits[unfit]); n > 1 {
					note += " and " + strconv.Itoa(n-1) + " more"
				}
				notes = append(notes, note+": "+unfit)
			}
		}
	}
	return w.file(entries, texts), notes
}

// entriesOf reads a rule that tightens. left says what of it no agent has a rule for, or what is left to the hook.
func entriesOf(r gjson.Result, name string) (list []entry, left string) {
	add := func(k kind, v gjson.Result, change func(*entry)) {
		for _, p := range patternsOf(v) {
			e := entry{kind: k, deny: slices.Contains([]string{"decline", "cancel"}, r.Get("then").String()),
				rule: name, why: r.Get("why").String(), text: p}
			if change != nil {
				change(&e)
			}
			list = append(list, e)
		}
	}
	when, keys := r.Get("when"), []string(nil)
	when.ForEach(func(k, v gjson.Result) bool {
		about := func(name string) bool { return when.Get(name).Exists() }
		if is := v.String(); k.String() != "does" || !(is == "command" && (about("command") || about("runs")) ||
			is == "patch" && (about("path") || about("writes")) || is == "tool" && about("tool")) {
			keys = append(keys, k.String())
		}
		return true
	})
	switch slices.Sort(keys); strings.Join(keys, "+") {
	case "command":
		add(command, when.Get("command"), func(e *entry) { e.text, e.prefix = firstWords(e.text) })
	case "runs":
		add(command, when.Get("runs"), func(e *entry) { e.prefix = plain(e.text) })
	case "publishes":
		left = "only the usual programs are named; the hook sees the others"
		for _, area := range patternsOf(when.Get("publishes")) {
			for _, program := range publishers[area] {
				add(command, gjson.Parse(strconv.Quote(program)), func(e *entry) { e.prefix = true })
			}
		}
	case "reads":
		add(read, when.Get("reads"), nil)
	case "writes", "path":
		add(write, when.Get(keys[0]), nil)
	case "fetches":
		add(fetch, when.Get("fetches"), nil)
	case "tool":
		add(tool, when.Get("tool"), nil)
	case "server+tool":
		for _, server := range patternsOf(when.Get("server")) {
			add(tool, when.Get("tool"), func(e *entry) { e.server = server })
		}
	default:
		return nil, "only the hook can look at " + strings.Join(keys, " and ")
	}
	if !r.Get("unless").Exists() {
		return list, left
	}
	// An exception about the same paths, such as *.example, can only be about names that a pattern leaves open.
	same := len(r.Get("unless").Map()) == 1 && (when.Get("reads").Exists() && r.Get("unless.reads").Exists() ||
		when.Get("writes").Exists() && r.Get("unless.writes").Exists())
	if !same {
		return nil, "only the hook knows its exception"
	}
	closed := func(e entry) bool {
		last := e.text[strings.LastIndexByte(e.text, '/')+1:]
		return last != "*" && strings.ContainsAny(last, "*?[")
	}
	return slices.DeleteFunc(list, closed), "only the hook knows its exception, so patterns such as .env.* are left out"
}

// publishers are the usual programs by the area of an impact.
var publishers = map[string][]string{"git": {"git push"}, "release": {"gh release"}, "image": {"docker push",
	"podman push"}, "package": {"npm publish", "pnpm publish", "yarn publish", "cargo publish", "twine upload",
	"gem push"}}

// patternsOf reads one pattern or a list of them.
func patternsOf(v gjson.Result) (list []string) {
	for _, p := range v.Array() {
		list = append(list, p.String())
	}
	return list
}

// firstWords reads a pattern for commands. prefix reports whether it is whole words and then anything.
func firstWords(pattern string) (text string, prefix bool) {
	words, is := strings.CutSuffix(pattern, "*")
	if words = strings.TrimSuffix(words, " "); !is || words == "" || !plain(words) {
		return pattern, false
	}
	return words, true
}

// plain reports whether a text is words that neither a pattern, a shell nor the rules of an agent read otherwise.
func plain(text string) bool {
	for _, r := range text {
		if r <= ' ' && r != ' ' || r > '~' || strings.ContainsRune("*?[]\\'\"`$(){}<>|&;#!,^~", r) {
			return false
		}
	}
	return text != "" && !strings.HasPrefix(text, "-") && strings.TrimSpace(text) == text
}

// acceptedBefore names a rule before this one that may accept what the rule of an agent would forbid, or "".
func acceptedBefore(before []gjson.Result, e *entry) string {
	for _, r := range before {
		when := r.Get("when")
		switch {
		case e.kind == command && when.Get("command").Exists():
			if !slices.ContainsFunc(patternsOf(when.Get("command")), func(p string) bool {
				head, _, _ := strings.Cut(p, "*")
				return strings.HasPrefix(head, e.text) || strings.HasPrefix(e.text, head)
			}) {
				continue
			}
		case e.kind == command && when.Get("runs").Exists():
			program, _, _ := strings.Cut(e.text, " ")
			if !slices.ContainsFunc(patternsOf(when.Get("runs")), func(p string) bool {
				return p == program || strings.ContainsAny(p, "*?[")
			}) {
				continue
			}
		case e.kind != tool && when.Get("tool").Exists(), e.kind != tool && when.Get("does").String() == "tool":
			continue
		}
		if name := r.Get("name").String(); name != "" {
			return name
		}
		return "without a name"
	}
	return ""
}

// decides reports whether the policy surely does with such a command what the agent would do. Of other calls the order
// of the rules tells enough.
func decides(stack policy.Stack, e *entry, host string) bool {
	if e.kind != command || !e.prefix {
		return true
	}
	facts := policy.Facts{Server: host, Side: elicit.Answering, Mode: elicit.Form, Kind: elicit.KindApproval,
		Claim: elicit.ClaimApproval, Does: elicit.DeedCommand, Command: e.text + " x", Cwd: "/srv/x"}
	outcome := stack.Decide(&facts).Outcome
	return outcome >= policy.Cancel || !e.deny && outcome >= policy.Review
}
