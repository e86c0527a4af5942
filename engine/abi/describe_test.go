package abi

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/relay"
	"github.com/elicit-engine/elicit/engine/risk"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
)

func TestDescribeListsEverything(t *testing.T) {
	var got struct {
		ABI                                                                                     struct{ Current, Oldest int }
		Statuses, Ops, Events, Effects, Protocols, Actions, Outcomes, Causes, Problems, Reasons []string
		Abouts, Layers, Receipts, Scopes, Vias, Faults, Phases, Resolutions                     []string
		PolicyKeys                                                                              []string `json:"policy_keys"`
		Configuration                                                                           []struct{ Name, Type string }
		Findings                                                                                []struct {
			Code,
			Severity string
		}
		Relay struct {
			Events, Effects, Roles, Askers []string
			Config                         []struct{ Name, Type string }
		}
		Limits []struct {
			Name                 string
			Default, Most, Least int
		}
	}
	raw := Describe(nil)
	if f := jsontext.Check(raw, jsontext.Limits{}); f != nil {
		t.Fatalf("%s: %v", raw, f)
	}
	must.Unmarshal(t, raw, &got)
	if got.ABI.Current < got.ABI.Oldest || got.ABI.Oldest < 1 {
		t.Errorf("abi %+v", got.ABI)
	}
	for name, lists := range map[string][2][]string{
		"statuses": {got.Statuses, Statuses()}, "ops": {got.Ops, Ops()}, "events": {got.Events, event.Names()},
		"effects": {got.Effects, effect.Names()}, "problems": {got.Problems, english.ProblemCodes()},
		"reasons": {got.Reasons, english.ReasonCodes()}, "actions": {got.Actions, []string{"accept", "decline", "cancel"}},
		"outcomes":     {got.Outcomes, []string{"accept", "decline", "cancel", "error"}},
		"abouts":       {got.Abouts, []string{"question", "answer", "session", "guardian", "configuration", "host"}},
		"layers":       {got.Layers, []string{"managed", "user", "project", "session"}},
		"policy_keys":  {got.PolicyKeys, policy.Keys("")},
		"receipts":     {got.Receipts, []string{"shown", "focused", "first_input"}},
		"scopes":       {got.Scopes, []string{"once", "session", "always"}},
		"vias":         {got.Vias, []string{"client", "script", "no_ui", "no_answer", "model"}},
		"phases":       {got.Phases, []string{"before_show", "before_send", "second_person"}},
		"resolutions":  {got.Resolutions, []string{"completed", "lapsed"}},
		"relay/events": {got.Relay.Events, relay.EventNames()}, "relay/effects": {got.Relay.Effects, relay.EffectNames()},
		"relay/roles":  {got.Relay.Roles, []string{"between", "client", "server"}},
		"relay/askers": {got.Relay.Askers, []string{"host", "client", "either", "policy", "nobody"}},
	} {
		if !slices.Equal(lists[0], lists[1]) || len(lists[0]) == 0 {
			t.Errorf("%s: got %v, want %v", name, lists[0], lists[1])
		}
	}
	if len(got.Causes) != len(elicit.Causes()) || len(got.Findings) != len(risk.Docs()) || len(got.Protocols) < 3 {
		t.Errorf("%d causes, %d findings, %d protocols", len(got.Causes), len(got.Findings), len(got.Protocols))
	}
	if len(got.Configuration) != len(engine.ConfigKeys()) || len(got.Faults) != len(guardian.Faults()) {
		t.Errorf("%d configuration keys, %d faults", len(got.Configuration), len(got.Faults))
	}
	if len(got.Relay.Config) != len(relay.ConfigKeys()) {
		t.Errorf("%d members of a connection's configuration, want %d", len(got.Relay.Config), len(relay.ConfigKeys()))
	}
	if len(got.Limits) != len(engine.Limits()) {
		t.Errorf("%d limits, want %d", len(got.Limits), len(engine.Limits()))
	}
	for _, l := range got.Limits {
		if l.Name == "" || l.Default > l.Most || l.Default < l.Least {
			t.Errorf("limit %+v has a default outside its range", l)
		}
	}
}

