package engine

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/pending"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/schema"
)

// config is a Configured event's document, read. ConfigKeys lists its members. A configuration replaces the one before
// as a whole. A member that is left out has its default then, so a document says all that holds. Grants alone stay. The
// zero value is not usable: defaultConfig makes one. A config is copied as a value. Its slices are shared by the copies
// and never written to.
type config struct {
	// The four layers of policy. Without a document it is the builtin layer, which asks a person about everything fit.
	stack     policy.Stack
	profile   schema.Profile
	limits    limits
	pauses    bool
	join      bool     // one answer for the same question asked twice
	remember  bool     // Show effects say for how long a yes may hold
	changes   bool     // Show effects say what has changed since the person last said yes
	servers   []string // whose names a server must not imitate
	grants    []elicit.Grant
	guardians []guardian.Permit

	// Both flags are about the reading itself. A document without the member grants keeps what people gave. An empty
	// list takes all of it away.
	granted bool // the document has a list of grants, so it replaces those there were
	settled bool // a configuration has been read successfully

	deprecated []elicit.Problem // members with names of an earlier version
}

// limits are every bound of one engine. Sizes are bytes, times milliseconds.
type limits struct {
	// Zero is a bound like any other: a queue of 0 admits nothing, a burst of 0 asks nobody. Only the times and
	// perMinuteSession read zero as "none". Hence readLimits refuses a zero where limitTable says least 1.
	message, schema, url  int
	answer                int
	note, arguments       int
	fields, choices, text int
	sessions              int
	queue, shown, ended   int
	heldCalls             int // calls of our own client that wait for an answer, in a session
	perMinute, burst      int // questions of a server that somebody has to look at
	perMinuteSession      int // the same of a session, 0 for no bound of its own
	burstSession          int
	admittedPerMinute     int // questions of a server of every kind
	admittedBurst         int
	floodBytes            int
	answerTTL, shownTTL   int // from being held, and from being shown
	pageTTL               int
	unseen                int // a cancel of a client before it counts as unseen
}

// defaultConfig is the configuration of a new engine. Its limits suit one person in front of a screen.
func defaultConfig() config {
	return config{limits: limits{
		message: 64 << 10, schema: 64 << 10, url: 8 << 10,
		answer: 256 << 10, note: 4 << 10, arguments: 64 << 10,
		fields: 100, choices: 1000, text: 64 << 10,
		sessions: 1024,
		queue:    16, shown: 1, ended: 1024, heldCalls: 128,
		perMinute: 10, burst: 5, admittedPerMinute: 600, admittedBurst: 200, floodBytes: 64 << 10,
		answerTTL: 0, pageTTL: 30 * 60 * 1000, unseen: 1000,
	}}
}

// limit is one row of the table that configuration, describe and the documentation share.
type limit struct {
	name  string
	at    func(*limits) *int
	most  int
	least int // 1 where zero would read as "the default"
}

