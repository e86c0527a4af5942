package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// TestCheckDoesNotAllocate checks that a valid answer causes no allocation, also when keys come out of order or have
// escapes, and when choices are many.
func TestCheckDoesNotAllocate(t *testing.T) {
	for _, tc := range []struct{ name, schema, answer string }{
		{"form8", form8, form8Good},
		{"out of order and unknown", form8,
			`{"x":{"y":[1]},"teams":["network"],"severity":"low","email":"a@b","summary":"0123456789",` +
				`"tick\u0065t":"\u0041BCDE"}`},
		{"many choices", `{"type":"object","properties":{"c":{"type":"array","items":{"type":"string","enum":` +
			manyEnum(300) + `}}}}`,
			`{"c":["v7","v299","v0"]}`},
		{"step", `{"type":"object","properties":{"n":{"type":"number","multipleOf":0.01}}}`, `{"n":19.99}`},
	} {
		f, answer := compiled(t, tc.schema), []byte(tc.answer)
		if p := f.Check(answer); p != nil {
			t.Fatalf("%s: %v", tc.name, p)
		}
		if n := testing.AllocsPerRun(100, func() { f.Check(answer) }); n != 0 {
			t.Errorf("%s: %v allocations, want 0", tc.name, n)
		}
	}
}

func manyEnum(n int) string {
	list := []byte("[")
	for i := range n {
		if i > 0 {
			list = append(list, ',')
		}
		list = append(list, `"v`...)
		for d := 100; d > 0; d /= 10 {
			if i >= d || d == 1 {
				list = append(list, byte('0'+i/d%10))
			}
		}
		list = append(list, '"')
	}
	return string(append(list, ']'))
}

func TestNilContentIsEmpty(t *testing.T) {
	f := compiled(t, `{"type":"object","properties":{"a":{"type":"boolean"},"b":{"type":"integer","default":0}}}`)
	if p := f.Check(nil); p != nil {
		t.Errorf("Check(nil): got %v, want none", p)
	}
	if got := string(f.Fill(nil, nil)); got != `{"b":0}` {
		t.Errorf("Fill(nil): got %s", got)
	}
	if p := f.Check([]byte{}); len(p) != 1 {
		t.Errorf("Check of no bytes: got %v, want one problem", p)
	}
}

func TestFormKind(t *testing.T) {
	if got := compiled(t, `{"type":"object","properties":{}}`).Kind(); got != elicit.KindConfirm {
		t.Errorf("no fields: got %s, want %s", got, elicit.KindConfirm)
	}
	if got := compiled(t, form8).Kind(); got != elicit.KindForm {
		t.Errorf("nine fields: got %s, want %s", got, elicit.KindForm)
	}
}

// TestEveryFieldIsRequired: in the largest form, an answer of nothing lacks as much as is told, and one of all but the
// last field lacks that field.
func TestEveryFieldIsRequired(t *testing.T) {
	var fields, names, answer []string
	for i := range hardFields {
		name := strconv.Quote("f" + strconv.Itoa(i))
		fields, names = append(fields, name+`:{"type":"boolean"}`), append(names, name)
		answer = append(answer, name+":true")
	}
	f, problems := Compile([]byte(`{"type":"object","properties":{`+strings.Join(fields, ",")+`},"required":[`+
		strings.Join(names, ",")+`]}`), Options{Limits: Limits{Fields: hardFields}})
	if problems != nil {
		t.Fatal(problems)
	}
	if got := f.Check([]byte(`{}`)); len(got) != maxProblems || got[0].Code != "missing" || got[0].Pointer != "/f0" {
		t.Errorf("an empty answer has %d problems", len(got))
	}
	for _, order := range []func([]string){func([]string) {}, slices.Reverse[[]string]} {
		order(answer)
		without := slices.DeleteFunc(slices.Clone(answer), func(s string) bool { return s == names[hardFields-1]+":true" })
		for list, want := range map[string]string{strings.Join(answer, ","): "", strings.Join(without, ","): "/f511"} {
			got := f.Check([]byte("{" + list + "}"))
			if len(got) > 1 || (len(got) == 1) != (want != "") || want != "" && got[0].Pointer != want {
				t.Errorf("%v, want %q", got, want)
			}
		}
	}
}

