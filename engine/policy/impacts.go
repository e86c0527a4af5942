package policy

import (
	"path"
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/engine/internal/guarded"
)

// A criterion on an impact looks at what a deed does: {"writes": "~/.claude/*"}. A rule that tightens matches if one
// impact of the kind matches, or may match. A rule that accepts matches only if every impact of the kind matches, if
// nothing of the deed is unknown, and if the rule names every kind of impact that the deed has. So {"reads": "./*"}
// accepts no command that also writes, and "runs" must say which programs. An exception is read the other way round.

// impactKinds are the kinds by their subjects.
var impactKinds = [...]impact.Kind{impact.Runs, impact.Reads, impact.Writes, impact.Deletes, impact.Sends,
	impact.Fetches, impact.Executes, impact.Changes, impact.Publishes}

// kindOf is the kind of impact that the subject looks at, "" for another subject.
func (s subject) kindOf() impact.Kind {
	if s >= onRuns && s <= onPublishes {
		return impactKinds[s-onRuns]
	}
	return ""
}

// place reports whether the subject is a path of an impact.
func (s subject) place() bool { return s >= onReads && s <= onDeletes || s == onExecutes }

// address reports whether the subject is a host of an impact.
func (s subject) address() bool { return s == onSends || s == onFetches }

// quantify prepares criteria on impacts for a rule. every says that all impacts must match; all says that the rule must
// also name all kinds. In a rule {"reads": "./*", "writes": "out/*"} that accepts, named is reads and writes: a deed
// that also deletes matches neither criterion. For a rule that tightens named is nil, and other kinds of the deed do
// not matter.
func quantify(list []criterion, every, all bool) {
	var named []impact.Kind
	for i := range list {
		if kind := list[i].on.kindOf(); all && kind != "" {
			named = append(named, kind)
		}
	}
	for i := range list {
		list[i].every, list[i].named = every, named
	}
}

// ReadImpacts reads what the deed does from the other facts.
func (f *Facts) ReadImpacts() impact.Report {
	return impact.Of(&elicit.Request{Does: f.Does, Tool: f.Tool, Command: f.Command,
		CommandCandidate: f.CommandCandidate, Cwd: f.Cwd, Annotations: f.Annotations, Paths: f.Paths, Hosts: f.Hosts,
		ReachCut: f.ReachCut})
}

// impacts is what the deed does. A host that did not say gets it from the other facts.
func (t *tally) impacts() *impact.Report {
	f := t.facts
	if f.Impacts != nil {
		return f.Impacts
	}
	x := t.texts()
	if x.impacts == nil || x.reads != f.Annotations.ReadOnly { // candidates differ in what they read
		report := f.ReadImpacts()
		x.impacts, x.reads = &report, f.Annotations.ReadOnly
	}
	return x.impacts
}

// impactHolds reports whether the impacts surely match. The loop goes once over the impacts, of which package impact
// gives at most 256 for a command.
func (t *tally) impactHolds(c *criterion) bool {
	report, some := t.impacts(), false
	kind := c.on.kindOf()
	for i := range report.Impacts {
		in := &report.Impacts[i]
		switch {
		// One impact that the rule does not name is enough to refuse the whole deed.
		case c.every && in.Kind == impact.Unknown, c.named != nil && !slices.Contains(c.named, in.Kind):
			return false
		case in.Kind != kind:
			continue
		}
		switch hit := t.impactMatches(c, in); {
		case hit && !c.every:
			return true
		case !hit && c.every:
			return false
		}
		some = true
	}
	// Every one of no impacts matches, if the rule names another kind that the deed has. A deed without impacts is one
	// that nobody could read.
	return c.every && (some || c.named != nil && len(report.Impacts) > 0)
}

// impactResembles reports whether one impact may match.
func (t *tally) impactResembles(c *criterion) bool {
	kind := c.on.kindOf()
	for i := range t.impacts().Impacts {
		if in := &t.impacts().Impacts[i]; in.Kind == kind && t.impactMayMatch(c, in) {
			return true
		}
	}
	return false
}

// unknownMatches reports whether the criterion holds. That a deed cannot be read is no ground to accept it. {"unknown":
// false} with accept needs a deed that can be read as a whole. {"unknown": true} never accepts (every), and for a
// command that is not there it is no known fact, so it only may hold.
func (t *tally) unknownMatches(c *criterion) bool {
	unknown := t.unread()
	return t.facts.deed() != elicit.DeedNone && c.want == unknown && !(unknown && (c.every || t.facts.Command == ""))
}

