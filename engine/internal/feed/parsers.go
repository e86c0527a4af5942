//go:build libfuzzer

package main

import (
	"bytes"
	std "encoding/base64"
	"encoding/json"
	"errors"
	"net/netip"
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/engine/internal/base64"
	"github.com/elicit-engine/elicit/engine/internal/fold"
	"github.com/elicit-engine/elicit/engine/internal/hostname"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/pattern"
	"github.com/elicit-engine/elicit/engine/lint"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/risk"
	"github.com/elicit-engine/elicit/engine/schema"
	"github.com/elicit-engine/elicit/engine/wire"
)

// parsers are the parsers by their names in feed_test.go.
var parsers = map[string]func(in []byte){
	"json":       jsonText,
	"text":       text,
	"pattern":    patterns,
	"url":        urls,
	"host":       hosts,
	"ip":         addresses,
	"base64":     base64Text,
	"shell":      func(in []byte) { readsSoundly(string(in)) },
	"inline":     inline,
	"schema":     schemas,
	"answer":     answers,
	"format":     formats,
	"policy":     policies,
	"facts":      facts,
	"glob":       globs,
	"config":     configs,
	"envelope":   envelopes,
	"mcp":        creations,
	"result":     results,
	"codex":      codexQuestions,
	"acp":        permissions,
	"hooks":      hookInputs,
	"interrupts": interruptions,
	"event":      events,
	"record":     records,
	"journal":    journals,
	"state":      states,
	"seal":       tokens,
	"manifest":   manifests,
	"verdict":    verdicts,
	"risk":       inspections,
	"lint":       lints,
}

// jsonText holds the reader against encoding/json, which accepts more, and the canonical form against itself.
func jsonText(in []byte) {
	fault := jsontext.Check(in, jsontext.Limits{})
	if valid := json.Valid(in); fault == nil != valid {
		hold(valid, "accepted, but encoding/json refuses it")
		switch fault.Code {
		case jsontext.CodeDuplicateKey, jsontext.CodeDepth, jsontext.CodeUTF8, jsontext.CodeSurrogate:
		default:
			hold(false, "refused, but encoding/json accepts it", fault.Code)
		}
	}
	if fault != nil {
		hold(fault.Start >= 0 && fault.Start <= fault.End && fault.End <= len(in), "the fault lies outside", fault.Code)
		return
	}
	one = jsontext.AppendValue(one[:0], in)
	two = jsontext.AppendValue(two[:0], one)
	hold(bytes.Equal(one, two) && isJSON(one), "the canonical form is stable", one, two)
	hold(jsontext.IsCanonical(in) == bytes.Equal(one, in), "the canonical form is known", one)
	two = jsontext.AppendSorted(two[:0], in)
	three = jsontext.AppendSorted(three[:0], one)
	hold(bytes.Equal(two, three) && isJSON(two), "the sorted form is that of the canonical form", two, three)
	three = jsontext.AppendSorted(three[:0], two)
	hold(bytes.Equal(two, three), "the sorted form is stable", two, three)
}

// text holds what is written as a string, and what is folded, against themselves.
func text(in []byte) {
	one = jsontext.AppendString(one[:0], in)
	hold(isJSON(one) && jsontext.IsCanonical(one), "a string is canonical", one)
	said, ok := wire.Text(one)
	hold(ok && said == strings.ToValidUTF8(said, "") && (said == string(in) || !utf8.Valid(in)), "a string is read", said)
	once := fold.Text(said)
	hold(fold.Text(once) == once && utf8.ValidString(once), "what is folded is folded", once)
	hold(!fold.Plain(said) || once == strings.ToLower(said), "plain text folds as capitals do", once)
}

