package main

import "testing"

func TestLimitFlags(t *testing.T) {
	none := limitFlags{-1, -1, -1, -1}
	for name, test := range map[string]struct {
		flags      limitFlags
		from, want string
		fails      bool
	}{
		"nothing given":      {none, onePerson, `{}`, false},
		"nothing for a file": {none, oneFile, oneFile, false},
		"one":                {limitFlags{30, -1, -1, -1}, onePerson, `{"per_minute":30}`, false},
		"in place of others": {limitFlags{-1, 0, -1, 2}, `{"shown":1000,"queue":1000}`,
			`{"queue":1000,"burst":0,"shown":2}`, false},
		"over the most": {limitFlags{-1, -1, 5000, -1}, onePerson, "", true},
		"below nothing": {limitFlags{-2, -1, -1, -1}, onePerson, "", true},
	} {
		if got, err := test.flags.within(test.from); got != test.want || (err != nil) != test.fails {
			t.Errorf("%s: got %s, %v, want %s", name, got, err, test.want)
		}
	}
}
