package acp

import (
	"strconv"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// Qwen Code asks its person by a permission whose tool call has the questions in _meta (qwenQuestions, 0.24). The
// answer has the member answers beside the outcome: by the number of the question, the labels that were chosen, or the
// person's own words. Such a permission is a question: nothing in it can be approved without an answer.

const toolAsks = "ask_user_question"

// Asks reports whether the permission is a question of the agent, whose answer needs answers.
func (p *Permission) Asks() bool { return p.asked != nil }

// readQuestions reads the questions of a tool call. It returns false for a tool call without questions.
//
//	_meta.qwenQuestions                        the questions
//	_meta.toolName ask_user_question           the questions in rawInput
//	_meta.qwenInteractionKind user_question    a question without a list, which is refused
//
// It returns true also for a list that cannot be read: such a permission must not pass for an approval.
func (p *Permission) readQuestions(text *wire.Parts, tool *wire.Reading) bool {
	meta, _ := wire.ReadObject(tool.Get("_meta"))
	raw := wire.Given(meta.Get("qwenQuestions"))
	if name, _ := wire.Text(meta.Get("toolName")); raw == nil && name == toolAsks {
		input, _ := wire.ReadObject(tool.Get("rawInput"))
		raw = input.Get("questions")
	}
	if kind, _ := wire.Text(meta.Get("qwenInteractionKind")); raw == nil && kind != "user_question" {
		return false
	}
	var ok bool
	if p.asked, ok = wire.ReadQuestions(raw); !ok {
		tool.Report("wrong_type", "_meta", elicit.Str("expected", "array of questions"))
		return true
	}
	p.asked.Describe(text)
	p.Request.Tool = toolAsks
	return true
}

// Answers returns the answers that the content of the form has, as Qwen reads them. It returns nil if there are none.
//
// Example: {"0":"Yes","1":"Not answered."}. Words beside a choice follow it after a comma.
func (p *Permission) Answers(content []byte) []byte {
	o, _ := wire.ReadObject(content)
	out, some := jsontext.Begin(nil), false
	for i := range p.asked {
		said, beside := p.asked.Answer(i, o)
		some = some || said != ""
		switch {
		case said == "":
			said = wire.NotAnswered
		case beside != "":
			said += ", " + beside
		}
		out.Str(strconv.Itoa(i), said)
	}
	if !some {
		return nil
	}
	return out.End()
}

// ContentOf returns the content of the form for the answers of a client. It returns nil if one is missing.
func (p *Permission) ContentOf(result []byte) []byte {
	whole, _ := wire.ReadObject(result)
	answers, _ := wire.ReadObject(whole.Get("answers"))
	out := []byte{'{'}
	for i := range p.asked {
		said, ok := wire.Text(answers.Get(strconv.Itoa(i)))
		if !ok || strings.TrimSpace(said) == "" {
			return nil
		}
		out = jsontext.Comma(out)
		out = p.asked.AppendContent(out, i, said)
	}
	return append(out, '}')
}

// AppendAnswered appends the answer to a permission that is a question.
func AppendAnswered(dst, id []byte, option string, answers []byte) []byte {
	result := jsontext.AppendString([]byte(`{"outcome":{"outcome":"selected","optionId":`), option)
	result = append(append(append(result, `},"answers":`...), answers...), '}')
	return wire.AppendResult(dst, id, result)
}
