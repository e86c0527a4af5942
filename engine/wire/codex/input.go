package codex

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// field is one question of requestUserInput. It has a field of the form, and a second one if a person may write
// something beside the options.
//
// id names the answer on the wire. labels and more have the same length.
type field struct {
	id, header, question string
	labels, more         []string // of the options, with their descriptions; none for free text
	other                string   // the name of the second field; "" for none
	secret               bool
}

// notePrefix begins a text beside the options.
const notePrefix = "user_note: "

// readInput reads item/tool/requestUserInput. A question may stay without an answer.
//
//	{"id":"a","question":"Which?","options":[{"label":"X"}]}    a choice with the field a
//	the same with "isOther":true                                the choice a, and the text a_other
//	{"id":"a","question":"Why?"}                                a text
//	the same with "isSecret":true                               a text that is masked
func readInput(q *Question, r *wire.Reading, items *List) {
	q.place(r)
	raw := r.Get("questions")
	list, count := wire.Elements(raw, maxQuestions)
	switch {
	case count > maxQuestions:
		r.Report("too_many_entries", "questions", elicit.Num("limit", maxQuestions))
		return
	case count == 0:
		r.WrongType("questions", raw, "array")
		return
	}
	for i, one := range list {
		q.readField(r, one, r.Pointer("questions")+"/"+strconv.Itoa(i))
	}
	if r.Problems != nil {
		return
	}
	if q.asApproval(items) {
		return
	}
	q.nameOthers()
	q.Request.Mode, q.Request.Tool = elicit.Form, ToolInput
	if q.noteAt() >= 0 {
		q.Request.Takes = elicit.TakesDeclineNote
	}
	var text wire.Parts
	for i := range q.fields {
		text.Add(elicit.PartText, q.fields[i].question, maxTitle)
	}
	text.Set(&q.Request)
	q.Request.Schema = q.appendFields(nil)
}

// readField reads one question, or reports what is wrong with it. Two options with one label, or two questions with one
// id, could not be told apart in the answer.
func (q *Question) readField(r *wire.Reading, raw []byte, at string) {
	one := wire.Read(raw, at)
	f := field{id: one.Filled("id", maxName), header: optional(&one, "header"), question: one.Filled("question", maxTitle),
		secret: wire.True(one.Get("isSecret"))}
	if slices.ContainsFunc(q.fields, func(other field) bool { return other.id == f.id }) && one.Problems == nil {
		one.Report("repeated_value", "id", elicit.Str("value", wire.Shown(f.id)))
	}
	options, count := wire.Elements(wire.Given(one.Get("options")), maxOptions)
	if count > maxOptions {
		one.Report("too_many_options", "options", elicit.Num("limit", maxOptions))
	}
	for _, text := range options {
		option, _ := wire.ReadObject(text)
		label, ok := wire.Text(option.Get("label"))
		if !ok || label == "" || slices.Contains(f.labels, label) {
			one.Report("repeated_value", "options", elicit.Str("value", wire.Shown(label)))
			break
		}
		description, _ := wire.Text(option.Get("description"))
		f.labels, f.more = append(f.labels, label), append(f.more, description)
	}
	if wire.True(one.Get("isOther")) && len(f.labels) > 0 {
		f.other = f.id + "_other"
	}
	r.Problems = append(r.Problems, one.Problems...)
	q.fields = append(q.fields, f)
}

// asApproval recognises an approval of a tool call that Codex asks in this way: one question, whose id names an
// announced call.
//
// The id alone is no proof, because the agent writes it. The call must be announced, must not have been asked about,
// and the first question must have the label Allow.
func (q *Question) asApproval(items *List) bool {
	id, is := strings.CutPrefix(q.fields[0].id, callPrefix)
	if !is || len(q.fields) != 1 || !slices.Contains(q.fields[0].labels, labelAllow) {
		return false
	}
	it := items.Item(q.Thread, id)
	if it == nil || it.Server == "" || it.Asked {
		return false
	}
	q.call, q.Server = it, it.Server
	q.approval(it.Tool)
	q.Request.Does = elicit.DeedTool
	q.Options = []Option{word(nameAccept, elicit.Accept, elicit.Once)}
	if slices.Contains(q.fields[0].labels, labelSession) {
		q.Options = append(q.Options, word(nameSession, elicit.Accept, elicit.ForTheSession))
	}
	var text wire.Parts
	text.Add(elicit.PartText, q.fields[0].question, maxTitle)
	if it.arguments != "{}" {
		text.Add(elicit.PartText, it.arguments, maxCommand)
	}
	text.Cut = text.Cut || it.long
	text.Set(&q.Request)
	q.finish(text.Cut)
	return true
}

// nameOthers gives the second fields names that no question has.
//
// Example: with questions a and a_other, the second field of a is a_other_.
func (q *Question) nameOthers() {
	for i := range q.fields {
		f := &q.fields[i]
		for f.other != "" && slices.ContainsFunc(q.fields, func(g field) bool { return g.id == f.other }) {
			f.other += "_"
		}
	}
}

// appendFields appends the schema of the form.
//
// No field is required: an agent takes a question without an answer.
func (q *Question) appendFields(dst []byte) []byte {
	properties := jsontext.Begin(append(dst, `{"type":"object","properties":`...))
	for i := range q.fields {
		f := &q.fields[i]
		title := cmp.Or(f.header, f.question)
		o := jsontext.With(nil, "type", "string", "title", title, "description", f.question)
		if f.secret {
			o.Str("format", "password")
		}
		if len(f.labels) > 0 {
			o.Each("oneOf", len(f.labels), func(dst []byte, j int) []byte {
				shown := f.labels[j]
				if f.more[j] != "" {
					shown += " — " + f.more[j]
				}
				return jsontext.Whole(dst, "const", f.labels[j], "title", shown)
			})
		}
		properties.Raw(f.id, o.End())
		if f.other != "" {
			properties.Raw(f.other, jsontext.Whole(nil, "type", "string", "title", title+" (other)"))
		}
	}
	return append(properties.End(), '}')
}

