package rivals

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/schema"
)

// FuzzAgainstSanthosh checks that another validator refuses the same fields of an answer. The schemas are of the subset
// that both read, and the answers are near the limits. Three differences are removed first:
//
// - formats are the grammars of their RFCs, because the rival's own readers differ (TestRivalFormatsDiffer);
// - a list of choices has no repeats, because a repeated choice counts once and Fill drops it;
// - a field that no value can meet is left out, or the schema is refused where it is required. The rival must then
// refuse the value.
func FuzzAgainstSanthosh(f *testing.F) {
	for _, seed := range []string{"", "\x00\x01\x02\x03\x04\x05\x06\x07", "\x01\x05\x03\x01\x07\x02\x0a\x0b",
		"\x02\x09\x01\x03\x03\x03\x05\x08\x01",
		"\x04\x02\x01\x00\x01", "\x05\x02\x02\x01\x03\x02\x01\x01\x00", "\x06\x00\x01\x03", "\x06\x03\x02\x04\x01\x00\x09"} {
		f.Add([]byte(seed))
	}
	formats := grammarFormats()
	f.Fuzz(func(t *testing.T, script []byte) {
		w := writer{script: script}
		document, answer := w.form()
		form, problems := schema.Compile([]byte(document), schema.Options{})
		rival, err := rivalOf(document, formats)
		if err != nil {
			t.Fatalf("%s: the rival's %v", document, err)
		}
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(answer))
		if err != nil {
			t.Fatalf("%s: %v", answer, err)
		}
		dropRepeats(value)
		theirs := refusedFields(rival.Validate(value))
		if form == nil {
			checkRefusal(t, document, answer, problems, theirs)
			return
		}
		ours := map[string]bool{}
		for _, p := range form.Check([]byte(answer)) {
			ours[strings.Split(p.Pointer, "/")[1]] = true
		}
		maps.DeleteFunc(theirs, func(name string, _ bool) bool { return form.Field(name) == nil })
		if !maps.Equal(ours, theirs) {
			t.Fatalf("%s\n%s\nrefused here %v, by the rival %v", document, answer, ours, theirs)
		}
	})
}

// dropRepeats removes repeated texts from the lists of an answer.
func dropRepeats(answer any) {
	fields, _ := answer.(map[string]any)
	for name, value := range fields {
		list, _ := value.([]any)
		var kept []any
		for _, item := range list {
			if _, text := item.(string); !text || !slices.Contains(kept, item) {
				kept = append(kept, item)
			}
		}
		if len(kept) < len(list) {
			fields[name] = kept
		}
	}
}

// rivalOf compiles a schema with the rival, with the given formats.
func rivalOf(document string, formats []*jsonschema.Format) (*jsonschema.Schema, error) {
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(document))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	for _, format := range formats {
		c.RegisterFormat(format)
	}
	if err := c.AddResource("form.json", value); err != nil {
		return nil, err
	}
	return c.Compile("form.json")
}

// refusedFields returns the members of an answer that a validation reports.
func refusedFields(err error) map[string]bool {
	fields := map[string]bool{}
	var visit func(e *jsonschema.ValidationError)
	visit = func(e *jsonschema.ValidationError) {
		if missing, ok := e.ErrorKind.(*kind.Required); ok {
			for _, name := range missing.Missing {
				fields[name] = true
			}
		} else if len(e.InstanceLocation) > 0 {
			fields[e.InstanceLocation[0]] = true
		}
		for _, cause := range e.Causes {
			visit(cause)
		}
	}
	var all *jsonschema.ValidationError
	if errors.As(err, &all) {
		visit(all)
	}
	return fields
}

// checkRefusal checks that a schema is refused for one of two reasons only. Either its limits are not of the field's
// type; such limits mean nothing to the rival and are rounded here. Or its limits contradict each other, so that no
// value is valid.
func checkRefusal(t *testing.T, document, answer string, problems []elicit.Problem, theirs map[string]bool) {
	t.Helper()
	for _, p := range problems {
		field := strings.Split(p.Pointer, "/")[2]
		_, given, _ := strings.Cut(answer, `"`+field+`":`)
		switch {
		case p.Code == "not_integer" && strings.Contains(document, `"integer"`):
		case p.Code == "contradictory_bounds" && (given == "" || theirs[field]):
		default:
			t.Fatalf("%s\n%s\nproblem %s, refused by the rival %v", document, answer, p.AppendJSON(nil), theirs)
		}
	}
}

// writer makes a schema and an answer from bytes, so that the fuzzer can vary one decision at a time.
type writer struct {
	script []byte
	plain  bool // no text has a format
}

// below takes the next decision among n. After the end of the script, every decision is 0.
func (w *writer) below(n int) int {
	if len(w.script) == 0 {
		return 0
	}
	b := w.script[0]
	w.script = w.script[1:]
	return int(b) % n
}

func (w *writer) of(choices ...string) string { return choices[w.below(len(choices))] }

// form writes one to three fields and an answer. The answer may leave out a field, add one, or have a wrong type.
func (w *writer) form() (document, answer string) {
	var fields, required, values []string
	for i := range 1 + w.below(3) {
		name := fmt.Sprintf(`"f%d"`, i)
		schema, value := w.field()
		fields = append(fields, name+":"+schema)
		if w.below(2) == 0 {
			required = append(required, name)
		}
		if w.below(8) != 7 {
			values = append(values, name+":"+value)
		}
	}
	document = `{"type":"object","properties":{` + strings.Join(fields, ",") + `},"required":[` + strings.Join(required,
		",") + `]}`
	return document, "{" + strings.Join(values, ",") + "}"
}

