package guardian

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
)

// Manifest is the description of a guest in its custom section elicit.guardian (plugins/ABI.md). The guest wrote it. It
// limits what the guest may be asked and shown, and permits nothing. A host shows it to the operator, who copies the
// declarations into a permit. After that CheckGuests holds the permit against the module, so a module cannot come to
// declare more.
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

// Phase is a moment in the life of a request at which guardians are asked. A third phase, second_person, belongs to
// package effect: people have it, and no guest.
type Phase string

// These are the phases: before a person sees the question, and before the person's answer is sent.
const (
	BeforeShow Phase = "before_show"
	BeforeSend Phase = "before_send"
)

// These are the limits of a manifest. Together they bound the work of one question: 64 patterns are compared with each
// member of a request.
const (
	MaxManifest = 16 << 10 // bytes
	MaxReads    = 64
	MaxCodes    = 32
	maxName     = 64
	maxVersion  = 64
	maxAbout    = 500 // bytes that say what a data document holds
)

// Digest names a module or a data document: the SHA-256 of its original bytes, 64 digits in lower case. The original
// bytes, before a host adds a meter or compiles them.
func Digest(text []byte) string {
	sum := digest.Sum256(text)
	return digest.Hex(sum[:])
}

// ParseManifest reads a manifest. An unknown member is a problem, unless its name begins with "x-": a newer guest may
// depend on a member that this engine would ignore.
func ParseManifest(doc []byte) (Manifest, []elicit.Problem) {
	r, problems := strict.Document(doc, jsontext.Limits{Bytes: MaxManifest})
	if len(problems) > 0 {
		return Manifest{}, problems
	}
	// takeText has reported a wrong type already. A second problem about the same member would only confuse its author.
	isText := func(name string) bool { return r.Take(name).Type == gjson.String }
	var m Manifest
	if m.Name = takeText(&r, "name"); isText("name") && !IsName(m.Name) {
		r.Report("guardian_name", "name", elicit.Str("name", m.Name))
	}
	if m.Version = takeText(&r, "version"); isText("version") && (m.Version == "" || len(m.Version) > maxVersion) {
		r.Report("manifest_version", "version", elicit.Num("limit", maxVersion))
	}
	m.Phases, m.Reads, m.Codes = takePhases(&r, "phases"), takeReads(&r, "reads"), takeCodes(&r, "codes")
	if m.Data = takeText(&r, "data"); isText("data") && (m.Data == "" || len(m.Data) > maxAbout) {
		r.Report("manifest_data", "data", elicit.Num("limit", maxAbout))
	}
	m.Settings = r.Raw("settings")
	if v := r.Take("settings"); v.Exists() && !v.IsObject() {
		reportType(&r, strict.Pointer("settings"), v, "object")
	}
	m.Summary, m.License, m.Source = takeText(&r, "summary"), takeText(&r, "license"), takeText(&r, "source")
	for _, name := range [...]string{"name", "version", "phases", "reads"} {
		if !r.Has(name) {
			r.Report("missing", name)
		}
	}
	// "x-" is for authors and tools. Nothing in the engine reads such a member.
	r.Allow(func(name string) bool { return strings.HasPrefix(name, "x-") })
	if r.RefuseUnknown(); len(r.Problems) > 0 {
		return Manifest{}, r.Problems
	}
	return m, nil
}

// IsName reports whether s can name a guardian. Names go into file names, terminals and journals unchanged. "pii-eu" is
// a name. "PII", "../x" and "a b" are none: a name is part of file names and of lines that people read.
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

// reportType tells an author which type a value has, beside the one that it must have. The author of a manifest sees
// the pointer, the type that is wanted and the type that was found.
func reportType(r *strict.Reader, pointer string, v gjson.Result, want string) {
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
	r.ReportAt(pointer, "wrong_type", elicit.Str("expected", want), elicit.Str("got", got))
}

// takeText is "" for a member that is missing, and for one that is no text, after a problem.
func takeText(r *strict.Reader, name string) string {
	v := r.Take(name)
	if v.Exists() && v.Type != gjson.String {
		reportType(r, strict.Pointer(name), v, "string")
		return ""
	}
	return v.Str
}

// takeStrings takes a list of strings that may be left out and calls each with every string and its pointer. It returns
// how many values the list has. The count goes on behind the limits of the callers, so that a problem can name how many
// there were.
func takeStrings(r *strict.Reader, name string, each func(at, s string)) (count int) {
	if v := r.Take(name); v.Exists() && !v.IsArray() {
		reportType(r, strict.Pointer(name), v, "array")
		return count
	}
	r.Array(name, func(i int, e gjson.Result) bool {
		if at := strict.Element(name, i); e.Type == gjson.String {
			each(at, e.Str)
		} else {
			reportType(r, at, e, "string")
		}
		count++
		return true
	})
	return count
}

// An empty list is a problem: such a guest would never run, and somebody would believe that it does.
func takePhases(r *strict.Reader, name string) (phases []Phase) {
	count := takeStrings(r, name, func(at, s string) {
		switch phase := Phase(s); {
		case phase != BeforeShow && phase != BeforeSend:
			r.ReportAt(at, "unknown_phase", elicit.Str("phase", s))
		case slices.Contains(phases, phase):
			r.ReportAt(at, "repeated_value", elicit.Str("value", s))
		default:
			phases = append(phases, phase)
		}
	})
	if count == 0 && r.Take(name).IsArray() {
		r.Report("no_phases", name)
	}
	return phases
}

// An empty list and no list differ: in a manifest the first reads nothing, and the second is a problem. In a permit
// both permit nothing.
func takeReads(r *strict.Reader, name string) Reads {
	reads := Reads{}
	count := takeStrings(r, name, func(at, s string) {
		if len(reads) == MaxReads {
			return
		}
		pattern, ok := ParsePattern(s)
		if !ok {
			r.ReportAt(at, "bad_reads_pointer", elicit.Str("text", s))
		}
		reads = append(reads, pattern)
	})
	reportTooMany(r, name, count, MaxReads)
	return reads
}

// The order counts: Discreet prefers the first of them.
func takeCodes(r *strict.Reader, name string) (codes []string) {
	count := takeStrings(r, name, func(at, s string) {
		switch {
		case !coded(s):
			r.ReportAt(at, "finding_code", elicit.Str("text", s))
		case slices.Contains(codes, s):
			r.ReportAt(at, "repeated_value", elicit.Str("value", s))
		case len(codes) < MaxCodes:
			codes = append(codes, s)
		}
	})
	reportTooMany(r, name, count, MaxCodes)
	return codes
}

func reportTooMany(r *strict.Reader, name string, count, limit int) {
	if count > limit {
		r.Report("too_many_entries", name, elicit.Num("limit", limit), elicit.Num("count", count))
	}
}

// AppendJSON appends the manifest in its canonical order. Members named "x-…" are not kept.
func (m Manifest) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "name", m.Name, "version", m.Version)
	o.OptStr("summary", m.Summary)
	jsontext.Strings(&o, "phases", m.Phases)
	o.Name("reads", m.Reads.AppendJSON)
	jsontext.OptStrings(&o, "codes", m.Codes)
	o.OptStr("data", m.Data)
	o.OptRaw("settings", m.Settings)
	o.OptStrs("license", m.License, "source", m.Source)
	return o.End()
}
