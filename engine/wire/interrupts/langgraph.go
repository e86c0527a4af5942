package interrupts

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/elicit-engine/elicit/engine/wire"
)

// LangGraph stops a run with interrupts of any value, and resumes it with a value for each of them. The
// human-in-the-loop middleware of LangChain defines two values: a request for several calls (batched), and one for a
// single call (per call). Python spells them in snake case, and JavaScript in camel case.

const (
	batched flags = 1 << iota
	perCall
	camel
)

// These are the spellings of one request: first in Python, then in JavaScript.
var (
	actionRequests   = [2]string{"action_requests", "actionRequests"}
	reviewConfigs    = [2]string{"review_configs", "reviewConfigs"}
	actionName       = [2]string{"action_name", "actionName"}
	allowedDecisions = [2]string{"allowed_decisions", "allowedDecisions"}
	editedAction     = [2]string{"edited_action", "editedAction"}
)

// readLangGraph reads a list of interrupts, one interrupt, or an object that has the list as __interrupt__ (a result)
// or interrupts (a state).
//
//	{"__interrupt__":[{"value":…,"id":"…"}]}    the result of a run in Python
//	{"interrupts":[…]}                          a state
//	[{"value":…}]                               the list alone
//	{"value":…}                                 one interrupt
//	any other object                            asks nothing
func readLangGraph(d *decoding) {
	var list []*place
	if wire.TypeOf(d.doc) == wire.Array {
		list = d.elements(0, len(d.doc), "", maxQuestions)
	} else if root, ok := d.root(); ok {
		switch {
		case root.Get("value") != nil:
			list = []*place{root}
		case root.get("interrupts") != nil:
			list = d.objects(root, "interrupts", maxQuestions)
		case root.get("__interrupt__") != nil:
			list = d.objects(root, "__interrupt__", maxQuestions)
		}
	}
	for i, one := range list {
		q := Question{group: i}
		if one.get("id") != nil {
			q.Key, q.id = d.id(one, "id")
		}
		if len(list) > 1 && !addressable(q.Key) {
			d.unknown(one.pointer("id")) // such interrupts cannot be resumed apart
			continue
		}
		q.Response = d.mapping(one, "response_schema")
		d.readValue(q, one)
	}
}

