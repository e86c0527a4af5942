package engine

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/schema"
)

// answerDigest tells answers apart by what of them may be kept, so that a replay tells them apart alike. Secrets are
// not in the digest. A person who confirms, and then changes only a password, has confirmed the other answer too. The
// guardians judge without the value as well, unless their permit shows it.
func answerDigest(x *outgoing) string {
	kept := without(x.reply.Content, x.reply.Hidden)
	if x.reply.KeptNote != "" || x.reply.KeptArguments != nil {
		kept = append(append(slices.Clip(kept), x.reply.KeptArguments...), x.reply.KeptNote...)
	}
	sum := digest.Sum256(kept)
	return digest.Hex(sum[:])
}

// confirmedBefore reports whether the person has sent this very answer before, after each guardian that now wants them
// to confirm had said so. Otherwise that is remembered of now.
func (q *question) confirmedBefore(results []guardian.Result, said guardian.Combined, sum string) bool {
	// "guardian digest" for each guardian that wants a confirmation. All of them must have asked about these bytes
	// before: the second guardian's question must not count as answered because the first one's was.
	var wanted []string
	for _, i := range said.Determining {
		wanted = append(wanted, results[i].Guardian+" "+sum)
	}
	for _, w := range wanted {
		if !slices.Contains(q.consults.confirmed, w) {
			q.consults.confirmed = wanted
			return false
		}
	}
	return true
}

// ownFindings are the engine's own findings. A guardian's findings may follow from data that only this guardian may
// read, so no other guardian gets them.
func (q *question) ownFindings() (own []elicit.Finding) {
	for _, f := range q.findings {
		if f.Code != "guardian_finding" && f.Code != "reviewer_finding" {
			own = append(own, f)
		}
	}
	return own
}

// newFindings are the findings that the request does not carry yet: a guardian of both phases often says the same
// twice.
func (q *question) newFindings(findings []elicit.Finding) (news []elicit.Finding) {
	for _, f := range findings {
		if !slices.ContainsFunc(q.findings, func(old elicit.Finding) bool {
			return old.Code == f.Code && old.Pointer == f.Pointer && slices.Equal(old.Args, f.Args)
		}) {
			news = append(news, f)
		}
	}
	return news
}

// rejections says what each determining guardian has against an answer, where it says it. There is at least one
// problem, so that a person never gets a refusal without a word. Messages are a guardian's own words and therefore
// arguments, never codes.
func rejections(results []guardian.Result, said guardian.Combined, code string) (problems []elicit.Problem) {
	for _, i := range said.Determining {
		r := &results[i]
		for _, f := range r.Remarks() {
			p := elicit.Problem{Code: code,
				Args: []elicit.Arg{elicit.Str("guardian", r.Guardian), elicit.Str("message", f.Message)}}
			if name := guardian.AnswerMember(f.Pointer); name != "" {
				p.Pointer = string(jsontext.AppendToken(nil, name))
			}
			problems = append(problems, p)
		}
	}
	if len(problems) == 0 { // it was an obligation that could not be met
		problems = append(problems, elicit.Problem{Code: "guardian_redaction",
			Args: []elicit.Arg{elicit.Str("guardian", "")}})
	}
	return problems
}

// redactedText stands for what was taken out of an answer that must say something.
var redactedText = []byte(`"[redacted]"`)

// redacted takes one member out of an answer. A required text says that it was taken out; a required choice or number
// cannot, and then there is no answer without it. Nothing here depends on what else was answered: a replay has lost the
// secrets among it.
func redacted(form *schema.Form, content []byte, name string) ([]byte, bool) {
	var field *schema.Field
	if form != nil {
		field = form.Field(name)
	}
	switch {
	case field == nil:
		return nil, false
	// An optional member is simply left out. A peer cannot tell that from a person who left it empty.
	case !field.Required:
		return without(content, []string{name}), true
	// A required number, choice, e-mail address or date is none that holds the text "[redacted]".
	case !form.Fits(name, redactedText):
		return nil, false
	}
	return rewritten(content, func(key jsontext.Text, value []byte) []byte {
		if key.Equal(name) {
			return redactedText
		}
		return value
	}), true
}

func namesOf(form *schema.Form) (names []string) {
	if form != nil {
		for i := range form.Fields {
			names = append(names, form.Fields[i].Name)
		}
	}
	return names
}

// hiddenOf says of hidden members what a guardian may know of them: the name and the type, never the value.
func hiddenOf(form *schema.Form, names []string) (list []guardian.Hidden) {
	for _, name := range names {
		list = append(list, guardian.Hidden{Name: name, Type: typeOf(form.Field(name))})
	}
	return list
}

// typeOf is the JSON type of what a field's answer would be. Package guardian derives the same from the JSON of a form
// (hiddenFields).
func typeOf(field *schema.Field) string {
	switch field.Kind {
	case schema.Number, schema.Integer:
		return "number"
	case schema.Boolean:
		return "boolean"
	case schema.ManyChoices:
		return "array"
	}
	return "string"
}
