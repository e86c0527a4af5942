package wire

import (
	"slices"
	"strconv"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// Questions are what a coding agent asks its person by a tool of its own. Claude Code, Qwen Code and opencode spell
// them alike: each question has a text and options, or no options where the person writes the answer.
//
// The form has a field answer0, answer1, … for each question. A question with options has a second field own0, own1, …
// for the person's own words. Values of choices are "0", "1", … by position, "own" and "decide".
type Questions []question

type question struct {
	header, text, help string
	options            []option
	several            bool
}

type option struct{ label, description, preview string }

// Bounds of one call. Nothing of a question is cut, because a person chooses by its words.
const (
	maxQuestions = 16
	maxOptions   = 64
	maxAsked     = 24 << 10 // bytes of all texts
)

// NotAnswered is what an agent is told of a question without an answer, if another one has an answer.
const NotAnswered = "Not answered."

// The choices beside the options, what an agent is told of the second one, and the name of a field without its number.
const (
	ownWords   = "own"
	letDecide  = "decide"
	youDecide  = "You decide"
	nameAnswer = "answer"
	separator  = ", "
)

// ReadQuestions reads a list of questions. It returns false unless every one of them can be shown and answered: agents
// name a question by its text and an option by its label, so both must be different.
//
// Agents answer by the text of a question and the label of an option. Two that differ only in blanks look the same to a
// person and not to the agent.
func ReadQuestions(raw []byte) (q Questions, ok bool) {
	list, count := Elements(raw, maxQuestions)
	size := 0
	for _, one := range list {
		a, read := readQuestion(one, &size)
		if !read || slices.ContainsFunc(q, func(other question) bool { return sameWords(other.text, a.text) }) {
			return nil, false
		}
		q = append(q, a)
	}
	return q, len(q) > 0 && len(q) == count && size <= maxAsked
}

// sameWords reports whether a person reads the same in two texts that differ by blanks.
func sameWords(a, b string) bool { return slices.Equal(strings.Fields(a), strings.Fields(b)) }

func readQuestion(raw []byte, size *int) (a question, ok bool) {
	o, ok := ReadObject(raw)
	// null counts as absent, and any other type makes the whole list unreadable.
	text := func(o Object, name string) string {
		s, is := Text(o.Get(name))
		ok = ok && (is || o.Get(name) == nil || TypeOf(o.Get(name)) == Null)
		*size += len(s)
		return s
	}
	a.text, a.header, a.help = text(o, "question"), text(o, "header"), text(o, "description")
	a.several = True(o.Get("multiSelect")) || True(o.Get("multiple"))
	options, count := Elements(o.Get("options"), maxOptions)
	for _, one := range options {
		member, is := ReadObject(one)
		next := option{text(member, "label"), text(member, "description"), text(member, "preview")}
		ok = ok && is && strings.TrimSpace(next.label) != "" &&
			!slices.ContainsFunc(a.options, func(other option) bool { return sameWords(other.label, next.label) })
		a.options = append(a.options, next)
	}
	// A kind of a later version may need an answer that this form cannot give.
	switch kind := text(o, "kind"); kind {
	case "", "choice":
	case "text", "number":
		ok = ok && count == 0
		for _, bound := range [...]string{"min", "max", "unit"} {
			if value := o.Get(bound); value != nil && kind == "number" {
				a.help += " (" + bound + " " + Shown(string(value)) + ")"
			}
		}
	default:
		return a, false
	}
	a.help = strings.TrimSpace(a.help)
	return a, ok && strings.TrimSpace(a.text) != "" && count <= maxOptions
}

// Describe adds the questions to a message, with the previews of their options.
func (q Questions) Describe(text *Parts) {
	for i := range q {
		text.Add(elicit.PartText, strings.TrimSpace(q[i].text), maxAsked)
		for _, o := range q[i].options {
			if strings.TrimSpace(o.preview) != "" {
				text.Add(elicit.PartText, o.label+":\n"+o.preview, maxAsked)
			}
		}
	}
}

// AppendSchema appends the schema of a form with the questions. Every one is required, so that no policy can answer it
// alone. The values of choices are numbers, because a label may be any text.
//
// Example for one question with the option "Yes":
//
//	{"type":"object","properties":{"answer0":{"title":"Answer","description":"Go?","type":"string","oneOf":[
//	 {"const":"0","title":"Yes"},{"const":"own",…},{"const":"decide",…}]},"own0":{"type":"string",…}},
//	 "required":["answer0"]}
func (q Questions) AppendSchema(dst []byte) []byte {
	dst = append(dst, `{"type":"object","properties":{`...)
	required := []byte(`},"required":[`)
	for i := range q {
		required = jsontext.AppendString(jsontext.Comma(required), nameAnswer+strconv.Itoa(i))
		dst = q[i].appendFields(jsontext.Comma(dst), strconv.Itoa(i))
	}
	return append(append(dst, required...), ']', '}')
}

func (a *question) appendFields(dst []byte, number string) []byte {
	dst = append(jsontext.AppendString(dst, nameAnswer+number), `:{"title":`...)
	title := a.header
	if strings.TrimSpace(title) == "" {
		title = "Answer"
	}
	dst = append(jsontext.AppendString(dst, title), `,"description":`...)
	dst = jsontext.AppendString(dst, strings.TrimSpace(a.text+"\n"+a.help))
	switch {
	case len(a.options) == 0:
		return append(dst, `,"type":"string","minLength":1}`...)
	case a.several:
		dst = append(dst, `,"type":"array","minItems":1,"items":{"anyOf":[`...)
	default:
		dst = append(dst, `,"type":"string","oneOf":[`...)
	}
	for k, o := range a.options {
		if o.description != "" {
			o.label += ": " + o.description
		}
		dst = append(append(append(dst, `{"const":"`...), strconv.Itoa(k)...), `","title":`...)
		dst = append(jsontext.AppendString(dst, o.label), '}', ',')
	}
	dst = append(dst, `{"const":"`+ownWords+`","title":"In your own words"},`...)
	dst = append(dst, `{"const":"`+letDecide+`","title":"Let the agent decide"}]`...)
	if dst = append(dst, '}'); a.several {
		dst = append(dst, '}')
	}
	dst = append(append(append(dst, `,"`+ownWords...), number...), `":{"type":"string",`...)
	return append(dst, `"title":"In your own words"}`...)
}

// Text returns the text of a question.
func (q Questions) Text(i int) string { return q[i].text }

// Answer returns the answer to a question that the content of the form has: a label, the person's own words, or that
// the agent may decide. It is "" if there is none. Of several labels, one that holds their separator or a quotation
// mark is written as a JSON string, as Claude Code does. beside are words that the person wrote beside a choice.
func (q Questions) Answer(i int, content Object) (answer, beside string) {
	chosen, beside := q.Chosen(i, content)
	for k, value := range chosen {
		isLabel := slices.ContainsFunc(q[i].options, func(o option) bool { return o.label == value })
		if q[i].several && isLabel && (strings.Contains(value, separator) || strings.Contains(value, `"`)) {
			chosen[k] = string(jsontext.AppendString(nil, value))
		}
	}
	return strings.Join(chosen, separator), beside
}

// Chosen returns the labels and words of [Questions.Answer] one by one.
//
//	"0"                     the label of option 0
//	"own", words in own0    the words
//	"own", none             nothing
//	"decide"                You decide
//	"0", words in own0      the label, and beside has the words
func (q Questions) Chosen(i int, content Object) (chosen []string, beside string) {
	raw := content.Get(nameAnswer + strconv.Itoa(i))
	beside, _ = Text(content.Get(ownWords + strconv.Itoa(i)))
	beside = strings.TrimSpace(beside)
	values, _ := Texts(raw, maxOptions+2)
	if one, ok := Text(raw); ok {
		values = []string{one}
	}
	for _, value := range values {
		switch {
		case len(q[i].options) == 0:
		case value == ownWords:
			value, beside = beside, ""
		case value == letDecide:
			value = youDecide
		default:
			value = q[i].label(value)
		}
		if strings.TrimSpace(value) != "" {
			chosen = append(chosen, value)
		}
	}
	if chosen == nil {
		beside = ""
	}
	return chosen, beside
}

// label returns the label of a choice, "" for none.
func (a *question) label(value string) string {
	for k := range a.options {
		if value == strconv.Itoa(k) {
			return a.options[k].label
		}
	}
	return ""
}

// AppendContent appends the members of the form for an answer to a question, as a client gives it.
//
// It is the way back: the client of an agent gives labels, and the engine checks content. Words that are no label are
// the person's own.
func (q Questions) AppendContent(dst []byte, i int, said string) []byte {
	number := strconv.Itoa(i)
	dst = append(jsontext.AppendString(dst, nameAnswer+number), ':')
	if len(q[i].options) == 0 {
		return jsontext.AppendString(dst, said)
	}
	choice, own := ownWords, said
	for k := range q[i].options {
		if q[i].options[k].label == said {
			choice, own = strconv.Itoa(k), ""
		}
	}
	if value := `"` + choice + `"`; q[i].several { // the words of several labels stay as the client joined them
		dst = append(dst, "["+value+"]"...)
	} else {
		dst = append(dst, value...)
	}
	if own != "" {
		dst = append(append(append(dst, `,"`+ownWords...), number...), '"', ':')
		dst = jsontext.AppendString(dst, own)
	}
	return dst
}