// impactMayHold reports whether the criterion is about an impact that is not known. That a command cannot be read is a
// fact, unless the command itself is not known.
func (t *tally) impactMayHold(c *criterion) bool {
	kind, may := c.on.kindOf(), false
	switch t.facts.deed() {
	case elicit.DeedNone:
	case elicit.DeedCommand:
		may = kind != ""
	case elicit.DeedPatch:
		may = kind == impact.Writes
	default:
		may = kind == impact.Reads || kind == impact.Writes || c.on.address()
	}
	if !t.unread() {
		unseen := may && t.facts.deed() == elicit.DeedCommand && t.runsUnseen()
		t.since3 = t.since3 || unseen
		return unseen && !t.asFormat2
	}
	return may || c.on == onUnknown && t.facts.Command == "" && t.facts.deed() != elicit.DeedNone
}

// runsUnseen reports whether the command runs a text that does not stand in it, which may do anything. Package managers
// run what they fetch themselves. "curl a.example | sh" runs a fetched text, and sh is another program than curl.
// "npm install" fetches and runs by itself, so the program of both impacts is the same, and a rule about npm is the
// place for it.
func (t *tally) runsUnseen() bool {
	list := t.impacts().Impacts
	return slices.ContainsFunc(list, func(in impact.Impact) bool {
		return in.Kind == impact.Executes && (in.How == impact.Built || in.How == impact.Decoded ||
			in.How == impact.Fetched && slices.ContainsFunc(list, func(by impact.Impact) bool {
				return by.Kind == impact.Fetches && by.Program != in.Program
			}))
	})
}

// unread reports whether the deed has an impact that cannot be read. A deed without any is one that nobody could read.
func (t *tally) unread() bool {
	report := t.impacts()
	return report.Unknown || len(report.Impacts) == 0
}

