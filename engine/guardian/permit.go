package guardian

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
)

// Permit is what an operator permits one guardian to do. A configuration has at most MaxPermits, in an order that
// reasons and consults keep. The engine never changes one. All of what a guardian sees, and when, is the intersection
// of Declared and Reads, and of Declared and Phases.
type Permit struct {
	Name     string // its name in reasons; unique among the permits of an engine
	Digest   string // of the module: 64 hex digits of SHA-256; "" for a reviewer that belongs to the host
	Declared Declared
	Settings []byte // canonical JSON object, nil for {}
	Data     string // digest of its data document: 64 hex digits of SHA-256; "" for none
	Reads    Reads  // what it may see, of what it declared
	Phases   []Phase
	Audit    bool // its verdicts are recorded but never count
	// Steps as plugins/meter counts them, the same on every machine. A guest that uses them up has the fault fuel.
	Fuel int64 // of one evaluation
	WASI bool  // it may import WASI, as described in plugins/ABI.md
	// Also while the host is busy: the engine reckons from the step that asked.
	Deadline int64 // the most milliseconds that a verdict may take
	// The next three say whose word the reviewer's replaces, and who runs it.
	Reviewer bool // its allow may answer an approval, if policy names a reviewer
	Escalate bool // a person is asked about what the reviewer does not allow; otherwise it is declined
	Host     bool // the host runs it, even if the engine could
}

// Declared is what a module's manifest requests. The operator has copied it from the manifest. It cannot be wider than
// the manifest: CheckGuests compares both.
type Declared struct {
	Phases []Phase
	Reads  Reads
	Codes  []string
}

// These are the bounds of a permit. Times are milliseconds. 16 guardians with two seconds each would be half a minute,
// but all of them are asked at once.
const (
	MaxPermits       = 16
	DefaultFuel      = 5_000_000
	MaxFuel          = 50_000_000
	GuestDeadline    = 2_000
	ReviewerDeadline = 90_000 // for all attempts
	maxDeadline      = 7 * 24 * 3600 * 1000
	maxSettings      = 64 << 10
	MaxData          = 4 << 20 // bytes of a data document
)

// ReadPermits reads a configuration's "guardians":
//
//	[{"name","digest"?,"declared"?:{"phases":[…],"reads":[…],"codes"?:[…]},"settings"?:{…},"data_digest"?,"reads"?:[…],
//	  "phases"?:[…],"audit"?,"fuel"?,"wasi"?,"deadline_ms"?,"reviewer"?,"escalate"?,"host"?}…]
//
// Every permit is read strictly: a permit that is misunderstood must not count as one with fewer demands. Example:
// {"name":"pii","reed":["/request"]} is refused for the unknown member. Read leniently, it would be a guardian that
// sees nothing and passes everything.
func ReadPermits(list gjson.Result) (permits []Permit, problems []elicit.Problem) {
	return readPermits(list, false)
}

// ReadRecordedPermits is ReadPermits for a configuration in a journal, whose members may have names of an earlier
// version.
func ReadRecordedPermits(list gjson.Result) (permits []Permit, problems []elicit.Problem) {
	return readPermits(list, true)
}

func readPermits(list gjson.Result, recorded bool) (permits []Permit, problems []elicit.Problem) {
	if !list.Exists() {
		return nil, nil
	}
	if !list.IsArray() {
		return nil, []elicit.Problem{{Code: "wrong_type", Args: []elicit.Arg{elicit.Str("expected", "array")}}}
	}
	var all strict.Reader
	for i, v := range list.Array() {
		if i == MaxPermits {
			all.ReportAt("", "too_many_guardians", elicit.Num("limit", MaxPermits))
			break
		}
		// A permit that is no good stays in the list, so that the indexes in problems are those of the document.
		at, r := "/"+strconv.Itoa(i), permitReader{Reader: strict.Of(v)}
		if !v.IsObject() {
			all.ReportAt(at, "wrong_type", elicit.Str("expected", "object"))
			continue
		}
		r.Recorded = recorded
		r.read()
		if name := r.permit.Name; name != "" && slices.ContainsFunc(permits, func(g Permit) bool { return g.Name == name }) {
			// Reasons and confirmations name guardians, so a name must be one guardian.
			r.Report("guardian_twice", "name", elicit.Str("guardian", name))
		}
		permits = append(permits, r.permit)
		all.Include(at, &r.Reader)
	}
	return permits, append(all.Problems, all.Deprecated...)
}

type permitReader struct {
	strict.Reader
	permit Permit
}

