package proxy

import (
	"encoding/json"
	"testing"

	"github.com/spf13/pflag"

	"github.com/elicit-engine/elicit"
	"github.com/elicit-engine/elicit/internal/must"
)

func TestLimitFlags(t *testing.T) {
	onePerson := elicit.Limits{}
	for name, test := range map[string]struct {
		flags []string
		from  elicit.Limits
		want  string // "" for an error
	}{
		"nothing given": {nil, onePerson, `{}`},
		"nothing for a file": {nil, unbounded(),
			`{"queue":1000,"held_calls":1000,"shown":1000,"per_minute":60000,"burst":60000}`},
		"one": {[]string{"--per-minute=30"}, onePerson, `{"per_minute":30}`},
		"in place of others": {[]string{"--burst=0", "--shown=2"}, elicit.Limits{Shown: new(1000), Queue: new(1000)},
			`{"queue":1000,"shown":2,"burst":0}`},
		"over the most": {[]string{"--queue=5000"}, onePerson, ""},
		"below nothing": {[]string{"--per-minute=-1"}, onePerson, ""},
	} {
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		addLimitFlags(flags)
		must.OK(t, flags.Parse(test.flags))
		limits := test.from
		err := overrideLimits(flags, &limits)
		if (err != nil) != (test.want == "") {
			t.Errorf("%s: %v", name, err)
		}
		if got, _ := json.Marshal(limits); err == nil && string(got) != test.want {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
	}
}
