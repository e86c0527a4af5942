package policy

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
)

const publishedSchema = "../../docs/policy.schema.json"

// readSchema reads the published schema as editors do.
func readSchema(t *testing.T) (*jsonschema.Schema, *jsonschema.Resolved) {
	t.Helper()
	var s jsonschema.Schema
	must.Unmarshal(t, must.Read(t, publishedSchema), &s)
	r, err := s.Resolve(nil)
	must.OK(t, err)
	return &s, r
}

// TestSchemaKeys compares the schema with the parser's tables, key by key and in order.
func TestSchemaKeys(t *testing.T) {
	raw := must.Read(t, publishedSchema)
	tests := []struct{ pointer, object string }{
		{"", "@this"},
		{"/approval_policy", "$defs.fallback.oneOf.1"},
		{"/approval_policy/granular", "$defs.fallback.oneOf.1.properties.granular"},
		{"/servers/*", "$defs.server"},
		{"/servers/*/tools/*", "$defs.tool"},
		{"/findings", "properties.findings"},
		{"/quiet", "properties.quiet"},
		{"/rules", "$defs.rule"},
		{"/rules/when", "$defs.when"},
	}
	for _, tt := range tests {
		object := gjson.GetBytes(raw, tt.object)
		var got []string
		object.Get("properties").ForEach(func(k, _ gjson.Result) bool {
			got = append(got, k.String())
			return true
		})
		if want := Keys(tt.pointer); len(want) == 0 {
			t.Errorf("the parser knows no key of %q", tt.pointer)
		} else if d := keyDifference(got, want); d != "" {
			t.Errorf("keys of %q in docs/policy.schema.json and in the parser: %s", tt.pointer, d)
		}
		if object.Get("additionalProperties").Raw != "false" {
			t.Errorf("%q lets unknown keys pass", tt.pointer)
		}
	}
	if got := Keys("/nothing"); got != nil {
		t.Errorf("Keys of an unknown object: %q", got)
	}
}

// keyDifference describes how the keys of the schema differ from the parser's, and is "" when they do not.
func keyDifference(schema, parser []string) string {
	lacks := func(list, in []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(key string) bool { return slices.Contains(in, key) })
	}
	missing, extra := lacks(parser, schema), lacks(schema, parser)
	var parts []string
	if len(missing) > 0 {
		parts = append(parts, fmt.Sprintf("the schema lacks %q", missing))
	}
	if len(extra) > 0 {
		parts = append(parts, fmt.Sprintf("the parser lacks %q", extra))
	}
	if len(parts) > 0 {
		return strings.Join(parts, "; ")
	}
	for i, key := range schema {
		if i >= len(parser) || key != parser[i] {
			return fmt.Sprintf("the same keys in another order; the first that differs is number %d, %q", i+1, key)
		}
	}
	if len(schema) < len(parser) {
		return fmt.Sprintf("the parser lists %q twice", parser[len(schema)])
	}
	return ""
}

func TestKeyDifference(t *testing.T) {
	for _, tt := range []struct{ schema, parser, want string }{
		{"a b c", "a b c", ""},
		{"a c", "a b c", `the schema lacks ["b"]`},
		{"a b c d", "a c", `the parser lacks ["b" "d"]`},
		{"a x", "a b", `the schema lacks ["b"]; the parser lacks ["x"]`},
		{"a c b", "a b c", `the same keys in another order; the first that differs is number 2, "c"`},
		{"a b b", "a b", `the same keys in another order; the first that differs is number 3, "b"`},
		{"a b", "a b b", `the parser lists "b" twice`},
	} {
		if got := keyDifference(strings.Fields(tt.schema), strings.Fields(tt.parser)); got != tt.want {
			t.Errorf("%s and %s: got %s want %s", tt.schema, tt.parser, got, tt.want)
		}
	}
}

// TestDocsListTheCriteria compares the table of criteria in docs/reference/policy.md with the parser's, in order.
func TestDocsListTheCriteria(t *testing.T) {
	_, table, _ := strings.Cut(must.Text(t, "../../docs/reference/policy.md"), "\n| criterion |")
	table, _, _ = strings.Cut(table, "\n\n")
	var got []string
	for _, row := range strings.Split(table, "\n")[1:] {
		cell, _, _ := strings.Cut(strings.TrimPrefix(row, "| "), " |")
		for i, word := range strings.Split(cell, "`") {
			if i%2 == 1 {
				got = append(got, word)
			}
		}
	}
	if d := keyDifference(got, Keys("/rules/when")); d != "" {
		t.Errorf("criteria in the table of docs/reference/policy.md (the schema here) and in the parser: %s", d)
	}
}