// patterns compiles the first half and matches the second. A group around the whole changes no match, but the machine.
func patterns(in []byte) {
	first, second := halves(in)
	p, fault := pattern.Compile(string(first))
	hold((p == nil) == (fault != nil), "a pattern or a fault")
	if fault != nil {
		hold(fault.Offset >= 0 && fault.Offset <= len(first), "the fault lies outside", fault.Code)
		return
	}
	if !utf8.Valid(second) {
		return
	}
	is := p.Match(second)
	if q, fault := pattern.Compile("(?:" + string(first) + "|" + string(first) + ")"); fault == nil {
		hold(q.Match(second) == is, "a pattern or itself matches what the pattern matches", is)
	}
}

// urls reads what it wrote of an address, and asks net/url.
func urls(in []byte) {
	raw := string(in)
	u, ok := risk.ParseURL(raw)
	if !ok {
		return
	}
	hold(u.Host != "" && u.HostUnicode != "" && u.Port >= 0 && u.Port < 1<<16, "an address has a host", u.Host)
	for _, span := range [][2]int{{u.HostStart, u.HostEnd}, {u.PathStart, u.PathEnd}, {u.QueryStart, u.QueryEnd},
		{u.FragStart, u.FragEnd}} {
		hold(span[0] >= 0 && span[0] <= span[1] && span[1] <= len(raw), "a part lies outside")
	}
	_, err := url.Parse(raw)
	hold(err == nil, "net/url refuses it", err)
	written := u.Scheme + "://" + u.Host + raw[u.HostEnd:]
	again, ok := risk.ParseURL(written)
	hold(ok && again.Host == u.Host && again.Port == u.Port && again.HostUnicode == u.HostUnicode && !again.Userinfo &&
		raw[u.PathStart:u.PathEnd] == written[again.PathStart:again.PathEnd] &&
		raw[u.QueryStart:u.QueryEnd] == written[again.QueryStart:again.QueryEnd] &&
		raw[u.FragStart:u.FragEnd] == written[again.FragStart:again.FragEnd], "an address is read as it was written", written)
}

// hosts spells names in both ways.
func hosts(in []byte) {
	host := string(in)
	name, ok := hostname.ASCII(host)
	if !ok {
		return
	}
	again, ok := hostname.ASCII(name)
	hold(ok && again == name, "a name is spelled in one way", name, again)
	shown := hostname.ForPeople(name)
	again, ok = hostname.ASCII(shown)
	hold(ok && again == name, "the name that people see is the name", name, shown, again)
}

// addresses asks net/netip, which knows neither the older spellings of IPv4 nor those in IPv6.
func addresses(in []byte) {
	s := string(in)
	want, err := netip.ParseAddr(s)
	six := strings.IndexByte(s, ':') >= 0
	if six {
		s = "[" + s + "]"
	}
	got, ok := hostname.ParseIP(s)
	if ok {
		again, ok := hostname.ParseIP(got.String())
		hold(ok && again == got, "an address is read as it was written", got.String())
	}
	if err != nil || want.Zone() != "" {
		hold(!ok || !six || want.Zone() != "", "net/netip refuses it", got.String())
		return
	}
	is := want.String()
	if six {
		is = "[" + is + "]"
	}
	hold(ok && (got.String() == is || want.Is4In6()), "net/netip reads it otherwise", got.String(), is)
}

func base64Text(in []byte) {
	one = std.StdEncoding.AppendEncode(one[:0], in)
	two = base64.Append(two[:0], in)
	three = base64.AppendURL(three[:0], in)
	hold(bytes.Equal(one, two) && base64.URLSize(len(in)) == len(three), "encoding/base64 writes it otherwise", one, two)
	breaks := bytes.ContainsAny(in, "\r\n") // the standard library skips them
	var ok bool
	two, ok = base64.Read(two[:0], jsontext.View(in))
	var err error
	one, err = standard.AppendDecode(one[:0], in)
	hold(ok == (err == nil && !breaks) && (!ok || bytes.Equal(one, two)), "encoding/base64 reads it otherwise", one, two)
	two, ok = base64.ReadURL(two[:0], in)
	one, err = ofURLs.AppendDecode(one[:0], in)
	hold(ok == (err == nil && !breaks) && (!ok || bytes.Equal(one, two)), "encoding/base64 reads it otherwise", one, two)
}

