package rivals

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/schema"
	"github.com/elicit-engine/elicit/internal/must"
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

// grammars are a second implementation of the formats. Each is a regular expression copied rule by rule from its RFC,
// plus what the RFC says outside its rules. They are slow and simple, and share nothing with the readers under test.
var grammars = map[schema.Format]func(text string) bool{
	schema.Email: func(text string) bool {
		parts := mailbox.FindStringSubmatch(text)
		return parts != nil && len(text) <= 254 && len(parts[1]) <= 64 && len(parts[2]) <= 255 && shortLabels(parts[2])
	},
	schema.URI:  uriGrammar.MatchString,
	schema.Date: isDay,
	schema.DateTime: func(text string) bool {
		return dateTime.MatchString(text) && isDay(text[:10]) && leapAtMidnight(text[11:])
	},
	schema.Time:     func(text string) bool { return fullTime.MatchString(text) && leapAtMidnight(text) },
	schema.UUID:     uuidGrammar.MatchString,
	schema.IPv4:     whole(ipv4).MatchString,
	schema.IPv6:     whole(ipv6).MatchString,
	schema.Hostname: func(text string) bool { return hostName.MatchString(text) && len(text) <= 253 && shortLabels(text) },
}

// The rules of RFC 3986, appendix A.
const (
	unreserved = `[A-Za-z0-9\-._~]`
	pctEncoded = `%[0-9A-Fa-f][0-9A-Fa-f]`
	subDelims  = `[!$&'()*+,;=]`
	pchar      = `(?:` + unreserved + `|` + pctEncoded + `|` + subDelims + `|[:@])`

	decOctet = `(?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])`
	ipv4     = decOctet + `\.` + decOctet + `\.` + decOctet + `\.` + decOctet
	h16      = `[0-9A-Fa-f]{1,4}`
	ls32     = `(?:` + h16 + `:` + h16 + `|` + ipv4 + `)`
	ipv6     = `(?:(?:` + h16 + `:){6}` + ls32 +
		`|::(?:` + h16 + `:){5}` + ls32 +
		`|(?:` + h16 + `)?::(?:` + h16 + `:){4}` + ls32 +
		`|(?:(?:` + h16 + `:){0,1}` + h16 + `)?::(?:` + h16 + `:){3}` + ls32 +
		`|(?:(?:` + h16 + `:){0,2}` + h16 + `)?::(?:` + h16 + `:){2}` + ls32 +
		`|(?:(?:` + h16 + `:){0,3}` + h16 + `)?::` + h16 + `:` + ls32 +
		`|(?:(?:` + h16 + `:){0,4}` + h16 + `)?::` + ls32 +
		`|(?:(?:` + h16 + `:){0,5}` + h16 + `)?::` + h16 +
		`|(?:(?:` + h16 + `:){0,6}` + h16 + `)?::)`
	ipFuture  = `[vV][0-9A-Fa-f]+\.(?:` + unreserved + `|` + subDelims + `|:)+`
	ipLiteral = `\[(?:` + ipv6 + `|` + ipFuture + `)\]`
	regName   = `(?:` + unreserved + `|` + pctEncoded + `|` + subDelims + `)*`
	userinfo  = `(?:` + unreserved + `|` + pctEncoded + `|` + subDelims + `|:)*`
	authority = `(?:` + userinfo + `@)?(?:` + ipLiteral + `|` + ipv4 + `|` + regName + `)(?::[0-9]*)?`

	pathAbempty  = `(?:/` + pchar + `*)*`
	pathRootless = pchar + `+(?:/` + pchar + `*)*`
	pathAbsolute = `/(?:` + pathRootless + `)?`
	hierPart     = `(?://` + authority + pathAbempty + `|` + pathAbsolute + `|` + pathRootless + `|)`
	queryPart    = `(?:` + pchar + `|[/?])*`
)

// The rules of RFC 5321 section 4.1.2. Addresses are those of RFC 3986, in the form of RFC 5952: a "::" may stand for a
// group of zeros, and an octet has no leading zero, because some readers take that for octal.
const (
	atomChars    = `[A-Za-z0-9!#$%&'*+\-/=?^_` + "`" + `{|}~]+`
	dotString    = atomChars + `(?:\.` + atomChars + `)*`
	quotedLocal  = `"(?:[ !\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"`
	label        = `[A-Za-z0-9](?:[A-Za-z0-9\-]*[A-Za-z0-9])?`
	domainName   = label + `(?:\.` + label + `)*`
	literalParts = `\[(?:` + ipv4 + `|(?i:IPv6):` + ipv6 + `)\]`
)

var (
	uriGrammar  = whole(`[A-Za-z][A-Za-z0-9+\-.]*:` + hierPart + `(?:\?` + queryPart + `)?(?:#` + queryPart + `)?`)
	mailbox     = whole(`(` + dotString + `|` + quotedLocal + `)@(` + domainName + `|` + literalParts + `)`)
	hostName    = whole(domainName) // RFC 952 as RFC 1123 section 2.1 changes it
	uuidGrammar = whole(`[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}`)
)

// The rules of RFC 3339 section 5.6.
const timeRule = `([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(?:\.[0-9]+)?(?:[zZ]|[+\-]([01][0-9]|2[0-3]):[0-5][0-9])`

