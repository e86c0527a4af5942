package policy

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/impact"
)

// rule is one compiled rule. It matches when all criteria of when hold and not all of unless do. seal makes all six
// reasons when the file is parsed, because deciding must not allocate for rules that do not match.
//
// when and unless are read in opposite ways: for a rule that accepts, when must hold for sure, and unless counts if it
// only may hold. quantify has put that into the criteria already.
type rule struct {
	name   string
	then   Outcome
	when   []criterion
	unless []criterion // nil without exception
	// broken rules have a part that could not be read. They may match more than was meant but never less. So they only
	// tighten, and they never accept.
	broken bool

	reasonMatched, reasonShadowed, reasonBroken, reasonExcepted, reasonPossible, reasonResembled elicit.Reason
}

// criterion is one condition on a request. Fields are filled by the subject: a flag has only want; a message has looks
// besides globs; a path has looks and roots; a path of an impact has steps besides these. All lists with one entry for
// each pattern have the same order.
type criterion struct {
	on    subject
	globs []glob // one of them must match
	looks []glob // for messages and paths: the same for the text as a person, or a disk without case, reads it
	// A root is in one case, as the look-alikes are. "" is the root of a pattern that begins with a wildcard; it names
	// nothing below a directory.
	roots []string        // for paths: what each pattern has before its first wildcard
	steps [][]patternStep // for paths of impacts: the patterns in one case
	alone bool            // a path without a host, or a host without a path: no rule accepts what it does not look at
	want  bool            // the wanted value, for subjects that are booleans
	// every and named are set for a whole rule by quantify. named is nil for a rule that does not accept.
	every bool          // for impacts: all of the kind must match
	named []impact.Kind // for impacts: the kinds that the rule names, if the deed may have no other
}

// subject is what a criterion looks at. The impacts come last and stand in the order of impactKinds, so kindOf is a
// subtraction. A new subject needs an entry in subjects, a case in holds, and a line in the published schema, which a
// test compares.
type subject uint8

const (
	// Subjects from onReadOnly to onOpenWorld are traits, and those from onRuns to onPublishes are impacts.
	onServer subject = iota
	onTool
	onReadOnly
	onDestructive
	onIdempotent
	onOpenWorld
	onSide
	onMode
	onKind
	onMessage
	onField
	onSensitive
	onHost
	onScheme
	onCommand
	onCwd
	onDoes
	onPath
	onOutside
	onDangerous
	onHasty
	onLabel
	onFetchedFrom
	onRuns // the kinds of impacts, in the order of impactKinds
	onReads
	onWrites
	onDeletes
	onSends
	onFetches
	onExecutes
	onChanges
	onPublishes
	onUnknown
	subjectCount
)

// subjects names the criteria. A subject with a known set of values refuses a pattern without wildcards that is not one
// of them. Otherwise a rule that declines by a misspelt word would never match.
var subjects = [subjectCount]struct {
	key   string
	as    letters
	known []string
}{
	onServer:      {key: "server"},
	onTool:        {key: "tool"},
	onReadOnly:    {key: "read_only"},
	onDestructive: {key: "destructive"},
	onIdempotent:  {key: "idempotent"},
	onOpenWorld:   {key: "open_world"},
	onSide:        {key: "side", known: []string{string(elicit.Answering), string(elicit.Asking)}},
	onMode:        {key: "mode", known: []string{string(elicit.Form), string(elicit.URL)}},
	onKind:        {key: "kind", known: []string{"form", "confirm", "url", "approval", "suggestion"}},
	onMessage:     {key: "message", as: anyCase},
	onField:       {key: "field"},
	onSensitive:   {key: "sensitive"},
	onHost:        {key: "host", as: anyCase},
	onScheme:      {key: "scheme", as: anyCase},
	onCommand:     {key: "command"},
	onCwd:         {key: "cwd"},
	onDoes: {key: "does", known: []string{string(elicit.DeedCommand), string(elicit.DeedPatch),
		string(elicit.DeedPermissions), string(elicit.DeedTool)}},
	onPath:        {key: "path"},
	onOutside:     {key: "outside"},
	onDangerous:   {key: "dangerous"},
	onHasty:       {key: "hasty"},
	onLabel:       {key: "label", known: labelNames},
	onFetchedFrom: {key: "fetched_from", as: anyCase},
	onRuns:        {key: "runs"},
	onReads:       {key: "reads"},
	onWrites:      {key: "writes"},
	onDeletes:     {key: "deletes"},
	onSends:       {key: "sends", as: anyCase},
	onFetches:     {key: "fetches", as: anyCase},
	onExecutes:    {key: "executes"},
	onChanges:     {key: "changes", known: impact.Areas(impact.Changes)},
	onPublishes:   {key: "publishes", known: impact.Areas(impact.Publishes)},
	onUnknown:     {key: "unknown"},
}

// subjectOf finds a subject by its key in a file. The search is linear, since it runs only when files are read.
func subjectOf(key string) (subject, bool) {
	for s := range subjects {
		if subjects[s].key == key {
			return subject(s), true
		}
	}
	return 0, false
}

// compile compiles one pattern for the subject.
func (s subject) compile(pattern string) (g glob, fault string) {
	return compileGlob(pattern, subjects[s].as)
}

