package codex

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// Option is a decision that the app-server offers.
//
// raw is the exact decision for the app-server, without white space. Name is the word, or the name of the only member.
type Option struct {
	Name   string
	Scope  elicit.Scope  // how long it holds
	Action elicit.Action // what it means
	raw    []byte        // canonical
}

// These are the names of the decisions.
const (
	nameAccept  = "accept"
	nameSession = "acceptForSession"
	nameCommand = "acceptWithExecpolicyAmendment"
	nameNetwork = "applyNetworkPolicyAmendment"
	nameDecline = "decline"
	nameCancel  = "cancel"
)

func word(name string, action elicit.Action, scope elicit.Scope) Option {
	return Option{name, scope, action, jsontext.AppendString(nil, name)}
}

// patchOptions are the decisions that Codex offers if it lists none. The order is that of Codex: what accepts, then
// what refuses. Callers insert amendments between the two.
func patchOptions() []Option {
	return []Option{word(nameAccept, elicit.Accept, elicit.Once), word(nameSession, elicit.Accept, elicit.ForTheSession),
		word(nameDecline, elicit.Decline, elicit.Once), word(nameCancel, elicit.Cancel, elicit.Once)}
}

// readOptions reads availableDecisions, or what an app-server without that member offers: every decision, with the
// amendments that it proposes.
//
// A decision that is not known is counted and dropped, so nobody can choose it.
func (q *Question) readOptions(r *wire.Reading) {
	raw := wire.Given(r.Get("availableDecisions"))
	if raw == nil {
		q.Options = append(patchOptions()[:2], q.proposed(r)...)
		q.Options = append(q.Options, patchOptions()[2:]...)
		return
	}
	list, count := wire.Elements(raw, maxOptions)
	if wire.TypeOf(raw) != wire.Array || count > maxOptions {
		r.WrongType("availableDecisions", raw, "array")
		return
	}
	for _, one := range list {
		if option, ok := readOption(one); ok {
			q.Options = append(q.Options, option)
		} else {
			q.Unknown++
		}
	}
}

// proposed lists the amendments that are proposed.
//
// The members are put into the spelling of availableDecisions, so that one reader checks both.
func (q *Question) proposed(r *wire.Reading) (list []Option) {
	if words := wire.Given(r.Get("proposedExecpolicyAmendment")); words != nil {
		text := append(append([]byte(`{"`+nameCommand+`":{"execpolicy_amendment":`), words...), '}', '}')
		if option, ok := readOption(text); ok {
			list = append(list, option)
		}
	}
	hosts, _ := wire.Elements(wire.Given(r.Get("proposedNetworkPolicyAmendments")), maxOptions)
	for _, host := range hosts {
		text := append(append([]byte(`{"`+nameNetwork+`":{"network_policy_amendment":`), host...), '}', '}')
		if option, ok := readOption(text); ok {
			list = append(list, option)
		}
	}
	return list
}

// readOption reads a decision: a word, or an object with one member.
//
//	"accept"                                                                     once
//	"acceptForSession"                                                           for the session
//	{"acceptWithExecpolicyAmendment":{"execpolicy_amendment":["git","push"]}}    always, for that prefix
//	{"applyNetworkPolicyAmendment":{"network_policy_amendment":{…}}}             always, for that host
//	anything else                                                                unknown
//
// An object with a second member is unknown too: it could mean more than the member that is read.
func readOption(raw []byte) (Option, bool) {
	if name, ok := wire.Text(raw); ok {
		i := slices.IndexFunc(patchOptions(), func(o Option) bool { return o.Name == name })
		if i < 0 {
			return Option{}, false
		}
		return patchOptions()[i], true
	}
	o, _ := wire.ReadObject(raw)
	if len(o.Members) != 1 {
		return Option{}, false
	}
	option := Option{Name: o.Members[0].Name, Action: elicit.Accept, Scope: elicit.Always,
		raw: jsontext.AppendValue(nil, raw)}
	inner, _ := wire.ReadObject(o.Raw(o.Members[0]))
	if len(inner.Members) != 1 {
		return Option{}, false
	}
	switch amendment := inner.Raw(inner.Members[0]); {
	case option.Name == nameCommand && inner.Members[0].Name == "execpolicy_amendment":
		// An empty prefix would allow every command.
		return option, len(prefix(amendment)) > 0
	case option.Name == nameNetwork && inner.Members[0].Name == "network_policy_amendment":
		rule, _ := wire.ReadObject(amendment)
		host, _ := wire.Text(rule.Get("host"))
		switch action, _ := wire.Text(rule.Get("action")); action {
		case "allow":
		case "deny":
			option.Action = elicit.Decline
		default:
			return option, false
		}
		return option, host != "" && len(rule.Members) == 2
	}
	return Option{}, false
}