// readAnswers reads {answers:{id:{answers:[text]}}} of the client.
//
// No answers at all are a cancel.
func readAnswers(q *Question, result []byte) (a Answer, problems []elicit.Problem) {
	r := wire.Read(result, "")
	answers, _ := wire.ReadObject(r.Map("answers"))
	content := []byte{'{'}
	for _, m := range answers.Members {
		at := wire.Read(answers.Raw(m), r.Pointer("answers")+string(jsontext.AppendToken(nil, m.Name)))
		i := slices.IndexFunc(q.fields, func(f field) bool { return f.id == m.Name })
		raw := at.Get("answers")
		list, count := wire.Elements(raw, maxOptions)
		switch {
		case i < 0:
			r.Report("unknown_input_key", "answers", elicit.Str("key", wire.Shown(m.Name)))
		case count > maxOptions || raw != nil && wire.TypeOf(raw) != wire.Array:
			at.WrongType("answers", raw, "array")
		default:
			content = q.fields[i].appendContent(&at, content, list)
		}
		r.Problems = append(r.Problems, at.Problems...)
	}
	if r.Problems != nil {
		return a, r.Problems
	}
	if len(answers.Members) == 0 {
		return Answer{Action: elicit.Cancel}, nil
	}
	if q.call != nil {
		return q.labelled(answers)
	}
	return Answer{Action: elicit.Accept, Content: append(content, '}')}, nil
}

// labelled reads the answer to an approval.
//
// Anything but one known label is a cancel.
func (q *Question) labelled(answers wire.Object) (Answer, []elicit.Problem) {
	one, _ := answers.Child(q.fields[0].id)
	label := ""
	if list, _ := wire.Texts(one.Get("answers"), 1); len(list) > 0 {
		label = list[0]
	}
	plain, _ := q.find(nameAccept)
	a := Answer{Action: elicit.Accept, Scope: elicit.Once, Content: q.contentFor(plain)}
	switch _, session := q.find(nameSession); {
	case label == labelAllow:
	case label == labelSession && session:
		a.Scope = elicit.ForTheSession
	default:
		a = Answer{Action: elicit.Cancel}
	}
	return a, nil
}

// appendContent appends the members of the form that stand for the answers to a question.
//
// Each question has at most one value and one note. A second value is refused, and not dropped.
func (f *field) appendContent(at *wire.Reading, dst []byte, answers [][]byte) []byte {
	value, note := "", ""
	for _, one := range answers {
		text, ok := wire.Text(one)
		rest, noted := strings.CutPrefix(text, notePrefix)
		switch {
		case !ok:
			at.WrongType("answers", one, "string")
		case slices.Contains(f.labels, text) && value == "", len(f.labels) == 0 && value == "":
			value = text
		case f.other != "" && note == "" && noted:
			note = rest
		case f.other != "" && note == "":
			note = text
		default:
			at.Report("unknown_option", "answers", elicit.Str("option", wire.Shown(text)))
		}
	}
	add := func(name, text string) {
		if text == "" {
			return
		}
		dst = jsontext.AppendString(append(jsontext.AppendString(jsontext.Comma(dst), name), ':'), text)
	}
	add(f.id, value)
	add(f.other, note)
	return dst
}

// noteAt returns the index of the question beside whose options a note can stand, or -1. A note on a question without
// options would pass for its answer.
func (q *Question) noteAt() int {
	return slices.IndexFunc(q.fields, func(f field) bool { return len(f.labels) > 0 && !f.secret })
}

// appendAnswers appends {answers}. A question without an answer is left out. The note of a decline stands where a
// person's words beside the options do.
//
// Example: {"answers":{"a":{"answers":["X","user_note: but later"]}}}.
func appendAnswers(q *Question, dst []byte, a Answer) []byte {
	dst = append(dst, `{"answers":{`...)
	if q.call != nil {
		label := labelCancel
		if _, session := q.find(nameSession); a.Action == elicit.Accept {
			label = labelAllow
			if session && fits(elicit.ForTheSession, a.Scope) {
				label = labelSession
			}
		}
		dst = jsontext.AppendString(append(jsontext.AppendString(dst, q.fields[0].id), `:{"answers":[`...), label)
		return append(dst, `]}}}`...)
	}
	var content wire.Object
	if a.Action == elicit.Accept {
		content, _ = wire.ReadObject(a.Content)
	}
	for i := range q.fields {
		f := &q.fields[i]
		value, _ := wire.Text(content.Get(f.id))
		note, _ := wire.Text(content.Get(f.other))
		if a.Action == elicit.Decline && i == q.noteAt() {
			note = a.Note
		}
		if value == "" && note == "" {
			continue
		}
		dst = append(jsontext.AppendString(jsontext.Comma(dst), f.id), `:{"answers":[`...)
		if value != "" {
			dst = jsontext.AppendString(dst, value)
		}
		if note != "" {
			dst = jsontext.AppendString(jsontext.Comma(dst), notePrefix+note)
		}
		dst = append(dst, ']', '}')
	}
	return append(dst, '}', '}')
}
