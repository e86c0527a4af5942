package guardian

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// Manifest is the description of a guest in its custom section elicit.guardian (plugins/ABI.md). The guest wrote it. It
// limits what the guest may be asked and shown, and permits nothing.
type Manifest struct {
	Name    string // a lower-case letter, then letters, digits and hyphens: 1 to 64 bytes
	Version string // 1 to 64 bytes, never parsed
	Summary string // one sentence for people
	Phases  []Phase
	Reads   Reads
	Codes   []string // of its findings, the most important first; the only part kept of them if it is shown a secret
	Data    string   // what it expects of its data document, for people; "" when it has none

	// Settings is a JSON Schema as it is in the manifest, for people; nil without one. The guest's function
	// elicit_check_settings decides whether settings are valid.
	Settings []byte
	License  string
	Source   string
}

// Phase is a moment in the life of a request at which guardians are asked.
type Phase string

// These are the phases: before a person sees the question, and before the person's answer is sent.
const (
	BeforeShow Phase = "before_show"
	BeforeSend Phase = "before_send"
)

// These are the limits of a manifest.
const (
	MaxManifest = 16 << 10 // bytes
	MaxReads    = 64
	MaxCodes    = 32
	maxName     = 64
	maxVersion  = 64
	maxAbout    = 500 // bytes that say what a data document holds
)

// Digest names a module or a data document: the SHA-256 of its original bytes, 64 digits in lower case.
func Digest(text []byte) string {
	sum := digest.Sum256(text)
	return digest.Hex(sum[:])
}

// ParseManifest reads a manifest. An unknown member is a problem, unless its name begins with "x-": a newer guest may
// depend on a member that this engine would ignore.
func ParseManifest(doc []byte) (Manifest, []elicit.Problem) {
	p := manifestParser{}
	if fault := jsontext.Check(doc, jsontext.Limits{Bytes: MaxManifest}); fault != nil {
		return Manifest{}, []elicit.Problem{elicit.FromFault(fault)}
	}
	root := gjson.ParseBytes(doc)
	if !root.IsObject() {
		return Manifest{}, []elicit.Problem{{Code: "wrong_type", Args: []elicit.Arg{elicit.Str("expected", "object")}}}
	}
	seen := map[string]bool{}
	root.ForEach(func(k, v gjson.Result) bool {
		seen[k.String()] = true
		p.at = jsontext.AppendToken(p.at[:0], k.String())
		p.member(k.String(), v)
		return true
	})
	for _, name := range [...]string{"name", "version", "phases", "reads"} {
		if !seen[name] {
			p.at = jsontext.AppendToken(p.at[:0], name)
			p.report("missing")
		}
	}
	if len(p.problems) > 0 {
		return Manifest{}, p.problems
	}
	return p.manifest, nil
}

// manifestParser collects every problem of one manifest. at is the pointer of the current value.
type manifestParser struct {
	manifest Manifest
	problems []elicit.Problem
	at       []byte
}

func (p *manifestParser) report(code string, args ...elicit.Arg) {
	p.problems = append(p.problems, elicit.Problem{Code: code, Pointer: string(p.at), Args: args})
}

func (p *manifestParser) member(name string, v gjson.Result) {
	m := &p.manifest
	switch name {
	case "name":
		if m.Name = p.text(v); v.Type == gjson.String && !IsName(m.Name) {
			p.report("guardian_name", elicit.Str("name", m.Name))
		}
	case "version":
		if m.Version = p.text(v); v.Type == gjson.String && (m.Version == "" || len(m.Version) > maxVersion) {
			p.report("manifest_version", elicit.Num("limit", maxVersion))
		}
	case "summary":
		m.Summary = p.text(v)
	case "phases":
		m.Phases = p.phases(v)
	case "reads":
		m.Reads = p.reads(v)
	case "codes":
		m.Codes = p.codes(v)
	case "data":
		if m.Data = p.text(v); v.Type == gjson.String && (m.Data == "" || len(m.Data) > maxAbout) {
			p.report("manifest_data", elicit.Num("limit", maxAbout))
		}
	case "settings":
		if !v.IsObject() {
			p.wrongType(v, "object")
		}
		m.Settings = []byte(v.Raw)
	case "license":
		m.License = p.text(v)
	case "source":
		m.Source = p.text(v)
	default:
		if !strings.HasPrefix(name, "x-") {
			p.report("unknown_member")
		}
	}
}

