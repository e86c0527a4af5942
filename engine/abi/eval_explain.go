package abi

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// evalExplain reads {problems?, reasons?, whys?, findings?, causes?, faults?, statuses?}, lists in the engine's own
// spelling. Whys are reasons, in sentences for the person who is asked, without layers and settings. It returns lists
// of the same names with one English sentence for each member. For an unknown code, the sentence is the code. Of
// warnings, which are findings, it returns lines for a person: {severity, text}, the worst first, one for alike
// findings. Example: {"causes":["timeout"]} gives {"causes":["nobody answered in time"]}. Every list keeps its order
// and length, so a caller can match sentences and codes by index; warnings are the exception.
func evalExplain(in gjson.Result, dst []byte) []byte {
	o := jsontext.Begin(dst)
	for _, kind := range [...]struct {
		name     string
		sentence func(gjson.Result) string
	}{
		// Each kind has its own look-up. The code timeout, for example, is a cause and a fault, with two sentences.
		{"problems", func(v gjson.Result) string {
			return english.Problem(elicit.Problem{Code: text(v, "code"), Args: args(v)})
		}},
		{"reasons", func(v gjson.Result) string { return english.Reason(reason(v)) }},
		{"whys", func(v gjson.Result) string { return english.Why(reason(v)) }},
		{"findings", func(v gjson.Result) string {
			return english.Finding(elicit.Finding{Code: text(v, "code"), Evidence: text(v, "evidence"), Args: args(v)})
		}},
		{"causes", func(v gjson.Result) string { return english.Cause(elicit.Cause(v.Str)) }},
		{"faults", func(v gjson.Result) string { return english.Fault(v.Str) }},
		{"statuses", func(v gjson.Result) string { return english.Status(v.Str) }},
	} {
		list := member(in, kind.name)
		if !list.Exists() {
			continue
		}
		if !list.IsArray() {
			return missing(dst, kind.name)
		}
		items := list.Array()
		o.Each(kind.name, len(items), func(dst []byte, i int) []byte {
			return jsontext.AppendString(dst, kind.sentence(items[i]))
		})
	}
	if list := member(in, "warnings"); list.Exists() {
		if !list.IsArray() {
			return missing(dst, "warnings")
		}
		var found []elicit.Finding
		list.ForEach(func(_, v gjson.Result) bool {
			found = append(found, elicit.Finding{Code: text(v, "code"), Severity: elicit.Severity(text(v, "severity")),
				Evidence: text(v, "evidence"), Args: args(v)})
			return true
		})
		warnings := english.Warnings(found)
		o.Each("warnings", len(warnings), func(dst []byte, i int) []byte {
			return jsontext.Whole(dst, "severity", string(warnings[i].Severity), "text", warnings[i].Text)
		})
	}
	return o.End()
}

func reason(v gjson.Result) elicit.Reason {
	return elicit.Reason{Code: text(v, "code"), Layer: text(v, "layer"), Rule: text(v, "rule"), Args: args(v)}
}

// The raw JSON of each argument is kept, so 1e400 in a sentence is 1e400.
func args(v gjson.Result) (list []elicit.Arg) {
	member(v, "args").ForEach(func(k, a gjson.Result) bool {
		list = append(list, elicit.Raw(k.String(), a.Raw))
		return true
	})
	return list
}
