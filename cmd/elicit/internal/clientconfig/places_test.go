package clientconfig

import (
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/risk"
)

// TestFilesAreSensitive: a change of any file that install writes is a finding.
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
	for _, path := range paths {
		if !risk.Dangerous(risk.Inspect(&risk.Subject{Mode: elicit.Form, Does: elicit.DeedPatch, Paths: []string{path}})) {
			t.Errorf("%s: no finding", path)
		}
	}
}
