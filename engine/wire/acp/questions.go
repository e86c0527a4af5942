package acp

import (
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// Qwen Code asks its person by a permission whose tool call has the questions in _meta (qwenQuestions, 0.24). The
// answer has the member answers beside the outcome: by the number of the question, the labels that were chosen, or the
// person's own words. Such a permission is a question: nothing in it can be approved without an answer.

// asking is a question of Qwen.
type asking struct {
	header, text string
	labels       []string
	notes        []string // the description of each label
	several      bool
}

const (
	toolAsks     = "ask_user_question"
	maxQuestions = 16
	maxLabels    = 64
	ownWords     = "own" // the choice that stands for the person's own words
)

// Asks reports whether the permission is a question of the agent, whose answer needs answers.
func (p *Permission) Asks() bool { return p.asked != nil }

// readQuestions reads the questions of a tool call. It returns false for a tool call without questions.
func (p *Permission) readQuestions(text *wire.Parts, tool *wire.Reading) bool {
	meta, _ := wire.ReadObject(tool.Get("_meta"))
	raw := given(meta.Get("qwenQuestions"))
	if name, _ := wire.Text(meta.Get("toolName")); raw == nil && name == toolAsks {
		input, _ := wire.ReadObject(tool.Get("rawInput"))
		raw = input.Get("questions")
	}
	if kind, _ := wire.Text(meta.Get("qwenInteractionKind")); raw == nil && kind != "user_question" {
		return false
	}
	list, count := wire.Elements(raw, maxQuestions)
	for _, one := range list {
		if a, ok := readAsking(one); ok {
			p.asked = append(p.asked, a)
		}
	}
	if len(p.asked) == 0 || len(p.asked) != count {
		tool.Report("wrong_type", "_meta", elicit.Str("expected", "array of questions"))
		return true
	}
	for i := range p.asked {
		text.Add(elicit.PartText, strings.TrimSpace(p.asked[i].text), maxTitle)
	}
	p.Request.Tool = toolAsks
	return true
}

func readAsking(raw []byte) (a asking, ok bool) {
	o, _ := wire.ReadObject(raw)
	a.text, ok = wire.Text(o.Get("question"))
	a.header, _ = wire.Text(o.Get("header"))
	a.several = string(o.Get("multiSelect")) == "true"
	options, count := wire.Elements(o.Get("options"), maxLabels)
	for _, one := range options {
		option, _ := wire.ReadObject(one)
		label, named := wire.Text(option.Get("label"))
		note, _ := wire.Text(option.Get("description"))
		ok = ok && named && label != "" && !slices.Contains(a.labels, label)
		a.labels, a.notes = append(a.labels, label), append(a.notes, note)
	}
	return a, ok && a.text != "" && count <= maxLabels
}

// appendQuestions appends the schema of the form. Every question is required, so that no policy can answer it alone.
func (p *Permission) appendQuestions(dst []byte) []byte {
	dst = append(dst, `{"type":"object","properties":{`...)
	required := []byte(`},"required":[`)
	for i := range p.asked {
		a, name := &p.asked[i], "answer"+digits(i)
		if i > 0 {
			dst, required = append(dst, ','), append(required, ',')
		}
		required = jsontext.AppendString(required, name)
		dst = append(jsontext.AppendString(dst, name), `:{"title":`...)
		title := a.header
		if strings.TrimSpace(title) == "" {
			title = "Answer"
		}
		dst = append(jsontext.AppendString(dst, title), `,"description":`...)
		dst = jsontext.AppendString(dst, a.text)
		switch {
		case len(a.labels) == 0:
			dst = append(dst, `,"type":"string","minLength":1}`...)
			continue
		case a.several:
			dst = append(dst, `,"type":"array","minItems":1,"items":{"anyOf":[`...)
		default:
			dst = append(dst, `,"type":"string","oneOf":[`...)
		}
		for k, label := range a.labels {
			if a.notes[k] != "" {
				label += ": " + a.notes[k]
			}
			dst = append(append(append(dst, `{"const":"`...), digits(k)...), `","title":`...)
			dst = append(jsontext.AppendString(dst, label), '}', ',')
		}
		dst = append(dst, `{"const":"`+ownWords+`","title":"In your own words"}]`...)
		if dst = append(dst, '}'); a.several {
			dst = append(dst, '}')
		}
		dst = append(append(append(dst, `,"`+ownWords...), digits(i)...), `":{"type":"string",`...)
		dst = append(dst, `"title":"In your own words"}`...)
	}
	return append(append(dst, required...), ']', '}')
}

// Answers returns the answers that the content of the form has, as Qwen reads them. It returns nil if one is missing.
func (p *Permission) Answers(content []byte) []byte {
	o, _ := wire.ReadObject(content)
	out := []byte{'{'}
	for i := range p.asked {
		a, raw := &p.asked[i], o.Get("answer"+digits(i))
		own, _ := wire.Text(o.Get(ownWords + digits(i)))
		chosen, _ := wire.Texts(raw, maxLabels+1)
		if one, ok := wire.Text(raw); ok {
			chosen = []string{one}
		}
		said := make([]string, 0, len(chosen))
		for _, value := range chosen {
			if len(a.labels) > 0 {
				value = a.label(value, own)
			}
			if strings.TrimSpace(value) != "" {
				said = append(said, value)
			}
		}
		if len(said) == 0 {
			return nil
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, '"'), digits(i)...), '"', ':')
		out = jsontext.AppendString(out, strings.Join(said, ", "))
	}
	return append(out, '}')
}

// label returns the text of a choice, or the person's own words.
func (a *asking) label(value, own string) string {
	if value == ownWords {
		return own
	}
	for k, label := range a.labels {
		if value == digits(k) {
			return label
		}
	}
	return ""
}

// ContentOf returns the content of the form for the answers of a client. It returns nil if one is missing.
func (p *Permission) ContentOf(result []byte) []byte {
	whole, _ := wire.ReadObject(result)
	answers, _ := wire.ReadObject(whole.Get("answers"))
	out := []byte{'{'}
	for i := range p.asked {
		a := &p.asked[i]
		said, ok := wire.Text(answers.Get(digits(i)))
		if !ok || strings.TrimSpace(said) == "" {
			return nil
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, `"answer`...), digits(i)...), '"', ':')
		if len(a.labels) == 0 {
			out = jsontext.AppendString(out, said)
			continue
		}
		choice, own := ownWords, said
		if k := slices.Index(a.labels, said); k >= 0 {
			choice, own = digits(k), ""
		}
		if value := `"` + choice + `"`; a.several { // the words of several labels stay as the client joined them
			out = append(out, "["+value+"]"...)
		} else {
			out = append(out, value...)
		}
		if own != "" {
			out = append(append(append(out, `,"`+ownWords...), digits(i)...), '"', ':')
			out = jsontext.AppendString(out, own)
		}
	}
	return append(out, '}')
}

// AppendAnswered appends the answer to a permission that is a question.
func AppendAnswered(dst, id []byte, option string, answers []byte) []byte {
	result := jsontext.AppendString([]byte(`{"outcome":{"outcome":"selected","optionId":`), option)
	result = append(append(append(result, `},"answers":`...), answers...), '}')
	return wire.AppendResult(dst, id, result)
}
