package lint

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/verbtest"
	"github.com/elicit-engine/elicit/internal/must"
)

func TestMain(m *testing.M) { os.Exit(verbtest.Apart{M: m}.Run()) }

// sarifSubset is the part of the SARIF 2.1.0 schema (OASIS, sarif-schema-2.1.0.json) that our logs use. Its required
// members and types are those of the standard. It allows no other members.
const sarifSubset = `{
 "type":"object","additionalProperties":false,"required":["version","runs"],
 "properties":{"$schema":{"type":"string","format":"uri"},"version":{"enum":["2.1.0"]},
   "runs":{"type":"array","minItems":1,"items":{"$ref":"#/$defs/run"}}},
 "$defs":{
  "text":{"type":"object","additionalProperties":false,"required":["text"],"properties":{"text":{"type":"string"}}},
  "said":{"type":"object","additionalProperties":false,"required":["text"],
    "properties":{"text":{"type":"string","minLength":1}}},
  "level":{"enum":["none","note","warning","error"]},
  "run":{"type":"object","additionalProperties":false,"required":["tool","results"],"properties":{
   "columnKind":{"enum":["utf16CodeUnits","unicodeCodePoints"]},
   "tool":{"type":"object","additionalProperties":false,"required":["driver"],
     "properties":{"driver":{"type":"object","additionalProperties":false,
     "required":["name"],"properties":{
     "name":{"type":"string","minLength":1},"version":{"type":"string"},
       "rules":{"type":"array","uniqueItems":true,"items":{"$ref":"#/$defs/rule"}}}}}},
   "results":{"type":"array","items":{"$ref":"#/$defs/result"}}}},
  "rule":{"type":"object","additionalProperties":false,"required":["id"],
    "properties":{"id":{"type":"string","pattern":"^[a-z0-9_]+$"},
   "shortDescription":{"$ref":"#/$defs/said"},"fullDescription":{"$ref":"#/$defs/said"},"help":{"$ref":"#/$defs/said"},
   "defaultConfiguration":{"type":"object","additionalProperties":false,
     "properties":{"level":{"$ref":"#/$defs/level"}}}}},
  "result":{"type":"object","additionalProperties":false,"required":["message"],
    "properties":{"ruleId":{"type":"string"},
    "ruleIndex":{"type":"integer","minimum":0},
   "level":{"$ref":"#/$defs/level"},"message":{"$ref":"#/$defs/said"},
     "locations":{"type":"array","items":{"$ref":"#/$defs/location"}},
   "fixes":{"type":"array","uniqueItems":true,"items":{"$ref":"#/$defs/fix"}}}},
  "location":{"type":"object","additionalProperties":false,"properties":{
   "physicalLocation":{"type":"object","additionalProperties":false,"required":["artifactLocation"],
     "properties":{"artifactLocation":{"$ref":"#/$defs/artifact"},
     "region":{"$ref":"#/$defs/region"}}},
   "logicalLocations":{"type":"array","items":{"type":"object","additionalProperties":false,
     "properties":{"fullyQualifiedName":{"type":"string"}}}}}},
  "artifact":{"type":"object","additionalProperties":false,"required":["uri"],
    "properties":{"uri":{"type":"string","minLength":1,"pattern":"^[!-~]+$"}}},
  "region":{"type":"object","additionalProperties":false,"required":["startLine"],
    "properties":{"startLine":{"type":"integer","minimum":1},
    "startColumn":{"type":"integer","minimum":1},
   "endLine":{"type":"integer","minimum":1},"endColumn":{"type":"integer","minimum":1}}},
  "fix":{"type":"object","additionalProperties":false,"required":["artifactChanges"],
    "properties":{"description":{"$ref":"#/$defs/said"},
    "artifactChanges":{"type":"array","minItems":1,"items":{
   "type":"object","additionalProperties":false,"required":["artifactLocation","replacements"],
     "properties":{"artifactLocation":{"$ref":"#/$defs/artifact"},
     "replacements":{"type":"array","minItems":1,"items":{
    "type":"object","additionalProperties":false,"required":["deletedRegion"],
      "properties":{"deletedRegion":{"$ref":"#/$defs/region"},
      "insertedContent":{"$ref":"#/$defs/text"}}}}}}}}}
 }}`

