package house

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/internal/must"
)

// TestNightlyIsTheResultOfARun checks that testdata/nightly.json is what scripts/nightly.sh writes: for each part a
// commit, a time, and what was counted. The result itself may be a failure.
func TestNightlyIsTheResultOfARun(t *testing.T) {
	var parts map[string]struct {
		Date                               time.Time
		Commit                             string
		Minutes                            int
		Passed                             bool
		Tests, Failed, Skipped             int
		Seconds, Targets, Executions, Seed int
		Steps                              string
	}
	read := json.NewDecoder(strings.NewReader(must.Text(t, "testdata/nightly.json")))
	read.DisallowUnknownFields()
	must.OK(t, read.Decode(&parts))
	for name, p := range parts {
		if !regexp.MustCompile(`^[0-9a-f]{40}$`).MatchString(p.Commit) || p.Date.IsZero() || p.Minutes < 1 {
			t.Errorf("%s has no commit, date or time: %+v", name, p)
		}
		if !strings.Contains(must.Text(t, "scripts/nightly.sh"), "\n"+name+"_night() {") {
			t.Errorf("scripts/nightly.sh has no part %s", name)
		}
	}
	if f := parts["fuzz"]; f.Targets < 50 || f.Executions < f.Targets || parts["swarm"].Steps == "" {
		t.Errorf("too little ran: %+v", parts)
	}
}
