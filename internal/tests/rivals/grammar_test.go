package rivals

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/elicit-engine/elicit/engine/schema"
	"github.com/elicit-engine/elicit/internal/must"
)

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
