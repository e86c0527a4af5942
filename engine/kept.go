package engine

import (
	"bytes"
	"math"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/journal"
)

// recordedEvent is what a step takes and what its record keeps: an event, or what only a journal has in the place of
// one. No host can give the latter, because their types do not leave this package: begunEvent, keptConfigured,
// keptAsked, keptAnswered, floodedEvent and refusedEvent.
type recordedEvent interface{ AppendJSON(dst []byte) []byte }

// keptConfigured is a configuration in a record that holds names of an earlier version.
type keptConfigured struct{ event.Configured }

// keptAsked is a question as a record keeps it. schema saves work alone: a wrong value of it would give a record of
// another spelling, and never another decision.
type keptAsked struct {
	event.Asked
	cut    cutTexts
	schema jsontext.Spelling // of Schema; no part of the record
}

// gaps are what a record does not keep of the event that a step takes from it. An event of a host has no gaps. So a
// handler that meets one knows that it replays, and uses what the record says in the place of what is missing.
// Invariant: a step with gaps gives the same effects as the step that wrote the record, but for the withheld values.
type gaps struct {
	recorded bool            // a configuration's members have names of an earlier version
	cut      cutTexts        // of a question
	withheld []withheldValue // of the content of an answer
	extras   withheldExtras  // of its note and arguments
}

// fromRecord tells the event that a record kept from the gaps in it. An event of a host has none.
func fromRecord(what recordedEvent) (recordedEvent, gaps) {
	switch kept := what.(type) {
	case keptConfigured:
		return kept.Configured, gaps{recorded: true}
	case keptAsked:
		return kept.Asked, gaps{cut: kept.cut}
	case keptAnswered:
		return kept.Answered, gaps{withheld: kept.withheld, extras: kept.extras}
	}
	return what, gaps{}
}

// cutTexts stands for texts of a question that a record does not keep. The lengths replay the refusal of a long text:
// admit needs no more. sum proves the texts to an auditor. digest also marks a question that was refused for its rate.
type cutTexts struct {
	message, schema, url int    // their lengths
	arguments            int    // the same of the arguments of a held call
	sum                  string // see sumOf; "" if no text was longer than its limit
	digest               string // hex SHA-256 over the texts of a refused question, each with a zero byte behind it
}

// sumOf is the hex SHA-256 over the message, the schema, the URL and the arguments of a question, each with a zero byte
// behind it. It proves later what a text was that the record does not keep.
func sumOf(ev event.Asked) string {
	sum := digest.New()
	for _, text := range [][]byte{[]byte(ev.Message), ev.Schema, []byte(ev.URL), ev.Arguments} {
		sum.Write(text)
		sum.Write([]byte{0})
	}
	var out [digest.Size]byte
	return digest.Hex(sum.Sum(out[:0]))
}

// AppendJSON appends the question with "cut_message"?, "cut_schema"?, "cut_url"?, "cut_arguments"?, "cut_sum"?,
// "cut_digest"?.
func (k keptAsked) AppendJSON(dst []byte) []byte {
	o := jsontext.Begin(dst)
	k.AppendMembers(&o, k.schema)
	o.OptInt("cut_message", int64(k.cut.message))
	o.OptInt("cut_schema", int64(k.cut.schema))
	o.OptInt("cut_url", int64(k.cut.url))
	o.OptInt("cut_arguments", int64(k.cut.arguments))
	o.OptStrs("cut_sum", k.cut.sum, "cut_digest", k.cut.digest)
	return o.End()
}

// keptAnswered is an answer as a record keeps it.
type keptAnswered struct {
	event.Answered
	withheld []withheldValue
	extras   withheldExtras
	content  jsontext.Spelling // of Content; no part of the record
}

// withheldExtras stands for what the journal did not keep of the note and the arguments of an answer. The pointer of a
// whole that is not kept is "", and there is no other entry then. Otherwise secrets are masked where they stood.
// Example of a whole that is not kept: a note of 5 KiB under a limit of 4 KiB has one entry, with the pointer "" and
// the problem text_too_large.
type withheldExtras struct{ note, arguments []withheldValue }