func TestSARIF(t *testing.T) {
	var doc jsonschema.Schema
	must.Unmarshal(t, sarifSubset, &doc)
	shape, err := doc.Resolve(nil)
	must.OK(t, err)
	dir := t.TempDir()
	t.Chdir(dir)
	for name, schema := range map[string]string{
		"plain.json": `{"type":"object","properties":{}}`,
		"with space.json": "{\"type\":\"object\",\n" +
			`"properties":{"größe":{"type":"string","enum":["a","a"],"enumNames":["A","B"]},` +
			"\"x\":{\"type\":\"object\"},\"pin\":{\"type\":\"string\"}},\n\"required\":[\"pin\",\"y\"]}",
		"broken.json": `{"type":`,
	} {
		must.Write(t, schema, dir, name)
	}
	for _, test := range []struct {
		name    string
		args    []string
		code    int
		results int // at least
	}{
		{"nothing found", []string{"plain.json"}, cli.Fine, 0},
		{"findings with fixes", []string{"with space.json"}, cli.Invalid, 6},
		{"no JSON", []string{"broken.json"}, cli.Invalid, 1},
		{"several files, one absolute", []string{"plain.json", filepath.Join(dir, "with space.json"), "broken.json"},
			cli.Invalid, 7},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out, complaints bytes.Buffer
			code := verbtest.Run(NewCommand(), append([]string{"lint", "--sarif"}, test.args...), nil, &out, &complaints)
			if code != test.code || complaints.Len() > 0 {
				t.Fatalf("exit code %d, want %d: %s", code, test.code, complaints.Bytes())
			}
			var v any
			must.Unmarshal(t, out.Bytes(), &v)
			if err := shape.Validate(v); err != nil {
				t.Fatalf("%v\n%s", err, out.Bytes())
			}
			checkSARIF(t, gjson.GetBytes(out.Bytes(), "runs.0"), test.results)
		})
	}
}

// checkSARIF checks rules that the schema does not express: each rule is listed once, each result points at its rule,
// no region ends before its start, and each fix changes its own file.
func checkSARIF(t *testing.T, run gjson.Result, results int) {
	t.Helper()
	if n := len(run.Get("results").Array()); n < results || results == 0 && n > 0 {
		t.Errorf("%d results, want %d", n, results)
	}
	rules := run.Get("tool.driver.rules.#.id").Array()
	seen := map[string]bool{}
	for _, rule := range rules {
		if seen[rule.Str] {
			t.Errorf("rule %s is listed twice", rule.Str)
		}
		seen[rule.Str] = true
	}
	for _, r := range run.Get("results").Array() {
		id, rule := r.Get("ruleId").Str, rules[r.Get("ruleIndex").Int()].Str
		if id != rule {
			t.Errorf("%s points at rule %s", id, rule)
		}
		place := r.Get("locations.0.physicalLocation")
		uri := place.Get("artifactLocation.uri").Str
		regions := []gjson.Result{place.Get("region")}
		for _, change := range r.Get("fixes.#.artifactChanges|@flatten").Array() {
			if at := change.Get("artifactLocation.uri").Str; at != uri {
				t.Errorf("%s in %s changes %s", id, uri, at)
			}
			regions = append(regions, change.Get("replacements.#.deletedRegion").Array()...)
		}
		for _, g := range regions {
			lines := g.Get("endLine").Int() - g.Get("startLine").Int()
			if lines < 0 || lines == 0 && g.Get("endColumn").Int() < g.Get("startColumn").Int() {
				t.Errorf("%s: region %s ends before it begins", id, g.Raw)
			}
		}
	}
}
