package asking

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
)

// maxNews is the most problems or reasons that a state keeps of one answer.
const maxNews = 1024

func saveProblems(o *jsontext.Object, problems []elicit.Problem) {
	jsontext.OptList(o, "problems", problems[:min(len(problems), maxNews)])
}

func readProblems(r *strict.Reader) (list []elicit.Problem) {
	r.Objects("problems", "state_unreadable", maxNews, func(one *strict.Reader) {
		list = append(list, elicit.Problem{Code: one.Str("code"), Pointer: one.Str("pointer"),
			Start: int(one.OptTime("start")), End: int(one.OptTime("end")), Args: readArgs(one)})
	})
	return list
}

func readReasons(r *strict.Reader) (list []elicit.Reason) {
	r.Objects("reasons", "state_unreadable", maxNews, func(one *strict.Reader) {
		list = append(list, elicit.Reason{Code: one.Str("code"), Layer: one.Opt("layer"), Rule: one.Opt("rule"),
			Args: readArgs(one)})
	})
	return list
}

func readArgs(r *strict.Reader) (args []elicit.Arg) {
	v := r.Take("args")
	if v.Exists() && !v.IsObject() {
		r.Report("state_unreadable", "args")
	}
	v.ForEach(func(name, value gjson.Result) bool {
		args = append(args, elicit.Raw(name.String(), value.Raw))
		return true
	})
	return args
}
