package engine

import (
	"cmp"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/risk"
	"github.com/elicit-engine/elicit/engine/schema"
)

// formFacts is what policy and inspection look at of a form. It follows from the form alone, so requests with equal
// schemas can share it.
type formFacts struct {
	fields    []policy.FieldFact
	shown     []risk.Field
	inspected *risk.Form // what was found in shown
	// The form can be sent with nothing typed: its defaults fit, and none of them is a secret. Policy may then accept
	// it without a person.
	fillable  bool
	defaults  []elicit.Finding // in what is sent when nothing is typed; nothing of it is a secret when fillable
	canonical bool             // the schema is spelled as a record can hold it inline
	text      []byte           // the form as JSON, once it has been asked for again
	long      bool             // and that is too long to keep
}

// maxFormText bounds the text that is kept of a form.
const maxFormText = 16 << 10

// forms are the forms that were read last, with the facts of each. Key and owner of the facts are the form's pointer,
// which schema.Cache gives again for equal bytes. The key nil is URL mode.
type forms struct {
	schema.Cache
	facts map[*schema.Form]*formFacts
}

func newForms() *forms { return &forms{facts: map[*schema.Form]*formFacts{}} }

// factsOf returns the facts of the form that was read from a schema. Forms come out of a cache by the bytes of their
// schemas, so those of the last few are worth keeping.
func (c *forms) factsOf(form *schema.Form, text []byte) *formFacts {
	if f, ok := c.facts[form]; ok {
		if form != nil && f.text == nil && !f.long {
			f.keepText(form)
		}
		return f
	}
	// Facts follow from the form alone, so forgetting all of them costs time and changes nothing.
	if len(c.facts) == maxFormFacts {
		clear(c.facts)
	}
	f := factsOf(form)
	f.canonical = jsontext.IsCanonical(text)
	c.facts[form] = &f
	return &f
}

// keepText keeps the form's text. A form that is asked for once is not worth it.
func (f *formFacts) keepText(form *schema.Form) {
	if text := form.AppendJSON(nil); len(text) <= maxFormText {
		f.text = slices.Clip(text)
	} else {
		f.long = true
	}
}

// maxFormFacts bounds the forms whose facts are kept: twice what the cache of forms holds.
const maxFormFacts = 64

// factsOf reads a form; nil is the form of URL mode.
func factsOf(form *schema.Form) (f formFacts) {
	if form == nil {
		f.inspected = risk.InspectForm("", "", nil)
		return f
	}
	choices := 0
	for i := range form.Fields {
		choices += len(form.Fields[i].Choices)
	}
	// One array for the choices of all fields, with its final capacity: the sub-slices stay valid as it fills up.
	labels := make([]risk.Choice, 0, choices)
	f.fields = make([]policy.FieldFact, len(form.Fields))
	f.shown = make([]risk.Field, len(form.Fields))
	for i := range form.Fields {
		field := &form.Fields[i]
		f.fields[i] = policy.FieldFact{Name: field.Name, Sensitive: field.Sensitive}
		from := len(labels)
		for _, c := range field.Choices {
			labels = append(labels, risk.Choice{Label: c.Title})
		}
		f.shown[i] = risk.Field{Name: field.Name, Title: field.Label, Description: field.Help, Choices: labels[from:],
			Default: gjson.ParseBytes(field.Initial).Str,
			Closed:  field.Kind == schema.Boolean || field.Kind == schema.OneChoice || field.Kind == schema.ManyChoices}
	}
	f.inspected = risk.InspectForm(form.Title, form.Help, f.shown)
	content := form.Fill(nil, nil)
	// A server may put a secret into a default. A form that would send it without a person is not fillable.
	sifted := withholdSecrets(form, f.shown, content, sensitive(form))
	f.fillable, f.defaults = len(form.Check(content)) == 0 && len(sifted.secrets) == 0, sifted.found
	return f
}

// Known is what an engine knows at the time of a question, beyond the question itself. The zero value knows nothing: no
// host was visited, no server was met, no time is known. It is what a test of a policy begins with.
type Known struct {
	At      int64    // milliseconds since 1970; 0 is not known, and then no hour is quiet
	Hosts   []string // that the person has visited from here
	Servers []string // whose names the asking server must not imitate
	Hasty   bool     // the person has just accepted several questions too soon
	Labels  []string // what the session did before
}

// Consider reads a question as Step does before it decides: it returns the facts a policy decides by and what
// inspection finds. The schema options are those of the configuration; the zero value is an engine's default. Limits of
// length, rates and what the session declared are not looked at. Problems are those of the schema, with pointers into
// it; the question is refused then, whatever the policy.
func Consider(r elicit.Request, options schema.Options, known Known) (
	policy.Facts, []elicit.Finding, []elicit.Problem) {
	var form *schema.Form
	if r.Mode == elicit.Form {
		var problems []elicit.Problem
		if form, problems = schema.Compile(r.Schema, options); form == nil {
			return policy.Facts{}, nil, problems
		}
	}
	read := factsOf(form)
	facts, findings := consider(r, kindOf(r, form), &read, known)
	return facts, findings, nil
}

// consider derives facts. Step, Simulate and Consider share it, so that a simulation, or a test of a policy, gives the
// same result as a run. A simulation has no step and no engine. That is why everything here is a value that the caller
// brings.
func consider(r elicit.Request, kind elicit.Kind, form *formFacts, known Known) (policy.Facts, []elicit.Finding) {
	facts := policy.Facts{Server: r.Server, Tool: r.Tool, Annotations: r.Annotations,
		Candidates: r.Candidates, CandidatesCut: r.CandidatesCut, Side: r.Side, Mode: r.Mode, Kind: kind, Claim: r.Claim,
		Message: r.Message, MessageCut: r.MessageCut,
		StrictReview: r.StrictReview, Persistable: r.Persistable, Fields: form.fields,
		Fillable: form.fillable, Does: r.Does, Command: r.Command, CommandCandidate: r.CommandCandidate, Cwd: r.Cwd,
		Paths: r.Paths, Hosts: r.Hosts, ReachCut: r.ReachCut, Outside: r.Outside,
		At: known.At, Hasty: known.Hasty, Labels: known.Labels}
	// A rule on fields is about what a person types. The fields of an approval are choices that take away.
	if kind == elicit.KindApproval {
		facts.Fields = nil // they only narrow it
	}
	// An address that cannot be read has no host, so no rule on a host matches it.
	if u, ok := risk.ParseURL(r.URL); ok {
		facts.Host, facts.Scheme = u.Host, u.Scheme
	}
	// The report is read once and used three times: by policy, by inspection, and for what guardians are shown.
	if isDeed(&r) {
		report := impact.Of(&r)
		facts.Impacts = &report
	}
	findings := risk.Inspect(&risk.Subject{Server: r.Server, Mode: r.Mode, Message: r.Message, URL: r.URL,
		Description: r.Description, Does: r.Does, Command: cmp.Or(r.Command, r.CommandCandidate),
		Impacts: facts.Impacts, Paths: r.Paths, Outside: r.Outside,
		Form: form.inspected, KnownHosts: known.Hosts, KnownServers: known.Servers})
	facts.Dangerous = risk.Dangerous(findings)
	return facts, findings
}