// prefix reads the words of a command that an amendment allows. Anything else than texts gives nothing.
func prefix(raw []byte) []string {
	words, _ := wire.Texts(raw, maxWords)
	return words
}

// within reports whether an offered option covers a decision of the client.
func (q *Question) within(d Option) bool {
	return slices.ContainsFunc(q.Options, func(o Option) bool { return o.covers(d) })
}

// covers reports whether a decision is an equal one, or an amendment with more words. Example: ["git"] covers
// ["git","push"], because that allows fewer commands.
func (o *Option) covers(d Option) bool {
	if o.Name != d.Name {
		return false
	}
	if o.Name != nameCommand {
		return string(o.raw) == string(d.raw)
	}
	offered, said := o.prefix(), d.prefix()
	return len(said) >= len(offered) && slices.Equal(said[:len(offered)], offered)
}

func (o *Option) prefix() []string {
	outer, _ := wire.ReadObject(o.raw)
	inner, _ := outer.Child(nameCommand)
	return prefix(inner.Get("execpolicy_amendment"))
}

// AppendOptions appends the offered decisions as a JSON array.
func (q *Question) AppendOptions(dst []byte) []byte {
	return jsontext.AppendEach(dst, len(q.Options), func(dst []byte, i int) []byte {
		return append(dst, q.Options[i].raw...)
	})
}

func (q *Question) find(name string) (Option, bool) {
	i := slices.IndexFunc(q.Options, func(o Option) bool { return o.Name == name })
	if i < 0 {
		return Option{}, false
	}
	return q.Options[i], true
}

func (q *Question) offers(name string) bool {
	_, ok := q.find(name)
	return ok
}

// widest returns the longest time that an acceptance can hold.
//
// The order is once, session, always.
func (q *Question) widest() elicit.Scope {
	widest := elicit.Once
	for _, o := range q.Options {
		if o.Action == elicit.Accept && (o.Scope == elicit.Always || widest == elicit.Once) {
			widest = o.Scope
		}
	}
	return widest
}

// FieldDecision is the name of the field of a question for which a person must choose.
const FieldDecision = "decision"

// choices lists the decisions that a person chooses from: to accept once, or else every one that accepts.
//
// If "once" is offered, it is the only choice: a person who must look at each case cannot approve later cases too.
func (q *Question) choices() (list []Option) {
	if plain, ok := q.find(nameAccept); ok {
		return []Option{plain}
	}
	for _, o := range q.Options {
		if o.Action == elicit.Accept {
			list = append(list, o)
		}
	}
	return list
}

// appendChoice appends the schema of the form in which a person chooses.
func (q *Question) appendChoice(dst []byte) []byte {
	dst = append(dst, `{"type":"object","properties":{"`+FieldDecision+`":{"type":"string","title":"Allow","oneOf":[`...)
	for _, o := range q.choices() {
		dst = jsontext.Whole(jsontext.Comma(dst), "const", o.key(), "title", o.label())
	}
	return append(dst, `]}},"required":["`+FieldDecision+`"]}`...)
}

// key returns the value of a choice: the word, or the JSON text of an amendment.
func (o *Option) key() string {
	if name, ok := wire.Text(o.raw); ok {
		return name
	}
	return string(o.raw)
}

// label returns the text for people.
//
// Words of the amendment are quoted as for a shell, so that ["git push"] and ["git","push"] look different.
func (o *Option) label() string {
	switch o.Name {
	case nameAccept:
		return "Allow once"
	case nameSession:
		return "Allow for this session"
	case nameCommand:
		return "Always allow commands that begin with " + wire.CommandLine(o.prefix())
	case nameNetwork:
		outer, _ := wire.ReadObject(o.raw)
		inner, _ := outer.Child(nameNetwork)
		rule, _ := inner.Child("network_policy_amendment")
		host, _ := wire.Text(rule.Get("host"))
		return "Always allow the host " + host
	}
	return o.Name
}

// chosen returns the decision that the content of a form names.
func (q *Question) chosen(content []byte) (Option, bool) {
	o, _ := wire.ReadObject(content)
	text, _ := wire.Text(o.Get(FieldDecision))
	for _, option := range q.choices() {
		if option.key() == text {
			return option, true
		}
	}
	return Option{}, false
}