var standard, ofURLs = std.StdEncoding.Strict(), std.RawURLEncoding.Strict()

// readsSoundly holds what is true of the impacts of every line.
func readsSoundly(line string) {
	r := impact.Read(line, impact.Options{Cwd: "/w"})
	unknown, runs, changes, sends, fetches := false, false, false, false, false
	for i := range r.Impacts {
		in := &r.Impacts[i]
		switch in.Kind {
		case impact.Unknown:
			unknown = true
		case impact.Runs:
			runs = true
		case impact.Deletes, impact.Changes, impact.Publishes:
			changes = true
		case impact.Sends:
			sends = true
		case impact.Fetches:
			fetches = true
		}
		hold(in.At >= 0 && in.At <= in.End && in.End <= len(line), "an impact lies outside", in.Target)
		hold(utf8.ValidString(in.Target) || !utf8.ValidString(line), "a target is UTF-8", in.Target)
		hold(strings.IndexByte(in.Target, 0) < 0 && strings.IndexByte(in.Target, 1) < 0, "a target has no hole", in.Target)
	}
	hold(unknown == r.Unknown, "an unknown impact makes the whole unknown")
	hold(unknown || runs || !changes && (fetches || !sends), "what only a program does needs one")
}

func inline(in []byte) {
	readsSoundly("python3 -c '" + strings.ReplaceAll(string(in), "'", `'\''`) + "'")
}

// schemas compiles a schema, and the schema that the form itself asks for.
func schemas(in []byte) {
	form, problems := schema.Compile(in, schema.Options{})
	hold((form == nil) == (problems != nil), "a form or problems")
	checkProblems(in, problems)
	if form == nil {
		return
	}
	two = form.AppendJSON(two[:0])
	hold(isJSON(two), "a form is JSON", two)
	one = form.Fill(one[:0], nil)
	hold(isJSON(one), "what is filled in is JSON", one)
	for _, p := range form.Check(one) {
		hold(p.Code == "missing", "defaults are valid", p.Code, one)
	}
	one = form.AppendSchema(one[:0], true)
	again, problems := schema.Compile(one, schema.Options{})
	hold(problems == nil && len(again.Fields) == len(form.Fields), "a form's own schema is one", one, problems)
}

// answers checks the second half under the schema of the first. Most changes are of the answer.
func answers(in []byte) {
	first, answer := halves(in)
	if lastForm == nil || !bytes.Equal(first, lastSchema) {
		lastSchema = bytes.Clone(first)
		lastForm, _ = schema.Compile(lastSchema, schema.Options{})
	}
	if lastForm == nil {
		return
	}
	problems := lastForm.Check(answer)
	checkProblems(answer, problems)
	if problems != nil {
		return
	}
	hold(answer == nil || json.Valid(answer), "an accepted answer is JSON")
	two = lastForm.Fill(two[:0], answer)
	three = lastForm.Fill(three[:0], two)
	hold(bytes.Equal(two, three) && lastForm.Check(two) == nil, "what is filled in is valid and full", two, three)
}

var (
	lastSchema []byte
	lastForm   *schema.Form
)

// formats asks package time, net/netip and net/url. They accept more, and of dates the same.
func formats(in []byte) {
	n, in := which(in, int(schema.Hostname))
	f, s := schema.Format(n+1), string(in)
	ok, err := f.Matches(in), error(nil)
	switch f {
	case schema.Date:
		_, err = time.Parse(time.DateOnly, s)
		hold(ok == (err == nil), "package time reads it otherwise", err)
	case schema.DateTime:
		if ok && strings.Index(s, ":60") < 0 {
			_, err = time.Parse(time.RFC3339Nano, strings.ToUpper(s))
		}
	case schema.URI:
		if ok && !strings.Contains(strings.ToLower(s), "[v") { // RFC 3986 section 3.2.2: net/url knows no IPvFuture
			_, err = url.Parse(s)
			var escape url.EscapeError
			if errors.As(err, &escape) {
				_, err = url.PathUnescape(string(escape)) // net/url refuses those in a host; RFC 3986 section 3.2.2 has them
			}
		}
	case schema.IPv4, schema.IPv6:
		var a netip.Addr
		a, err = netip.ParseAddr(s)
		hold(ok == (err == nil && a.Is4() == (f == schema.IPv4) && a.Zone() == ""), "net/netip reads it otherwise", err)
	}
	hold(!ok || err == nil, "another reader refuses it", f.String(), err)
	for i := range typedForm.Fields {
		content, problems := typedForm.Coerce(one[:0], []schema.Typed{schema.TypedText(typedForm.Fields[i].Name, s)})
		one = content
		hold(isJSON(content), "what was typed becomes JSON", content)
		hold(problems != nil || typedForm.Check(content) == nil, "what is read of the typed is valid", content)
	}
}