// TestSchemaWords compares every list of words with the parser's.
func TestSchemaWords(t *testing.T) {
	s, _ := readSchema(t)
	tests := []struct {
		name string
		at   *jsonschema.Schema
		want []string
	}{
		{"mode", s.Defs["fallback"].OneOf[0], approvalPolicyWords},
		{"approvals", s.Defs["approvals"], approvalWords},
		{"suggestions", s.Properties["suggestions"], suggestionWords},
		{"access", s.Properties["access"], accessWords},
		{"reviewer", s.Properties["reviewer"], reviewerWords},
		{"findings", s.Properties["findings"].Properties["decline"], thresholdWords},
		{"grants", s.Properties["grants"], grantWords},
		{"secrets", s.Properties["secrets"], secretWords},
		{"unknown", s.Properties["unknown"], unknownWords},
		{"quiet then", s.Properties["quiet"].Properties["then"], quietWords},
		{"then", s.Defs["rule"].Properties["then"], outcomeWords},
		{"side", s.Defs["side"].AnyOf[0], subjects[onSide].known},
		{"when mode", s.Defs["mode"].AnyOf[0], subjects[onMode].known},
		{"kind", s.Defs["kind"].AnyOf[0], subjects[onKind].known},
		{"granular", s.Defs["fallback"].OneOf[1].Properties["granular"], nil},
	}
	for _, tt := range tests {
		var got []string
		for _, v := range tt.at.Enum {
			got = append(got, v.(string))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: the schema has %q, the parser %q", tt.name, got, tt.want)
		}
	}
	if got := s.Defs["fallback"].OneOf[1].Properties["granular"].Required; !slices.Equal(got, granularNeeded) {
		t.Errorf("granular requires %q, want %q", got, granularNeeded)
	}
	if got := s.Properties["rules"].MaxItems; got == nil || *got != MaxRules {
		t.Errorf("rules have at most %v, want %d", got, MaxRules)
	}
	if got := s.Defs["pattern"].MaxLength; got == nil || *got != maxGlob {
		t.Errorf("patterns have at most %v, want %d", got, maxGlob)
	}
}

// unseen reports whether no JSON Schema can find the problem.
func unseen(p elicit.Problem, doc string) bool {
	switch p.Code {
	case "json_duplicate_key", "policy_duplicate_name", "policy_too_many_globs", "policy_dead_host":
		return true
	case "unknown_member":
		return strings.HasSuffix(p.Pointer, "/mode") // the earlier name beside approval_policy
	case "policy_unknown_version":
		return doc[p.Start:p.End] == "1.0" // to a schema the same number
	case "bad_glob":
		return strings.Contains(doc, "-") // a range may run backwards
	case "unknown_value":
		return strings.ContainsAny(doc[p.Start:p.End], `*?[\`) // only matching shows what a pattern can match
	}
	return false
}

// TestSchemaAgrees gives every policy of the vectors, of the documentation and of this package's tests to the schema
// and to the parser.
func TestSchemaAgrees(t *testing.T) {
	_, schema := readSchema(t)
	right, wrong, blind := 0, 0, 0
	for _, doc := range everyPolicy(t) {
		_, problems := Parse(User, []byte(doc))
		var v any
		err := json.Unmarshal([]byte(doc), &v)
		if err == nil {
			err = schema.Validate(v)
		}
		switch {
		case len(problems) == 0 && err != nil:
			t.Errorf("the parser has no complaint, the schema says %v\n%s", err, doc)
		case len(problems) == 0:
			right++
		case err != nil:
			wrong++
		case slices.ContainsFunc(problems, func(p elicit.Problem) bool { return !unseen(p, doc) }):
			t.Errorf("the schema has no complaint, the parser says %v\n%s", problems, doc)
		default:
			blind++
		}
	}
	t.Logf("%d right, %d wrong in both, %d wrong in ways a schema cannot see", right, wrong, blind)
	if right < 80 || wrong < 40 || blind > (right+wrong)/30 {
		t.Errorf("%d right, %d wrong, %d unseen: the documents have lost their subject", right, wrong, blind)
	}
}

func everyPolicy(t *testing.T) (docs []string) {
	for _, rule := range brokenRules {
		docs = append(docs, `{"version":1,"rules":[`+rule+`]}`)
	}
	docs = append(docs, `{"$schema":"policy.schema.json","version":1}`, `{"$schema":1,"version":1}`,
		`{"schema":"x","version":1}`)
	for _, tt := range parseTests {
		docs = append(docs, tt.doc)
	}
	for _, v := range vectors.Read(t) {
		var in struct{ Policy json.RawMessage }
		var layers map[string]json.RawMessage
		if v.Op != "decide" || json.Unmarshal(v.In, &in) != nil || json.Unmarshal(in.Policy, &layers) != nil {
			continue
		}
		for name, layer := range layers {
			doc := string(layer)
			if strings.HasSuffix(name, "_text") && json.Unmarshal(layer, &doc) != nil || strings.HasSuffix(name, "_base64") {
				continue
			}
			docs = append(docs, doc)
		}
	}
	return append(docs, documented(t)...)
}

// documented returns the policies in docs/reference/policy.md. A block that begins with a list is a file of cases.
func documented(t *testing.T) (docs []string) {
	for _, block := range strings.Split(must.Text(t, "../../docs/reference/policy.md"), "```json\n")[1:] {
		doc, _, _ := strings.Cut(block, "```")
		if strings.HasPrefix(doc, "{") {
			docs = append(docs, doc)
		}
	}
	if len(docs) < 6 {
		t.Fatalf("%d policies in docs/reference/policy.md", len(docs))
	}
	return docs
}

// TestSchemaPatterns compares the schema's grammar of patterns with the compiler's, on random spellings.
func TestSchemaPatterns(t *testing.T) {
	s, _ := readSchema(t)
	pattern, err := (&jsonschema.Schema{Pattern: s.Defs["pattern"].Pattern}).Resolve(nil)
	must.OK(t, err)
	r := rand.New(rand.NewSource(5))
	good := 0
	for range 20_000 {
		var b strings.Builder
		for range r.Intn(9) {
			b.WriteString(pick(r, "a", "-", "]", "!", "[", `\`, "*", "é", "\n"))
		}
		_, fault := compileGlob(b.String(), exactCase)
		if fault == "a range runs backwards" {
			continue
		}
		if got, want := pattern.Validate(b.String()) == nil, fault == ""; got != want {
			t.Fatalf("%q: the schema says %v, the compiler %q", b.String(), got, fault)
		}
		if fault == "" {
			good++
		}
	}
	if good < 2000 {
		t.Errorf("only %d good patterns", good)
	}
}
