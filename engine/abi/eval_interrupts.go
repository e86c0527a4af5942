//go:build !browser

package abi

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/wire/interrupts"
)

// evalDecodeInterrupts reads what an agent framework asks: {framework, document} → {"questions":[Q,…],"others"?:[…]} or
// {"problems":[…]}. Q is {"key","kind":"approval"|"question","message","schema",
// "options":[…],"tool"?,"server"?,"arguments"?,"response_schema"?,"expires"?}. The ids in others are of calls that run
// outside of the agent, which no person answers. The text in expires is the framework's own.
func evalDecodeInterrupts(in gjson.Result, dst []byte) []byte {
	run, problems := interruptsOf(in)
	if problems != nil {
		return appendProblem(dst, problems...)
	}
	o := jsontext.Begin(dst)
	o.Each("questions", len(run.Questions), func(dst []byte, i int) []byte {
		return appendInterrupt(dst, &run.Questions[i])
	})
	jsontext.OptStrings(&o, "others", run.Others)
	return o.End()
}

// evalAnswerInterrupts writes the answers in the framework's spelling: {framework, document, answers:[A,…]} →
// {"answer":…} or {"problems":[…]}. document is the one that asked. A is {"key","action","content"?,"arguments"?,
// "note"?}. With "text":true, the result is {"text": the answer's exact text}. All questions of the document are
// answered in one document, since a framework goes on once. Problems of an answer are at /answers/N.
func evalAnswerInterrupts(in gjson.Result, dst []byte) []byte {
	run, problems := interruptsOf(in)
	if problems != nil {
		return appendProblem(dst, problems...)
	}
	var answers []interrupts.Answer
	list := strict.Of(in)
	list.Array("answers", func(i int, v gjson.Result) bool {
		r := strict.Of(v)
		if !v.IsObject() {
			list.ReportAt(strict.Element("answers", i), "wrong_type", elicit.Str("expected", "object"))
			return true
		}
		// Problems of single answers are collected, so one call tells all of them.
		answers = append(answers, interrupts.Answer{Key: r.Str("key"), Action: elicit.Action(r.Str("action")),
			Content: r.Text("content"), Arguments: r.Text("arguments"), Note: r.Opt("note")})
		list.Include(strict.Element("answers", i), &r)
		return true
	})
	if list.Problems != nil {
		return appendProblem(dst, list.Problems...)
	}
	out, problems := run.Append(nil, answers)
	for i := range problems {
		problems[i].Pointer = "/answers" + problems[i].Pointer
	}
	switch {
	case problems != nil:
		return appendProblem(dst, problems...)
	case member(in, "text").Bool():
		return append(jsontext.AppendString(append(dst, `{"text":`...), out), '}')
	}
	return append(append(append(dst, `{"answer":`...), out...), '}')
}

// interruptsOf reads the document of a framework. Problems are those of the caller's parameters, or of the document.
func interruptsOf(in gjson.Result) (*interrupts.Run, []elicit.Problem) {
	name := member(in, "framework").String()
	framework, ok := interrupts.Lookup(name)
	if !ok {
		return nil, []elicit.Problem{{Code: "unknown_framework", Pointer: "/framework",
			Args: []elicit.Arg{elicit.Str("framework", name)}}}
	}
	doc, ok := document(in, "document")
	if !ok {
		return nil, []elicit.Problem{{Code: "bad_input", Pointer: "/document"}}
	}
	return interrupts.Decode(framework, doc)
}

// appendInterrupt writes one question. options says which answers the framework can take: with edit, an answer may have
// arguments.
func appendInterrupt(dst []byte, q *interrupts.Question) []byte {
	kind := "question"
	if q.Approval() {
		kind = "approval"
	}
	o := jsontext.With(dst, "key", q.Key, "kind", kind, "message", q.Request.Message)
	o.Raw("schema", q.Request.Schema)
	o.Name("options", func(dst []byte) []byte { return jsontext.AppendStrings(dst, q.Options.Names()) })
	o.OptStrs("tool", q.Request.Tool, "server", q.Server)
	o.OptRaw("arguments", q.Arguments)
	o.OptRaw("response_schema", q.Response)
	o.OptStr("expires", q.Expires)
	return o.End()
}

// frameworks lists the agent frameworks for Describe.
func frameworks() []interrupts.Framework { return interrupts.Frameworks() }

// interruptOptions lists the answers that a question of a framework may take, for Describe.
func interruptOptions() []string { return interrupts.OptionNames() }