// snake is the form of a code. A constant or argument of another form is no code.
var snake = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)+$`)

// TestEveryCodeHasEnglish finds the codes in the source of the engine: "Code:" members, and the first argument of the
// functions that packages report with.
func TestEveryCodeHasEnglish(t *testing.T) {
	known := map[string]bool{}
	for _, list := range [][]string{english.ProblemCodes(), english.ReasonCodes(), english.FindingCodes(),
		english.RemarkCodes()} {
		for _, code := range list {
			known[code] = true
		}
	}
	found := sourceCodes(t)
	for _, code := range jsontext.Codes() {
		found[code] = "jsontext.Codes"
	}
	for _, doc := range risk.Docs() {
		found[doc.Code] = "risk.Docs"
	}
	for _, status := range []Status{UnknownHandle, Conflict, Internal} { // the problems of the others have their own codes
		found[Statuses()[status]] = "Statuses"
	}
	if len(found) < 150 {
		t.Errorf("only %d codes found: the test has lost its subject", len(found))
	}
	for code, where := range found {
		if !known[code] {
			t.Errorf("%s: code %s has no sentence; add one to a table in engine/english/tables_*.go", where, code)
		}
	}
	for _, cause := range elicit.Causes() {
		if english.Cause(cause) == strings.ReplaceAll(string(cause), "_", " ") {
			t.Errorf("cause %s has no sentence", cause)
		}
	}
}

// reporters are the functions and methods whose first argument is a code.
var reporters = []string{"fail", "complain", "report", "refuse", "problem", "faulty", "bad"}

func sourceCodes(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || strings.Contains(path,
			"english") {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, src, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.KeyValueExpr:
				if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Code" {
					noteCode(found, path, n.Value, false)
				}
			case *ast.CallExpr:
				if slices.Contains(reporters, calledName(n)) && len(n.Args) > 0 {
					noteCode(found, path, n.Args[0], true)
				}
			}
			return true
		})
		return nil
	})
	must.OK(t, err)
	return found
}

func calledName(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// noteCode records a string literal. An argument must have the form of a code, because other values are passed first
// too.
func noteCode(found map[string]string, path string, expr ast.Expr, argument bool) {
	lit, ok := expr.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return
	}
	code, err := strconv.Unquote(lit.Value)
	if err == nil && (!argument || snake.MatchString(code)) {
		found[code] = path
	}
}

// TestEvalGate has the cases that no vector can spell portably: input that is no valid JSON object.
func TestEvalGate(t *testing.T) {
	deep := strings.Repeat("[", 200)
	tests := []struct{ name, in, want string }{
		{"duplicate parameter", `{"document":1,"\u0064ocument":2}`,
			`{"problems":[{"code":"json_duplicate_key","pointer":"/document","start":14,"end":29}]}`},
		{"not JSON", `{"document":`, `{"problems":[{"code":"json_truncated","pointer":"/document"}]}`},
		{"too deep", `{"document":` + deep, `{"problems":[{"code":"json_depth","pointer":"/document` + strings.Repeat("/0",
			127) +
			`","start":139,"end":140,"args":{"limit":128}}]}`},
		{"too long", strings.Repeat(" ", 4<<20) + `{}`,
			`{"problems":[{"code":"json_size","pointer":"","start":4194304,"end":4194306,"args":{"limit":4194304}}]}`},
		{"no object", `[]`, `{"problems":[{"code":"bad_input","pointer":""}]}`},
		{"document over its own depth", `{"document":` + deep[:33] + strings.Repeat("]", 33) + `}`,
			`{"problems":[{"code":"json_depth","pointer":"` + strings.Repeat("/0", 32) +
				`","start":32,"end":33,"args":{"limit":32}}]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(Eval("parse", []byte(tt.in), nil)); got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestFaultsHaveSentences checks that every fault has a sentence.
func TestFaultsHaveSentences(t *testing.T) {
	for _, code := range jsontext.Codes() {
		p := elicit.FromFault(&jsontext.Fault{Code: code, Limit: 7})
		if got := english.Problem(p); got == strings.ReplaceAll(code, "_", " ") || strings.ContainsAny(got, "{}") {
			t.Errorf("%s: %q", code, got)
		}
	}
}

// TestSchemaProblemsHaveSentences renders every problem that a vector of these families expects. Each code needs a
// template, and each name in a template an argument.
func TestSchemaProblemsHaveSentences(t *testing.T) {
	codes := map[string]bool{}
	for _, v := range vectors.Read(t, "schema", "check", "coerce") {
		var want struct {
			Problems []struct {
				Code string
				Args map[string]json.RawMessage
			}
		}
		if err := json.Unmarshal(v.Want, &want); err != nil {
			t.Fatalf("%s: %v", v, err)
		}
		for _, p := range want.Problems {
			codes[p.Code] = true
			problem := elicit.Problem{Code: p.Code}
			for name, arg := range p.Args {
				if strings.ContainsAny(string(arg), "{}") { // braces that are no template's
					arg = json.RawMessage(`"x"`)
				}
				problem.Args = append(problem.Args, elicit.Raw(name, string(arg)))
			}
			text := english.Problem(problem)
			if text == strings.ReplaceAll(p.Code, "_", " ") || strings.ContainsAny(text, "{}") {
				t.Errorf("%s: %s reads %q", v, p.Code, text)
			}
		}
	}
	if len(codes) < 50 {
		t.Errorf("only %d codes were seen", len(codes))
	}
}

// FuzzWire checks that decode and encode answer every input with one valid JSON document.
func FuzzWire(f *testing.F) {
	seen, scalar := map[string]bool{}, regexp.MustCompile(`:\s*("(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*)`)
	for _, v := range vectors.Read(f, "wire") {
		// Long inputs are slow to vary and add nothing, and many vectors differ only in one word.
		if shape := v.Op + scalar.ReplaceAllString(string(v.In), ":0"); len(v.In) < 4096 && !seen[shape] {
			seen[shape] = true
			f.Add(v.Op == "encode", []byte(v.In))
		}
	}
	f.Fuzz(func(t *testing.T, encode bool, in []byte) {
		op := "decode"
		if encode {
			op = "encode"
		}
		out := Eval(op, in, nil)
		if fault := jsontext.Check(out, jsontext.Limits{Bytes: 64 << 20, Depth: 1000, Members: 1 << 22}); fault != nil {
			t.Fatalf("%s %s\nis answered with %s\n%v", op, in, out, fault)
		}
	})
}