// TestLabelsOfNames: a field without a title has its name as words.
func TestLabelsOfNames(t *testing.T) {
	for name, want := range map[string]string{"max_retries": "Max retries", "maxRetries": "Max retries",
		"apiURL": "Api URL", "URLOfAPI": "URL of API", "toZebra": "To zebra", "toApple": "To apple", "xZ": "X z",
		"aZz": "A zz", "AZ": "AZ", "zA": "Z a", "a.b-c d": "A b c d", "__a__": "A", "--": "--", "é_É": "é É", "1st": "1st",
		"az09AZ": "Az09az", "a`{@[B": "A`{@[b"} {
		form := compiled(t, `{"type":"object","properties":{`+strconv.Quote(name)+`:{"type":"string"}}}`)
		if got := form.Fields[0].Label; got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	_, problems := Compile([]byte(`{"type":"object","properties":{"":{"type":"string"}}}`), Options{})
	if len(problems) != 1 || problems[0].Code != "empty_name" {
		t.Errorf("a field without a name: %v", problems)
	}
}

// TestDefaultLimits: a form is as large as it may be, and no larger. Each of its choices counts once.
func TestDefaultLimits(t *testing.T) {
	object := func(properties string) string { return `{"type":"object","properties":{` + properties + `}}` }
	many := func(n int, each string) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(each, i))
		}
		return strings.Join(list, ",")
	}
	fields := func(n int) string { return object(many(n, `"f%d":{"type":"boolean"}`)) }
	choices := func(n int) string { return object(`"a":{"type":"string","enum":[` + many(n, `"%d"`) + `]}`) }
	sized := func(n int) string {
		whole := object(`"a":{"type":"string","description":""}`)
		return strings.Replace(whole, `""`, `"`+strings.Repeat("d", n-len(whole))+`"`, 1)
	}
	for _, c := range []struct{ name, within, beyond, want string }{
		{"fields", fields(100), fields(101), "too_many_fields"},
		{"choices", choices(1000), choices(1001), "too_many_choices"},
		{"bytes", sized(64 << 10), sized(64<<10 + 1), "json_size"},
	} {
		if _, problems := Compile([]byte(c.within), Options{}); problems != nil {
			t.Errorf("%s: %v", c.name, problems)
		}
		if _, problems := Compile([]byte(c.beyond), Options{}); len(problems) != 1 || problems[0].Code != c.want {
			t.Errorf("too many %s: %v, want %s", c.name, problems, c.want)
		}
	}
	f := compiled(t, object(`"a":{"type":"array","items":{"type":"string","enum":[`+many(200, `"%d"`)+`]}}`))
	every := `{"a":[` + many(200, `"%d"`) + `]}`
	if problems := f.Check([]byte(every)); problems != nil {
		t.Errorf("every choice: %v", problems)
	}
	if got := string(f.Fill(nil, []byte(every[:len(every)-2]+`,"63","64","0","127","128"]}`))); got != every {
		t.Errorf("of repeated choices, there are %s", got)
	}
}

// TestAllChosen: a form gives up nothing that it asks for only if each field is a list that begins with all choices.
func TestAllChosen(t *testing.T) {
	const list = `"a":{"type":"array","items":{"type":"string","enum":["x","y"]},"default":`
	const all = list + `["x","y"]}`
	for properties, want := range map[string]bool{
		``:                        false,
		list + `["y","x"]}`:       true,
		list + `["x"]}`:           false,
		list + `[]}`:              false,
		list[:len(list)-11] + `}`: false,
		all + `,"b":{"type":"string","default":"z"}`:              false,
		all + `,"b":{"type":"string","enum":["z"],"default":"z"}`: false,
		all + `,"b":{"type":"boolean"}`:                           false,
		all + `,"b` + all[2:]:                                     true,
	} {
		if got := compiled(t, `{"type":"object","properties":{`+properties+`}}`).AllChosen(); got != want {
			t.Errorf("%s: %t", properties, got)
		}
	}
}

