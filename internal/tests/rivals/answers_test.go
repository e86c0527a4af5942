package rivals

import (
	"encoding/json"
	"maps"
	"math/rand"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/elicit-engine/elicit/engine/schema"
)

type answerCase struct {
	Schema json.RawMessage `json:"schema"`
	Answer json.RawMessage `json:"answer"`
}

// TestAnswers checks that four validators refuse the same fields of an answer: ours, santhosh-tekuri/jsonschema, ajv
// and Python's jsonschema. The differences that FuzzAgainstSanthosh removes are removed here too. Texts with a format
// are left to FuzzFormats.
func TestAnswers(t *testing.T) {
	ajv, rival := node(t, "schema"), python(t, "schema")
	rows := []*difference{
		{rival: "ajv", why: "doubles"},     // a number of JavaScript has 53 bits (ECMA-262, 6.1.6.1), ours are decimals
		{rival: "Python", why: "patterns"}, // re: \w beyond ASCII, and $ before the end of a last line
	}
	refused, compared := 0, 0
	batches(*runs/16, func(r []*rand.Rand) {
		var cases []answerCase
		var forms []*schema.Form
		var ours []map[string]bool
		for _, r := range r {
			script := make([]byte, 40)
			r.Read(script)
			w := writer{script: script, plain: true}
			document, answer := w.form()
			form, problems := schema.Compile([]byte(document), schema.Options{})
			value, err := jsonschema.UnmarshalJSON(strings.NewReader(answer))
			if err != nil {
				t.Fatalf("%s: %v", answer, err)
			}
			dropRepeats(value)
			santhosh, err := rivalOf(document, nil)
			if err != nil {
				t.Fatal(document, err)
			}
			if form == nil {
				checkRefusal(t, document, answer, problems, refusedFields(santhosh.Validate(value)))
				continue
			}
			once, _ := json.Marshal(value)
			fields := map[string]bool{}
			for _, p := range form.Check([]byte(answer)) {
				fields[strings.Split(p.Pointer, "/")[1]] = true
			}
			refused += min(1, len(fields))
			ours = append(ours, fields)
			cases = append(cases, answerCase{json.RawMessage(document), once})
			forms = append(forms, form)
			if theirs := refusedFields(santhosh.Validate(value)); !sameNames(form, fields, slices.Collect(maps.Keys(theirs))) {
				t.Errorf("%s\n%s\nrefused here %v, by santhosh %v", document, answer, fields, theirs)
			}
		}
		byAjv, byPython := judged[[]string](t, ajv, cases), judged[[]string](t, rival, cases)
		for i, c := range cases {
			compared++
			if !sameNames(forms[i], ours[i], byPython[i]) && !(ownPattern.Match(c.Schema) && allow(rows, "Python", "patterns")) {
				t.Errorf("%s\n%s\nrefused here %v, by Python %v", c.Schema, c.Answer, ours[i], byPython[i])
			}
			if !sameNames(forms[i], ours[i], byAjv[i]) && !(beyondDoubles.Match(slices.Concat(c.Schema, c.Answer)) &&
				allow(rows, "ajv", "doubles")) {
				t.Errorf("%s\n%s\nrefused here %v, by ajv %v", c.Schema, c.Answer, ours[i], byAjv[i])
			}
		}
	})
	t.Logf("%d answers compared, %d refused", compared, refused)
	if refused < compared/5 || refused > compared*4/5 || compared < *runs/32 {
		t.Errorf("%d answers compared, %d refused", compared, refused)
	}
	shown(t, rows)
}

// beyondDoubles are numbers that a double rounds, and fractions that are divided.
var beyondDoubles = regexp.MustCompile(`\d{16}|"multipleOf":\d+\.`)

// ownPattern are the patterns of writer that package re reads otherwise.
var ownPattern = regexp.MustCompile(`"pattern":"(b\$|\^\[a-c\]\{2,3\}\$|\\\\d\\\\w)"`)

// sameNames reports that a list without repeats has the names of a set. A field that no value can meet is not in a
// form.
func sameNames(form *schema.Form, a map[string]bool, names []string) bool {
	names = slices.DeleteFunc(names, func(name string) bool { return form.Field(name) == nil })
	for _, name := range names {
		if !a[name] {
			return false
		}
	}
	return len(a) == len(names)
}
