package house

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/internal/must"
)

// TestNightlyIsTheResultOfARun checks that testdata/nightly.json is what scripts/nightly.sh writes: of a commit, at a
// time, with tests, inputs and steps that were counted. The result itself may be a failure.
func TestNightlyIsTheResultOfARun(t *testing.T) {
	var run struct {
		Date    time.Time
		Commit  string
		Minutes int
		Hosts   struct{ Passed, Failed, Skipped int }
		Fuzz    struct{ Seconds, Targets, Failed, Executions int }
		Swarm   struct {
			Steps  string
			Seed   int
			Failed bool
		}
	}
	read := json.NewDecoder(strings.NewReader(must.Text(t, "testdata/nightly.json")))
	read.DisallowUnknownFields()
	must.OK(t, read.Decode(&run))
	if !regexp.MustCompile(`^[0-9a-f]{40}$`).MatchString(run.Commit) || run.Date.IsZero() || run.Minutes < 1 {
		t.Errorf("no commit, date or time: %+v", run)
	}
	if run.Hosts.Passed+run.Hosts.Failed < 20 || run.Fuzz.Targets < 50 || run.Fuzz.Executions < run.Fuzz.Targets ||
		run.Swarm.Steps == "" {
		t.Errorf("too little ran: %+v", run)
	}
}