// limitTable is ordered as LimitNames prints it. The most column is what the journal's record size and the engine's own
// tables can bear. A schema of 96 KiB whose every character needs an escape, for example, still fits a record
// (journal.MaxRecord).
var limitTable = []limit{
	{"message", func(l *limits) *int { return &l.message }, 64 << 10, 0},
	{"schema", func(l *limits) *int { return &l.schema }, 96 << 10, 0},
	{"url", func(l *limits) *int { return &l.url }, 16 << 10, 0},
	{"answer", func(l *limits) *int { return &l.answer }, 1 << 20, 1},
	{"note", func(l *limits) *int { return &l.note }, 64 << 10, 0},
	{"arguments", func(l *limits) *int { return &l.arguments }, 256 << 10, 0},
	{"fields", func(l *limits) *int { return &l.fields }, 512, 1},
	{"choices", func(l *limits) *int { return &l.choices }, 10_000, 1},
	{"text", func(l *limits) *int { return &l.text }, 64 << 10, 1},
	{"sessions", func(l *limits) *int { return &l.sessions }, 1 << 20, 0},
	{"queue", func(l *limits) *int { return &l.queue }, mostQueued, 0},
	{"held_calls", func(l *limits) *int { return &l.heldCalls }, mostQueued, 0},
	{"shown", func(l *limits) *int { return &l.shown }, 1024, 0},
	{"ended", func(l *limits) *int { return &l.ended }, 1 << 16, 0},
	{"per_minute", func(l *limits) *int { return &l.perMinute }, 60_000, 0},
	{"burst", func(l *limits) *int { return &l.burst }, 60_000, 0},
	{"per_minute_session", func(l *limits) *int { return &l.perMinuteSession }, 60_000, 0},
	{"burst_session", func(l *limits) *int { return &l.burstSession }, 60_000, 0},
	{"admitted_per_minute", func(l *limits) *int { return &l.admittedPerMinute }, 60_000, 0},
	{"admitted_burst", func(l *limits) *int { return &l.admittedBurst }, 60_000, 0},
	{"flood_bytes", func(l *limits) *int { return &l.floodBytes }, 16 << 20, 0},
	{"answer_ttl_ms", func(l *limits) *int { return &l.answerTTL }, 7 * 24 * 3600 * 1000, 0},
	{"shown_ttl_ms", func(l *limits) *int { return &l.shownTTL }, 7 * 24 * 3600 * 1000, 0},
	{"page_ttl_ms", func(l *limits) *int { return &l.pageTTL }, 7 * 24 * 3600 * 1000, 0},
	{"unseen_ms", func(l *limits) *int { return &l.unseen }, 60_000, 0},
}

// Limit is the name of a limit, its default, and the most and the least it may be set to. Sizes are bytes, names in _ms
// milliseconds.
type Limit struct {
	Name                 string
	Default, Most, Least int
}

// AppendJSON appends {"name","default","most","least"}.
func (l Limit) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "name", l.Name)
	o.Int("default", int64(l.Default))
	o.Int("most", int64(l.Most))
	o.Int("least", int64(l.Least))
	return o.End()
}

// Limits lists every limit of an engine.
func Limits() []Limit {
	def := defaultConfig().limits
	list := make([]Limit, len(limitTable))
	for i, row := range limitTable {
		list[i] = Limit{row.name, *row.at(&def), row.most, row.least}
	}
	return list
}

// pending are the limits of the table of open questions. It knows no configuration.
func (l limits) pending() pending.Limits {
	return pending.Limits{Queue: l.queue, Shown: l.shown, PerMinute: l.perMinute, Burst: l.burst,
		PerMinuteSession: l.perMinuteSession, BurstSession: l.burstSession,
		AdmittedPerMinute: l.admittedPerMinute, AdmittedBurst: l.admittedBurst, Ended: l.ended,
		AnswerTTL: int64(l.answerTTL), ShownTTL: int64(l.shownTTL), PageTTL: int64(l.pageTTL)}
}

// schemaOptions are the options for the schema of a question. On the asking side it is our own tool's schema: what the
// newest grammar forbids is an error of its author, whatever the configuration tolerates from others. MCP 2025-11-25
// client/elicitation, Requested Schema: flat objects of primitive fields. The tolerant profile reads more than that
// from servers that do not keep to it.
func (c config) schemaOptions(side elicit.Side) schema.Options {
	profile := c.profile
	if side == elicit.Asking && profile == schema.Tolerant {
		profile = schema.Strict20251125
	}
	return schema.Options{Profile: profile, Limits: schema.Limits{Bytes: c.limits.schema, Fields: c.limits.fields,
		Choices: c.limits.choices, Text: c.limits.text}}
}

// configure reads a configuration document. A problem in a policy is reported, and that policy fails closed. Any other
// problem leaves the configuration as it was. A first configuration that cannot be read declines everything, because
// its rules are unknown. In a record, members may have names of an earlier version. replaced reports that the document
// holds.
func (c *config) configure(doc []byte, recorded bool, format int) (replaced bool, problems []elicit.Problem) {
	// next is complete before anything of c changes, so a document is taken as a whole or not at all.
	next, inPolicies, unreadable := readConfig(doc, recorded)
	problems = append(unreadable, inPolicies...)
	if format != 1 { // names that are old today were right when such a journal was written
		problems = append(problems, next.deprecated...)
	}
	if len(unreadable) > 0 {
		if !c.settled {
			// Declining everything is noticed at once. Asking for everything, as without a policy, could go on for
			// weeks.
			closed, _ := policy.Parse(policy.Managed, nil)
			c.stack = policy.NewStack(closed)
		}
		return false, problems
	}
	next.deprecated, next.settled = nil, true
	*c = next
	return true, problems
}