// TestNamesOfWhatIsUnknown: a value of a later version is named as the plain one.
func TestNamesOfWhatIsUnknown(t *testing.T) {
	var names []string
	for w := range WidgetSearch + 2 {
		names = append(names, w.String())
	}
	const want = "text multiline email url date date-time number checkbox yes-no radio select search text"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestProblemsAreBounded checks that a hostile answer cannot make the list of its problems long.
func TestProblemsAreBounded(t *testing.T) {
	f := compiled(t, `{"type":"object","properties":{"m":{"type":"array","items":{"type":"string","enum":["a"]}}}}`)
	answer := append([]byte(`{"m":[0`), bytes.Repeat([]byte(",0"), 5000)...)
	if got := f.Check(append(answer, "]}"...)); len(got) != maxProblems {
		t.Errorf("got %d problems, want %d", len(got), maxProblems)
	}
	fields, answer := make([]string, 65), []byte("{")
	for i := range fields {
		name := strconv.Quote("f" + strconv.Itoa(64-i))
		fields[64-i] = name + `:{"type":"string"}`
		answer = append(answer, name+":0,"...)
	}
	f = compiled(t, `{"type":"object","properties":{`+strings.Join(fields, ",")+`}}`)
	if got := f.Check(append(answer[:len(answer)-1], '}')); len(got) != 64 || got[0].Pointer != "/f1" {
		t.Errorf("the last value has no problem, because 64 came before it: %v", got[0])
	}
}

func TestFits(t *testing.T) {
	var required []string
	many := `"n":{"type":"integer","maximum":3},"c":{"type":"string","enum":["x","y"]}`
	for i := range 90 { // more missing fields than Check lists problems
		name := strconv.Quote("f" + strconv.Itoa(i))
		many, required = name+`:{"type":"string"},`+many, append(required, name)
	}
	form, problems := Compile([]byte(`{"type":"object","properties":{`+many+`},"required":[`+strings.Join(required,
		",")+`]}`), Options{})
	if problems != nil {
		t.Fatal(problems)
	}
	tests := []struct {
		name, field, value string
		want               bool
	}{
		{"in range", "n", `3`, true},
		{"out of range", "n", `4`, false},
		{"another type", "n", `"3"`, false},
		{"a choice", "c", `"y"`, true},
		{"the first field", "f89", `"x"`, true},
		{"no choice", "c", `"z"`, false},
		{"no field", "nothing", `"z"`, false},
		{"broken", "n", `{`, false},
	}
	for _, tt := range tests {
		if got := form.Fits(tt.field, []byte(tt.value)); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestFixedAgainstText checks that comparing fixed numbers agrees with comparing their text.
func TestFixedAgainstText(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	texts := []string{"0", "-0", "0.0", "999999999999", "9999999999999", "-999999.999999", "0.0000001", "1e3", "1000",
		"999999999999.9",
		"9999999999.99", "0.000001", "-0.000001"}
	for range 300 {
		texts = append(texts, decimalText(r))
	}
	quick := 0
	for _, x := range texts {
		for _, y := range texts {
			a, b := jsontext.Number{Raw: []byte(x)}, jsontext.Number{Raw: []byte(y)}
			fa, fb := fixedOf(a.Raw), fixedOf(b.Raw)
			if fa.ok && fb.ok {
				quick++
			}
			if got, want := compare(a, fa, b, fb), a.Compare(b); got != want {
				t.Fatalf("compare(%s, %s): got %d, want %d", x, y, got, want)
			}
		}
	}
	if quick < 1000 {
		t.Fatalf("only %d pairs went the short way", quick)
	}
}

// TestIndexFindsEveryName also tries names that have all hashed bytes in common.
func TestIndexFindsEveryName(t *testing.T) {
	var b strings.Builder
	const names = 100
	for i := range names {
		fmt.Fprintf(&b, `,"a%02daaa%02daaaa":{"type":"boolean"}`, i, i)
	}
	f := compiled(t, `{"type":"object","properties":{`+b.String()[1:]+`}}`)
	for i := range f.Fields {
		if got := f.Field(f.Fields[i].Name); got != &f.Fields[i] {
			t.Errorf("%s: found %v", f.Fields[i].Name, got)
		}
	}
	if got := f.Field("a00aaa01aaaa"); got != nil {
		t.Errorf("found %s for a name that is no field", got.Name)
	}
}

// TestMultipleAgainstRationals compares with exact rational arithmetic.
func TestMultipleAgainstRationals(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	yes := 0
	for range 10_000 {
		value, of := decimalText(r), decimalText(r)
		if !usableStep([]byte(of)) {
			t.Fatalf("%s refused as a step", of)
		}
		v, _ := new(big.Rat).SetString(value)
		m, _ := new(big.Rat).SetString(of)
		if m.Sign() == 0 {
			continue
		}
		want := new(big.Rat).Quo(v, m).IsInt()
		if got := isMultiple([]byte(value), []byte(of)); got != want {
			t.Fatalf("isMultiple(%s, %s): got %v, want %v", value, of, got, want)
		}
		if want {
			yes++
		}
	}
	if yes < 500 {
		t.Fatalf("only %d multiples were tried", yes)
	}
}

func decimalText(r *rand.Rand) string {
	text := fmt.Sprint(r.IntN(40))
	if r.IntN(2) == 0 {
		text += fmt.Sprintf(".%0*d", 1+r.IntN(4), r.IntN(10))
	}
	if r.IntN(3) == 0 {
		text += fmt.Sprintf("e%+d", r.IntN(24)-12)
	}
	if r.IntN(4) == 0 {
		text = "-" + text
	}
	return text
}

func TestMultipleOfHugeExponents(t *testing.T) {
	for _, tc := range []struct {
		value, of string
		want      bool
	}{
		{"1e1000000", "5", true},
		{"1e1000000", "7", false},
		{"1e99999999999999999999", "5", false},
		{"1e-99999999999999999999", "5", false},
		{"0e99999999999999999999", "5", true},
		{"0", "0.1", true},
		{"123456789012345678901234567890", "10", true},
		{"999999999999999999999", "999999999999999999", false},
		{"999999999999999999000", "999999999999999999", true},
	} {
		if got := isMultiple([]byte(tc.value), []byte(tc.of)); got != tc.want {
			t.Errorf("isMultiple(%s, %s): got %v, want %v", tc.value, tc.of, got, tc.want)
		}
	}
	if usableStep([]byte("1234567890.123456789")) || !usableStep([]byte("0.000000000000000000000000001")) {
		t.Error("a step is bounded by its digits, not by its places")
	}
}

// TestWholeBeside compares the whole numbers beside a fraction with those of math/big.
func TestWholeBeside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.StringMatching(`-?(0|[1-9][0-9]{0,24})(\.[0-9]{1,24})?([eE][+-]?[0-9]{1,2})?`).Draw(t, "number")
		if (jsontext.Number{Raw: []byte(raw)}).IsInteger() {
			return
		}
		exact, ok := new(big.Rat).SetString(raw)
		if !ok {
			t.Fatal(raw)
		}
		floor := new(big.Int).Div(exact.Num(), exact.Denom()) // the denominator is positive, so this rounds down
		ceiling := new(big.Int).Add(floor, big.NewInt(1))
		if got, want := string(wholeBeside([]byte(raw), true)), ceiling.String(); got != want {
			t.Errorf("above %s: %s, want %s", raw, got, want)
		}
		if got, want := string(wholeBeside([]byte(raw), false)), floor.String(); got != want {
			t.Errorf("below %s: %s, want %s", raw, got, want)
		}
	})
}

