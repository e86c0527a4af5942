package guardian

import (
	"slices"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// Grant is what an operator permits one guardian to do.
type Grant struct {
	Name     string // its name in reasons; unique among the grants of an engine
	Digest   string // of the module: 64 hex digits of SHA-256; "" for a reviewer that belongs to the host
	Declared Declared
	Settings []byte // canonical JSON object, nil for {}
	Data     string // digest of its data document: 64 hex digits of SHA-256; "" for none
	Reads    Reads  // what it may see, of what it declared
	Phases   []Phase
	Audit    bool  // its verdicts are recorded but never count
	Fuel     int64 // of one evaluation
	WASI     bool  // it may import WASI, as described in plugins/ABI.md
	Deadline int64 // the most milliseconds that a verdict may take
	Reviewer bool  // its allow may answer an approval, if policy names a reviewer
	Escalate bool  // a person is asked about what the reviewer does not allow; otherwise it is declined
	Host     bool  // the host runs it, even if the engine could
}

// Declared is what a module's manifest requests.
type Declared struct {
	Phases []Phase
	Reads  Reads
	Codes  []string
}

// These are the bounds of a grant. Times are milliseconds.
const (
	MaxGrants        = 16
	DefaultFuel      = 5_000_000
	MaxFuel          = 50_000_000
	GuestDeadline    = 2_000
	ReviewerDeadline = 90_000 // for all attempts
	maxDeadline      = 7 * 24 * 3600 * 1000
	maxSettings      = 64 << 10
	MaxData          = 4 << 20 // bytes of a data document
)

// ReadGrants reads a configuration's "guardians":
//
//	[{"name","digest"?,"declared"?:{"phases":[…],"reads":[…],"codes"?:[…]},"settings"?:{…},"data_digest"?,"reads"?:[…],
//	  "phases"?:[…],"audit"?,"fuel"?,"wasi"?,"deadline_ms"?,"reviewer"?,"escalate"?,"host"?}…]
//
// Every grant is read strictly: a grant that is misunderstood must not count as one with fewer demands.
func ReadGrants(list gjson.Result) (grants []Grant, problems []elicit.Problem) {
	if !list.Exists() {
		return nil, nil
	}
	if !list.IsArray() {
		return nil, []elicit.Problem{{Code: "wrong_type", Args: []elicit.Arg{elicit.Str("expected", "array")}}}
	}
	for i, v := range list.Array() {
		if i == MaxGrants {
			return grants, append(problems,
				elicit.Problem{Code: "too_many_guardians", Args: []elicit.Arg{elicit.Num("limit", MaxGrants)}})
		}
		r := grantReader{at: "/" + strconv.Itoa(i)}
		r.read(v)
		if slices.ContainsFunc(grants, func(g Grant) bool { return g.Name == r.grant.Name }) {
			r.complain("guardian_twice", "/name", elicit.Str("guardian", r.grant.Name))
		}
		grants, problems = append(grants, r.grant), append(problems, r.problems...)
	}
	return grants, problems
}

type grantReader struct {
	at       string
	grant    Grant
	problems []elicit.Problem
}

func (r *grantReader) complain(code, pointer string, args ...elicit.Arg) {
	r.problems = append(r.problems, elicit.Problem{Code: code, Pointer: r.at + pointer, Args: args})
}

func (r *grantReader) read(v gjson.Result) {
	if !v.IsObject() {
		r.complain("wrong_type", "", elicit.Str("expected", "object"))
		return
	}
	g := &r.grant
	declared, phased := false, false
	v.ForEach(func(k, v gjson.Result) bool {
		at := string(jsontext.AppendToken(nil, k.String()))
		switch k.String() {
		case "name":
			if g.Name = v.Str; !IsName(g.Name) {
				r.complain("guardian_name", at, elicit.Str("name", g.Name))
			}
		case "digest":
			if g.Digest = v.Str; !hexDigest(g.Digest) {
				r.complain("guardian_digest", at)
			}
		case "declared":
			declared = true
			r.declared(v, at)
		case "settings":
			if g.Settings = jsontext.AppendValue(nil, []byte(v.Raw)); !v.IsObject() || len(v.Raw) > maxSettings {
				r.complain("wrong_type", at, elicit.Str("expected", "object"))
			}
		case "data_digest":
			if g.Data = v.Str; !hexDigest(g.Data) {
				r.complain("guardian_digest", at)
			}
		case "reads":
			g.Reads = r.reads(v, at)
		case "phases":
			phased = true
			g.Phases = r.phases(v, at)
		case "audit":
			g.Audit = r.flag(v, at)
		case "mode": // of an earlier version
			if g.Audit = v.Str == "audit"; !g.Audit && v.Str != "enforce" {
				r.complain("unknown_value", at, elicit.Str("value", v.String()), elicit.Str("allowed", "enforce, audit"))
			}
			r.problems = append(r.problems, elicit.Deprecated(r.at+at, "audit"))
		case "fuel":
			g.Fuel = r.number(v, at, MaxFuel)
		case "deadline_ms":
			g.Deadline = r.number(v, at, maxDeadline)
		case "wasi":
			g.WASI = r.flag(v, at)
		case "reviewer":
			g.Reviewer = r.flag(v, at)
		case "escalate":
			g.Escalate = r.flag(v, at)
		case "host":
			g.Host = r.flag(v, at)
		default:
			r.complain("unknown_member", at)
		}
		return true
	})
	r.complete(declared, phased)
}

// complete sets defaults and refuses combinations that are not allowed.
func (r *grantReader) complete(declared, phased bool) {
	g := &r.grant
	if g.Name == "" && len(r.problems) == 0 {
		r.complain("missing", "/name")
	}
	g.Host = g.Host || g.Digest == ""
	switch {
	case g.Reviewer && g.Digest == "" && !declared:
		g.Declared = Declared{Phases: []Phase{BeforeShow}, Reads: g.Reads}
	case g.Host && !declared:
		g.Declared = Declared{Phases: []Phase{BeforeShow, BeforeSend}, Reads: g.Reads}
	case !declared:
		r.complain("guardian_undeclared", "/declared")
	}
	if !phased {
		g.Phases = g.Declared.Phases
	}
	for _, p := range g.Phases {
		if !slices.Contains(g.Declared.Phases, p) {
			r.complain("phase_undeclared", "/phases", elicit.Str("phase", string(p)))
		}
	}
	if g.Reviewer && g.Audit {
		r.complain("reviewer_in_audit", "/audit")
	}
	if g.Fuel == 0 {
		g.Fuel = DefaultFuel
	}
	if g.Deadline == 0 {
		if g.Deadline = GuestDeadline; g.Reviewer {
			g.Deadline = ReviewerDeadline
		}
	}
}

func (r *grantReader) declared(v gjson.Result, at string) {
	if !v.IsObject() {
		r.complain("wrong_type", at, elicit.Str("expected", "object"))
		return
	}
	v.ForEach(func(k, v gjson.Result) bool {
		inner := at + string(jsontext.AppendToken(nil, k.String()))
		switch k.String() {
		case "phases":
			r.grant.Declared.Phases = r.phases(v, inner)
		case "reads":
			r.grant.Declared.Reads = r.reads(v, inner)
		case "codes":
			p := manifestParser{at: []byte(r.at + inner)}
			r.grant.Declared.Codes = p.codes(v)
			r.problems = append(r.problems, p.problems...)
		default:
			r.complain("unknown_member", inner)
		}
		return true
	})
}

// phases and reads read their members as a manifest's.
func (r *grantReader) phases(v gjson.Result, at string) []Phase {
	p := manifestParser{at: []byte(r.at + at)}
	list := p.phases(v)
	r.problems = append(r.problems, p.problems...)
	return list
}

func (r *grantReader) reads(v gjson.Result, at string) Reads {
	p := manifestParser{at: []byte(r.at + at)}
	list := p.reads(v)
	r.problems = append(r.problems, p.problems...)
	return list
}

func (r *grantReader) number(v gjson.Result, at string, most int64) int64 {
	n := v.Int()
	if v.Type != gjson.Number || float64(n) != v.Num || n < 1 || n > most {
		r.complain("limit_out_of_range", at, elicit.Num("least", 1), elicit.Num("most", int(most)))
		return 1
	}
	return n
}

func (r *grantReader) flag(v gjson.Result, at string) bool {
	if !v.IsBool() {
		r.complain("wrong_type", at, elicit.Str("expected", "boolean"))
	}
	return v.Bool()
}

func hexDigest(s string) bool {
	if len(s) != 64 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// Due reports whether the guardian is asked in a phase.
func (g *Grant) Due(p Phase) bool { return slices.Contains(g.Phases, p) }