var (
	fullTime = whole(timeRule)
	dateTime = whole(`[0-9]{4}-[0-9]{2}-[0-9]{2}[tT]` + timeRule)
)

func whole(rule string) *regexp.Regexp { return regexp.MustCompile(`\A(?:` + rule + `)\z`) }

func isDay(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

// leapAtMidnight checks section 5.7 of RFC 3339: a 60th second comes only after 23:59:59 UTC.
func leapAtMidnight(text string) bool {
	if text[6:8] != "60" {
		return true
	}
	at, err := time.Parse("15:04:05Z07:00", strings.ToUpper(text[:6]+"59"+text[8:]))
	return err == nil && at.UTC().Format("15:04") == "23:59"
}

// shortLabels checks section 2.3.4 of RFC 1035.
func shortLabels(name string) bool {
	for l := range strings.SplitSeq(name, ".") {
		if len(l) > 63 && name[0] != '[' {
			return false
		}
	}
	return true
}

// FuzzFormats checks that every format is read as its RFC defines it.
func FuzzFormats(f *testing.F) {
	for _, seed := range []string{"a@b", `"\`, `"\""@a`, "a@[IPv6:::]", "a@[IPv6:1::2.3.4.5]", "http://[::1]:/",
		"a://@[v1.:]:80?#?", "a:/", "a:%",
		"2026-01-01T00:00:00Z", "2016-12-31T22:59:60.5-01:00", "23:59:60z", "1:2:3:4:5:6:7::", "::255.255.255.255", "a-b.c",
		"f81d4fae-7dec-11d0-A765-00a0c91e6bf6"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for format, grammar := range grammars {
			if got, want := format.Matches([]byte(text)), grammar(text); got != want {
				t.Errorf("%v %q: got %v, want %v", format, text, got, want)
			}
		}
	})
}

// TestGrammarsAreAskedForEveryFormat checks that every format has a second implementation.
func TestGrammarsAreAskedForEveryFormat(t *testing.T) {
	for format := schema.Email; format.String() != ""; format++ {
		if grammars[format] == nil {
			t.Errorf("no grammar for %v", format)
		}
	}
}

// TestRivalFormatsDiffer shows why FuzzAgainstSanthosh gives the rival the grammars above. It lists where the rival's
// own readers differ from the RFC, and in which section. A row that no longer differs must go.
func TestRivalFormatsDiffer(t *testing.T) {
	for _, tc := range []struct {
		format  schema.Format
		text    string
		want    bool
		section string
	}{
		{schema.URI, "a:b c", false, "RFC 3986, 3.3: pchar has no space"},
		{schema.URI, "http://a/[", false, "RFC 3986, 3.3: brackets are for hosts"},
		{schema.URI, "a:b#c#d", false, "RFC 3986, 3.5: a fragment has no number sign"},
		{schema.URI, "a://b@c@d", false, "RFC 3986, 3.2.1: userinfo has no at sign"},
		{schema.URI, "a:?%", false, "RFC 3986, 2.1: percent is followed by two digits"},
		{schema.URI, "a:é", false, "RFC 3986, 2: ASCII alone"},
		{schema.URI, "http://%41/", true, "RFC 3986, 3.2.2: reg-name may be percent-encoded"},
		{schema.URI, "a://[v1.x:y]", true, "RFC 3986, 3.2.2: IPvFuture"},
		{schema.Email, "@b", false, "RFC 5321, 4.1.2: an atom has a character"},
		{schema.Email, `"\""@b`, true, "RFC 5321, 4.1.2: quoted-pairSMTP"},
		{schema.Email, "\"\x01\"@b", false, "RFC 5321, 4.1.2: qtextSMTP is printable"},
		{schema.Email, "a@b.", false, "RFC 5321, 4.1.2: a sub-domain has a character"},
		{schema.Hostname, "a.", false, "RFC 1123, 2.1: no dot at the end"},
		{schema.IPv4, "1.2.3.+4", false, "RFC 3986, 3.2.2: dec-octet is digits"},
		{schema.Time, "+1:00:00Z", false, "RFC 3339, 5.6: time-hour is two digits"},
	} {
		rival, err := rivalOf(`{"format":"`+tc.format.String()+`"}`, nil)
		must.OK(t, err)
		if got := grammars[tc.format](tc.text); got != tc.want {
			t.Errorf("%v %q: the grammar says %v, want %v (%s)", tc.format, tc.text, got, tc.want, tc.section)
		}
		if theirs := rival.Validate(tc.text) == nil; theirs == tc.want {
			t.Errorf("%v %q: the rival now says %v too (%s)", tc.format, tc.text, theirs, tc.section)
		}
	}
}

// grammarFormats returns the grammars in the rival's type.
func grammarFormats() (formats []*jsonschema.Format) {
	for format, grammar := range grammars {
		formats = append(formats, &jsonschema.Format{Name: format.String(), Validate: func(v any) error {
			if text, ok := v.(string); ok && !grammar(text) {
				return jsonschema.LocalizableError("not as the grammar has it")
			}
			return nil
		}})
	}
	return formats
}
