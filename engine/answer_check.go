package engine

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/risk"
	"github.com/elicit-engine/elicit/engine/schema"
)

// checkedAnswer is what checkAnswer found about an accepted form's content.
type checkedAnswer struct {
	// content is what the peer gets. It may hold secrets and must not reach a record: kept.Content is the same less
	// hidden.
	content []byte // canonical, defaults filled in
	// Names of fields: sensitive by schema, holding a secret by its form, or withheld by policy. Effects and records
	// leave out their values.
	hidden  []string
	secrets []elicit.Finding // in members that are hidden for it alone
	found   []elicit.Finding // in members that are not hidden
	// Every problem of the content, so that a person mends all of them at once. Those of hidden fields come last,
	// without texts and spans.
	problems []elicit.Problem
	reasons  []elicit.Reason // once it is sent
	// The event for the record. Content is less the hidden members, and withheld says what a replay needs of them.
	kept keptAnswered
}

// findings are what the reply says of the content.
func (v *checkedAnswer) findings() []elicit.Finding { return together(v.secrets, v.found) }

// checkAnswer fills in defaults, inspects and checks. A person, a client, a script and a model all answer through here.
// Of policy, settlement checks the defaults in the same way.
//
// The kept event has no values of sensitive fields, of fields that
// policy withholds, and of fields that hold a secret. It has the findings about them instead, so that a replay without
// the values comes to the same result.
func checkAnswer(form *schema.Form, fields []risk.Field, private []string, ev keptAnswered, limit int) checkedAnswer {
	// The record says that nothing of this content could be kept, and why it was refused. A replay refuses it alike.
	if len(ev.withheld) == 1 && ev.withheld[0].pointer == "" {
		return checkedAnswer{problems: ev.withheld[0].problems, kept: ev}
	}
	if ev.Content != nil {
		if problems := unreadable(ev.Content, limit); problems != nil {
			kept := ev
			kept.Content, kept.withheld = nil, []withheldValue{{problems: problems}}
			return checkedAnswer{problems: problems, kept: kept}
		}
	}
	v := checkedAnswer{hidden: sensitive(form), kept: ev}
	// Defaults first, then what the person emptied: a default must not come back into a field that was cleared on
	// purpose.
	v.content = without(form.Fill(nil, ev.Content), ev.Cleared)
	// In a replay, the fields that held a secret are known by the record alone, because their values are gone.
	for _, w := range ev.withheld {
		if name, ok := fieldAt(form, w.pointer); ok && len(w.findings) > 0 {
			v.hidden = append(v.hidden, name)
		}
	}
	// Order of the three passes: sensitive fields are out first, then what looks like a secret, then what policy
	// withholds. Each pass sees only what the passes before it have left.
	inspected := withholdSecrets(form, fields, v.content, v.hidden)
	v.hidden, v.found = inspected.hidden, inspected.found
	// A field that policy withholds is read for secrets like any other, so that withholding it loosens nothing. A
	// replay could not repeat other findings in it, so they are left out.
	if also := missingFrom(v.hidden, private); len(also) > 0 {
		v.hidden = append(v.hidden, also...)
		inspected.content = without(inspected.content, also)
		v.found = risk.InspectAnswer(fields, inspected.content)
	}
	v.kept.Content, v.kept.content = inspected.content, jsontext.Canonical
	// A replay has the kept content alone, so the problems must not depend on withheld values: neither by their spans,
	// nor by the number of problems that is reported at most.
	for _, p := range form.Check(v.kept.Content) {
		if under(p.Pointer, v.hidden) == "" {
			v.problems = append(v.problems, p)
		}
	}
	// The findings of withheld values go into the record here, where the values are still at hand. Only a live answer
	// makes them. In a replay ev.withheld has them already, and the values that they came from are gone.
	if ev.withheld == nil {
		v.kept.withheld = withheldValues(v.hidden, secretProblems(form, &v), inspected.secrets)
	}
	for _, w := range v.kept.withheld {
		v.problems, v.secrets = append(v.problems, w.problems...), append(v.secrets, w.findings...)
	}
	return v
}

// secretProblems are the problems of sensitive fields. Spans and texts in them could tell what was typed.
func secretProblems(form *schema.Form, v *checkedAnswer) (found []elicit.Problem) {
	if len(v.hidden) == 0 {
		return nil
	}
	for _, p := range form.Check(v.content) {
		if under(p.Pointer, v.hidden) != "" {
			found = append(found, elicit.Problem{Code: p.Code, Pointer: p.Pointer, Args: numbersOf(p.Args)})
		}
	}
	return found
}

// unsent says why an answer that fits may not be sent: it holds a secret that the person was not warned of, or that
// policy forbids to send. A warning is remembered by field, so that the same answer passes when it comes again. Policy
// chooses: note sends it, confirm sends it at the second time, anything else refuses. Example: the person types a token
// of GitHub into "comment". The first answer is the problem secret_unconfirmed at /comment, and the same answer again
// is sent (vector step/secret-confirmed).
func (v *checkedAnswer) unsent(say policy.Secrets, form *schema.Form, warned *warnings) (problems []elicit.Problem) {
	if len(v.secrets) == 0 {
		return nil
	}
	code := "secret_unconfirmed"
	switch say {
	case policy.SecretsNote:
		v.reasons = append(v.reasons, elicit.Reason{Code: "secret_noted"})
		return nil
	case policy.SecretsConfirm:
	default:
		code = "secret_refused"
	}
	// Two secrets in one field are one warning. But a field that this very answer is the first to warn of does not
	// count.
	before := len(warned.fields)
	for _, f := range v.secrets {
		root := secretRoot(form, f)
		if say == policy.SecretsConfirm && slices.Contains(warned.fields[:before], root) {
			continue
		}
		problems = append(problems, elicit.Problem{Code: code, Pointer: f.Pointer[len(secretPointer):],
			Args: append(slices.Clip(f.Args), elicit.Str("shown", f.Evidence))})
		if !slices.Contains(warned.fields, root) {
			warned.fields = append(warned.fields, root)
		}
	}
	if len(problems) == 0 {
		v.reasons = append(v.reasons, elicit.Reason{Code: "secret_confirmed"})
	}
	return problems
}

// missingFrom lists the names that the list does not have yet, in their order.
func missingFrom(list, names []string) (missing []string) {
	for _, name := range names {
		if !slices.Contains(list, name) {
			missing = append(missing, name)
		}
	}
	return missing
}

// withheldValues is what a record keeps in the place of hidden values: for each the problems and the findings, which
// tell a replay what it needs and nobody what was typed. The limit fields bounds the names, so the inner loops stay
// small.
func withheldValues(names []string, problems []elicit.Problem, secrets []elicit.Finding) (list []withheldValue) {
	for _, name := range names {
		w := withheldValue{pointer: string(jsontext.AppendToken(nil, name))}
		for _, p := range problems {
			if under(p.Pointer, []string{name}) != "" {
				w.problems = append(w.problems, p)
			}
		}
		for _, f := range secrets {
			if under(f.Pointer[len(secretPointer):], []string{name}) != "" {
				w.findings = append(w.findings, f)
			}
		}
		list = append(list, w)
	}
	return list
}

// numbersOf keeps the arguments that are numbers; text could be what the person typed.
func numbersOf(args []elicit.Arg) (kept []elicit.Arg) {
	for _, a := range args {
		if a.Raw != "" && a.Raw[0] != '"' {
			kept = append(kept, a)
		}
	}
	return kept
}
