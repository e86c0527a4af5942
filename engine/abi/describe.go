package abi

import (
	"strconv"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/risk"
)

// Version is the version of the contract: the current one, and the oldest whose callers still work unchanged. A new
// member or code does not change it. A caller that meets a lower current version is newer than the engine.
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
// side, with the lists events, effects, offers, orders and config. A build without them has no such member. The module
// core has the members abi, statuses, ops, op_numbers, problems, reasons, findings and remarks. Codes are listed so
// that a binding can test that it has a text or a type for each of them.
func Describe(dst []byte) []byte {
	o := jsontext.Begin(dst)
	o.Name("abi", func(dst []byte) []byte {
		v := jsontext.Begin(dst)
		v.Int("current", Version)
		v.Int("oldest", OldestVersion)
		return v.End()
	})
	jsontext.Strings(&o, "statuses", Statuses())
	jsontext.Strings(&o, "ops", Ops())
	o.Name("op_numbers", opNumbers)
	describeAnswering(&o)
	jsontext.Strings(&o, "problems", english.ProblemCodes())
	jsontext.Strings(&o, "reasons", english.ReasonCodes())
	jsontext.List(&o, "findings", findingRows(risk.Docs()))
	jsontext.Strings(&o, "remarks", english.RemarkCodes())
	describeMachines(&o)
	return o.End()
}

// Ops lists the stateless operations of this build in the order of their numbers, which EvalOp returns.
func Ops() (names []string) {
	for _, op := range evalOrder {
		if performs(op.name) {
			names = append(names, op.name)
		}
	}
	return names
}

// opNumbers lists the numbers of Ops.
func opNumbers(dst []byte) []byte {
	ops := Ops()
	return jsontext.AppendEach(dst, len(ops), func(dst []byte, i int) []byte {
		return strconv.AppendUint(dst, uint64(EvalOp(ops[i])), 10)
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
	return jsontext.Whole(dst, "code", f.Code, "severity", string(f.Severity),
		"text", english.Finding(elicit.Finding{Code: f.Code}))
}