// impactMatches reports whether an impact matches, in every reading of it. An open target matches only a pattern that
// covers its wildcards. openText puts a NUL in their places: "src/*" covers "src/\x00.c", and "src/a.c" does not.
func (t *tally) impactMatches(c *criterion, in *impact.Impact) bool {
	switch {
	case c.on.address():
		host := spelledHost{}
		return (!in.Open || c.everything()) && host.of(in.Target).match(c)
	case !c.on.place():
		return (!in.Open || c.everything()) && c.any(in.Target)
	case c.on == onExecutes && (c.any(string(in.How)) || in.How != impact.File):
		return c.any(string(in.How))
	}
	// {"reads": "secret:*"} names all files of secrets, wherever they lie.
	if c.on == onReads && guarded.SecretOf(in) != nil && c.any(aSecret+in.Target) {
		return true
	}
	// The path is compared as the rule's author writes it: from the directory of the command if it lies there. Windows
	// and its shells read a backslash as a slash, so a path with one may lead out of that directory, or to another
	// machine.
	text := spelled(in)
	if c.every && strings.Contains(text, `\`) && !c.everything() {
		return false
	}
	if inside, known := inside(text, t.facts.Cwd, !c.every); known {
		text = inside
	}
	if in.Open {
		if in.Free && !c.everything() {
			return false // it may lead anywhere, also by ".."
		}
		text = openText(text)
	}
	// For a rule that accepts, the directory and all below it must match: {"deletes": "./*"} covers "rm -r build". For
	// a rule that tightens, "build/" is enough.
	tree := in.How == impact.Tree
	switch root := strings.TrimSuffix(text, "/"); {
	// The directory alone may be spelled with or without a slash at its end.
	case tree && c.every:
		return (c.any(text) || c.any(root+"/")) && c.any(root+below)
	case tree && c.any(root+"/"):
		return true
	}
	return c.any(text)
}

// aSecret begins the other name of a place with secrets, as in {"reads": "secret:*"}. A program that shows nothing of
// the place does not read it under that name.
const aSecret = "secret:"

// spelled is the target. The readers of commands know no paths of Windows, so one with a drive is made plain here.
func spelled(in *impact.Impact) string {
	if onDrive(in.Target) && strings.IndexByte(in.Target, '\\') >= 0 {
		return cleaned(slashed(in.Target))
	}
	return in.Target
}

// openText puts a text that no pattern has in the place of each wildcard, so that only a wildcard covers it.
func openText(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(text, "*", "\x00"), "?", "\x00"), "[", "\x00")
}

// inside returns a path as it is spelled from the directory of the command: ./x. It is not known of a path that lies
// elsewhere. The root, the directory of a person and one that is not known are no place to work in: inside may be the
// whole disk. anywhere counts them too. A rule that accepts {"writes": "./*"} trusts the directory. An agent that runs
// in "/" or in a home could then write everything, so these are no place to work in. A path that leaves the directory
// ("..", "~", another root) is not inside.
func inside(target, directory string, anywhere bool) (text string, known bool) {
	cwd := strings.TrimSuffix(cleaned(slashed(directory)), "/")
	if directory == "" || cwd == "." || strings.Contains(directory, "..") {
		cwd = ""
	}
	// cwd is "" for the root as well as for a directory that is not known.
	home := directory != "" && (cwd == "" || onDrive(cwd) && len(cwd) == 2 || homeless(cwd) == "~")
	switch {
	case !anywhere && (home || cwd == ""):
		return "", false
	case target == cwd && cwd != "", target == ".":
		return "./", true
	case cwd != "" && strings.HasPrefix(target, cwd+"/"):
		return "." + target[len(cwd):], true
	case target == "" || strings.ContainsAny(target[:1], "/~") || strings.HasPrefix(target, "..") ||
		strings.HasPrefix(target, "env:") || onDrive(target):
		return "", false
	}
	return "./" + strings.TrimPrefix(target, "./"), true
}

// homeless spells a path in a person's own directory with "~". /home/ann/.ssh and ~/.ssh are one place to a rule that
// tightens. It does not matter whose home it is.
func homeless(text string) string {
	for _, homes := range [...]string{"/home/", "/Users/", "/root"} {
		rest := text
		if onDrive(text) {
			rest = text[2:]
		}
		if len(rest) < len(homes) || !strings.EqualFold(rest[:len(homes)], homes) {
			continue
		}
		rest = rest[len(homes):]
		if homes != "/root" {
			name := strings.IndexByte(rest+"/", '/')
			rest = rest[name:]
		}
		if rest == "" || rest[0] == '/' {
			return "~" + rest
		}
	}
	return text
}

// impactMayMatch reports whether an impact matches in some reading: without case, with the person's own directory
// spelled out, as what an open target may stand for, or with what is below a tree. "rm -rf ~" matches {"deletes":
// "~/.ssh/*"}, because a tree holds what is below. "rm $X" matches every pattern, because X may be any path.
func (t *tally) impactMayMatch(c *criterion, in *impact.Impact) bool {
	if t.impactMatches(c, in) || in.Open && in.Free && strings.Trim(in.Target, "*/.") == "" {
		return true
	}
	switch {
	case c.on.address():
		host := spelledHost{}
		return in.Open || host.of(in.Target).resembles(c)
	case !c.on.place():
		return in.Open || c.any(path.Base(in.Target))
	case c.on == onExecutes && in.How != impact.File:
		return false
	}
	target := spelled(in)
	return t.pathMayMatch(c, in, target) || strings.Contains(target, `\`) && t.pathMayMatch(c, in, onWindows(target))
}

// onWindows is a path as Windows reads it. A share of another machine, \\host\share, begins at a root of its own.
func onWindows(target string) string {
	share := max(strings.Index(target, `/\\`), 0)
	return cleaned(strings.ReplaceAll(target[share:], `\`, "/"))
}

// pathMayMatch is impactMayMatch for one reading of a path.
func (t *tally) pathMayMatch(c *criterion, in *impact.Impact, target string) bool {
	// The four are: as it is, with "~" for a home, from the directory as ./x, and the same without "./".
	near, known := inside(target, t.facts.Cwd, true)
	if !known { // some disks know no case
		near, _ = inside(fold(target), fold(t.facts.Cwd), true)
	}
	spellings := [4]string{target, homeless(target), near, strings.TrimPrefix(near, "./")}
	for _, text := range spellings {
		folded := fold(text)
		switch {
		case text == "":
		case c.any(text), anyOf(c.looks, folded):
			return true
		case in.How == impact.Tree && (c.rootBelow(folded) || anyOf(c.looks, strings.TrimSuffix(folded, "/")+"/")):
			return true
		case in.Open && t.mayName(c, folded, in.Free, in.How == impact.Tree):
			return true
		}
	}
	return false
}

// mayName reports whether a pattern and an open path, or something in the tree below it, may be the same place. As for
// other trees, a pattern that begins with a wildcard names nothing below. "rm ~/.s*/id" and the pattern "~/.ssh/*" can
// mean one file: overlaps finds a text that fits both.
func (t *tally) mayName(c *criterion, open string, free, tree bool) bool {
	here, under := stepsOf(open, false), stepsOf(open+"/*", false)
	for i, pattern := range c.steps {
		if begins(pattern, aSecret) || begins(pattern, "env:") && !strings.HasPrefix(open, "env:") {
			continue // no path is a variable
		}
		if t.overlaps(pattern, here, free) || tree && c.roots[i] != "" && t.overlaps(pattern, under, true) {
			return true
		}
	}
	return false
}

// begins reports whether a pattern begins with a word.
func begins(pattern []patternStep, word string) bool {
	for i := range word {
		if i >= len(pattern) || pattern[i].lit != word[i] {
			return false
		}
	}
	return true
}

// relative spells a pattern of paths that begins with a name as one inside the directory of the command. A share of
// another machine begins with one slash, as a clean path does.
func relative(pattern string) string {
	if strings.HasPrefix(pattern, "//") {
		return pattern[1:]
	}
	if pattern == "" || strings.ContainsAny(pattern[:1], `/~*?[\`) || pattern == "." ||
		strings.HasPrefix(pattern, "./") || strings.HasPrefix(pattern, "../") ||
		strings.HasPrefix(pattern, "env:") || strings.HasPrefix(pattern, aSecret) || len(pattern) > 1 && pattern[1] == ':' {
		return pattern
	}
	return "./" + pattern
}