// contentFor returns the content of the form that stands for a decision of the client.
//
// The client has chosen in its own dialog, and the engine checks the answer against the form. So the content names the
// choice that stands for that decision.
func (q *Question) contentFor(d Option) []byte {
	if !q.Choice {
		return []byte(`{}`)
	}
	for _, o := range q.choices() {
		if o.Name == nameAccept || o.covers(d) {
			return append(jsontext.AppendString([]byte(`{"`+FieldDecision+`":`), o.key()), '}')
		}
	}
	return []byte(`{}`)
}

// readMember reads the member decision of a result. read returns false for a decision that it does not know.
//
// A missing decision and an unknown one are different problems.
func readMember[T any](result []byte, read func(raw []byte) (T, bool)) (r wire.Reading, raw []byte, d T) {
	r = wire.Read(result, "")
	raw = r.Get("decision")
	d, known := read(raw)
	switch {
	case r.Problems != nil:
	case raw == nil:
		r.WrongType("decision", nil, "string")
	case !known:
		r.Report("unknown_option", "decision", elicit.Str("option", wire.Shown(string(raw))))
	}
	return r, raw, d
}

// readDecision reads {decision} of the client.
//
//	acceptForSession, not offered     an accept with that scope; acceptance lowers it to what is offered
//	an amendment with fewer words     wider_than_asked
//	any other accept, not offered     unknown_option
//	a network rule, not offered       unknown_option, also if it denies
//	decline, cancel                   always
func readDecision(q *Question, result []byte) (a Answer, problems []elicit.Problem) {
	r, raw, d := readMember(result, readOption)
	switch {
	case r.Problems != nil:
	case d.Name == nameSession && !q.within(d) && q.offers(nameAccept): // clients send it unasked, and Codex takes it
		a = Answer{Action: elicit.Accept, Scope: d.Scope, Content: q.contentFor(d)}
	case d.Action == elicit.Accept && d.Name == nameCommand && !q.within(d):
		r.Report("wider_than_asked", "decision")
	case d.Action == elicit.Accept && !q.within(d):
		r.Report("unknown_option", "decision", elicit.Str("option", wire.Shown(string(raw))))
	case d.Name == nameNetwork && !q.within(d): // a rule that nobody proposed
		r.Report("unknown_option", "decision", elicit.Str("option", wire.Shown(string(raw))))
	default:
		a = Answer{Action: d.Action, Scope: d.Scope, Option: d.raw}
		if a.Action == elicit.Accept {
			a.Content = q.contentFor(d)
		}
	}
	return a, r.Problems
}

// appendDecision appends {decision}. A refusal need not be among the offered decisions, because it approves nothing.
func appendDecision(q *Question, dst []byte, a Answer) []byte {
	return append(append(append(dst, `{"decision":`...), q.decision(a)...), '}')
}

// decision is the raw decision for an answer. Any other answer becomes a decline.
func (q *Question) decision(a Answer) []byte {
	if a.Action == elicit.Accept {
		if d, ok := q.acceptance(a); ok {
			return d
		}
		return []byte(`"decline"`)
	}
	if d, known := readOption(a.Option); known && d.Action == a.Action && (d.Name != nameNetwork || q.within(d)) {
		return d.raw
	}
	if _, offered := q.find(nameCancel); a.Action == elicit.Cancel && offered {
		return []byte(`"cancel"`)
	}
	return []byte(`"decline"`)
}

// acceptance returns the decision that accepts for no longer than the answer says.
//
// The order is: the client's own decision if the engine lets it hold that long, for the session, once, then what a
// person chose in the form. The scope does not grow, unless nothing is offered that holds once.
func (q *Question) acceptance(a Answer) ([]byte, bool) {
	d, known := readOption(a.Option)
	if known = known && d.Action == elicit.Accept && q.within(d); known && fits(d.Scope, a.Scope) {
		return d.raw, true
	}
	if session, ok := q.find(nameSession); ok && fits(elicit.ForTheSession, a.Scope) {
		return session.raw, true
	}
	if plain, ok := q.find(nameAccept); ok {
		return plain.raw, true
	}
	if known {
		return d.raw, true // nothing is offered that holds once
	}
	d, ok := q.chosen(a.Content)
	return d.raw, ok
}

// fits reports whether a scope is no wider than another one.
func fits(s, most elicit.Scope) bool { return s == elicit.Once || s == most || most == elicit.Always }