func (r *permitReader) read() {
	g := &r.permit
	if name := r.Take("name"); name.Exists() {
		if g.Name = name.Str; !IsName(g.Name) {
			r.Report("guardian_name", "name", elicit.Str("name", g.Name))
		}
	}
	g.Digest = r.digest("digest")
	declared, phased := r.Has("declared"), r.Has("phases")
	r.Object("declared", func(sub *strict.Reader) {
		g.Declared = Declared{Phases: takePhases(sub, "phases"), Reads: takeReads(sub, "reads"),
			Codes: takeCodes(sub, "codes")}
	})
	g.Reads, g.Phases = takeReads(&r.Reader, "reads"), takePhases(&r.Reader, "phases")
	g.Audit = r.audit()
	g.Fuel, g.Deadline = r.number("fuel", MaxFuel), r.number("deadline_ms", maxDeadline)
	g.WASI, g.Host = r.Flag("wasi"), r.Flag("host")
	g.Reviewer, g.Escalate = r.Flag("reviewer"), r.Flag("escalate")
	if v := r.Take("settings"); v.Exists() {
		if g.Settings = jsontext.AppendValue(nil, []byte(v.Raw)); !v.IsObject() || len(v.Raw) > maxSettings {
			r.Report("wrong_type", "settings", elicit.Str("expected", "object"))
		}
	}
	g.Data = r.digest("data_digest")
	r.RefuseUnknown()
	r.complete(declared, phased)
}

// audit takes "audit", or "mode" in a record of an earlier version. An earlier version had {"mode":"audit"} and
// {"mode":"enforce"}. Renamed gives the old name only in a record.
func (r *permitReader) audit() bool {
	if r.Renamed("audit", "mode") == "audit" {
		return r.Flag("audit")
	}
	v := r.Take("mode")
	if v.Str != "audit" && v.Str != "enforce" {
		r.Report("unknown_value", "mode", elicit.Str("value", v.String()), elicit.Str("allowed", "enforce, audit"))
	}
	return v.Str == "audit"
}

// complete sets defaults and refuses combinations that are not allowed.
func (r *permitReader) complete(declared, phased bool) {
	g := &r.permit
	if g.Name == "" && len(r.Problems) == 0 {
		r.Report("missing", "name")
	}
	// Nobody else could find a guardian without a digest.
	g.Host = g.Host || g.Digest == ""
	switch {
	// A guardian of the host has no module whose manifest the operator could have read, so what it may see is what it
	// declares.
	case g.Reviewer && g.Digest == "" && !declared:
		g.Declared = Declared{Phases: []Phase{BeforeShow}, Reads: g.Reads}
	case g.Host && !declared:
		g.Declared = Declared{Phases: []Phase{BeforeShow, BeforeSend}, Reads: g.Reads}
	// A module without a declaration in its permit: nobody has read what it wants to see.
	case !declared:
		r.Report("guardian_undeclared", "declared")
	}
	if !phased {
		g.Phases = g.Declared.Phases
	}
	for _, p := range g.Phases {
		if !slices.Contains(g.Declared.Phases, p) {
			r.Report("phase_undeclared", "phases", elicit.Str("phase", string(p)))
		}
	}
	// A review that does not count would leave nobody to answer.
	if g.Reviewer && g.Audit {
		r.Report("reviewer_in_audit", "audit")
	}
	g.Fuel = cmp.Or(g.Fuel, DefaultFuel)
	// A guest is a small program, and a model needs many seconds for each of its attempts.
	if g.Deadline == 0 {
		if g.Deadline = GuestDeadline; g.Reviewer {
			g.Deadline = ReviewerDeadline
		}
	}
}

// digest takes 64 hex digits. A wrong text is returned beside its problem, and the permit is not used.
func (r *permitReader) digest(name string) string {
	v := r.Take(name)
	if v.Exists() && !digest.IsHex(v.Str) {
		r.Report("guardian_digest", name)
	}
	return v.Str
}

// 0 says that the member is missing. After a problem the permit is not used.
func (r *permitReader) number(name string, most int64) int64 {
	v := r.Take(name)
	n, ok := strict.Integer(v)
	if v.Exists() && (!ok || n < 1 || n > most) {
		r.Report("limit_out_of_range", name, elicit.Num("least", 1), elicit.Num("most", int(most)))
	}
	return n
}

// Due reports whether the guardian is asked in a phase.
func (g *Permit) Due(p Phase) bool { return slices.Contains(g.Phases, p) }
