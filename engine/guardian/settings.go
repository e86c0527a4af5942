package guardian

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// maxComplaints is the most problems that a guest may report in its settings.
const maxComplaints = 64

// DataTooLarge refuses a data document of that many bytes.
func DataTooLarge(size int) elicit.Problem {
	args := []elicit.Arg{elicit.Num("limit", MaxData), elicit.Num("count", size)}
	return elicit.Problem{Code: "data_document_too_large", Args: args}
}

// ReadSettingsAnswer reads the output of elicit_check_settings:
//
//	{"v":1,"problems":[{"pointer","message"}…]}
//
// Each of its problems is returned as guardian_settings with the pointer into the settings. Any other output is bad,
// and then it is unknown whether the settings are valid. problems empty and bad nil says that the settings are fit. The
// messages are the guest's and may be shown to the operator as text.
func ReadSettingsAnswer(output []byte) (problems []elicit.Problem, bad *elicit.Problem) {
	if f := jsontext.Check(output, verdictLimits); f != nil {
		p := elicit.FromFault(f)
		return nil, &p
	}
	root, version, listed := gjson.ParseBytes(output), false, false
	report := func(pointer string) {
		if bad == nil {
			bad = &elicit.Problem{Code: "verdict_value", Pointer: pointer}
		}
	}
	if !root.IsObject() {
		return nil, &elicit.Problem{Code: "wrong_type", Args: []elicit.Arg{elicit.Str("expected", "object")}}
	}
	root.ForEach(func(k, v gjson.Result) bool {
		switch k.String() {
		case "v":
			version = v.Raw == "1"
		// The list ends at the first thing that is wrong in it. Half a list would hide problems.
		case "problems":
			if listed = v.IsArray(); !listed {
				report("/problems")
			}
			for i, e := range v.Array() {
				p, ok := settingsProblem(e)
				if !ok || i == maxComplaints {
					report("/problems/" + strconv.Itoa(i))
					break
				}
				problems = append(problems, p)
			}
		default:
			report(string(jsontext.AppendToken(nil, k.String())))
		}
		return bad == nil
	})
	switch {
	case bad != nil:
		return nil, bad
	case !version:
		return nil, &elicit.Problem{Code: "verdict_version"}
	case !listed:
		return nil, &elicit.Problem{Code: "missing", Pointer: "/problems"}
	}
	return problems, nil
}

// settingsProblem reads {"pointer","message"}, both in the guest's words. A member more, a wrong type or a missing
// message makes the whole answer bad.
func settingsProblem(v gjson.Result) (p elicit.Problem, ok bool) {
	p.Code, ok = "guardian_settings", v.IsObject()
	said := false
	v.ForEach(func(k, v gjson.Result) bool {
		ok = ok && v.Type == gjson.String
		switch s := v.String(); k.String() {
		case "pointer":
			p.Pointer = s
			ok = ok && len(s) <= maxPointer && (s == "" || strings.HasPrefix(s, "/"))
		case "message":
			p.Args, said = []elicit.Arg{elicit.Str("message", s)}, true
			ok = ok && s != "" && len(s) <= maxMessage
		default:
			ok = false
		}
		return ok
	})
	return p, ok && said
}