// withheldValue stands for a value the journal did not keep, with what was found in it.
type withheldValue struct {
	pointer  string
	problems []elicit.Problem
	findings []elicit.Finding // why it is withheld, unless the field is sensitive
}

// AppendJSON appends the answer with "withheld"?:[…], "withheld_note"?:[…], "withheld_arguments"?:[…].
func (k keptAnswered) AppendJSON(dst []byte) []byte {
	o := jsontext.Begin(dst)
	k.AppendMembers(&o, k.content)
	jsontext.OptList(&o, "withheld", k.withheld)
	jsontext.OptList(&o, "withheld_note", k.extras.note)
	jsontext.OptList(&o, "withheld_arguments", k.extras.arguments)
	return o.End()
}

// AppendJSON appends {"pointer","problems"?,"findings"?}.
func (w withheldValue) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "pointer", w.pointer)
	jsontext.OptList(&o, "problems", w.problems)
	jsontext.OptList(&o, "findings", w.findings)
	return o.End()
}

// refusedEvent stands in the journal for an event that it could not hold, so that the refusal can be replayed. code is
// one of recordProblem: json_utf8, too_large_to_keep, unknown_cause and a few more.
type refusedEvent struct{ code string }

// AppendJSON appends {"event":"refused","code"}.
func (r refusedEvent) AppendJSON(dst []byte) []byte {
	return jsontext.Whole(dst, "event", "refused", "code", r.code)
}

// deprecated is in the effects of a record whose configuration was read with names of an earlier version.
var deprecated = []byte(`{"code":"deprecated_member",`)

// hasEarlierNames reports whether the engine that wrote a record took the names of an earlier version. In format 1
// they were the names of the day. An engine of today refuses them, and its record says so.
func hasEarlierNames(rec journal.Record) bool {
	return rec.Version == 1 || bytes.Contains(rec.Effects, deprecated)
}

// readKept reads what a record keeps, in the room of r. It returns nil with what is wrong and where. Of several
// problems only the first is told. The argument record says where the journal is unreadable.
func readKept(r *strict.Reader, rec journal.Record) (recordedEvent, *elicit.Problem) {
	var kept recordedEvent
	problems := r.Reset(rec.Event, event.Limits())
	if len(problems) == 0 {
		kept = takeKept(r)
		r.RefuseUnknown()
		problems = r.Problems
	}
	if len(problems) == 0 {
		return kept, nil
	}
	p := problems[0]
	p.Args = append(p.Args, elicit.Num("record", int(rec.Seq)))
	return nil, &p
}

// takeKept takes what only a journal has, or the event that a host gave. Only a journal is read by it, so no host can
// give an event with gaps and have it pass for one whose secrets were taken out.
func takeKept(r *strict.Reader) recordedEvent {
	// These three names are unknown to event.Read, which reads the events of hosts. Vector
	// step/event-flooded-is-for-journals shows that a host gets a problem for them.
	switch r.Take("event").Str {
	case "begun":
		return begunEvent{}
	case "flooded":
		return readFlooded(r)
	case "refused":
		return refusedEvent{code: r.Str("code")}
	}
	switch ev := event.Take(r).(type) {
	case event.Asked:
		return keptAsked{Asked: ev, cut: cutTexts{message: readLength(r, "cut_message"),
			schema: readLength(r, "cut_schema"), url: readLength(r, "cut_url"), arguments: readLength(r, "cut_arguments"),
			sum: r.Opt("cut_sum"), digest: r.Opt("cut_digest")}}
	case event.Answered:
		return keptAnswered{Answered: ev, withheld: readWithheld(r, "withheld", secretPointer), extras: withheldExtras{
			note: readWithheld(r, "withheld_note", ""), arguments: readWithheld(r, "withheld_arguments", "/arguments")}}
	default:
		return ev
	}
}

