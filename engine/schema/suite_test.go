package schema

import (
	"cmp"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
)

// suiteDir holds the cases of the JSON-Schema-Test-Suite (draft 2020-12) that apply to a form, with their licence. A
// schema of the suite becomes the schema of one field, and an instance becomes its value.
const suiteDir = "../../testdata/json-schema-test-suite"

// suiteFloor is the fewest verdicts that must be compared, so that the test fails if it finds no cases.
const suiteFloor = 380

type suiteGroup struct {
	Description string
	Schema      json.RawMessage
	Tests       []struct {
		Description string
		Data        json.RawMessage
		Valid       bool
	}
}

// suiteRun counts the results of the cases.
type suiteRun struct {
	t                                  *testing.T
	ran, agreed, refused, asked, known int
	codes                              map[string]int
	used                               map[string]bool // differences that occurred
}

func TestJSONSchemaTestSuite(t *testing.T) {
	run := &suiteRun{t: t, codes: map[string]int{}, used: map[string]bool{}}
	paths, err := filepath.Glob(suiteDir + "/*.json")
	for _, dir := range []string{"/optional", "/optional/format"} {
		more, e := filepath.Glob(suiteDir + dir + "/*.json")
		paths, err = append(paths, more...), cmp.Or(err, e)
	}
	must.OK(t, err)
	for _, path := range paths {
		raw := must.Read(t, path)
		var groups []suiteGroup
		if err := json.Unmarshal(raw, &groups); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for _, group := range groups {
			run.group(strings.TrimSuffix(filepath.Base(path), ".json"), group)
		}
	}
	for name := range suiteDifferences {
		if !run.used[name] {
			t.Errorf("the difference %q is not there", name)
		}
	}
	t.Logf("%d ran: %d agreed, %d differ for a listed reason; %d refused by name; %d ask of another type", run.ran,
		run.agreed, run.known, run.refused, run.asked)
	for _, code := range slices.Sorted(maps.Keys(run.codes)) {
		t.Logf("refused: %-24s %d", code, run.codes[code])
	}
	if run.ran < suiteFloor {
		t.Errorf("only %d cases ran, want %d", run.ran, suiteFloor)
	}
}

func (run *suiteRun) group(file string, group suiteGroup) {
	document, wrap, typed := suiteForm(group.Schema)
	form, problems := Compile(document, Options{})
	if form == nil {
		run.refused += len(group.Tests)
		run.codes[problems[0].Code] += len(group.Tests)
		return
	}
	for _, test := range group.Tests {
		if kind := suiteKind(test.Data); typed != "" && kind != typed && !(kind == "integer" && typed == "number") {
			run.asked++ // the suite's schema allows any other type; a field always has one type
			continue
		}
		answer := test.Data
		if wrap {
			answer = slices.Concat([]byte(`{"v":`), test.Data, []byte(`}`))
		}
		name := file + " / " + group.Description + " / " + test.Description
		found := form.Check(answer)
		run.ran++
		switch why := suiteDifference(file, group.Description, test.Description, run.used); {
		case (found == nil) == test.Valid:
			run.agreed++
		case why != "":
			run.known++
		default:
			run.t.Errorf("%s: valid %v, want %v\n  %s\n  %s", name, found == nil, test.Valid, document, answer)
		}
	}
}

// suiteForm makes a form of a schema. A schema of an object is the form itself. Any other schema becomes the field v.
// If it names no type, it gets the type that its keywords belong to; typed is that type.
func suiteForm(schema []byte) (document []byte, wrap bool, typed string) {
	var members map[string]json.RawMessage
	if json.Unmarshal(schema, &members) == nil {
		_, object := members["properties"]
		if object {
			if members["type"] != nil {
				return schema, false, ""
			}
			return slices.Concat([]byte(`{"type":"object",`), schema[1:]), false, "object"
		}
		if _, has := members["type"]; !has {
			if typed = suiteType(members); typed != "" {
				schema = slices.Concat([]byte(`{"type":"`+typed+`",`), schema[1:])
			}
		}
	}
	return slices.Concat([]byte(`{"type":"object","properties":{"v":`), schema, []byte(`},"required":["v"]}`)), true, typed
}

// suiteType returns the type that the keywords of a schema belong to, or the type of all its options.
func suiteType(members map[string]json.RawMessage) (typed string) {
	for _, has := range []struct{ typed, keywords string }{
		{"string", "minLength maxLength pattern format"},
		{"number", "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf"},
		{"array", "items minItems maxItems uniqueItems"},
	} {
		for keyword := range strings.FieldsSeq(has.keywords) {
			if members[keyword] != nil {
				return has.typed
			}
		}
	}
	var options []json.RawMessage
	if json.Unmarshal(members["enum"], &options) != nil {
		options = []json.RawMessage{members["const"]}
	}
	for i, option := range options {
		if kind := suiteKind(option); i > 0 && kind != typed || kind == "null" || kind == "" {
			return ""
		} else {
			typed = kind
		}
	}
	return typed
}

func suiteKind(raw []byte) string {
	if len(raw) == 0 {
		return ""
	}
	return kindOf(raw).String()
}

// suiteDifferences are the verdicts that differ from the suite's, and why.
var suiteDifferences = map[string]string{
	"enum / heterogeneous enum-with-null validation / null is valid": "null is never sent: a field left empty is left out",
}

func suiteDifference(file, group, test string, used map[string]bool) string {
	for _, name := range []string{file + " / " + group + " / " + test, file + " / " + group, file} {
		if why := suiteDifferences[name]; why != "" {
			used[name] = true
			return why
		}
	}
	return ""
}