// TestRoundedBoundsFitTheSame checks that a whole number meets a rounded bound exactly when it meets the original
// bound.
func TestRoundedBoundsFitTheSame(t *testing.T) {
	fits := map[string]func(order int) bool{
		"minimum": func(order int) bool { return order >= 0 }, "exclusiveMinimum": func(order int) bool { return order > 0 },
		"maximum": func(order int) bool { return order <= 0 }, "exclusiveMaximum": func(order int) bool { return order < 0 },
	}
	rapid.Check(t, func(t *rapid.T) {
		keyword := rapid.SampledFrom([]string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}).Draw(t,
			"keyword")
		bound := rapid.StringMatching(`-?[0-9]\.[0-9]{1,3}(e[0-9])?`).Draw(t, "bound")
		form, problems := Compile(fmt.Appendf(nil, `{"type":"object","properties":{"n":{"type":"integer",%q:%s}}}`, keyword,
			bound), Options{})
		if form == nil {
			t.Fatal(problems)
		}
		near := new(big.Rat)
		near.SetString(bound)
		whole := new(big.Int).Div(near.Num(), near.Denom())
		whole.Add(whole, big.NewInt(int64(rapid.IntRange(-3, 3).Draw(t, "away"))))
		want := fits[keyword](new(big.Rat).SetInt(whole).Cmp(near))
		if got := form.Check(fmt.Appendf(nil, `{"n":%s}`, whole)) == nil; got != want {
			t.Errorf("%s %s with %s: fits %v, want %v", whole, keyword, bound, got, want)
		}
	})
}

