package engine

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/strict"
)

// readKept reads an event of a journal, in the room of r: also those that stand only in a journal, and the members that
// stand in for what it did not keep.
func readKept(r *strict.Reader, doc []byte) (Event, []elicit.Problem) {
	if problems := r.Reset(doc, eventLimits); len(problems) > 0 {
		return nil, problems
	}
	event := takeKept(r)
	r.RefuseUnknown()
	if len(r.Problems) > 0 {
		return nil, r.Problems
	}
	return event, nil
}

func takeKept(r *strict.Reader) Event {
	switch r.Take("event").Str {
	case "flooded":
		return readFlooded(r)
	case "refused":
		return refusedEvent{code: r.Str("code")}
	}
	switch ev := takeEvent(r).(type) {
	case Asked:
		ev.cutMessage, ev.cutSchema = readLength(r, "cut_message"), readLength(r, "cut_schema")
		ev.cutURL, ev.cutDigest = readLength(r, "cut_url"), r.Opt("cut_digest")
		return ev
	case Answered:
		ev.withheld = readWithheld(r)
		return ev
	default:
		return ev
	}
}

// readLength takes the length of a text that a journal did not keep.
func readLength(r *strict.Reader, name string) int {
	v := r.Take(name)
	if v.Exists() && (v.Type != gjson.Number || v.Int() < 1 || v.Int() > 1<<40) {
		r.Report("wrong_type", name, elicit.Str("expected", "length"))
		return 0
	}
	return int(v.Int())
}

func readWithheld(r *strict.Reader) (list []withheldValue) {
	r.Take("withheld").ForEach(func(_, e gjson.Result) bool {
		w := withheldValue{pointer: e.Get("pointer").String()}
		e.Get("problems").ForEach(func(_, p gjson.Result) bool {
			w.problems = append(w.problems, readProblem(p))
			return true
		})
		e.Get("findings").ForEach(func(_, f gjson.Result) bool {
			if strings.HasPrefix(f.Get("pointer").String(), secretPointer+w.pointer) {
				w.findings = append(w.findings, readFinding(f))
			}
			return true
		})
		list = append(list, w)
		return true
	})
	return list
}

func readProblem(p gjson.Result) elicit.Problem {
	return elicit.Problem{Code: p.Get("code").String(), Pointer: p.Get("pointer").String(),
		Start: int(p.Get("start").Int()), End: int(p.Get("end").Int()), Args: readArgs(p)}
}

func readFinding(f gjson.Result) elicit.Finding {
	return elicit.Finding{Code: f.Get("code").String(), Severity: elicit.Severity(f.Get("severity").String()),
		Pointer: f.Get("pointer").String(), Start: int(f.Get("start").Int()), End: int(f.Get("end").Int()),
		Evidence: f.Get("evidence").String(), Args: readArgs(f)}
}

func readArgs(v gjson.Result) (args []elicit.Arg) {
	v.Get("args").ForEach(func(k, a gjson.Result) bool {
		args = append(args, elicit.Raw(k.String(), a.Raw))
		return true
	})
	return args
}
