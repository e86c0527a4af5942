// Package policymodel compares the engine with testdata/policymodel/policy.py, a second reading of docs/policy.md.
package policymodel

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand"
	"os/exec"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/internal/must"
)

var (
	rounds = flag.Int("rounds", 10_000, "how many stacks TestModel draws")
	seed   = flag.Int64("seed", 1, "the first seed; each stack has its own")
)

type layer [2]string // the layer's name and the text of its file

type question struct {
	Layers  []layer        `json:"layers"`
	Facts   map[string]any `json:"facts"`
	Finding string         `json:"finding,omitempty"`
}

// TestModel draws stacks and questions. The engine and the model must decide alike.
func TestModel(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Fatal("the model needs python3")
	}
	model := exec.Command(python, "../../../testdata/policymodel/policy.py")
	var fault strings.Builder
	model.Stderr = &fault
	in, out := must.Start(t, model)
	seen, failed := map[string]int{}, 0
	answers := bufio.NewScanner(out)
	for i := range *rounds {
		q := someQuestion(rand.New(rand.NewSource(*seed + int64(i))))
		text, err := json.Marshal(q)
		must.OK(t, err)
		if _, err := fmt.Fprintf(in, "%s\n", text); err != nil || !answers.Scan() {
			in.Close()
			model.Wait()
			t.Fatalf("seed %d: the model ended: %v\n%s\n%s", *seed+int64(i), err, fault.String(), text)
		}
		d := decide(t, q)
		if seen[d.Outcome.String()]++; d.Outcome.String() != answers.Text() {
			t.Errorf("seed %d: the engine decides %v, the model %s\n%s\n%v", *seed+int64(i), d.Outcome, answers.Text(), text,
				d.Reasons)
			if failed++; failed > 20 {
				break
			}
		}
	}
	in.Close()
	if err := model.Wait(); err != nil {
		t.Error(err, fault.String())
	}
	for o := policy.Accept; o <= policy.Decline; o++ {
		if n := seen[o.String()]; n < *rounds/100 && failed == 0 {
			t.Errorf("%v was decided only %d times", o, n)
		}
	}
}

func decide(t *testing.T, q question) policy.Decision {
	var files []*policy.Policy
	for _, l := range q.Layers {
		for _, at := range policy.Layers() {
			if at.String() == l[0] {
				p, _ := policy.Parse(at, []byte(l[1]))
				files = append(files, p)
			}
		}
	}
	doc, _ := json.Marshal(q.Facts)
	facts, problem := policy.ReadFacts(doc)
	if problem != nil {
		t.Fatalf("%s: %+v", doc, problem)
	}
	var findings []elicit.Finding
	if q.Finding != "" {
		findings = []elicit.Finding{{Code: "x", Severity: elicit.Severity(q.Finding)}}
	}
	s := policy.NewStack(files...)
	return s.Tighten(s.Decide(&facts), findings)
}

func pick[T any](r *rand.Rand, list ...T) T { return list[r.Intn(len(list))] }

func some(r *rand.Rand, list ...string) []string {
	out := []string{}
	for range r.Intn(3) {
		out = append(out, pick(r, list...))
	}
	return out
}

func someQuestion(r *rand.Rand) question {
	q := question{Layers: []layer{}, Facts: someFacts(r), Finding: pick(r, "", "", "", "", "medium", "high", "critical")}
	for _, l := range policy.Layers() {
		if r.Intn(5) < 2 {
			q.Layers = append(q.Layers, layer{l.String(), someFile(r)})
		}
	}
	return q
}

func someFacts(r *rand.Rand) map[string]any {
	f := map[string]any{"server": pick(r, "build", "docs", "x"), "side": pick(r, "answering", "asking")}
	maybe := func(in int, key string, value any) {
		if r.Intn(in) == 0 {
			f[key] = value
		}
	}
	flags := func(in int, keys ...string) {
		for _, key := range keys {
			maybe(in, key, true)
		}
	}
	maybe(2, "tool", pick(r, "deploy", "read", "lint"))
	maybe(2, "annotations", someNotes(r))
	maybe(2, "granted", "g")
	maybe(2, "at", r.Int63n(1<<42))
	maybe(4, "labels", some(r, "read_secret", "fetched:a.example.com", "fetched:*", "changed_settings", "odd", "*"))
	f["message"] = pick(r, "Deploy now?", "Your PASSWORD please", "", "pa\u200bssword", "Your ｐassword", "secret é")
	flags(10, "message_cut", "candidates_cut")
	flags(3, "hasty", "auto_review_allowed", "host_shows_forms", "root_thread")
	flags(6, "strict_review", "persistable")
	if r.Intn(6) == 0 {
		var list []any
		for range 1 + r.Intn(2) {
			list = append(list, map[string]any{"tool": pick(r, "deploy", "read", "lint"), "annotations": someNotes(r)})
		}
		f["candidates"] = list
	}
	f["mode"] = "form"
	switch r.Intn(6) {
	case 0:
		f["kind"] = pick(r, "form", "form", "suggestion")
		fields := []any{}
		for range r.Intn(3) {
			fields = append(fields, map[string]any{"name": pick(r, "name", "token"), "sensitive": r.Intn(2) == 0})
		}
		f["fields"] = fields
		flags(2, "fillable")
		maybe(4, "claim", pick(r, "approval", "malformed", "suggestion"))
	case 1:
		f["kind"], f["mode"] = "url", "url"
		f["host"], f["scheme"] = pick(r, "example.com", "a.Example.com.", "b.test"), pick(r, "https", "HTTP")
		maybe(4, "claim", pick(r, "approval", "malformed"))
	case 2:
		f["kind"] = "confirm"
		maybe(3, "claim", pick(r, "malformed", "suggestion"))
	case 3:
		f["kind"], f["claim"] = "approval", "approval"
	default:
		f["kind"], f["claim"] = "approval", pick(r, "", "approval")
		f["does"] = pick(r, "command", "patch", "permissions", "tool")
		f["paths"] = some(r, "/srv/app/x", "/srv/app", "/SRV/app/y", "/srv/app/../z", "/opt/data/a.md")
		f["reach_cut"] = r.Intn(5) == 0
		maybe(2, "outside", r.Intn(2) == 0)
		maybe(2, "cwd", pick(r, "/srv/app", "/srv/./app", "/srv/../app"))
		flags(4, "dangerous")
		if f["does"] == "command" {
			maybe(2, "command", pick(r, "ls -l", "head notes", "cat ls"))
		} else {
			f["hosts"] = some(r, "example.com", "a.example.com", "b.test")
		}
	}
	return f
}

