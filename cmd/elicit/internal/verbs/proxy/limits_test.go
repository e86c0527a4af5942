package proxy

import (
	"encoding/json"
	"testing"

	"github.com/elicit-engine/elicit"
)

func TestLimitFlags(t *testing.T) {
	none, onePerson := limitFlags{-1, -1, -1, -1, -1}, elicit.Limits{}
	for name, test := range map[string]struct {
		flags limitFlags
		from  elicit.Limits
		want  string // "" for an error
	}{
		"nothing given": {none, onePerson, `{}`},
		"nothing for a file": {none, unbounded(),
			`{"queue":1000,"held_calls":1000,"shown":1000,"per_minute":60000,"burst":60000}`},
		"one": {limitFlags{30, -1, -1, -1, -1}, onePerson, `{"per_minute":30}`},
		"in place of others": {limitFlags{-1, 0, -1, -1, 2}, elicit.Limits{Shown: new(1000), Queue: new(1000)},
			`{"queue":1000,"shown":2,"burst":0}`},
		"over the most": {limitFlags{-1, -1, 5000, -1, -1}, onePerson, ""},
		"below nothing": {limitFlags{-2, -1, -1, -1, -1}, onePerson, ""},
	} {
		limits, err := test.flags.override(test.from)
		if (err != nil) != (test.want == "") {
			t.Errorf("%s: %v", name, err)
		}
		if got, _ := json.Marshal(limits); err == nil && string(got) != test.want {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
	}
}