// TestTitledChoicesAreWrittenForTheDate shows how titles are spelled for each date. Members that no check reads are
// always left out.
func TestTitledChoicesAreWrittenForTheDate(t *testing.T) {
	const (
		bare   = `{"type":"string","enum":["a","b"]}`
		oneOf  = `{"type":"string","oneOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}]}`
		names  = `{"type":"string","enum":["a","b"],"enumNames":["A","B"]}`
		anyOf  = `{"type":"array","items":{"anyOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}]}}`
		listed = `{"type":"array","items":{"type":"string","enum":["a","b"],"enumNames":["A","B"]}}`
	)
	for name, tt := range map[string]struct{ from, titled, untitled string }{
		"oneOf":              {oneOf, oneOf, names},
		"enumNames":          {names, names, names},
		"anyOf":              {anyOf, anyOf, listed},
		"enumNames of items": {listed, anyOf, listed},
		"without titles":     {bare[:len(bare)-1] + `,"$comment":"unread"}`, bare, bare},
	} {
		whole := func(property string) string { return `{"type":"object","properties":{"p":` + property + `}}` }
		form, problems := Compile([]byte(whole(tt.from)), Options{})
		if form == nil {
			t.Errorf("%s: %v", name, problems)
			continue
		}
		if got, want := string(form.AppendSchema(nil, true)), whole(tt.titled); got != want {
			t.Errorf("%s, titled:\n got %s\nwant %s", name, got, want)
		}
		if got, want := string(form.AppendSchema(nil, false)), whole(tt.untitled); got != want {
			t.Errorf("%s, untitled:\n got %s\nwant %s", name, got, want)
		}
	}
}

// TestHostileSchemas checks that documents built to be expensive are refused with one clear problem. BenchmarkHostile
// shows that this is quick.
func TestHostileSchemas(t *testing.T) {
	for _, h := range hostile() {
		form, problems := Compile([]byte(h.doc), Options{Limits: h.limits})
		if form != nil || len(problems) == 0 || problems[0].Code != h.want {
			t.Errorf("%s: got %v, want %s", h.name, problems, h.want)
		}
	}
}

func BenchmarkHostile(b *testing.B) {
	for _, h := range hostile() {
		doc := []byte(h.doc)
		b.Run(h.name, func(b *testing.B) {
			for b.Loop() {
				Compile(doc, Options{Limits: h.limits})
			}
		})
	}
}

type hostileSchema struct {
	name, doc, want string
	limits          Limits
}

func hostile() []hostileSchema {
	wide := Limits{Bytes: 8 << 20}
	repeat := func(n int, item string) string { return strings.TrimSuffix(strings.Repeat(item+",", n), ",") }
	numbered := func(n int, value string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(`,"f` + string(rune('a'+i%26)) + strings.Repeat("x", i/26%40) + strings.Repeat("y", i/1040) + `":` +
				value)
		}
		return b.String()[1:]
	}
	root := func(properties, more string) string {
		return `{"type":"object","properties":{` + properties + `}` + more + `}`
	}
	nested := `{"enum":[` + manyEnum(900)[1:] + `,"type":"string"}`
	for range 10 {
		nested = `{"anyOf":[{"type":"null"},` + nested + `]}`
	}
	return []hostileSchema{
		{"5000 fields", root(numbered(5000, `{"type":"boolean"}`), ""), "json_size", Limits{}},
		{"5000 fields, wide", root(numbered(5000, `{"type":"boolean"}`), ""), "too_many_fields", wide},
		{"20000 fields", root(numbered(20000, `{}`), ""), "json_members", wide},
		{"10001 choices", root(`"a":{"type":"string","enum":[`+repeat(10_001, `"x"`)+`]}`, ""), "json_members", wide},
		{"10000 choices", root(`"a":{"type":"string","enum":[`+repeat(10_000, `"x"`)+`]}`, ""), "too_many_choices", wide},
		{"deep", strings.Repeat(`{"a":`, 5000), "json_depth", Limits{}},
		{"references to one large union", root(numbered(100, `{"$ref":"#/$defs/a"}`), `,"$defs":{"a":`+nested+`}`),
			"refs_too_large", Limits{}},
		{"unknown required names", root("", `,"required":[`+repeat(6_000, `"nothing"`)+`]`), "unknown_required", Limits{}},
	}
}

