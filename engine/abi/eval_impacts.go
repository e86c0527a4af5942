//go:build !browser

package abi

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
)

// evalImpacts reads facts of a policy: {does?, command?, command_candidate?, cwd?, annotations?, paths?[], hosts?[],
// reach_cut?}. It returns {"impacts":[…]}: what happens if a person accepts. Example: {"does":"command","command":"rm
// -r build"} gives the impacts runs rm, and deletes build with how "tree". The reader of command lines runs nothing and
// looks at no file.
func evalImpacts(in gjson.Result, dst []byte) []byte {
	f, bad := policy.ReadFacts([]byte(in.Raw))
	if bad != nil {
		return appendProblem(dst, *bad)
	}
	report := f.ReadImpacts()
	dst = append(dst, `{"impacts":`...)
	return append(elicit.AppendList(dst, report.Impacts), '}')
}
