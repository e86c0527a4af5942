package loops

import (
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// TestRead: nearly every vector of connections makes scripts, which have passes, failures and clocks that are set.
func TestRead(t *testing.T) {
	scripts, left, err := Read(vectors.Root(t))
	must.OK(t, err)
	plain, passes, fails, showed := 0, 0, 0, 0
	for _, s := range scripts {
		if !strings.Contains(s.Name, " with ") {
			plain++
		}
		records := 0
		for _, step := range s.Steps {
			for _, item := range step.Want {
				if strings.HasPrefix(item, "append ") {
					records++
				}
				if strings.HasPrefix(item, `{"effect":"show"`) {
					showed++
				}
			}
			if step.Kind == "pass" && len(step.Want) > 0 {
				passes++
			}
		}
		if s.Keeps >= 0 {
			if fails++; records > s.Keeps {
				t.Errorf("%s: %d records kept", s.Name, records)
			}
		}
	}
	t.Logf("%d scripts of %d vectors, %d vectors left out, %d with a failing journal, %d timers with effects, %d shows",
		len(scripts), plain, len(left), fails, passes, showed)
	if plain < 1200 || fails < plain*9/10 || len(left) > plain/20 || passes < 150 || showed < 500 {
		t.Errorf("too few; left out: %v", left)
	}
}