// knows reports whether a pattern can match a value of the subject. "does": "comand" is refused, and "does": "c*" is
// not.
func (s subject) knows(g glob) bool {
	known := subjects[s].known
	return known == nil || slices.ContainsFunc(known, g.match)
}

// flag reports whether the subject is a boolean and not a text.
func (s subject) flag() bool {
	return s == onSensitive || s == onOutside || s == onDangerous || s == onHasty || s == onUnknown ||
		s.trait()
}

// trait reports whether the subject is a trait of a tool.
func (s subject) trait() bool {
	return s == onReadOnly || s == onDestructive || s == onIdempotent || s == onOpenWorld
}

// match says whether a rule's criteria hold. The order is the strength: min joins the criteria of a rule, so one
// criterion that only may match makes the whole rule one that may.
type match uint8

const (
	matchNo match = iota
	// A rule that only may match asks at most, unless a layer says that an unknown fact declines.
	matchMaybe     // it depends on a fact that is not known
	matchResembles // only another reading matches: of the message, the host, or the command line
	matchYes
)

// matches reports whether every criterion holds. With loosely, a message or host may also resemble the pattern. With
// maybe, a fact that is not known may have any value; lacks is the first such fact, for matchMaybe. An empty list holds
// for every request. matchNo ends the search at once; all other values need every criterion. So the answer takes time
// linear in the criteria, times what the subjects cost.
func (t *tally) matches(all []criterion, loosely, maybe bool) (m match, lacks subject) {
	m = matchYes
	for i := range all {
		c := &all[i]
		switch {
		// The tool may be any one, so nothing about it is asked. A rule that accepts gets matchMaybe from here, and the
		// caller never takes that for a match.
		case t.unknown && t.dependsOnTool(c):
			m, lacks = t.lacking(m, c.on, lacks)
		case t.ask(c, Holds):
		// loosely is true for a rule that tightens, and for the exception of a rule that accepts: in both, a look-alike
		// tightens.
		case loosely && t.ask(c, Resembles):
			m = min(m, matchResembles)
		case maybe && t.ask(c, MayHold):
			m, lacks = t.lacking(m, c.on, lacks)
		default:
			return matchNo, lacks
		}
	}
	return m, lacks
}

// holds reports whether the criterion surely matches the facts as they are spelled. A text of the facts may be hostile
// and long; a glob reads it once, in linear time.
func (t *tally) holds(c *criterion) bool {
	f := t.facts
	switch c.on {
	case onServer:
		return c.any(f.Server)
	case onTool:
		return c.any(f.Tool)
	case onReadOnly:
		return t.traits.ReadOnly == c.want
	case onDestructive:
		return t.traits.Destructive == c.want
	case onIdempotent:
		return t.traits.Idempotent == c.want
	case onOpenWorld:
		return t.traits.OpenWorld == c.want
	case onSide:
		return c.any(string(f.Side))
	case onMode:
		return c.any(string(f.Mode))
	case onKind:
		return c.any(string(f.Kind))
	case onMessage:
		return t.messageHolds(c)
	// One field is enough. A rule that declines by a field name must not need all names.
	case onField:
		return slices.ContainsFunc(f.Fields, func(f FieldFact) bool { return c.any(f.Name) })
	case onSensitive:
		return f.sensitive() == c.want
	case onHost:
		return t.hostHolds(c)
	case onScheme:
		return f.url() && c.any(fold(f.Scheme))
	case onCommand:
		return t.commandHolds(c)
	case onCwd:
		return t.cwdHolds(c)
	case onDoes:
		return f.deed() != elicit.DeedNone && c.any(string(f.deed()))
	case onPath:
		return t.pathHolds(c)
	case onDangerous:
		return t.dangerHolds(c.want)
	case onHasty:
		return f.Hasty == c.want
	case onOutside:
		return f.outsideHolds(c.want)
	case onLabel, onFetchedFrom:
		return t.labelHolds(c)
	case onUnknown:
		return t.unknownMatches(c)
	}
	// A subject that has no case holds. None is left: the first part is only there for a subject that is added later.
	return c.on.kindOf() == "" || t.impactHolds(c)
}

func (c *criterion) any(s string) bool { return anyOf(c.globs, s) }

func anyOf(globs []glob, s string) bool {
	for i := range globs {
		if globs[i].match(s) {
			return true
		}
	}
	return false
}

// seal prepares the reasons of the rule, so that deciding allocates nothing for them.
func (r *rule) seal(layer Layer, why string) {
	args := []elicit.Arg{elicit.Str("then", r.then.String())}
	if why != "" {
		args = append(args, elicit.Str("why", why))
	}
	reason := elicit.Reason{Layer: layer.String(), Rule: r.name, Args: args}
	r.reasonMatched, r.reasonShadowed, r.reasonBroken = reason, reason, reason
	r.reasonExcepted, r.reasonResembled = reason, reason
	r.reasonMatched.Code, r.reasonShadowed.Code, r.reasonBroken.Code = codeMatched, codeShadowed, codeBroken
	r.reasonExcepted.Code = codeExcepted
	r.reasonPossible = reason
	r.reasonPossible.Code, r.reasonResembled.Code = codePossible, codeResembled
}