func TestCleared(t *testing.T) {
	f := compiled(t, `{"type":"object","properties":{"a":{"type":"string","default":"x"},"b":{"type":"integer"},`+
		`"c":{"type":"boolean","default":false}}}`)
	for content, want := range map[string]string{`{"a":"y","z":1}`: "c", `{"b":1}`: "a c", `{"\u0061":"","c":true}`: "",
		`[]`: "", ``: ""} {
		if got := strings.Join(f.Cleared([]byte(content)), " "); got != want {
			t.Errorf("%s: got %q, want %q", content, got, want)
		}
	}
}

// TestConstraintsAreWrittenAsSchemas shows constraints that a form has in another way than a schema.
func TestConstraintsAreWrittenAsSchemas(t *testing.T) {
	for _, tt := range []struct{ from, want string }{
		{`{"type":"string","allOf":[{"pattern":"a"},{"pattern":"b"}],"format":"color"}`,
			`{"description":"(color)","type":"string","allOf":[{"pattern":"a"},{"pattern":"b"}],"format":"color"}`},
		{`{"type":"number","minimum":1.5}`, `{"type":"number","minimum":1.5}`},
		{`{"type":"integer","oneOf":[{"const":1,"title":"A","description":"d"}]}`,
			`{"type":"number","enum":[1],"enumNames":["A"]}`},
		{`{"type":"string","oneOf":[{"const":"a","title":"A","description":"d"}]}`,
			`{"type":"string","oneOf":[{"const":"a","title":"A","description":"d"}]}`},
	} {
		form := compiled(t, `{"type":"object","properties":{"p":`+tt.from+`}}`)
		want := `{"type":"object","properties":{"p":` + tt.want + `}}`
		if got := string(form.AppendSchema(nil, true)); got != want {
			t.Errorf("\n got %s\nwant %s", got, want)
		}
	}
}

// asks is a form as a person sees it, without what no grammar has for numbers.
func asks(form *Form) string {
	one := *form
	one.Notes, one.Fields = nil, slices.Clone(form.Fields)
	for i := range one.Fields {
		f := &one.Fields[i]
		f.Limit.FormatNote, f.Choices = "", slices.Clone(f.Choices)
		for k := range f.Choices {
			if f.Numeric {
				f.Choices[k].Description = ""
			}
		}
	}
	return string(one.AppendJSON(nil))
}

// TestWritingIsStable compiles what was written, and writes it again: a relay may stand behind another.
func TestWritingIsStable(t *testing.T) {
	written := 0
	for _, v := range vectors.Read(t, "schema") {
		var in struct {
			Schema json.RawMessage `json:"schema"`
			Text   string          `json:"schema_text"`
		}
		must.OK(t, json.Unmarshal(v.In, &in))
		form, problems := Compile(append(in.Schema, in.Text...), Options{})
		if len(problems) > 0 {
			continue
		}
		written++
		for _, titled := range []bool{true, false} {
			once := form.AppendSchema(nil, titled)
			again, problems := Compile(once, Options{})
			if len(problems) > 0 {
				t.Errorf("%s: %s is refused: %s", v, once, elicit.AppendList(nil, problems))
			} else if got := again.AppendSchema(nil, titled); !bytes.Equal(got, once) {
				t.Errorf("%s:\n     once %s\nand again %s", v, once, got)
			} else if is, was := asks(again), asks(form); titled && is != was {
				t.Errorf("%s:\n it asks %s\nit asked %s", v, is, was)
			}
		}
	}
	if written < 200 {
		t.Errorf("only %d schemas were written", written)
	}
}