func someNotes(r *rand.Rand) map[string]bool {
	notes := map[string]bool{}
	for _, key := range []string{"read_only", "destructive", "idempotent", "open_world"} {
		if r.Intn(2) == 0 {
			notes[key] = r.Intn(2) == 0
		}
	}
	return notes
}

func someFile(r *rand.Rand) string {
	if r.Intn(40) == 0 {
		return pick(r, "{", "[]", `{"version":2}`)
	}
	f := map[string]any{"version": 1}
	set := func(in int, key string, value any) {
		if r.Intn(in) == 0 {
			f[key] = value
		}
	}
	set(2, "approval_policy", somePolicy(r))
	set(2, "access", pick(r, "full", "full", "sandboxed"))
	set(2, "reviewer", pick(r, "auto_review", "auto_review", "user"))
	set(4, "findings", map[string]any{"decline": pick(r, "critical", "high", "medium", "never")})
	set(8, "unknown", pick(r, "ask", "decline", "dcline"))
	set(5, "quiet", map[string]any{"from": pick(r, "22:00", "01:30"), "to": pick(r, "07:00", "23:15"), "offset": "Z",
		"then": pick(r, "cancel", "decline")})
	set(2, "servers", map[string]any{pick(r, "build", "docs"): someServer(r, true)})
	rules := []any{}
	for range r.Intn(4) {
		rule := map[string]any{"when": someWhen(r, 0),
			"then": pick(r, "ask", "review", "accept", "accept", "cancel", "decline")}
		if r.Intn(3) == 0 {
			rule["unless"] = someWhen(r, 1)
		}
		if r.Intn(20) == 0 {
			rule["then"] = "allow"
		}
		rules = append(rules, rule)
	}
	f["rules"] = rules
	text, _ := json.Marshal(f)
	return string(text)
}

func somePolicy(r *rand.Rand) any {
	if r.Intn(3) == 0 {
		flags := map[string]bool{}
		for _, key := range []string{"mcp_elicitations", "sandbox_approval", "rules", "request_permissions"} {
			flags[key] = r.Intn(3) > 0
		}
		return map[string]any{"granular": flags}
	}
	return pick(r, "untrusted", "on-request", "on-failure", "never", "never", "nevr")
}

func someServer(r *rand.Rand, server bool) map[string]any {
	s := map[string]any{}
	if server {
		s["trust"] = r.Intn(3) > 0
		s["tools"] = map[string]any{pick(r, "read", "deploy"): someServer(r, false)}
	}
	if r.Intn(3) == 0 {
		s["approval_policy"] = somePolicy(r)
		for s["approval_policy"] == "nevr" { // the problem would change approvals too
			s["approval_policy"] = somePolicy(r)
		}
	}
	if r.Intn(2) == 0 {
		s["approvals"] = pick(r, "approve", "auto", "writes", "prompt")
	}
	return s
}

func someWhen(r *rand.Rand, least int) map[string]any {
	all := map[string][]any{
		"server": {"b*", "docs", "[bd]*"}, "tool": {"deploy", "r?ad", "*"}, "side": {"asking"}, "mode": {"url", "form"},
		"kind": {"confirm", "approval", "form", "url"}, "message": {"*password*", "deploy*", "*SECRET e*"},
		"field": {"tok?n", "name"}, "sensitive": {true, false}, "host": {"*.example.com", "example.com", "*"},
		"scheme": {"https", "htt*"}, "command": {"ls *", "head notes", "*ls"}, "cwd": {"/srv/*", "/srv/app", "/app"},
		"does": {"command", "patch", "permissions", "tool"}, "path": {"/srv/app/*", "*.md", "/srv/app/x", "/srv/*"},
		"outside": {true, false}, "dangerous": {true, false}, "hasty": {true, false},
		"label": {"read_secret", "fetched", "c*"}, "fetched_from": {"*.example.com", "*", "b.test"},
		"read_only": {true, false}, "destructive": {true, false}, "idempotent": {true, false}, "open_world": {true, false},
	}
	keys := strings.Fields("server tool side mode kind message field sensitive host scheme command cwd does path " +
		"outside dangerous hasty label fetched_from read_only destructive idempotent open_world")
	when := map[string]any{}
	for range max(least, r.Intn(3)) {
		key := pick(r, keys...)
		value := pick(r, all[key]...)
		if _, flag := value.(bool); !flag && r.Intn(4) == 0 {
			value = []any{value, pick(r, all[key]...)}
		}
		when[key] = value
	}
	if r.Intn(25) == 0 {
		when["servr"] = "x"
	}
	return when
}
