package guardian

import (
	"encoding/xml"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/each"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/host"
)

// reportJSON returns the results of all cases as JSON, for --json.
func (t *guardianTest) reportJSON(module string) []byte {
	var cases []string
	for _, o := range t.outcomes {
		members := []elicit.Arg{elicit.Str("name", o.in.Name), elicit.Str("said", o.summary),
			elicit.Raw("passed", fmt.Sprint(o.wrong == ""))}
		if o.wrong != "" {
			members = append(members, elicit.Str("wrong", strings.TrimSpace(o.wrong)),
				elicit.Raw("updated", fmt.Sprint(o.updated)))
		}
		if o.warning != "" {
			members = append(members, elicit.Str("warning", o.warning))
		}
		members = append(members, elicit.Raw("result", string(resultJSON(o.result))))
		cases = append(cases, string(cli.AppendObject(nil, members)))
	}
	never := each.Of(t.uncovered(), func(u uncoveredItems) elicit.Arg {
		return elicit.Raw(u.kind, cli.JSONStrings(u.list))
	})
	members := []elicit.Arg{elicit.Str("module", module), elicit.Str("digest", t.module.Digest),
		elicit.Num("budget", int(t.fuel)), elicit.Raw("cases", "["+strings.Join(cases, ",")+"]"),
		elicit.Num("failed", t.failed), elicit.Raw("never", string(cli.AppendObject(nil, never)))}
	if t.unlisted != nil {
		members = append(members, elicit.Raw("unlisted_codes", cli.JSONStrings(t.unlisted)))
	}
	if t.coverage {
		members = append(members, elicit.Raw("functions", cli.JSON(t.calls.costs())))
	}
	return cli.AppendObject(nil, members)
}

// junitSuite is a report in the XML of JUnit's Ant task, which build servers read.
type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitFailure `xml:"failure,omitempty"`
	Out     string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

func writeJUnit(path, name string, outcomes []caseOutcome) error {
	suite := junitSuite{Name: name, Tests: len(outcomes)}
	var whole int64
	for _, o := range outcomes {
		whole += o.result.Nanoseconds
		c := junitCase{Class: name, Name: o.in.Name, Time: seconds(o.result.Nanoseconds)}
		if o.wrong != "" && !o.updated {
			suite.Failures++
			c.Failure = &junitFailure{"said " + o.summary, ui.Plain(o.wrong)}
		}
		if o.warning != "" {
			c.Out = ui.Plain(o.warning)
		}
		suite.Cases = append(suite.Cases, c)
	}
	suite.Time = seconds(whole)
	text, err := xml.MarshalIndent(suite, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append([]byte(xml.Header), append(text, '\n')...), 0o666)
}

func seconds(ns int64) string { return fmt.Sprintf("%.6f", float64(ns)/1e9) }

// recordCoverage records which decisions, phases, reads and settings a case covers. It counts only the part of the
// question that the module is shown.
func (t *guardianTest) recordCoverage(c guestCase, shown []byte, r host.Result) {
	t.covered[c.summary(r)] = true
	if c.Question != nil {
		question := gjson.ParseBytes(shown)
		t.covered[question.Get("phase").String()] = true
		for _, p := range t.module.Manifest.Reads {
			if hasPath(question, strings.Split(p.String(), "/")[1:]) {
				t.covered[p.String()] = true
			}
		}
		for _, code := range undeclaredCodes(t.module, r.Output) {
			if !slices.Contains(t.unlisted, code) {
				t.unlisted = append(t.unlisted, code)
			}
		}
	}
}

// undeclaredCodes returns the codes of a verdict's findings that the manifest does not list, if the guardian reads
// answers. When one of these answers is a secret, the engine keeps only listed codes.
func undeclaredCodes(m *guest.Module, output []byte) (codes []string) {
	answers := func(p guardian.Pattern) bool { return strings.HasPrefix(p.String(), "/answer") }
	if !slices.ContainsFunc(m.Manifest.Reads, answers) {
		return nil
	}
	for _, code := range gjson.GetBytes(output, "findings.#.code").Array() {
		if c := code.String(); !slices.Contains(m.Manifest.Codes, c) && !slices.Contains(codes, c) {
			codes = append(codes, c)
		}
	}
	return codes
}

// undeclaredCodesWarning says what becomes of such codes.
func undeclaredCodesWarning(codes []string) string {
	return fmt.Sprintf(`"codes" of the manifest does not list %s; `+
		`where this guardian is shown a secret, "withheld" stands instead`, strings.Join(codes, ", "))
}

// hasPath reports whether v has a value at the place that the tokens of a pattern name. "*" names every member.
func hasPath(v gjson.Result, tokens []string) (found bool) {
	if len(tokens) == 0 {
		return v.Exists()
	}
	if tokens[0] != "*" {
		return hasPath(cli.Child(v, strings.NewReplacer("~1", "/", "~0", "~").Replace(tokens[0])), tokens[1:])
	}
	if v.IsObject() || v.IsArray() {
		v.ForEach(func(_, inner gjson.Result) bool {
			found = hasPath(inner, tokens[1:])
			return !found
		})
	}
	return found
}

// uncoveredItems are the items of one kind that no case covers. Kind is the key of the JSON report; words begin the
// sentence of the hint.
type uncoveredItems struct {
	kind, words string
	list        []string
}

// uncovered lists what no case covers, by kind.
func (t *guardianTest) uncovered() (list []uncoveredItems) {
	missing := func(kind, words string, all []string) {
		u := uncoveredItems{kind: kind, words: words}
		for _, s := range all {
			if !t.covered[s] {
				u.list = append(u.list, s)
			}
		}
		if u.list != nil {
			list = append(list, u)
		}
	}
	missing("decisions", "leads to the decision", []string{"pass", "ask", "deny"})
	missing("phases", "asks in the phase", phasesOf(t.module.Manifest.Phases))
	missing("reads", "holds a value at the declared pointer", readsOf(t.module))
	if t.module.Manifest.Settings != nil {
		missing("settings", "gives settings that", []string{"fit", "do not fit"})
	}
	return list
}

// hints returns one line for each kind with items that no case covers.
func (t *guardianTest) hints() (hints []string) {
	hints = each.Of(t.uncovered(), func(u uncoveredItems) string {
		return fmt.Sprintf("no case %s: %s", u.words, strings.Join(u.list, ", "))
	})
	if t.unlisted != nil {
		hints = append(hints, undeclaredCodesWarning(t.unlisted))
	}
	return hints
}
