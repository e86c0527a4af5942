package guests_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/internal/must"
	guestmodule "github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/guests"
	"github.com/elicit-engine/elicit/plugins/host"
)

// TestMembersOfCEL holds that the guardian cel knows the members of a request, their types and their words as the
// schema of questions has them.
func TestMembersOfCEL(t *testing.T) {
	schema := must.Read(t, "../schema/question.schema.json")
	h := host.New(host.Options{Compiler: true})
	defer h.Close()
	m, problems := h.Load(guests.Module("cel"), guestmodule.Options{})
	if problems != nil {
		t.Fatal(problems)
	}
	refused := func(when string) string {
		rule, _ := json.Marshal(map[string]any{"rules": []any{map[string]any{"code": "c", "when": when}}})
		r := h.CheckSettings(host.Evaluation{Digest: m.Digest, Question: rule})
		return gjson.GetBytes(r.Output, "problems.0.message").String()
	}
	defs := gjson.ParseBytes(schema).Map()["$defs"].Map()
	count := 0
	var walk func(v gjson.Result, at, before, after string)
	walk = func(v gjson.Result, at, before, after string) {
		if ref := v.Map()["$ref"].Str; ref != "" {
			v = defs[strings.TrimPrefix(ref, "#/$defs/")]
		}
		rule := func(condition string) string { return before + condition + after }
		count++
		if v.Get("properties").Exists() {
			v.Get("properties").ForEach(func(k, v gjson.Result) bool {
				if why := refused(rule("has(" + at + "." + k.Str + ")")); why != "" {
					t.Errorf("%s.%s is refused: %s", at, k.Str, why)
				}
				walk(v, at+"."+k.Str, before, after)
				return true
			})
			if refused(rule(at+".sever == 'a'")) == "" {
				t.Errorf("%s.sever is taken", at)
			}
			return
		}
		item := v.Get("items")
		if either := item.Get("anyOf.1"); either.Exists() {
			item = either // null where nothing of it is shown
		}
		if item.Map()["$ref"].Exists() || item.Get("properties").Exists() {
			name := "x" + strings.Repeat("x", strings.Count(before, "exists"))
			walk(item, name, before+at+".exists("+name+", ", ")"+after)
			return
		}
		good, bad := []string{}, ""
		switch {
		case v.Get("enum").Exists():
			for _, word := range v.Get("enum").Array() {
				good = append(good, "'"+word.Str+"'")
			}
			bad = "'sever'"
		case v.Get("type").Str == "string":
			good, bad = []string{"'a'"}, "1"
		case v.Get("type").Str == "boolean":
			good, bad = []string{"true"}, "'true'"
		case slices.Contains([]string{"integer", "number"}, v.Get("type").Str):
			good, bad = []string{"1", "1.5"}, "'1'"
		default:
			return
		}
		for _, value := range good {
			if why := refused(rule(at + " == " + value)); why != "" {
				t.Errorf("%s == %s: %s", at, value, why)
			}
		}
		if why := refused(rule(bad + " != " + at)); !strings.HasPrefix(why, "compares a member with ") {
			t.Errorf("%s != %s: got %q", bad, at, why)
		}
	}
	walk(gjson.GetBytes(schema, "properties.request"), "request", "", "")
	if count < 50 {
		t.Errorf("%d members; the schema has lost some", count)
	}
}