// readLength takes the length of a text that a journal did not keep. An int has 32 bits in the modules, and a replay
// goes the same way everywhere.
func readLength(r *strict.Reader, name string) int {
	v := r.Take(name)
	n, ok := strict.Integer(v)
	if v.Exists() && (!ok || n < 1 || n > math.MaxInt32) {
		r.Report("wrong_type", name, elicit.Str("expected", "length"))
		return 0
	}
	return int(n)
}

// readWithheld takes what stands for withheld values. The pointers of findings begin with root.
func readWithheld(r *strict.Reader, name, root string) (list []withheldValue) {
	r.Take(name).ForEach(func(_, e gjson.Result) bool {
		w := withheldValue{pointer: e.Get("pointer").String()}
		e.Get("problems").ForEach(func(_, p gjson.Result) bool {
			w.problems = append(w.problems, readProblem(p))
			return true
		})
		e.Get("findings").ForEach(func(_, f gjson.Result) bool {
			// Code elsewhere cuts the root off the pointer without another look. A finding that lies elsewhere is left
			// out here.
			if strings.HasPrefix(f.Get("pointer").String(), root+w.pointer) {
				w.findings = append(w.findings, readFinding(f))
			}
			return true
		})
		list = append(list, w)
		return true
	})
	return list
}

// readProblem, readFinding and readArgs read what a record tells of a value that it does not keep.
func readProblem(p gjson.Result) elicit.Problem {
	return elicit.Problem{Code: p.Get("code").String(), Pointer: p.Get("pointer").String(),
		In: elicit.AnswerPart(p.Get("in").String()), Start: place(p.Get("start")), End: place(p.Get("end")),
		Args: readArgs(p)}
}

func readFinding(f gjson.Result) elicit.Finding {
	return elicit.Finding{Code: f.Get("code").String(), Severity: elicit.Severity(f.Get("severity").String()),
		Pointer: f.Get("pointer").String(), Start: place(f.Get("start")), End: place(f.Get("end")),
		Evidence: f.Get("evidence").String(), Args: readArgs(f)}
}

// place is where something begins or ends.
func place(v gjson.Result) int { return strict.Bounded(v.Int()) }

func readArgs(v gjson.Result) (args []elicit.Arg) {
	v.Get("args").ForEach(func(k, a gjson.Result) bool {
		args = append(args, elicit.Raw(k.String(), a.Raw))
		return true
	})
	return args
}

// maxRefusedText is how much of each text of a refused question a record holds.
const maxRefusedText = 256

// shortened is a refused question as a record holds it, without the parts of its message: long texts give way to their
// lengths and a digest over all of them. A flood of long questions may fill the disk by their texts, although each is
// refused. 256 bytes of each text tell a reader what they were about.
func (ev keptAsked) shortened() keptAsked {
	_, reach := ev.ReachSize()
	ev.Parts = nil
	if len(ev.Message) <= maxRefusedText && len(ev.Schema) <= maxRefusedText && len(ev.URL) <= maxRefusedText &&
		len(ev.Command) <= maxRefusedText && reach <= maxRefusedText {
		return ev
	}
	sum := digest.New()
	for _, text := range [][]byte{[]byte(ev.Message), ev.Schema, []byte(ev.URL)} {
		sum.Write(text)
		sum.Write([]byte{0})
	}
	var out [digest.Size]byte
	// The digest is over all texts as they came, also over those that stay, so it names the whole question.
	ev.cut.digest = digest.Hex(sum.Sum(out[:0]))
	// A length that withoutLong has set stays, because the text is "" by now and its length 0.
	cut := func(n int, length *int) bool {
		if n > maxRefusedText {
			*length = n
		}
		return n > maxRefusedText
	}
	if cut(len(ev.Message), &ev.cut.message) {
		ev.Message = ""
	}
	if len(ev.Command) > maxRefusedText {
		ev.Command = "" // the message shows it
	}
	if reach > maxRefusedText {
		ev.Paths, ev.Hosts, ev.ReachCut = nil, nil, true
	}
	if cut(len(ev.Schema), &ev.cut.schema) {
		ev.Schema = nil
	}
	if cut(len(ev.URL), &ev.cut.url) {
		ev.URL = ""
	}
	return ev
}
