package abi

import (
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
