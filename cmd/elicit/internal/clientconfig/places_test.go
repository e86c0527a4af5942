package clientconfig

import (
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/risk"
)

// TestFilesAreSensitive: a change of any file that install writes is a finding, and the built-in rule asks about it.
func TestFilesAreSensitive(t *testing.T) {
	e := Env{Home: "/home/ann", System: "linux", Get: func(string) string { return "" }}
	var paths []string
	for _, c := range clients {
		for _, p := range c.files {
			dir := "/src/app"
			if p.dir != nil {
				dir = p.dir(e)
			}
			paths = append(paths, dir+"/"+p.pattern)
		}
	}
	for _, h := range hookPlaces {
		dir := "/src/app"
		if h.dir != nil {
			dir = h.dir(e)
		}
		paths = append(paths, dir+"/"+h.name)
	}
	all, _ := policy.Parse(policy.User, []byte(`{"version":1,"rules":[{"when":{"does":"*"},"then":"accept"}]}`))
	for _, path := range paths {
		facts := policy.Facts{Mode: elicit.Form, Kind: elicit.KindApproval, Claim: elicit.ClaimApproval,
			Does: elicit.DeedPatch, Paths: []string{path}}
		if made := policy.NewStack(all).Decide(&facts); made.Outcome != policy.Ask {
			t.Errorf("%s: %v", path, made)
		}
		if !risk.Dangerous(risk.Inspect(&risk.Subject{Mode: elicit.Form, Does: elicit.DeedPatch, Paths: []string{path}})) {
			t.Errorf("%s: no finding", path)
		}
	}
}
