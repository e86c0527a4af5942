package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// FuzzAgainstSanthosh holds that an answer gets the verdict another validator gives it, for schemas of the subset that
// both read and answers near the limits. What the two may differ in is listed at justified.
func FuzzAgainstSanthosh(f *testing.F) {
	for _, seed := range []string{"", "\x00\x01\x02\x03\x04\x05\x06\x07", "\x01\x05\x03\x01\x07\x02\x0a\x0b", "\x02\x09\x01\x03\x03\x03\x05\x08\x01",
		"\x04\x02\x01\x00\x01", "\x05\x02\x02\x01\x03\x02\x01\x01\x00", "\x06\x00\x01\x03", "\x06\x03\x02\x04\x01\x00\x09"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		w := writer{script: script}
		document, answer := w.form()
		form, problems := Compile([]byte(document), Options{})
		rival, err := rivalOf(document)
		switch {
		case form == nil && refusable[problems[0].Code]:
			return
		case form == nil || err != nil:
			t.Fatalf("%s: problems %v, rival's %v", document, problems, err)
		}
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(answer))
		if err != nil {
			t.Fatalf("%s: %v", answer, err)
		}
		found, theirs := form.Check([]byte(answer)), rival.Validate(value)
		if (found == nil) != (theirs == nil) && !justified(answer, found, theirs) {
			t.Fatalf("%s\n%s\nproblems %v, rival's %v", document, answer, found, theirs)
		}
	})
}

func rivalOf(document string) (*jsonschema.Schema, error) {
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(document))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("form.json", value); err != nil {
		return nil, err
	}
	return c.Compile("form.json")
}

// refusable are the problems of schemas that no answer could meet, or whose limits are not of the field's type: refused
// here so that the author hears of it, where the rival refuses the answers or rounds.
var refusable = map[string]bool{"contradictory_bounds": true, "not_integer": true}

// justified tells whether each single difference is one of these:
//
//   - a choice picked twice: a form has one box for each, also where the schema forgot uniqueItems;
//   - an email that begins with the at sign or ends with a dot, which RFC 5321 section 4.1.2 does not have;
//   - a uri with a space, a bracket outside its host, a second number sign or at sign, or a lone percent sign,
//     which RFC 3986 does not have and net/url, the rival's reader, takes; and one with percent-encoding in the
//     host, which section 3.2.2 has and net/url has not.
func justified(answer string, found []elicit.Problem, theirs error) bool {
	if found == nil {
		text := theirs.Error()
		return strings.Count(text, "- at ") == strings.Count(text, "invalid URL escape")
	}
	var values map[string]any
	if json.Unmarshal([]byte(answer), &values) != nil {
		return false
	}
	for _, p := range found {
		value, _ := values[strings.TrimPrefix(p.Pointer, "/")].(string)
		uri := strings.ContainsAny(value, " []") || strings.Count(value, "#") > 1 || strings.Count(value, "@") > 1 || lonePercent.MatchString(value)
		email := strings.HasPrefix(value, "@") || strings.HasSuffix(value, ".")
		if p.Code != "duplicate_choice" && !(p.Code == "bad_format" && (uri || email)) {
			return false
		}
	}
	return true
}

var lonePercent = regexp.MustCompile(`%([^0-9A-Fa-f]|.?$|.[^0-9A-Fa-f])`)

// writer makes a schema and an answer from bytes, so that the fuzzer can vary them one decision at a time.
type writer struct{ script []byte }

// below takes the next decision among n; a script that has run out decides 0.
func (w *writer) below(n int) int {
	if len(w.script) == 0 {
		return 0
	}
	b := w.script[0]
	w.script = w.script[1:]
	return int(b) % n
}

func (w *writer) of(choices ...string) string { return choices[w.below(len(choices))] }

// form writes one to three fields, and an answer to them that may leave out, add, and be of the wrong type.
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
	document = `{"type":"object","properties":{` + strings.Join(fields, ",") + `},"required":[` + strings.Join(required, ",") + `]}`
	return document, "{" + strings.Join(values, ",") + "}"
}

func (w *writer) field() (schema, value string) {
	var kind string
	switch w.below(7) {
	case 0:
		kind, value = "string", w.text()
		schema = w.some("minLength", "0", "1", "2", "3") + w.some("maxLength", "2", "3", "4", "5") +
			w.some("pattern", `"^a"`, `"b$"`, `"^[a-c]{2,3}$"`, `"a|é"`, `"\\d\\w"`)
	case 1:
		kind = "string"
		schema, value = w.format()
	case 2, 3:
		kind, value = w.of("number", "integer"), w.number()
		schema = w.some("minimum", numbers...) + w.some("maximum", numbers...) + w.some("exclusiveMinimum", numbers...) +
			w.some("exclusiveMaximum", numbers...) + w.some("multipleOf", "1", "2", "0.1", "0.01", "3", "1e2", "2.50")
	case 4:
		kind, value = "boolean", w.of("true", "false")
	case 5:
		kind, value = "string", w.choice()
		schema = `,"enum":` + w.of(`["a","b","c"]`, `["a","\u00e9",""]`, `["b"]`)
	default:
		var values []string
		for range w.below(5) {
			values = append(values, w.choice())
		}
		kind, value = "array", "["+strings.Join(values, ",")+"]"
		schema = `,"items":{"type":"string","enum":["a","b","c","\u00e9"]}` + w.some("minItems", "0", "1", "2", "3") +
			w.some("maxItems", "1", "2", "3", "4") + w.some("uniqueItems", "true", "false")
	}
	if w.below(16) == 15 {
		value = w.of("null", "[]", "{}", `"1"`, "1", "true", `["a",1]`, `[["a"]]`)
	}
	return `{"type":"` + kind + `"` + schema + `}`, value
}

// some is a keyword with one of its values, half of the time.
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

var numbers = []string{"0", "-0", "1", "2", "3", "-1", "0.1", "0.3", "1.0", "1.50", "3e0", "1e2", "100", "9007199254740993",
	"9007199254740992", "9007199254740992.0", "1e-3", "0.30000000000000004", "123456789012345678901234567890"}

func (w *writer) number() string {
	if w.below(2) == 0 {
		return w.of(numbers...)
	}
	return fmt.Sprintf("%s%d.%d%s", w.of("", "-"), w.below(12), w.below(100), w.of("", "e1", "e-1", "E+2"))
}

// format is a schema with a format of the protocol, and a value cut together from pieces that matter to it.
func (w *writer) format() (schema, value string) {
	name := w.of("email", "uri", "date", "date-time")
	pieces := map[string][]string{
		"email":     {"a", ".", "@", "b.c", "+", "-", "x", "[127.0.0.1]", `\"q\"`},
		"uri":       {"http", ":", "//", "h", "/", "?q", "#f", "%41", "%", " ", ":80", "[::1]", "u@"},
		"date":      {"2024", "-", "02", "29", "2023", "13", "00", "-02-29", "0000"},
		"date-time": {"2024-02-29", "T", "23:59:59", "Z", "+01:00", ".5", "t", "z", "23:59:60", "24:00:00", "-00:00", " "},
	}[name]
	var b bytes.Buffer
	b.WriteString(map[string][]string{
		"email": {"", "a@b"}, "uri": {"", "http://h"}, "date": {"", "2024-02-"}, "date-time": {"", "2024-02-29T12:00:00"},
	}[name][w.below(2)])
	for range w.below(6) {
		b.WriteString(w.of(pieces...))
	}
	return `,"format":"` + name + `"`, `"` + b.String() + `"`
}