// onFault is what a guardian counts as that gives no verdict. A fault is never a pass. Otherwise a server could silence
// a guardian by a question that makes it trap.
func (c config) onFault() guardian.Decision {
	if c.stack.GuardianFailure() == policy.GuardianFailureAsk {
		return guardian.Ask
	}
	return guardian.Deny
}

// Guardians are whom a recorded configuration has consulted, and what one of them counts as that gives no verdict.
func Guardians(doc []byte) ([]guardian.Permit, guardian.Decision) {
	c, _, _ := readConfig(doc, true)
	return c.guardians, c.onFault()
}

// readGuardians takes the permits of guardians. One with a problem is a problem of the whole configuration: to go on
// without it would be to go on without its check.
func readGuardians(r *strict.Reader, name string) []guardian.Permit {
	read := guardian.ReadPermits
	if r.Recorded {
		read = guardian.ReadRecordedPermits
	}
	permits, problems := read(r.Take(name))
	r.IncludeProblems(strict.Pointer(name), problems)
	return permits
}

// readLimits takes limits by the table. One out of range is a problem and is not moved into the range: whoever wrote it
// meant something else. Example: {"limits":{"queue":-1}} is the problem limit_out_of_range at /limits/queue, and the
// configuration in force stays.
func readLimits(r *strict.Reader, name string, l *limits) {
	r.Object(name, func(sub *strict.Reader) {
		for _, row := range limitTable {
			v := sub.Take(row.name)
			if !v.Exists() {
				continue
			}
			n, ok := strict.Integer(v)
			if !ok || n < int64(row.least) || n > int64(row.most) {
				sub.Report("limit_out_of_range", row.name, elicit.Num("least", row.least), elicit.Num("most", row.most))
				continue
			}
			*row.at(l) = int(n)
		}
	})
}

// policies takes the documents of the layers of policy. A policy with problems still holds, and fails closed.
func (r *configReader) policies(name string) policy.Stack {
	var layers []*policy.Policy
	r.Object(name, func(sub *strict.Reader) {
		for _, layer := range policy.Layers() {
			doc := sub.Text(layer.String())
			if doc == nil {
				continue
			}
			parse := policy.Parse
			if r.Recorded {
				parse = policy.ParseRecorded
			}
			p, problems := parse(layer, doc)
			layers = append(layers, p)
			for _, problem := range problems {
				if problem.Pointer = strict.Pointer(layer.String()) + problem.Pointer; problem.Deprecated {
					sub.Deprecated = append(sub.Deprecated, problem)
					continue
				}
				// Reported beside the configuration's own problems, under /policy/LAYER. The configuration holds
				// nevertheless.
				problem.Pointer = strict.Pointer(name) + problem.Pointer
				r.inPolicies = append(r.inPolicies, problem)
			}
		}
		sub.Opt("managed_path") // for people who read the journal; it decides nothing
	})
	return policy.NewStack(layers...)
}

// guardiansDue are the guardians to be heard in a phase. Reviewers are heard in another's place: when policy says so.
// Permits come in the order of the configuration, which is also the order of their consults and reasons.
func (c *config) guardiansDue(phase guardian.Phase, reviewers bool) (permits []guardian.Permit) {
	for _, g := range c.guardians {
		if g.Reviewer && reviewers || !g.Reviewer && g.Due(phase) {
			permits = append(permits, g)
		}
	}
	return permits
}

// CheckConfig reads a configuration as a Configured event would, and returns what is wrong with it. With problems, the
// event would change nothing. With problems in policies alone it would hold, and the layers they are in fail closed.
func CheckConfig(doc []byte) (problems, inPolicies []elicit.Problem) {
	if code := documentProblem(doc); code != "" {
		return []elicit.Problem{{Code: code}}, nil
	}
	_, inPolicies, problems = readConfig(doc, false)
	return problems, inPolicies
}