// addressable reports whether LangGraph takes id as the key of a resume map: 32 lower-case hexadecimal digits
// (is_xxh3_128_hexdigest).
func addressable(id string) bool {
	for i := range len(id) {
		if c := id[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return len(id) == 32
}

// readValue reads the value of one interrupt. A value of any other shape is a question: the text of the value, and an
// answer in the schema of the interrupt or as text.
func (d *decoding) readValue(q Question, p *place) {
	raw := p.get("value")
	if raw == nil {
		d.report("missing", p.pointer("value"))
		return
	}
	value := &place{at: p.pointer("value")}
	if wire.TypeOf(raw) == wire.Map {
		value, _ = d.child(p, "value")
	}
	kind, _ := wire.Text(value.get("type"))
	switch {
	case value.get(actionRequests[0]) != nil:
		d.readBatch(q, value, 0)
	case value.get(actionRequests[1]) != nil:
		d.readBatch(q, value, 1)
	case kind == "tool_approval":
		d.readPerCall(q, p, value)
	default:
		if q.Request.Message, _ = wire.Text(raw); wire.TypeOf(raw) != wire.String {
			q.Request.Message = string(raw)
		}
		q.Key = cmp.Or(q.Key, "resume")
		q.ask(q.Response, 0)
		d.add(&q, p.pointer("id"))
	}
}

// readBatch reads a request for several calls, in one of the two spellings. Each call is a question.
//
//	{"action_requests":[{"name":"write","args":{…}}],
//	 "review_configs":[{"action_name":"write","allowed_decisions":["approve","edit","reject"]}]}
//
// The keys are 0, 1, …, or ID/0, ID/1, … if the interrupt has an id. All decisions of one interrupt go back together,
// in this order.
func (d *decoding) readBatch(q Question, value *place, spelled int) {
	q.flags = batched
	if spelled == 1 {
		q.flags |= camel
	}
	calls := d.some(value, actionRequests[spelled])
	configs := d.objects(value, reviewConfigs[spelled], maxQuestions)
	prefix := ""
	if q.Key != "" {
		prefix = q.Key + "/"
	}
	for i, call := range calls {
		one := q
		one.Key = prefix + strconv.Itoa(i)
		d.readAction(&one, call)
		config, ok := configOf(one.Request.Tool, i, configs, actionName[spelled])
		if !ok {
			d.unknown(call.pointer("name")) // nothing says how this call may be decided
			continue
		}
		words, _ := wire.Elements(config.get(allowedDecisions[spelled]), maxQuestions)
		one.allow(d.decisions(words, config.pointer(allowedDecisions[spelled])))
		d.add(&one, call.at)
	}
}

// configOf finds how a call may be decided: the entry at the same place if it has the name of the tool, otherwise the
// first with that name.
//
// Two entries may name one tool. The place then says which one is meant.
func configOf(tool string, i int, configs []*place, member string) (*place, bool) {
	named := func(p *place) bool {
		name, _ := wire.Text(p.get(member))
		return name == tool
	}
	if i < len(configs) && named(configs[i]) {
		return configs[i], true
	}
	for _, config := range configs {
		if named(config) {
			return config, true
		}
	}
	return &place{}, false
}

// readPerCall reads a request for one call. The schema of the answer lists the decisions.
func (d *decoding) readPerCall(q Question, p, value *place) {
	q.flags = perCall
	if d.id(value, "tool_call_id"); q.Key == "" {
		q.Key = "resume"
	}
	d.readAction(&q, value)
	if q.Response == nil {
		d.report("missing", p.pointer("response_schema"))
		return
	}
	q.allow(d.decisions(decisionWords(q.Response), p.pointer("response_schema")))
	d.add(&q, p.pointer("id"))
}

// decisionWords lists the raw values that the member type of an answer may have: those of the schema itself, or of its
// branches.
//
// Only a $ref into $defs of the same schema is followed, one step. A branch without a constant gives nil, which makes
// the list unknown.
func decisionWords(response []byte) (words [][]byte) {
	schema, _ := wire.ReadObject(response)
	branches, _ := wire.Elements(schema.Get("oneOf"), maxQuestions)
	if branches == nil {
		branches = [][]byte{response}
	}
	for _, raw := range branches {
		branch, _ := wire.ReadObject(raw)
		ref, _ := wire.Text(branch.Get("$ref"))
		if name, ok := strings.CutPrefix(ref, "#/$defs/"); ok {
			defs, _ := schema.Child("$defs")
			branch, _ = defs.Child(name)
		}
		properties, _ := branch.Child("properties")
		kind, _ := properties.Child("type")
		words = append(words, kind.Get("const"))
	}
	return words
}

// readAction reads the call that a person decides about.
func (d *decoding) readAction(q *Question, call *place) {
	q.Request.Tool, q.name = d.id(call, "name")
	if q.Request.Message = d.optional(call, "description"); q.Request.Message == "" {
		q.Request.Message = "Allow " + q.Request.Tool + "?"
	}
	if q.Arguments = d.mapping(call, "args"); q.Arguments == nil {
		d.report("missing", call.pointer("args"))
	}
}

// decisions reads the decisions that a call takes. One that is not known makes the whole list unknown.
//
// An unknown decision could approve. Leaving it out could hide from a person that the call runs in any case.
func (d *decoding) decisions(words [][]byte, at string) (options Options) {
	if len(words) == 0 {
		d.report("empty_value", at)
	}
	for _, raw := range words {
		switch word, _ := wire.Text(raw); word {
		case "approve":
			options |= MayAccept
		case "edit":
			options |= MayEdit
		case "reject":
			options |= MayDecline | MayNoteDecline
		case "respond":
			options |= MayRespond
		default:
			d.unknown(at)
			return 0
		}
	}
	return options
}

// allow sets what a call takes. A call that may not run is a question: the person's answer takes its place.
//
// Example: only respond is allowed. The tool does not run, and the person's text becomes its result.
func (q *Question) allow(options Options) {
	if options&(MayAccept|MayEdit) != 0 || options&MayRespond == 0 {
		q.approve(options)
		return
	}
	q.ask(nil, options)
}

// writeLangGraph writes the value of Command(resume=…): the answers by the ids of the interrupts, or one bare answer if
// LangGraph takes no id.
//
//	batched, with ids    {"0123…":{"decisions":[{"type":"approve"}]}}
//	batched, no id       {"decisions":[{"type":"approve"}]}
//	per call             {"type":"approve"}
//	a value              the value
func writeLangGraph(w *writing) {
	n := len(w.Questions)
	if n == 0 {
		w.add("null")
		return
	}
	keyed := addressable(idText(w.Questions[0].id))
	if keyed {
		w.add("{")
	}
	for from := 0; from < n; {
		to := from + 1
		for to < n && w.Questions[to].group == w.Questions[from].group {
			to++
		}
		if w.comma(from); keyed {
			w.add(string(w.Questions[from].id) + ":")
		}
		w.resume(from, to)
		from = to
	}
	if keyed {
		w.add("}")
	}
}

func idText(raw []byte) string {
	s, _ := wire.Text(raw)
	return s
}

// resume writes the answer to one interrupt, which has the questions from up to to.
func (w *writing) resume(from, to int) {
	switch q := &w.Questions[from]; {
	case q.flags&batched != 0:
		w.add(`{"decisions":[`)
		for i := from; i < to; i++ {
			w.comma(i - from)
			w.decision(i)
		}
		w.add("]}")
	case q.flags&perCall != 0:
		w.decision(from)
	default:
		w.add(string(w.answers[from].payload))
	}
}

// decision writes one decision. An edit keeps the name of the tool.
func (w *writing) decision(i int) {
	q, a := &w.Questions[i], &w.answers[i]
	switch {
	case a.Arguments != nil:
		member := editedAction[0]
		if q.flags&camel != 0 {
			member = editedAction[1]
		}
		w.add(`{"type":"edit","` + member + `":{"name":` + string(q.name) + `,"args":` + string(a.Arguments) + `}}`)
	case a.payload != nil:
		w.add(`{"type":"respond","message":` + string(a.payload) + `}`)
	case a.accepted():
		w.add(`{"type":"approve"}`)
	case a.Note != "":
		w.add(`{"type":"reject","message":`)
		w.str(a.Note)
		w.add("}")
	default:
		w.add(`{"type":"reject"}`)
	}
}