func (w *writer) field() (schema, value string) {
	var typed string
	switch w.below(8) {
	case 0:
		typed, value = "string", w.text()
		schema = w.some("minLength", "0", "1", "2", "3") + w.some("maxLength", "2", "3", "4", "5") +
			w.some("pattern", `"^a"`, `"b$"`, `"^[a-c]{2,3}$"`, `"a|é"`, `"\\d\\w"`)
	case 1:
		typed, value = "string", w.choice()
		if !w.plain {
			schema, value = w.format()
		}
	case 2, 3:
		typed, value = w.of("number", "integer"), w.number()
		schema = w.some("minimum", numbers...) + w.some("maximum", numbers...) + w.some("exclusiveMinimum", numbers...) +
			w.some("exclusiveMaximum", numbers...) + w.some("multipleOf", "1", "2", "0.1", "0.01", "3", "1e2", "2.50")
	case 4:
		typed, value = "boolean", w.of("true", "false")
	case 5:
		typed, value = "string", w.choice()
		schema = `,"enum":` + w.of(`["a","b","c"]`, `["a","\u00e9",""]`, `["b"]`)
	case 6:
		typed, value = w.of("number", "integer"), w.number()
		schema = `,"enum":` + w.of(`[1,2,-3]`, `[0,100,9007199254740993]`,
			`[1,2,3,-1,100,0,9007199254740992,9007199254740994,-0.7e1,12]`)
	default:
		var values []string
		for range w.below(5) {
			values = append(values, w.choice())
		}
		typed, value = "array", "["+strings.Join(values, ",")+"]"
		schema = `,"items":{"type":"string","enum":["a","b","c","\u00e9"]}` + w.some("minItems", "0", "1", "2", "3") +
			w.some("maxItems", "1", "2", "3", "4") + `,"uniqueItems":` + w.of("false", "true")
	}
	if w.below(16) == 15 {
		value = w.of("null", "[]", "{}", `"1"`, "1", "true", `["a",1]`, `[["a"]]`)
	}
	return `{"type":"` + typed + `"` + schema + `}`, value
}

// some returns a keyword with one of its values, in half of the cases.
func (w *writer) some(keyword string, values ...string) string {
	if w.below(2) == 0 {
		return ""
	}
	return `,"` + keyword + `":` + w.of(values...)
}

func (w *writer) choice() string {
	return w.of(`"a"`, `"b"`, `"c"`, `"\u00e9"`, `"é"`, `""`, `"A"`, `"\u0061"`)
}

func (w *writer) text() string {
	var b bytes.Buffer
	for range w.below(7) {
		b.WriteString(w.of("a", "b", "c", "é", "😀", `\u0061`, `\ud83d\ude00`, "1", `\n`, " "))
	}
	return `"` + b.String() + `"`
}

var numbers = []string{"0", "-0", "1", "2", "3", "-1", "0.1", "0.3", "1.0", "1.50", "3e0", "1e2", "100",
	"9007199254740993",
	"9007199254740992", "9007199254740992.0", "1e-3", "0.30000000000000004", "123456789012345678901234567890"}

func (w *writer) number() string {
	if w.below(2) == 0 {
		return w.of(numbers...)
	}
	return fmt.Sprintf("%s%d.%d%s", w.of("", "-"), w.below(12), w.below(100), w.of("", "e1", "e-1", "E+2"))
}

// pieces are the parts that values of each format are built from. The first is a good beginning.
var pieces = map[schema.Format][]string{
	schema.Email: {"a@b", "a", ".", "@", "b.c", "+", "-", "x", "[127.0.0.1]", `\"q\"`, "[IPv6:::1]"},
	schema.URI: {"http://h", "http", ":", "//", "h", "/", "?q", "#f", "%41", "%", " ", ":80", "[::1]", "u@", "[v1.a]",
		"é"},
	schema.Date: {"2024-02-", "2024", "-", "02", "29", "2023", "13", "00", "-02-29", "0000"},
	schema.DateTime: {"2024-02-29T12:00:00", "2024-02-29", "T", "23:59:59", "Z", "+01:00", ".5", "t", "z", "23:59:60",
		"24:00:00", "-00:00", " "},
	schema.Time:     {"12:00:00", "Z", "+01:00", ".5", "23:59:60", "00:59:60", "+1:00:00", "z", "-23:59", "+24:00", "."},
	schema.UUID:     {"f81d4fae-7dec-11d0-a765-", "00a0c91e6bf6", "f81d4fae", "-", "7dec", "G", "A765"},
	schema.IPv4:     {"1.2.3", "1", ".", "255", "256", "01", "+1", ".4"},
	schema.IPv6:     {"1::", ":", "1", "ffff", "::", "1.2.3.4", "00000", "%1", "g"},
	schema.Hostname: {"a.b", "a", ".", "-", "x1", "_", "é", strings.Repeat("l", 63)},
}

// format returns the keyword of a format, and a value built from pieces that matter to the format.
func (w *writer) format() (keyword, value string) {
	format := schema.Email + schema.Format(w.below(int(schema.Hostname)))
	from := pieces[format]
	var b strings.Builder
	if w.below(2) == 1 {
		b.WriteString(from[0])
	}
	for range w.below(6) {
		b.WriteString(w.of(from...))
	}
	return `,"format":"` + format.String() + `"`, `"` + b.String() + `"`
}
