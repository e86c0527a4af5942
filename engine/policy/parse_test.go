package policy

import (
	"slices"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

var parseTests = []struct {
	name, doc string
	want      []string // code pointer span-text
}{
	{"empty", ``, []string{"json_empty  "}},
	{"array", `[]`, []string{"wrong_type  "}},
	{"no version", `{}`, []string{"missing /version "}},
	{"version 2", `{"version":2}`, []string{"policy_unknown_version /version 2"}},
	{"version text", `{"version":"1"}`, []string{`wrong_type /version "1"`}},
	{"version 1.0", `{"version":1.0}`, []string{"policy_unknown_version /version 1.0"}},
	{"unknown keys", `{"version":1,"a/b":2,"Mode":"never"}`, []string{"unknown_member /a~1b 2",
		`unknown_member /Mode "never"`}},
	{"$schema", `{"$schema":["x"],"version":1}`, []string{`wrong_type /$schema ["x"]`}},
	{"grants", `{"version":1,"grants":"forever"}`, []string{`unknown_value /grants "forever"`}},
	{"secrets", `{"version":1,"secrets":"send"}`, []string{`unknown_value /secrets "send"`}},
	{"quiet type", `{"version":1,"quiet":true}`, []string{`wrong_type /quiet true`}},
	{"quiet from", `{"version":1,"quiet":{"from":"24:00","to":"07:60","offset":"+01"}}`, []string{
		`unknown_value /quiet/from "24:00"`, `unknown_value /quiet/to "07:60"`,
		`unknown_value /quiet/offset "+01"`}},
	{"quiet then", `{"version":1,"quiet":{"from":"22:00","to":"07:00","offset":"-00:30","then":"ask","zone":"CET"}}`,
		[]string{
			`unknown_value /quiet/then "ask"`, `unknown_member /quiet/zone "CET"`}},
	{"quiet missing", `{"version":1,"quiet":{"to":"07:00"}}`, []string{`missing /quiet/from {"to":"07:00"}`,
		`missing /quiet/offset {"to":"07:00"}`}},
	{"mode", `{"version":1,"approval_policy":"Never"}`, []string{`unknown_value /approval_policy "Never"`}},
	{"mode number", `{"version":1,"approval_policy":1}`, []string{`wrong_type /approval_policy 1`}},
	{"reject", `{"version":1,"approval_policy":{"reject":{}}}`, []string{`unknown_member /approval_policy/reject {}`,
		`missing /approval_policy/granular {"reject":{}}`}},
	{"granular", `{"version":1,"approval_policy":{"granular":{"mcp_elicitations":1,"extra":true,"skill_approval":0}}}`,
		[]string{
			"wrong_type /approval_policy/granular/mcp_elicitations 1", "unknown_member /approval_policy/granular/extra true",
			"wrong_type /approval_policy/granular/skill_approval 0",
			`missing /approval_policy/granular/sandbox_approval {"mcp_elicitations":1,"extra":true,"skill_approval":0}`,
			`missing /approval_policy/granular/rules {"mcp_elicitations":1,"extra":true,"skill_approval":0}`}},
	{"words", `{"version":1,"access":"none","reviewer":7,"findings":{"decline":"low","x":1}}`, []string{
		`unknown_value /access "none"`, "wrong_type /reviewer 7",
		`unknown_value /findings/decline "low"`, "unknown_member /findings/x 1"}},
	{"rules", `{"version":1,"rules":{}}`, []string{"wrong_type /rules {}"}},
	{"rule", `{"version":1,"rules":[ {"when":{"a":1,"tool":["x",2],"sensitive":"yes"},"then":"allow","name":1} , 5]}`,
		[]string{
			"unknown_member /rules/0/when/a 1", "wrong_type /rules/0/when/tool/1 2",
			`wrong_type /rules/0/when/sensitive "yes"`, `unknown_value /rules/0/then "allow"`,
			"wrong_type /rules/0/name 1", "wrong_type /rules/1 5"}},
	{"glob", `{"version":1,"rules":[{"when":{"host":"[","server":[]},"then":"ask"}]}`, []string{
		`bad_glob /rules/0/when/host "["`, "policy_empty_list /rules/0/when/server []"}},
	{"unless", `{"version":1,"rules":[{"when":{},"unless":{},"then":"ask"},{"when":{},"unless":{"tool":3},"then":"ask"}]}`,
		[]string{
			"policy_empty_unless /rules/0/unless {}", "wrong_type /rules/1/unless/tool 3"}},
	{"suggestions", `{"version":1,"suggestions":true}`, []string{"wrong_type /suggestions true"}},
	{"servers", `{"version":1,"servers":[]}`, []string{"wrong_type /servers []"}},
	{"server", `{"version":1,"servers":{"a":7,"b":{"trust":"yes","approval_policy":"nevr","approvals":"ask","tols":1,` +
		`"tools":{"t":{"trust":true},"u":0}},"c":{"tools":1}}}`, []string{
		"wrong_type /servers/a 7", `wrong_type /servers/b/trust "yes"`,
		`unknown_value /servers/b/approval_policy "nevr"`,
		`unknown_value /servers/b/approvals "ask"`, "unknown_member /servers/b/tols 1",
		"unknown_member /servers/b/tools/t/trust true", "wrong_type /servers/b/tools/u 0",
		"wrong_type /servers/c/tools 1"}},
	{"duplicate key", `{"version":1,"version":1}`, []string{`json_duplicate_key /version "version"`}},
	{"duplicate name", `{"version":1,"rules":[{"name":"a","when":{},"then":"ask"},{"name":"a","when":{},"then":"ask"}]}`,
		[]string{`policy_duplicate_name /rules/1/name "a"`}},
}

func TestParseProblems(t *testing.T) {
	for _, tt := range parseTests {
		t.Run(tt.name, func(t *testing.T) {
			p, problems := Parse(User, []byte(tt.doc))
			if p == nil {
				t.Fatal("no policy")
			}
			var got []string
			for _, b := range problems {
				got = append(got, b.Code+" "+b.Pointer+" "+tt.doc[b.Start:b.End])
				if english.Problem(b) == "" {
					t.Errorf("%s has no English", b.Code)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, rule := range brokenRules {
		f.Add(`{"version":1,"approval_policy":"never","access":"full","rules":[` + rule + `]}`)
	}
	f.Add(`{"version":1,"approval_policy":{"granular":{"mcp_elicitations":true,"sandbox_approval":true,"rules":true}},` +
		`"findings":{"decline":"never"}}`)
	f.Fuzz(func(t *testing.T, doc string) {
		p, problems := Parse(User, []byte(doc))
		for _, b := range problems {
			if b.Code == "" || b.Start < 0 || b.End < b.Start || b.End > len(doc) {
				t.Errorf("problem %+v in a document of %d bytes", b, len(doc))
			}
		}
		facts := []Facts{{Mode: elicit.URL, Kind: elicit.KindURL, Host: "a.b"}, {Mode: elicit.Form, Kind: elicit.KindConfirm},
			{Mode: elicit.Form, Kind: elicit.KindForm, Fields: []FieldFact{{"x", true}}}}
		for i := range facts {
			d := NewStack(p).Decide(&facts[i])
			if d.Outcome == Accept && i != 1 {
				t.Errorf("accepted %+v", facts[i])
			}
			if fault := jsontext.Check(d.AppendJSON(nil), jsontext.Limits{}); fault != nil {
				t.Errorf("the decision is not JSON: %v", fault)
			}
		}
	})
}