// IsName reports whether s can name a guardian. Names go into file names, terminals and journals unchanged.
func IsName(s string) bool {
	if s == "" || len(s) > maxName || s[0] < 'a' || s[0] > 'z' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}

func (p *manifestParser) wrongType(v gjson.Result, want string) {
	got := "object"
	switch {
	case v.IsArray():
		got = "array"
	case v.IsBool():
		got = "boolean"
	case v.Type == gjson.String:
		got = "string"
	case v.Type == gjson.Number:
		got = "number"
	case v.Type == gjson.Null:
		got = "null"
	}
	p.report("wrong_type", elicit.Str("expected", want), elicit.Str("got", got))
}

func (p *manifestParser) text(v gjson.Result) string {
	if v.Type != gjson.String {
		p.wrongType(v, "string")
		return ""
	}
	return v.String()
}

// list reads an array of strings and calls each with every string, with at on its pointer.
func (p *manifestParser) list(v gjson.Result, each func(string)) (count int) {
	if !v.IsArray() {
		p.wrongType(v, "array")
		return -1
	}
	n := len(p.at)
	v.ForEach(func(_, e gjson.Result) bool {
		p.at = jsontext.AppendToken(p.at[:n], strconv.Itoa(count))
		if count++; e.Type == gjson.String {
			each(e.String())
		} else {
			p.wrongType(e, "string")
		}
		return true
	})
	p.at = p.at[:n]
	return count
}

func (p *manifestParser) phases(v gjson.Result) (phases []Phase) {
	count := p.list(v, func(s string) {
		phase := Phase(s)
		if phase != BeforeShow && phase != BeforeSend {
			p.report("unknown_phase", elicit.Str("phase", s))
			return
		}
		for _, known := range phases {
			if known == phase {
				p.report("repeated_value", elicit.Str("value", s))
				return
			}
		}
		phases = append(phases, phase)
	})
	if count == 0 {
		p.report("no_phases")
	}
	return phases
}

func (p *manifestParser) reads(v gjson.Result) Reads {
	reads := Reads{}
	if count := p.list(v, func(s string) {
		if len(reads) == MaxReads {
			return
		}
		pattern, ok := ParsePattern(s)
		if !ok {
			p.report("bad_reads_pointer", elicit.Str("text", s))
		}
		reads = append(reads, pattern)
	}); count > MaxReads {
		p.report("too_many_entries", elicit.Num("limit", MaxReads), elicit.Num("count", count))
	}
	return reads
}

func (p *manifestParser) codes(v gjson.Result) (codes []string) {
	if count := p.list(v, func(s string) {
		switch {
		case !coded(s):
			p.report("finding_code", elicit.Str("text", s))
		case slices.Contains(codes, s):
			p.report("repeated_value", elicit.Str("value", s))
		case len(codes) < MaxCodes:
			codes = append(codes, s)
		}
	}); count > MaxCodes {
		p.report("too_many_entries", elicit.Num("limit", MaxCodes), elicit.Num("count", count))
	}
	return codes
}

// AppendJSON appends the manifest in its canonical order. Members named "x-…" are not kept.
func (m Manifest) AppendJSON(dst []byte) []byte {
	o := jsontext.Begin(dst)
	o.Str("name", m.Name)
	o.Str("version", m.Version)
	o.OptStr("summary", m.Summary)
	o.Name("phases", func(dst []byte) []byte {
		return appendStrings(dst, len(m.Phases), func(i int) string { return string(m.Phases[i]) })
	})
	o.Name("reads", m.Reads.AppendJSON)
	if len(m.Codes) > 0 {
		o.Name("codes", func(dst []byte) []byte {
			return appendStrings(dst, len(m.Codes), func(i int) string { return m.Codes[i] })
		})
	}
	o.OptStr("data", m.Data)
	o.OptRaw("settings", m.Settings)
	o.OptStr("license", m.License)
	o.OptStr("source", m.Source)
	return o.End()
}

func appendStrings(dst []byte, n int, at func(int) string) []byte {
	dst = append(dst, '[')
	for i := range n {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsontext.AppendString(dst, at(i))
	}
	return append(dst, ']')
}
