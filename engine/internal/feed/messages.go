//go:build libfuzzer

package main

import (
	"bytes"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/asking/asker"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/relay"
	"github.com/elicit-engine/elicit/engine/risk"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/acp"
	"github.com/elicit-engine/elicit/engine/wire/codex"
	"github.com/elicit-engine/elicit/engine/wire/hooks"
	"github.com/elicit-engine/elicit/engine/wire/interrupts"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// configs reads the configuration of each machine.
func configs(in []byte) {
	n, in := which(in, 4)
	if n != 0 && !isJSON(in) {
		return
	}
	var problems []elicit.Problem
	switch n {
	case 0:
		problems, _ = engine.CheckConfig(in)
	case 1:
		_, problems = relay.ReadConfig(in)
	case 2:
		_, problems = asking.ReadConfig(in)
	default:
		_, problems = asker.ReadConfig(in)
	}
	checkProblems(in, problems)
	hold(problems != nil || isJSON(in), "a configuration is JSON")
}

// envelopes writes a request again, and changes a member of it.
func envelopes(in []byte) {
	e, fault := wire.ReadEnvelope(in, jsontext.Limits{})
	if fault != nil {
		return
	}
	hold((e.Kind > wire.Batch) == (e.Problems == nil) && (e.ID == nil || wire.ValidID(e.ID)), "a kind or problems")
	if e.Kind == wire.Request {
		one = wire.AppendRequest(one[:0], e.ID, e.Method, e.Params)
		again, fault := wire.ReadEnvelope(one, wide)
		hold(fault == nil && again.Method == e.Method && bytes.Equal(again.ID, e.ID) && bytes.Equal(again.Params, e.Params),
			"a request is read as it was written", one)
	}
	o, ok := wire.ReadObject(in)
	if !ok {
		return
	}
	one = wire.Apply(one[:0], in, o.Exchange(nil, []byte(`"x":0`), "x", "id"))
	after, _ := wire.ReadObject(one)
	hold(isJSON(one) && string(after.Get("x")) == "0" && after.Get("id") == nil &&
		bytes.Equal(after.Get("params"), o.Get("params")), "members are exchanged", one)
}

// creations asks a question again as it was read.
func creations(in []byte) {
	n, in := which(in, len(dialects))
	if !isJSON(in) {
		return
	}
	d := dialects[n]
	q, extra, no := d.DecodeCreate(in, d.AllModes())
	if no != nil {
		hold(len(no.Problems) > 0, "refused without a problem")
		checkProblems(in, no.Problems)
		return
	}
	hold(q.Mode.Valid() && utf8.ValidString(q.Message) && (q.Mode == elicit.URL) == (q.URL != ""), "a question is whole")
	written, ok := d.AppendCreate(one[:0], &q)
	one = written
	hold(ok, "a question can be asked again")
	p, _, no := d.DecodeCreate(one, d.AllModes())
	hold(no == nil && p.Message == q.Message && p.URL == q.URL && p.Link == q.Link && bytes.Equal(p.Schema, q.Schema),
		"a question is read as it was written", one)
	written, ok = d.AppendAnswer(two[:0], []byte(`1`), mcp.Answer{Action: elicit.Decline, Mode: q.Mode,
		Content: []byte(`{"x":1}`), Echo: extra.Echo})
	two = written
	hold(ok && isJSON(two) && (!bytes.Contains(two, []byte(`"content"`)) || bytes.Contains(in, []byte("content"))),
		"a decline has no content", two)
}

var dialects = mcp.Dialects()

// results answers all questions of a result, or reads it as an answer.
func results(in []byte) {
	n, in := which(in, 2*len(dialects))
	if !isJSON(in) {
		return
	}
	d := dialects[n/2]
	if n%2 == 0 {
		a, problems := d.DecodeAnswer(in, elicit.Form)
		hold(problems != nil || a.Content == nil || isJSON(a.Content), "content is JSON")
		return
	}
	asked, problems := d.DecodeResult("tools/call", in, d.AllModes())
	if problems != nil || !asked.Asks {
		return
	}
	hold(asked.State == nil || bytes.Contains(in, asked.State), "a state is a part of the result")
	round, _ := mcp.Round{}.Next(asked)
	for _, key := range round.Open() {
		if round.Answer(d, key, elicit.Cancel, nil) != nil {
			hold(round.Supply(key, []byte(`{}`), jsontext.Limits{}) == nil, "a question can be answered", key)
		}
	}
	retry, problems := round.Retry([]byte(`2`))
	hold(problems == nil, "an answered round is sent")
	again, problems := mcp.AppendRetry(one[:0], call, retry, jsontext.Limits{})
	one = again
	hold(problems == nil && bytes.Contains(again, asked.State), "the state goes back as it came", again)
}

var call = []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`)

// codexQuestions refuses the first half, which nobody may read as an approval, and reads the second as a result.
func codexQuestions(in []byte) {
	n, in := which(in, len(codexMethods))
	params, result := halves(in)
	if !isJSON(params) {
		return
	}
	q, no := codex.Decode(codexMethods[n], params, nil)
	hold(no == nil || len(no.Problems) > 0, "refused without a problem")
	one = q.AppendResult(one[:0], codex.Answer{Action: elicit.Decline})
	hold(!approves(one), "a refusal approves", one)
	if no != nil {
		return
	}
	at, wrong := q.Request.WrongPart()
	hold(!wrong && utf8.ValidString(q.Request.Message), "the parts are those of the message", at)
	if isJSON(result) {
		a, problems := q.DecodeResult(result)
		one = q.AppendResult(one[:0], a)
		hold(problems != nil || isJSON(one) && (a.Action == elicit.Accept || !approves(one)), "a result is as read", one)
	}
}

var codexMethods = []string{codex.MethodElicitation, codex.MethodCommand, codex.MethodPatch, codex.MethodPermissions,
	codex.MethodInput, codex.MethodCommandV1, codex.MethodPatchV1, codex.MethodServer}

// approves reports whether a result for Codex has a word that approves.
func approves(result []byte) bool {
	for _, word := range [][]byte{[]byte(`{"action":"accept"`), []byte(`{"decision":"accept`),
		[]byte(`{"decision":{"accept`), []byte(`"decision":"approved`), []byte(`{"permissions":{"`)} {
		if bytes.Contains(result, word) {
			return true
		}
	}
	return false
}

// permissions reads what an agent of ACP asks, in both versions.
func permissions(in []byte) {
	n, in := which(in, 2)
	if !isJSON(in) {
		return
	}
	p, no := [2]acp.Dialect{acp.V1, acp.V2}[n].DecodePermission(in, func(string, string) *acp.Announced { return nil })
	if no != nil {
		hold(len(no.Problems) > 0, "refused without a problem")
		return
	}
	q := &p.Request
	hold(q.Message != "" && utf8.ValidString(q.Message) && q.Mode == elicit.Form && isJSON(q.Schema),
		"a question is whole")
	one = p.AppendParams(one[:0], in)
	hold(isJSON(one), "params are JSON", one)
	for _, content := range contents {
		o, ok := p.Accepting(content)
		hold(!ok || o.Kind.Allows(), "an acceptance allows", content)
	}
	o, ok := p.Declining()
	hold(!ok || o.Kind.Rejects(), "a decline rejects", o.ID)
}

var contents = [][]byte{nil, []byte(`{}`), []byte(`{"option":"y"}`), []byte(`{"answer0":"0"}`),
	[]byte(`{"answer0":["0","own"],"own0":"x"}`)}

// hookInputs reads what a host gives to a hook.
func hookInputs(in []byte) {
	n, in := which(in, len(hookHosts))
	host := hookHosts[n]
	h, problems := hooks.Decode(host, in)
	checkProblems(in, problems)
	q := &h.Request
	if problems != nil {
		hold(q.Server == "" && h.Action == "" && h.Answered(contents[3]) == nil, "problems and no request")
		return
	}
	hold(q.Server != "" && q.Mode.Valid() && q.Ref != "" && utf8.ValidString(q.Message+q.Command+q.Cwd+q.Tool),
		"a question is whole")
	at, wrong := q.WrongPart()
	hold(!wrong, "the parts are those of the message", at)
	hold(h.Asks == hooks.AboutCall || q.Mode != elicit.Form || isJSON(q.Schema), "a form has a schema", q.Schema)
	for _, content := range contents {
		given := h.Answered(content)
		hold(given == nil || h.Asks == hooks.AboutOwnQuestion && content != nil && isJSON(given),
			"an answer was given", given)
	}
}

var hookHosts = hooks.Hosts()

// interruptions declines every question of a run. That must not add a word that approves.
func interruptions(in []byte) {
	n, in := which(in, len(frameworks))
	run, problems := interrupts.Decode(frameworks[n], in)
	hold((run == nil) == (problems != nil), "a run or problems")
	checkProblems(in, problems)
	if run == nil {
		return
	}
	refusals := make([]interrupts.Answer, len(run.Questions))
	for i := range refusals {
		refusals[i] = interrupts.Answer{Key: run.Questions[i].Key, Action: elicit.Decline}
	}
	out, problems := run.Append(one[:0], refusals)
	if problems != nil {
		return
	}
	one = out
	hold(isJSON(out), "a refusal is JSON", out)
	for _, word := range approvals {
		hold(bytes.Count(out, word) <= bytes.Count(in, word), "a refusal approves", out)
	}
}

var (
	frameworks = interrupts.Frameworks()
	approvals  = [][]byte{[]byte(`"approved":true`), []byte(`"approve":true`), []byte(`"tool-approved"`),
		[]byte(`"type":"approve"`), []byte(`"type":"edit"`), []byte(`"payload":true`), []byte(`"editedArgs"`)}
)

// events writes an event of each machine, and reads it again.
func events(in []byte) {
	n, in := which(in, 4)
	var problems []elicit.Problem
	switch n {
	case 0:
		writtenAgain(in, event.Read)
	case 1:
		writtenAgain(in, relay.ReadEvent)
	case 2:
		writtenAgain(in, asking.ReadEvent)
	default:
		_, problems = asker.ReadEvent(in)
		checkProblems(in, problems)
	}
}

func writtenAgain[E interface {
	comparable
	AppendJSON(dst []byte) []byte
}](in []byte, read func([]byte) (E, []elicit.Problem)) {
	var none E
	e, problems := read(in)
	hold((e == none) == (problems != nil), "an event or problems")
	checkProblems(in, problems)
	if e == none {
		return
	}
	one = e.AppendJSON(one[:0])
	again, problems := read(one)
	hold(problems == nil, "an event is read as it was written", one, problems)
	two = again.AppendJSON(two[:0])
	hold(bytes.Equal(one, two), "an event is read as it was written", one, two)
}

// inspections looks for what a person should know of a text, a label or an answer.
func inspections(in []byte) {
	n, in := which(in, 3)
	s := string(in)
	var found []elicit.Finding
	switch n {
	case 0:
		found = risk.Inspect(&risk.Subject{Mode: elicit.Form, Message: s})
	case 1:
		found = risk.Inspect(&risk.Subject{Mode: elicit.Form, Fields: []risk.Field{{Name: "a", Title: s}}})
	default:
		found = risk.InspectAnswer(nil, in)
	}
	for i := range found {
		f := &found[i]
		hold(f.Start >= 0 && f.Start <= f.End && (n == 2 || f.End <= max(len(in), 1)) && utf8.ValidString(f.Evidence),
			"a finding lies outside", f.Code, f.Pointer)
	}
}
