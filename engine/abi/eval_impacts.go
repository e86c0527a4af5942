//go:build !browser

package abi

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/engine/policy"
)

// evalImpacts reads facts of a policy: {does?, command?, command_candidate?, cwd?, annotations?, paths?[], hosts?[],
// reach_cut?}. It returns {"impacts":[…]}: what happens if a person accepts.
func evalImpacts(in gjson.Result, dst []byte) []byte {
	f, bad := policy.ReadFacts([]byte(in.Raw))
	if bad != nil {
		return appendProblem(dst, *bad)
	}
	report := impact.Of(&elicit.Request{Does: f.Does, Command: f.Command, CommandCandidate: f.CommandCandidate,
		Cwd: f.Cwd, Annotations: f.Annotations, Paths: f.Paths, Hosts: f.Hosts, ReachCut: f.ReachCut})
	dst = append(dst, `{"impacts":`...)
	return append(elicit.AppendList(dst, report.Impacts), '}')
}
