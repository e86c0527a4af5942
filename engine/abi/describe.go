package abi

import (
	"slices"
	"strconv"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/relay"
	"github.com/elicit-engine/elicit/engine/risk"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// Version is the version of the contract: the current one, and the oldest whose callers still work unchanged.
const (
	Version       = 1
	OldestVersion = 1
)

// Describe appends what this interface supports, so that every binding can compare its own constants with it:
//
//	{"abi":{"current","oldest"},"statuses":[…],"ops":[…],"op_numbers":[…],"events":[…],"effects":[…],
//	 "abouts":[…],
//	 "protocols":[…],"actions":[…],"outcomes":[…],"causes":[…],"problems":[…],"reasons":[…],
//	 "findings":[{"code","severity","text"}…],"remarks":[…],"limits":[{"name","default","most","least"}…],
//	 "configuration":[{"name","type","default"?,"values"?}…],"layers":[…],"policy_keys":[…],"receipts":[…],
//	 "scopes":[…],"vias":[…],"takes":[…],"parts":[…],"faults":[…],"phases":[…],"resolutions":[…],
//	 "frameworks":[…],"interrupt_options":[…],"relay":{…},"asking"?:{…}}
//
// The member relay describes connections:
// {"events":[…],"effects":[…],"roles":[…],"askers":[…],"config":[{"name","type", "default"?,"values"?}…]}. It lists
// only events and effects that an engine does not have. The member asking does the same for machines of the asking
// side, with the lists events, effects, offers, orders and config. A build without them has no such member.
func Describe(dst []byte) []byte {
	o := jsontext.Begin(dst)
	o.Name("abi", func(dst []byte) []byte {
		v := jsontext.Begin(dst)
		v.Int("current", Version)
		v.Int("oldest", OldestVersion)
		return v.End()
	})
	names(&o, "statuses", Statuses())
	names(&o, "ops", Ops())
	o.Name("op_numbers", opNumbers)
	names(&o, "events", event.Names())
	names(&o, "effects", effect.Names())
	names(&o, "abouts", effect.Abouts())
	names(&o, "protocols", protocols())
	names(&o, "actions", []elicit.Action{elicit.Accept, elicit.Decline, elicit.Cancel})
	names(&o, "outcomes", []elicit.Outcome{elicit.Accepted, elicit.Declined, elicit.Cancelled, elicit.Failed})
	names(&o, "causes", elicit.Causes())
	names(&o, "problems", english.ProblemCodes())
	names(&o, "reasons", english.ReasonCodes())
	jsontext.List(&o, "findings", findingRows(risk.Docs()))
	names(&o, "remarks", english.RemarkCodes())
	jsontext.List(&o, "limits", engine.Limits())
	jsontext.List(&o, "configuration", engine.ConfigKeys())
	names(&o, "layers", layers())
	names(&o, "policy_keys", policy.Keys(""))
	names(&o, "receipts", event.Receipts())
	names(&o, "scopes", elicit.Scopes())
	names(&o, "vias", event.Vias())
	names(&o, "takes", elicit.TakesNames())
	names(&o, "parts", elicit.PartKinds())
	names(&o, "faults", guardian.Faults())
	names(&o, "phases", effect.Phases())
	names(&o, "resolutions", effect.Resolutions())
	names(&o, "frameworks", frameworks())
	names(&o, "interrupt_options", interruptOptions())
	o.Name("relay", describeRelay)
	if describeAsking != nil {
		o.Name("asking", describeAsking)
	}
	return o.End()
}

func describeRelay(dst []byte) []byte {
	o := jsontext.Begin(dst)
	names(&o, "events", relay.EventNames())
	names(&o, "effects", relay.EffectNames())
	names(&o, "roles", relay.Roles())
	names(&o, "askers", relay.Askers())
	jsontext.List(&o, "config", relay.ConfigKeys())
	return o.End()
}

func protocols() (versions []string) {
	for _, d := range mcp.Dialects() {
		versions = append(versions, "mcp "+d.Version)
	}
	return versions
}

// layers names every layer of policy that a configuration may have, the strongest first.
func layers() (list []string) {
	for _, l := range policy.Layers() {
		list = append(list, l.String())
	}
	return list
}

// Ops lists the stateless operations of this build in the order of their numbers, which EvalOp returns.
func Ops() []string {
	return slices.DeleteFunc(slices.Clone(evalOrder), func(op string) bool { return !performs(op) })
}

// opNumbers lists the numbers of Ops.
func opNumbers(dst []byte) []byte {
	ops := Ops()
	return jsontext.AppendEach(dst, len(ops), func(dst []byte, i int) []byte {
		return strconv.AppendUint(dst, uint64(EvalOp(ops[i])), 10)
	})
}

func names[T ~string](o *jsontext.Object, name string, list []T) {
	o.Name(name, func(dst []byte) []byte {
		return jsontext.AppendEach(dst, len(list), func(dst []byte, i int) []byte {
			return jsontext.AppendString(dst, string(list[i]))
		})
	})
}

type findingRow risk.Doc

func findingRows(docs []risk.Doc) []findingRow {
	rows := make([]findingRow, len(docs))
	for i, d := range docs {
		rows[i] = findingRow(d)
	}
	return rows
}

// AppendJSON appends {"code","severity","text"}. The text is the sentence for a person, with its arguments in braces.
func (f findingRow) AppendJSON(dst []byte) []byte {
	o := jsontext.Begin(dst)
	o.Strs("code", f.Code, "severity", string(f.Severity), "text", english.Finding(elicit.Finding{Code: f.Code}))
	return o.End()
}