var typedForm, _ = schema.Compile([]byte(`{"type":"object","properties":{"n":{"type":"number"},"i":{"type":"integer"},`+
	`"d":{"type":"string","format":"date-time"},"m":{"type":"array","items":{"type":"string","enum":["a","b,c"]}}}}`),
	schema.Options{})

// policies decides by whatever could be read of a policy.
func policies(in []byte) {
	n, in := which(in, len(policy.Layers()))
	p, problems := policy.Parse(policy.Layers()[n], in)
	checkProblems(in, problems)
	stack := policy.NewStack(p)
	for i := range asked {
		d := stack.Decide(&asked[i])
		hold(d.Outcome != policy.Accept || i == 0, "only a confirmation is accepted")
		one = d.AppendJSON(one[:0])
		hold(isJSON(one) && len(d.Determining) > 0, "a decision is JSON and has a reason", one)
	}
}

var asked = []policy.Facts{{Mode: elicit.Form, Kind: elicit.KindConfirm},
	{Mode: elicit.URL, Kind: elicit.KindURL, Host: "a.b"},
	{Mode: elicit.Form, Kind: elicit.KindForm, Fields: []policy.FieldFact{{Name: "x", Sensitive: true}}}}

// facts asks gjson.
func facts(in []byte) {
	read, p := policy.ReadFacts(in)
	if p != nil {
		return
	}
	hold(isJSON(in), "what is read is JSON")
	other := gjson.ParseBytes(in)
	hold(read.Server == other.Get("server").String() && read.Message == other.Get("message").String() &&
		read.StrictReview == other.Get("strict_review").Bool() &&
		int64(len(read.Fields)) == other.Get("fields.#").Int(), "gjson reads it otherwise", read.Server, read.Message)
}

// globs matches the second half, and itself with each character escaped.
func globs(in []byte) {
	first, second := halves(in)
	for _, fold := range []bool{false, true} {
		if p, fault := policy.CompilePattern(string(first), fold); fault == "" {
			p.Match(string(second))
		}
	}
	if !utf8.Valid(first) {
		return
	}
	one = one[:0]
	for _, r := range string(first) {
		if !unicode.IsLetter(r) {
			one = append(one, '\\')
		}
		one = utf8.AppendRune(one, r)
	}
	if p, fault := policy.CompilePattern(string(one), false); fault == "" {
		hold(p.Match(string(first)) && !p.Match(string(first)+"x"), "an escaped text matches itself alone", one)
	} else {
		hold(fault == "too long", "an escaped text is a pattern", fault)
	}
}

// lints mends what can be mended.
func lints(in []byte) {
	n, in := which(in, 2*(int(lint.For20260728-lint.For20251125)+1))
	read := lint.Schema
	if n%2 == 1 {
		read = lint.Request
	}
	for _, f := range read(in, lint.For20251125+lint.Target(n/2)) {
		hold(f.Start >= 0 && f.Start <= f.End && f.End <= len(in), "a finding lies outside", f.Code)
		if len(f.Edits) > 0 {
			mended := lint.Apply(in, f.Edits)
			hold(json.Valid(mended), "what is mended is JSON", f.Code, mended)
		}
	}
}
