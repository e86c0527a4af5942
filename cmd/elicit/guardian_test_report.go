package main

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"strings"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// reportJSON returns the results of all cases as JSON, for --json.
func (t *guardianTest) reportJSON(module string) []byte {
	failed := 0
	var cases []string
	for _, o := range t.outcomes {
		members := []elicit.Arg{elicit.Str("name", o.name), elicit.Str("said", o.summary),
			elicit.Raw("passed", fmt.Sprint(o.wrong == ""))}
		if o.wrong != "" {
			members = append(members, elicit.Str("wrong", strings.TrimSpace(o.wrong)),
				elicit.Raw("updated", fmt.Sprint(o.updated)))
			if !o.updated {
				failed++
			}
		}
		if o.warning != "" {
			members = append(members, elicit.Str("warning", o.warning))
		}
		members = append(members, elicit.Raw("result", string(resultJSON(o.result))))
		cases = append(cases, string(appendObject(nil, members)))
	}
	members := []elicit.Arg{elicit.Str("module", module), elicit.Str("digest", t.module.Digest),
		elicit.Num("budget", int(t.fuel)), elicit.Raw("cases", "["+strings.Join(cases, ",")+"]"),
		elicit.Num("failed", failed), elicit.Raw("never", t.uncoveredJSON())}
	if t.unlisted != nil {
		list, _ := json.Marshal(t.unlisted) // texts
		members = append(members, elicit.Raw("unlisted_codes", string(list)))
	}
	if t.coverage {
		members = append(members, elicit.Raw("functions", string(t.calls.appendJSON(nil))))
	}
	return appendObject(nil, members)
}

// uncoveredJSON returns what no case covers as a JSON object, with a list for each kind.
func (t *guardianTest) uncoveredJSON() string {
	var members []elicit.Arg
	for _, n := range t.uncovered() {
		var list []string
		for _, s := range n.list {
			list = append(list, quoted(s))
		}
		members = append(members, elicit.Raw(n.kind, "["+strings.Join(list, ",")+"]"))
	}
	return string(appendObject(nil, members))
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
		c := junitCase{Class: name, Name: o.name, Time: seconds(o.result.Nanoseconds)}
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
